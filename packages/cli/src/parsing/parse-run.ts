// One run of `stemma parse`: what comes in is cut into pieces, the pool annotates them, and what comes out is written
// in the order of the input.
import { fstatSync, statSync } from "node:fs";
import { basename } from "node:path";
import { type PipelineModel, printable, Segmenter } from "@stemma/core";
import { FORMATS, type Format, TreebankError } from "@stemma/core/treebank";
import {
  type AnnotatedSentence,
  type AnnotationOptions,
  DEFAULT_FIELDS,
  type DocumentFields,
  furtherFields,
  InOrder,
  jsonOf,
  LONGEST_LINE,
  type PieceInput,
  type PieceResult,
  readLinesOf,
  readPieces,
  TEXT_FORMATS,
  type TextFormat,
  type TextInput,
} from "@stemma/server/annotation";
import {
  ColumnsWriter,
  ConlluWriter,
  type DocumentWriter,
  JsonlWriter,
  PARSED_FORMATS,
  type ParsedFormat,
  SentenceWriter,
  TableWriter,
  TreebankDocuments,
} from "../documents/document-writer.js";
import { type Input, type InputFormat, withFormat } from "../documents/inputs.js";
import { FileError, ReadReport, sourceName, withLineEnds } from "../files/io.js";
import { linesBefore } from "../files/lines-before.js";
import type { Output } from "../files/output.js";
import type { Color } from "../terminal/color.js";
import { warn } from "../terminal/messages.js";
import { ParseProgress } from "../terminal/parse-progress.js";
import type { ParserPool } from "../workers/pool.js";
import { readText, TextBatcher, withPauses } from "../workers/text-batcher.js";
import { type BatchItem, type DocumentBatch, DocumentBatcher } from "./document-batcher.js";
import { FitCheck } from "./fit-check.js";
import { ModelParts } from "./model-parts.js";
import { type OutputFormat, TextWriter } from "./text-writer.js";
import { TreebankWriter } from "./treebank-writer.js";

export interface ParseRunOptions {
  /** The file of the model, for messages; not there if it is the one that ships. */
  model?: string | undefined;
  /** Whether several models vote: the shares are then written wherever there is a place for scores. */
  votes?: boolean | undefined;
  /** CoNLL-U by default; of text trees to look at if the output is a terminal. */
  to?: OutputFormat | undefined;
  terminal: boolean;
  scores?: boolean | undefined;
  offsets?: boolean | undefined;
  retag?: boolean | undefined;
  keep?: boolean | undefined;
  fluent?: boolean | undefined;
  kBest?: number | undefined;
  strict?: boolean | undefined;
  color: Color;
  /** Where the text and the name of a document are, if documents may come in. */
  fields?: DocumentFields | undefined;
  /** Write documents that cannot be parsed with what is wrong with them in this field. */
  errorField?: string | undefined;
  /** Every input is a document of its own, or several, with a name: as parts of a corpus are. */
  corpus?: boolean | undefined;
  /** Shown all that is read of a file, as it is on the disk. */
  onRead?: ((input: Input, bytes: Uint8Array) => void) | undefined;
  /** Told of every document or sentence that is skipped. */
  onProblem?: ((problem: TreebankError) => void) | undefined;
  /** Throws if options do not go together with what an input holds. */
  check(input: InputKind, to: OutputFormat): void;
}

/** Facts that options may depend on. */
export type InputKind = "text" | "treebank" | "documents";

/** The work of a run. */
export interface ParseCounts {
  documents: number;
  sentences: number;
  words: number;
  skippedDocuments: number;
  skippedSentences: number;
}

export class ParseRun {
  private readonly texts: TextWriter;
  private readonly treebanks: TreebankWriter;
  private readonly results: InOrder;
  private readonly read = new ReadReport();
  private readonly progress: ParseProgress;
  private readonly parts: ModelParts;
  private readonly fit: FitCheck;
  private readonly losses = new Map<string, number>();
  private writer: DocumentWriter | undefined;
  /** Documents came in, so that they are what comes out unless something else is asked for. */
  private hadDocuments = false;
  private words = 0;

  constructor(
    private readonly pool: ParserPool,
    private readonly out: Output,
    private readonly inputs: readonly Input[],
    private readonly model: PipelineModel,
    private readonly options: ParseRunOptions,
    progress?: ParseProgress,
  ) {
    this.progress = progress ?? new ParseProgress(!options.terminal, sizeOf(inputs));
    this.parts = new ModelParts(model, options.model);
    this.fit = new FitCheck(model);
    this.texts = new TextWriter(out, options.terminal, options.color);
    this.treebanks = new TreebankWriter(out);
    this.results = new InOrder(pool.capacity);
  }

