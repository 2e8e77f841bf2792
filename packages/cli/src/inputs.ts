import { existsSync } from "node:fs";
import { FORMATS, type Format } from "@stemma/core";
import { FileError, readBytes } from "./io.js";
import { TEXT_FORMATS, type TextFormat } from "./workers/batch.js";

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

/** What the arguments are: files that exist, "-", or else text to parse; what looks like a file but is none is an error. */
export function inputsOf(args: readonly string[], format: InputFormat | undefined): Input[] {
  if (args.length === 0) return [{ path: "-", ...(format ? { format } : {}) }];
  return args.map((arg) => {
    if (arg === "-") return { path: "-", ...(format ? { format } : {}) };
    if (existsSync(arg)) return { path: arg, format: format ?? formatOf(arg) };
    if (TREEBANK_NAME.test(arg) || TEXT_NAME.test(arg) || (/[\\/]/.test(arg) && !/\s/.test(arg))) {
      throw new FileError(`${arg}: cannot read: no such file or directory`);
    }
    if (format && !TEXT_FORMATS.includes(format as TextFormat)) {
      throw new FileError(`${arg}: cannot read: no such file or directory (text cannot be --from ${format})`);
    }
    return { text: arg, format: format ?? "text" };
  });
}

function formatOf(path: string): InputFormat {
  if (/\.jsonl?(\.gz)?$|\.ndjson(\.gz)?$/i.test(path)) return "json";
  return TEXT_NAME.test(path) ? "text" : "conllu";
}

/** Whether text that comes without a name is a treebank: its first line is a comment or the columns of a word. */
export function sniffed(start: string): InputFormat {
  const line = /^\ufeff?\s*([^\r\n]*)/.exec(start)![1]!;
  if (/^\d+([-.]\d+)?\t/.test(line) || /^# (\w+( = |$)|newpar|newdoc)/.test(line)) return "conllu";
  return /^\{"/.test(line) ? "json" : "text";
}

/** The bytes of a file; where nobody has said what they are, their beginning tells. */
export async function withFormat({
  path,
  format,
}: Input): Promise<{ format: InputFormat; chunks: AsyncIterable<Uint8Array> }> {
  const chunks = readBytes(path!);
  if (format !== undefined) return { format, chunks };
  const start: Uint8Array[] = [];
  let text = "";
  while (!/\S[^\n]*\n/.test(text) && text.length < 1 << 16) {
    const { value, done } = await chunks.next();
    if (done) break;
    start.push(value);
    text += Buffer.from(value).toString("latin1");
  }
  const all = (async function* () {
    yield* start;
    yield* chunks;
  })();
  return { format: sniffed(text), chunks: all };
}
