// One run of `stemma parse`: what comes in is cut into pieces, the pool annotates them, and what comes out is written
// in the order of the input.
import { fstatSync, statSync } from "node:fs";
import { basename } from "node:path";
import { type PipelineModel, printable, Segmenter } from "@stemma/core";
import { FORMATS, type Format, TreebankError } from "@stemma/core/treebank";
import { jsonOf } from "../annotation/numbered.js";
import {
  type AnnotatedSentence,
  type AnnotationOptions,
  type PieceInput,
  type PieceResult,
  TEXT_FORMATS,
  type TextFormat,
  type TextInput,
} from "../annotation/piece.js";
import type { Color } from "../color.js";
import { type Input, type InputFormat, withFormat } from "../inputs.js";
import { FileError, ReadReport, sourceName, withLineEnds } from "../io.js";
import { warn } from "../messages.js";
import type { Output } from "../output.js";
import { ParseProgress } from "../parse-progress.js";
import { readPieces } from "../workers/batches.js";
import { InOrder } from "../workers/in-order.js";
import type { ParserPool } from "../workers/pool.js";
import { readText, TextBatcher, withPauses } from "../workers/text-batcher.js";
import { ModelParts } from "./model-parts.js";
import { type OutputFormat, TextWriter } from "./text-writer.js";
import { TreebankWriter } from "./treebank-writer.js";

export interface ParseRunOptions {
  /** The file of the model, for messages; not there if it is the one that ships. */
  model?: string | undefined;
  /** CoNLL-U by default; of text trees to look at if the output is a terminal. */
  to?: OutputFormat | undefined;
  terminal: boolean;
  scores?: boolean | undefined;
  offsets?: boolean | undefined;
  retag?: boolean | undefined;
  keep?: boolean | undefined;
  kBest?: number | undefined;
  strict?: boolean | undefined;
  color: Color;
  /** Throws if options do not go together with what an input holds. */
  check(input: "text" | "treebank", to: OutputFormat): void;
}

export class ParseRun {
  private readonly texts: TextWriter;
  private readonly treebanks: TreebankWriter;
  private readonly results: InOrder;
  private readonly read = new ReadReport();
  private readonly progress: ParseProgress;
  private readonly parts: ModelParts;
  private readonly losses = new Map<string, number>();

  constructor(
    private readonly pool: ParserPool,
    out: Output,
    private readonly inputs: readonly Input[],
    private readonly model: PipelineModel,
    private readonly options: ParseRunOptions,
  ) {
    this.progress = new ParseProgress(!options.terminal, sizeOf(inputs));
    this.parts = new ModelParts(model, options.model);
    this.texts = new TextWriter(out, options.terminal, options.color);
    this.treebanks = new TreebankWriter(out);
    this.results = new InOrder(pool.capacity);
  }

  /** Parses all inputs and writes what comes out of them. */
  async parse(): Promise<void> {
    for (const input of this.inputs) {
      await this.parseInput(input);
      await this.results.finish();
      this.treebanks.nextFile();
    }
    // What had to wait for the last input.
    await this.texts.finish();
  }

  private async parseInput(input: Input): Promise<void> {
    if (input.text !== undefined) return this.parseText([input.text], input.format as TextFormat);
    const path = input.path!;
    const { format, chunks } = await withFormat(input, (bytes) => this.progress.read(bytes));
    if (!isTextFormat(format)) return this.parseTreebank(path, format, chunks);
    const document = this.inputs.length > 1 && path !== "-" ? printable(basename(path)) : undefined;
    await this.parseText(readText(path, chunks), format, { isLive: !isFile(path), document });
  }

  /** Says on standard error how it went. */
  report(): void {
    this.progress.finish();
    if (this.losses.size > 0) {
      const counts = [...this.losses].map(([what, count]) => `${count} ${what}`).join(", ");
      warn(`stemma: left out because ${this.options.to ?? "conllu"} cannot represent them: ${counts}`);
    }
    this.read.finish();
  }