  /** Parses all inputs and writes what comes out of them. */
  async parse(): Promise<void> {
    for (const input of this.inputs) {
      this.fit.begin();
      await this.parseInput(input);
      await this.fit.end(nameOf(input));
      await this.results.finish();
      this.treebanks.nextFile();
    }
    // This had to wait for the last input.
    await this.texts.finish();
    const { to } = this.options;
    await (isDocumentFormat(to) ? this.documentWriter(to) : this.writer)?.finish();
  }

  get counts(): ParseCounts {
    const { read: sentences, documents, skipped: skippedSentences, skippedDocuments } = this.read;
    return { documents, sentences, words: this.words, skippedDocuments, skippedSentences };
  }

  private async parseInput(input: Input): Promise<void> {
    const source = nameOf(input);
    if (input.text !== undefined) return this.parseText([input.text], input.format as TextFormat, { source });
    const path = input.path!;
    const { format, chunks } = await withFormat(input, (length, bytes) => {
      this.progress.read(length);
      this.options.onRead?.(input, bytes);
    });
    if (format === "jsonl") return this.parseDocuments(input, chunks);
    if (!isTextFormat(format)) return this.parseTreebank(input, format, chunks);
    const isNamed = path !== "-" && (this.inputs.length > 1 || isDocumentFormat(this.targetOf("text")));
    const document = this.options.corpus ? partName(input) : isNamed ? printable(basename(path)) : undefined;
    await this.parseText(readText(path, chunks), format, { source, isLive: !isFile(path), document });
  }

  /** The format that comes out. */
  private targetOf(input: InputKind): OutputFormat {
    if (this.options.to !== undefined) return this.options.to;
    if (input === "documents" || this.hadDocuments) return "jsonl";
    return input === "text" && this.options.terminal ? "tree" : "conllu";
  }

  private documentWriter(to: "conllu" | "json" | ParsedFormat): DocumentWriter {
    this.writer ??= new WRITERS[to](this.out);
    return this.writer;
  }

  /** Documents, one in each line. */
  private async parseDocuments(input: Input, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { path = "-", range } = input;
    const { fields = DEFAULT_FIELDS } = this.options;
    this.hadDocuments = true;
    const to = this.targetOf("documents");
    this.options.check("documents", to);
    if (to !== "conllu" && to !== "json" && !isDocumentFormat(to)) {
      throw new FileError(
        `documents cannot be written as ${to} (expected --to jsonl, parquet, columns, conllu or json)`,
      );
    }
    const writer = this.documentWriter(to);
    const { segmenter } = this.model;
    const batcher = new DocumentBatcher(fields, sourceName(path), segmenter && new Segmenter(segmenter));
    const name = path === "-" ? "stdin" : this.options.corpus ? path : printable(basename(path));
    const begin = async ({ document, offset }: BatchItem) => {
      const { id = `${name}@${offset}`, json } = document!;
      const further = to === "jsonl" ? undefined : furtherFields(json, fields);
      if ((to === "conllu" || to === "json") && further !== undefined)
        this.lose("fields of documents", Object.keys(JSON.parse(further)).length);
      await writer.begin({ id, json, fields: further });
    };
    const write = async ({ items }: DocumentBatch, { sentences }: PieceResult) => {
      let [text, next] = [0, 0];
      for (const item of items) {
        if (item.problem) {
          await this.skipDocument(item.problem, path, range?.start ?? 0, writer);
          continue;
        }
        if (item.begins) await begin(item);
        for (; sentences[next]?.item === text; next++) await writer.write(sentences[next]!);
        text++;
        if (item.ends) await writer.end();
        if (item.ends) this.read.documents++;
      }
    };
    const run = async (batches: Iterable<DocumentBatch>) => {
      for (const batch of batches) {
        const { texts } = batch.input;
        if (texts.some(({ text }) => /\S/.test(text))) this.parts.checkText("text");
        let next = 0;
        for (const { problem, begins, document } of batch.items) {
          if (problem) continue;
          const { text } = texts[next++]!;
          if (begins) await this.fit.seeDocument(document?.id ?? sourceName(path), text);
        }
        await this.annotate(batch.input, MADE[to], (result) => write(batch, result));
      }
    };
    const pause = async () => {
      await run(batcher.flush());
      await this.results.finish();
    };
    const lines = readLinesOf(chunks, LONGEST_LINE, range?.start);
    try {
      for await (const some of isFile(path) ? lines : withPauses(lines, pause)) {
        for (const line of some) await run(batcher.push(line));
      }
    } finally {
      // Sentences before the place where the file cannot be read are not lost.
      await run(batcher.flush());
      await this.results.finish();
    }
  }

