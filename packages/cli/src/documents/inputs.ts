import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { FORMATS } from "@stemma/core/treebank";
import { LONGEST_LINE, membersOf, SENTENCES, TEXT_FORMATS, type TextFormat } from "@stemma/server/annotation";
import { type ByteRange, FileError, readBytes, sourceName } from "../files/io.js";
import { warn } from "../terminal/messages.js";

export const INPUT_FORMATS = [...TEXT_FORMATS, "jsonl", ...FORMATS] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];
/** Also searchable: words that were parsed before. */
export const SEARCHED_FORMATS = [...INPUT_FORMATS, "parquet"] as const;
type AnyFormat = (typeof SEARCHED_FORMATS)[number];

/** Something to parse: a file, or text that was given as an argument. */
export interface Input {
  /** Path of the file, "-" for standard input; not for text. */
  path?: string;
  text?: string;
  /** Not there where only the content can tell. */
  format?: AnyFormat;
  /** Not all of the file. */
  range?: ByteRange;
}

const JSON_NAME = /\.(jsonl?|ndjson)(\.gz)?$/i;
const TREEBANK_NAME = /\.(conllu|conll|conllx|conll09)(\.gz)?$/i;
const TEXT_NAME = /\.(txt|text|md)(\.gz)?$/i;
/** "artcle.html", "no/such": without a space, and with an ending or a folder. */
const FILE_NAME = /^\S*(\.[a-z][a-z0-9]{1,5}|[\\/]\S*)$/i;

/**
 * The kind of the arguments: files that exist, "-", or else text to parse; what looks like a file but is none is an
 * error.
 */
export function inputsOf(args: readonly string[], format: AnyFormat | undefined): Input[] {
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

/** Arguments with the files of directories in their place, by name; hidden ones are left out. */
export function withFilesOf(args: readonly string[]): string[] {
  return args.flatMap((arg) => {
    if (!statSync(arg, { throwIfNoEntry: false })?.isDirectory()) return arg;
    const files = readdirSync(arg, { withFileTypes: true }).filter(
      (entry) => entry.isFile() && !/^\./.test(entry.name),
    );
    if (files.length === 0) throw new FileError(`${arg}: cannot read: a directory without files`);
    return files.map(({ name }) => join(arg, name)).sort();
  });
}

/** The kind that the name of a file tells, if any. */
function formatOf(path: string): AnyFormat | undefined {
  if (/\.parquet$/i.test(path)) return "parquet";
  // Sentences or documents: that is told by the first line.
  if (JSON_NAME.test(path)) return undefined;
  if (TREEBANK_NAME.test(path)) return "conllu";
  return TEXT_NAME.test(path) ? "text" : undefined;
}

/** Inputs with the formats that the beginnings of files tell; of what comes through a pipe it is told later. */
export async function withToldFormats(inputs: readonly Input[]): Promise<Input[]> {
  const told: Input[] = [];
  for (const input of inputs) {
    const { path = "-", format, text } = input;
    const isKnown = format !== undefined || text !== undefined;
    if (isKnown || path === "-" || !statSync(path, { throwIfNoEntry: false })?.isFile()) told.push(input);
    else {
      const { format, chunks } = await withFormat(input);
      await chunks[Symbol.asyncIterator]().return?.(undefined);
      told.push({ ...input, format });
    }
  }
  return told;
}

/** Whether the beginning of a file is enough to tell what it is: there is a line that is not empty and no comment. */
export function isTelling(start: string): boolean {
  const lines = linesOf(start);
  // The last one may go on.
  return lines.slice(0, -1).some((line) => line.trim() !== "" && !line.startsWith("#"));
}

/** The kind of a file by its beginning: a treebank if its first line but for comments has the columns of a word. */
export function sniffed(start: string): InputFormat {
  const lines = linesOf(start);
  const first = lines.find((line) => line.trim() !== "" && !line.startsWith("#"));
  if (first === undefined)
    return lines.some((line) => /^# *(sent_id|text) *=|^# *new(doc|par)\b/.test(line)) ? "conllu" : "text";
  if (/^\d+([-.]\d+)?\t/.test(first)) return "conllu";
  return /^\{\s*"/.test(first) ? (toldByObject(lines) ?? "json") : "text";
}

/**
 * The content of lines of JSON, if one of them is an object: sentences, or documents whose text is still to be parsed.
 */
function toldByObject(lines: readonly string[]): "json" | "jsonl" | undefined {
  for (const line of lines) {
    if (!/^\s*\{/.test(line)) continue;
    try {
      JSON.parse(line);
    } catch {
      continue;
    }
    return membersOf(line).some(({ name }) => name === "words" || name === SENTENCES) ? "json" : "jsonl";
  }
  return undefined;
}

function linesOf(text: string): string[] {
  return text.replace(/^(\ufeff|\xef\xbb\xbf)/, "").split(/\r\n?|\n/);
}

/** Whether a text is a web page, whose tags would be parsed as words. */
function isMarkup(start: string): boolean {
  return /^\ufeff?\s*<(!doctype|html|\?xml)\b/i.test(start);
}

/**
 * The bytes of a file; where neither its name nor anybody has said what they are, their beginning tells. `onRead` is
 * told how many bytes were read.
 */
export async function withFormat(
  { path, format, range }: Input,
  onRead?: (bytes: number, chunk: Uint8Array) => void,
): Promise<{ format: InputFormat; chunks: AsyncIterable<Uint8Array> }> {
  if (format === "parquet") {
    throw new FileError(
      `${path}: cannot parse a table of words (stemma convert --from parquet makes a treebank of it)`,
    );
  }
  const chunks = readBytes(path!, onRead, range);
  if (format !== undefined) return { format, chunks };
  const start: Uint8Array[] = [];
  let text = "";
  const isJson = JSON_NAME.test(path!);
  // An object has to be whole to tell.
  const most = () => (isJson || /^(\xef\xbb\xbf)?\s*\{/.test(text) ? LONGEST_LINE : 1 << 16);
  const tells = () => (isJson ? toldByObject(linesOf(text).slice(0, -1)) !== undefined : isTelling(text));
  while (!tells() && text.length < most()) {
    const { value, done } = await chunks.next();
    if (done) break;
    start.push(value);
    text += Buffer.from(value).toString("latin1");
  }
  const all = (async function* () {
    try {
      yield* start;
      yield* chunks;
    } finally {
      await chunks.return();
    }
  })();
  const told = isJson ? (toldByObject(linesOf(text)) ?? "json") : sniffed(text);
  if (told === "text" && isMarkup(text)) {
    warn(`${sourceName(path!)}: looks like a web page: its tags are parsed as words`);
  }
  return { format: told, chunks: all };
}