  /** `isLive`: somebody writes the text and waits for answers; `document`: its name, if it is one of several. */
  private async parseText(
    chunks: AsyncIterable<string> | Iterable<string>,
    from: TextFormat,
    { isLive = false, document }: { isLive?: boolean; document?: string | undefined } = {},
  ): Promise<void> {
    const to = this.options.to ?? (this.options.terminal ? "tree" : "conllu");
    this.options.check("text", to);
    if (to === "conllx" || to === "conll09") {
      throw new FileError(`text cannot be written as ${to} (use --to conllu, then stemma convert --to ${to})`);
    }
    const { segmenter } = this.model;
    const batcher = new TextBatcher(from, segmenter && new Segmenter(segmenter));
    let begins = document;
    const write = async ({ sentences }: PieceResult) => {
      for (const sentence of sentences) {
        // Where lines are sentences, blank lines between them mean nothing.
        await this.texts.write(from === "text" ? sentence : { ...sentence, newParagraph: false }, to, begins);
        begins = undefined;
      }
    };
    const run = async (inputs: Iterable<TextInput>) => {
      for (const input of inputs) {
        if (/\S/.test(input.text)) this.parts.checkText(from);
        await this.annotate(input, to === "conllu" || to === "json" ? to : "drawing", write);
      }
    };
    const pause = async () => {
      await run(batcher.pause());
      await this.results.finish();
    };
    try {
      for await (const chunk of isLive ? withPauses(chunks, pause) : chunks) await run(batcher.push(chunk));
    } finally {
      // What came before an invalid byte is not lost.
      await run(batcher.end());
      await this.results.finish();
    }
  }

  private async parseTreebank(path: string, from: Format, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const to = this.options.to ?? "conllu";
    const source = sourceName(path);
    this.options.check("treebank", to);
    if (!isTreebankFormat(to)) {
      throw new FileError(`${source}: a treebank cannot be written as ${to} (pipe it to stemma draw)`);
    }
    try {
      for await (const piece of readPieces(withLineEnds(path, chunks), source, from)) {
        if (piece instanceof TreebankError) {
          await this.results.add(Promise.resolve(piece), (error) => this.skip(error));
          continue;
        }
        this.parts.checkTreebank(piece.bytes, from);
        await this.annotate({ kind: "treebank", from, source, ...piece }, to, (result) =>
          this.writeTreebank(result, source, from, to),
        );
      }
    } finally {
      // What came before the place where the file cannot be read is not lost.
      await this.results.finish();
    }
  }

  /** Has a piece annotated; waits if enough are under way. */
  private async annotate(
    input: PieceInput,
    to: AnnotationOptions["to"],
    write: (result: PieceResult) => Promise<void>,
  ): Promise<void> {
    const { scores, kBest: trees, offsets, retag, keep, strict } = this.options;
    const result = this.pool.run({ input, options: { to, scores, trees, offsets, retag, keep, strict } });
    await this.results.add(result, async (done) => {
      const sentences = done.sentences.filter(({ rank }) => rank === 1).length;
      this.read.read += sentences;
      await write(done);
      this.progress.add(sentences, done.words);
    });
  }

  private async writeTreebank(result: PieceResult, source: string, from: Format, to: Format): Promise<void> {
    const keepsLayout = from === to && to !== "json";
    const line = to === "json" ? (one: AnnotatedSentence) => `${jsonOf(one)}\n` : (one: AnnotatedSentence) => one.body;
    await this.treebanks.write(result.sentences.map(line).join(""), keepsLayout);
    for (const problem of result.problems)
      if (problem.kind === "treebank") this.skip(new TreebankError(source, problem));
    for (const [what, count] of result.losses) this.lose(what, count);
    const orphans = result.trailer.match(/^#/gm)?.length ?? 0;
    if (from === to) await this.treebanks.write(result.trailer, keepsLayout);
    else if (orphans > 0) this.lose("comments", orphans);
  }

  private skip(error: TreebankError): void {
    if (this.options.strict) throw error;
    this.read.skipped++;
    warn(`${error.message}: sentence skipped`);
  }

  private lose(what: string, count: number): void {
    this.losses.set(what, (this.losses.get(what) ?? 0) + count);
  }
}

function isTextFormat(format: InputFormat): format is TextFormat {
  return TEXT_FORMATS.includes(format as TextFormat);
}

function isTreebankFormat(format: OutputFormat): format is Format {
  return FORMATS.includes(format as Format);
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