  /** `start`: where the lines begin that are counted. */
  private async skipDocument(
    { error, line }: NonNullable<BatchItem["problem"]>,
    path: string,
    start: number,
    writer: DocumentWriter,
  ): Promise<void> {
    const placed = await this.placed(error, path, start);
    if (this.options.strict) throw placed;
    this.read.skippedDocuments++;
    this.options.onProblem?.(placed);
    const { errorField } = this.options;
    const isWritten = errorField !== undefined && (await writer.problem(line, errorField, placed.message));
    if (!isWritten) warn(`${placed.message}: document skipped`);
  }

  /** The error with the number of its line in the whole file. */
  private async placed(error: TreebankError, path: string, start: number): Promise<TreebankError> {
    if (start === 0) return error;
    const { source, what, value, expected, line, column } = error;
    return new TreebankError(source, { what, value, expected, column, line: line + (await linesBefore(path, start)) });
  }

  /** Says on standard error how it went. */
  report(): void {
    this.progress.finish();
    this.reportLosses();
    this.read.finish();
  }

  /** Annotations that the format cannot hold, and documents that the model is not for. */
  reportLosses(): void {
    this.fit.report();
    if (this.losses.size > 0) {
      const counts = [...this.losses].map(([what, count]) => `${count} ${what}`).join(", ");
      warn(`stemma: left out because ${this.options.to ?? "conllu"} cannot represent them: ${counts}`);
    }
  }

  /** `isLive`: somebody writes the text and waits for answers; `document`: its name, if it is one of several. */
  private async parseText(
    chunks: AsyncIterable<string> | Iterable<string>,
    from: TextFormat,
    { source, isLive = false, document }: { source: string; isLive?: boolean; document?: string | undefined },
  ): Promise<void> {
    const to = this.targetOf("text");
    this.options.check("text", to);
    if (to === "conllx" || to === "conll09") {
      throw new FileError(`text cannot be written as ${to} (use --to conllu, then stemma convert --to ${to})`);
    }
    const { segmenter } = this.model;
    const batcher = new TextBatcher(from, segmenter && new Segmenter(segmenter));
    const writer = isDocumentFormat(to)
      ? this.documentWriter(to)
      : this.options.corpus && (to === "conllu" || to === "json")
        ? this.documentWriter(to)
        : undefined;
    await writer?.begin({ id: document });
    let begins = document;
    const write = async ({ sentences }: PieceResult) => {
      for (const sentence of sentences) {
        // Where lines are sentences, blank lines between them mean nothing.
        const one = from === "text" ? sentence : { ...sentence, newParagraph: false };
        await (writer?.write(one) ?? this.texts.write(one, to, begins));
        begins = undefined;
      }
    };
    const run = async (inputs: Iterable<TextInput>) => {
      for (const input of inputs) {
        if (/\S/.test(input.text)) this.parts.checkText(from);
        await this.fit.see(source, input.text);
        await this.annotate(input, isDrawing(to) ? "drawing" : MADE[to], write);
      }
    };
    const pause = async () => {
      await run(batcher.pause());
      await this.results.finish();
    };
    try {
      for await (const chunk of isLive ? withPauses(chunks, pause) : chunks) await run(batcher.push(chunk));
    } finally {
      // Sentences before an invalid byte are not lost.
      await run(batcher.end());
      await this.results.finish();
    }
    await writer?.end();
    if (writer) this.read.documents++;
  }

  private async parseTreebank(input: Input, from: Format, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { path = "-", range } = input;
    const to = this.targetOf("treebank");
    const source = sourceName(path);
    this.options.check("treebank", to);
    const documents = isDocumentFormat(to)
      ? new TreebankDocuments(
          this.documentWriter(to),
          to === "jsonl",
          this.options.corpus ? partName(input) : undefined,
        )
      : undefined;
    if (!isTreebankFormat(to) && !documents) {
      throw new FileError(`${source}: a treebank cannot be written as ${to} (pipe it to stemma draw)`);
    }
    const skip = async (error: TreebankError) => this.skip(await this.placed(error, path, range?.start ?? 0));
    try {
      for await (const piece of readPieces(withLineEnds(path, chunks), source, from)) {
        if (piece instanceof TreebankError) {
          await this.results.add(Promise.resolve(piece), (error) => skip(error));
          continue;
        }
        this.parts.checkTreebank(piece.bytes, from);
        if (from !== "json") await this.fit.see(source, formsIn(piece.bytes));
        const target = isDocumentFormat(to) ? MADE[to] : (to as Format);
        await this.annotate({ kind: "treebank", from, source, ...piece }, target, async (result) => {
          if (documents) for (const sentence of result.sentences) await documents.write(sentence);
          else await this.writeTreebank(result, from, to as Format);
          for (const problem of result.problems)
            if (problem.kind === "treebank") await skip(new TreebankError(source, problem));
          for (const [what, count] of result.losses) this.lose(what, count);
        });
      }
    } finally {
      // Sentences before the place where the file cannot be read are not lost.
      await this.results.finish();
      await documents?.endFile();
    }
  }

