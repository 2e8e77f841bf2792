import { existsSync } from "node:fs";
import { FORMATS, type Format } from "@stemma/core/treebank";
import { TEXT_FORMATS, type TextFormat } from "./annotation/piece.js";
import { FileError, readBytes, sourceName } from "./io.js";
import { warn } from "./messages.js";

export const INPUT_FORMATS = [...TEXT_FORMATS, ...FORMATS] as const;
export type InputFormat = TextFormat | Format;

/** Something to parse: a file, or text that was given as an argument. */
export interface Input {
  /** Path of the file, "-" for standard input; not for text. */
  path?: string;
  text?: string;
  /** Not there for standard input whose format nobody has said. */
  format?: InputFormat;
}

const TREEBANK_NAME = /\.(conllu|conll|conllx|conll09|jsonl?|ndjson)(\.gz)?$/i;
const TEXT_NAME = /\.(txt|text|md)(\.gz)?$/i;
/** "artcle.html", "no/such": without a space, and with an ending or a folder. */
const FILE_NAME = /^\S*(\.[a-z][a-z0-9]{1,5}|[\\/]\S*)$/i;

/**
 * What the arguments are: files that exist, "-", or else text to parse; what looks like a file but is none is an
 * error.
 */
export function inputsOf(args: readonly string[], format: InputFormat | undefined): Input[] {
  if (args.length === 0) return [{ path: "-", ...(format ? { format } : {}) }];
  return args.map((arg) => {
    const known = format ?? (arg === "-" ? undefined : formatOf(arg));
    if (arg === "-" || existsSync(arg)) return { path: arg, ...(known ? { format: known } : {}) };
    const isText = format !== undefined && TEXT_FORMATS.includes(format as TextFormat);
    if (!isText && FILE_NAME.test(arg)) {
      throw new FileError(`${arg}: cannot read: no such file or directory (to parse it as text, use --from text)`);
    }
    if (format && !isText) {
      throw new FileError(`${arg}: cannot read: no such file or directory (text cannot be read with --from ${format})`);
    }
    return { text: arg, format: format ?? "text" };
  });
}

/** What the name of a file says, if it says anything. */
function formatOf(path: string): InputFormat | undefined {
  if (/\.jsonl?(\.gz)?$|\.ndjson(\.gz)?$/i.test(path)) return "json";
  if (TREEBANK_NAME.test(path)) return "conllu";
  return TEXT_NAME.test(path) ? "text" : undefined;
}

/** Whether the beginning of a file is enough to tell what it is: there is a line that is not empty and no comment. */
export function isTelling(start: string): boolean {
  const lines = linesOf(start);
  // The last one may go on.
  return lines.slice(0, -1).some((line) => line.trim() !== "" && !line.startsWith("#"));
}

/** What a file is by its beginning: a treebank if its first line but for comments has the columns of a word. */
export function sniffed(start: string): InputFormat {
  const lines = linesOf(start);
  const first = lines.find((line) => line.trim() !== "" && !line.startsWith("#"));
  if (first === undefined)
    return lines.some((line) => /^# *(sent_id|text) *=|^# *new(doc|par)\b/.test(line)) ? "conllu" : "text";
  if (/^\d+([-.]\d+)?\t/.test(first)) return "conllu";
  return /^\{\s*"/.test(first) ? "json" : "text";
}

function linesOf(text: string): string[] {
  return text.replace(/^\ufeff/, "").split(/\r\n?|\n/);
}

/** Whether a text is a web page, whose tags would be parsed as words. */
export function isMarkup(start: string): boolean {
  return /^\ufeff?\s*<(!doctype|html|\?xml)\b/i.test(start);
}

/**
 * The bytes of a file; where neither its name nor anybody has said what they are, their beginning tells. `onRead` is
 * told how many bytes were read.
 */
export async function withFormat(
  { path, format }: Input,
  onRead?: (bytes: number) => void,
): Promise<{ format: InputFormat; chunks: AsyncIterable<Uint8Array> }> {
  const chunks = readBytes(path!, onRead);
  if (format !== undefined) return { format, chunks };
  const start: Uint8Array[] = [];
  let text = "";
  while (!isTelling(text) && text.length < 1 << 16) {
    const { value, done } = await chunks.next();
    if (done) break;
    start.push(value);
    text += Buffer.from(value).toString("latin1");
  }
  const all = (async function* () {
    yield* start;
    yield* chunks;
  })();
  const told = sniffed(text);
  if (told === "text" && isMarkup(text)) {
    warn(`${sourceName(path!)}: looks like a web page: its tags are parsed as words`);
  }
  return { format: told, chunks: all };
}
