import {
  BYTES,
  check,
  checkOptions,
  type Expectation,
  oneOf,
  STRING,
  shown,
  TRUE_OR_FALSE,
  WHOLE_NUMBER,
  wholeNumber,
} from "../../checks/options.js";
import { TreebankError } from "../errors.js";
import { Sentence } from "../sentence/sentence.js";
import { sentencesFromJson } from "./json.js";
import { CONLL09, CONLLU, CONLLX, type Layout } from "./layout.js";
import type { TreeRequirements } from "./requirements.js";
import { scan } from "./scan.js";
import { type Block, BlockSplitter, MAX_BLOCK } from "./split.js";
import { TextColumns } from "./text-columns.js";

/** The treebank formats, by the names they have on the command line. */
export const FORMATS = ["conllu", "conllx", "conll09", "json"] as const;
/** One of `FORMATS`. */
export type Format = (typeof FORMATS)[number];

const LAYOUTS: Readonly<Record<Exclude<Format, "json">, Layout>> = {
  conllu: CONLLU,
  conllx: CONLLX,
  conll09: CONLL09,
};

/** Options of `TreebankReader` and `readTreebank`. */
export interface ReaderOptions extends TreeRequirements {
  /** CoNLL-U if not given. */
  format?: Format | undefined;
  /** Name of the file, for errors. */
  source?: string | undefined;
  /** Line number of the first line, for input that is not the beginning of a file; 1 by default. */
  line?: number | undefined;
}

const READER_OPTIONS: Readonly<Record<keyof ReaderOptions, Expectation>> = {
  format: oneOf(...FORMATS),
  source: STRING,
  line: wholeNumber(1),
  requireTree: TRUE_OR_FALSE,
  singleRoot: TRUE_OR_FALSE,
  allowNonTrees: TRUE_OR_FALSE,
};

/**
 * Reads a treebank from bytes that come in pieces of any size. For an invalid sentence it returns the error and
 * continues after the next blank line. It holds one sentence in memory.
 *
 * @example
 * ```ts
 * import { TreebankReader } from "@stemma/core/treebank";
 *
 * const reader = new TreebankReader();
 * const conllu = "1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\treads\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
 * const bytes = new TextEncoder().encode(conllu);
 * for (const piece of [bytes.subarray(0, 20), bytes.subarray(20)]) {
 *   for (const sentence of reader.push(piece)) console.log(String(sentence));
 * }
 * for (const sentence of reader.end()) console.log(String(sentence));
 * ```
 */
export class TreebankReader {
  /** After end(): blank lines and comments after the last sentence, to be written after it. */
  trailer = "";
  private readonly source: string;
  private readonly format: Format;
  private readonly splitter: BlockSplitter;
  private readonly decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  /** @param options the format, the name of the file, what must hold */
  constructor(private readonly options: ReaderOptions = {}) {
    checkOptions("a treebank reader", options, READER_OPTIONS);
    this.source = options.source ?? "input";
    this.format = options.format ?? "conllu";
    this.splitter = new BlockSplitter(this.format === "json", options.line);
  }

  /**
   * The sentences that are complete with this chunk, or their errors.
   * @param chunk the next piece, of any size: text or UTF-8
   */
  push(chunk: Uint8Array): (Sentence | TreebankError)[] {
    const blocks = this.splitter.push(chunk);
    // Only a line of JSON holds several sentences; no other block needs a list of its own.
    if (this.format === "json") return blocks.flatMap((block) => this.readAll(block));
    return blocks.map((block) => this.readOne(block));
  }

  /** The last sentence, if the file does not end with a blank line. */
  end(): (Sentence | TreebankError)[] {
    const block = this.splitter.end();
    if (block === undefined) return [];
    if (block.hasWords || block.tooLong) return this.readAll(block);
    try {
      this.trailer = this.decoder.decode(block.bytes);
      return [];
    } catch {
      return [badUtf8(block, this.source)];
    }
  }

  /**
   * The sentence of a block that a BlockSplitter cut out, or its error; the first if it is a line of JSON that holds
   * several.
   * @param block the lines of a sentence, and where they are
   */
  readBlock(block: Block): Sentence | TreebankError {
    check("block", block, BLOCK);
    return this.readAll(block)[0]!;
  }

  private readAll(block: Block): (Sentence | TreebankError)[] {
    if (this.format !== "json") return [this.readOne(block)];
    const text = this.textOf(block);
    if (text instanceof TreebankError) return [text];
    return sentencesFromJson(text, { ...this.options, source: this.source, line: block.line });
  }

  /** The sentence of a block of lines. */
  private readOne(block: Block): Sentence | TreebankError {
    const { source, format, options } = this;
    const text = this.textOf(block);
    if (text instanceof TreebankError) return text;
    const { line } = block;
    const layout = LAYOUTS[format as Exclude<Format, "json">];
    try {
      return new Sentence(new TextColumns(text, layout, scan(text, layout, source, line, options), line));
    } catch (error) {
      if (error instanceof TreebankError) return error;
      throw error;
    }
  }

  private textOf(block: Block): string | TreebankError {
    const { bytes, line, tooLong } = block;
    if (tooLong) {
      const expected = `a blank line within ${MAX_BLOCK} bytes`;
      return new TreebankError(this.source, { what: "sentence", value: "", expected, line });
    }
    try {
      return this.decoder.decode(bytes);
    } catch {
      return badUtf8(block, this.source);
    }
  }
}

const BLOCK: Expectation = {
  expected: "a block of a BlockSplitter",
  accepts: (value) => {
    const { bytes, line, hasWords, tooLong } = (value ?? {}) as Block;
    return BYTES.accepts(bytes) && WHOLE_NUMBER.accepts(line) && [hasWords, tooLong].every(TRUE_OR_FALSE.accepts);
  },
};

/**
 * All sentences of a treebank held in memory; throws the first error.
 *
 * @param text text or UTF-8
 * @param options the format, the name for errors, and requirements of trees
 * @example
 * ```ts
 * import { readTreebank } from "@stemma/core/treebank";
 *
 * const conllu = "1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\treads\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
 * for (const sentence of readTreebank(conllu)) console.log(sentence.words.map((word) => word.form));
 * ```
 */
export function readTreebank(text: string | Uint8Array, options: ReaderOptions = {}): Sentence[] {
  const reader = new TreebankReader(options);
  if (typeof text !== "string" && !ArrayBuffer.isView(text)) {
    throw new TypeError(`invalid treebank: ${shown(text)} (expected a string or a Uint8Array)`);
  }
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return [...reader.push(bytes), ...reader.end()].map((result) => {
    if (result instanceof TreebankError) throw result;
    return result;
  });
}

// Tabs and line ends are never part of a longer character, so the first column that does not decode is the place.
function badUtf8({ bytes, line }: Block, source: string): TreebankError {
  const strict = new TextDecoder("utf-8", { fatal: true });
  let column = 1;
  for (let start = 0, at = 0; at <= bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== 9 && byte !== 10 && at < bytes.length) continue;
    const part = bytes.subarray(start, at);
    try {
      strict.decode(part);
    } catch {
      const value = new TextDecoder().decode(part);
      return new TreebankError(source, { what: "UTF-8", value, expected: "text encoded in UTF-8", line, column });
    }
    start = at + 1;
    column = byte === 9 ? column + 1 : 1;
    if (byte === 10) line++;
  }
  throw new Error("unreachable: every column decodes, the whole does not");
}