  /** Has a piece annotated; waits if enough are under way. */
  private async annotate(
    input: PieceInput,
    to: AnnotationOptions["to"],
    write: (result: PieceResult) => Promise<void>,
  ): Promise<void> {
    const { votes, kBest: trees, offsets, retag, keep, fluent, strict } = this.options;
    const scores = this.options.scores ?? (votes && SCORED.includes(to) && trees === undefined);
    const result = this.pool.run({ input, options: { to, scores, trees, offsets, retag, keep, fluent, strict } });
    await this.results.add(result, async (done) => {
      const sentences = done.sentences.filter(({ rank }) => rank === 1).length;
      this.read.read += sentences;
      this.words += done.words;
      await write(done);
      this.progress.add(sentences, done.words);
    });
  }

  private async writeTreebank(result: PieceResult, from: Format, to: Format): Promise<void> {
    const keepsLayout = from === to && to !== "json";
    const line = to === "json" ? (one: AnnotatedSentence) => `${jsonOf(one)}\n` : (one: AnnotatedSentence) => one.body;
    await this.treebanks.write(result.sentences.map(line).join(""), keepsLayout);
    const orphans = result.trailer.match(/^#/gm)?.length ?? 0;
    if (from === to) await this.treebanks.write(result.trailer, keepsLayout);
    else if (orphans > 0) this.lose("comments", orphans);
  }

  private skip(error: TreebankError): void {
    if (this.options.strict) throw error;
    this.read.skipped++;
    this.options.onProblem?.(error);
    warn(`${error.message}: sentence skipped`);
  }

  private lose(what: string, count: number): void {
    this.losses.set(what, (this.losses.get(what) ?? 0) + count);
  }
}

function isTextFormat(format: InputFormat): format is TextFormat {
  return TEXT_FORMATS.includes(format as TextFormat);
}

const WRITERS = {
  conllu: ConlluWriter,
  json: SentenceWriter,
  jsonl: JsonlWriter,
  parquet: TableWriter,
  columns: ColumnsWriter,
};

/** The results of a thread that have a place for scores. */
const SCORED: readonly string[] = ["conllu", "json", "table"];

/** The results of a thread for a sentence, for each of them. */
const MADE = { conllu: "conllu", json: "json", jsonl: "json", parquet: "table", columns: "table" } as const;

function isDocumentFormat(format: OutputFormat | undefined): format is ParsedFormat {
  return PARSED_FORMATS.includes(format as ParsedFormat);
}

/** The name of a file, or of a range of it, as a document of a corpus. */
function partName({ path = "-", range }: Input): string {
  return range?.start ? `${path}@${range.start}` : path;
}

function isDrawing(format: OutputFormat): format is "tree" | "svg" | "latex" | "conllx" | "conll09" {
  return !Object.hasOwn(MADE, format);
}

function isTreebankFormat(format: OutputFormat): format is Format {
  return FORMATS.includes(format as Format);
}

/** The name of an input in messages. */
function nameOf({ path }: Input): string {
  return path === undefined ? "stemma" : sourceName(path);
}

/** The words of the beginning of a treebank. */
function formsIn(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1 << 14)).toString("utf8");
  return [...start.matchAll(/^\d+\t([^\t]+)/gm)].map(([, form]) => form).join(" ");
}

/** Whether all of an input is there: nobody is writing it and waiting for answers. */
function isFile(path: string): boolean {
  try {
    return (path === "-" ? fstatSync(0) : statSync(path)).isFile();
  } catch {
    return false;
  }
}

/** Bytes of all inputs, if all of them are files. */
function sizeOf(inputs: readonly Input[]): number | undefined {
  let bytes = 0;
  for (const { path } of inputs) {
    const info = path === undefined || path === "-" ? undefined : statSync(path, { throwIfNoEntry: false });
    if (!info?.isFile()) return undefined;
    bytes += info.size;
  }
  return bytes;
}
