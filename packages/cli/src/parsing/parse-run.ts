// One run of `stemma parse`: what comes in is cut into pieces, the pool annotates them, and what comes out is written
// in the order of the input.
import { FORMATS, type Format, TreebankError } from "@stemma/core";
import { jsonOf } from "../annotation/numbered.js";
import {
  type AnnotatedSentence,
  type AnnotationOptions,
  type PieceInput,
  type PieceResult,
  TEXT_FORMATS,
  type TextFormat,
} from "../annotation/piece.js";
import { type Input, type InputFormat, withFormat } from "../inputs.js";
import { FileError, type Output, ReadReport, sourceName } from "../io.js";
import { ParseProgress } from "../parse-progress.js";
import { readPieces } from "../workers/batches.js";
import { InOrder } from "../workers/in-order.js";
import type { ParserPool } from "../workers/pool.js";
import { readText, TextBatcher } from "../workers/text-batcher.js";
import { type OutputFormat, TextWriter } from "./text-writer.js";
import { TreebankWriter } from "./treebank-writer.js";

export interface ParseRunOptions {
  /** CoNLL-U by default; of text trees to look at if the output is a terminal. */
  to?: OutputFormat | undefined;
  terminal: boolean;
  scores?: boolean | undefined;
  offsets?: boolean | undefined;
  retag?: boolean | undefined;
  keep?: boolean | undefined;
  kBest?: number | undefined;
  strict?: boolean | undefined;
}

export class ParseRun {
  private readonly texts: TextWriter;
  private readonly treebanks: TreebankWriter;
  private readonly results: InOrder;
  private readonly read = new ReadReport();
  private readonly progress = new ParseProgress();
  private readonly losses = new Map<string, number>();

  constructor(
    private readonly pool: ParserPool,
    out: Output,
    private readonly options: ParseRunOptions,
  ) {
    this.texts = new TextWriter(out, options.terminal);
    this.treebanks = new TreebankWriter(out);
    this.results = new InOrder(pool.capacity);
  }

  /** Parses an input and writes what comes out of it. */
  async parse(input: Input): Promise<void> {
    if (input.text !== undefined) await this.parseText([input.text], input.format as TextFormat);
    else {
      const path = input.path!;
      const { format, chunks } = await withFormat(input);
      if (isTextFormat(format)) await this.parseText(readText(path, chunks), format);
      else await this.parseTreebank(path, format, chunks);
    }
    await this.results.finish();
    this.treebanks.nextFile();
  }

  /** Writes what had to wait for the last input. */
  async finish(): Promise<void> {
    await this.texts.finish();
  }

  /** Says on standard error how it went. */
  report(): void {
    this.progress.finish();
    if (this.losses.size > 0) {
      const counts = [...this.losses].map(([what, count]) => `${count} ${what}`).join(", ");
      process.stderr.write(`stemma: left out, as ${this.options.to ?? "conllu"} cannot hold them: ${counts}\n`);
    }
    this.read.finish();
  }

  private async parseText(chunks: AsyncIterable<string> | Iterable<string>, from: TextFormat): Promise<void> {
    const { terminal, keep } = this.options;
    const to = this.options.to ?? (terminal ? "tree" : "conllu");
    if (keep)
      throw new FileError(
        "invalid --keep: text has no heads to keep (it is for treebanks; --from lines keeps lines as sentences)",
      );
    if (to === "conllx" || to === "conll09") {
      throw new FileError(`text cannot be written as ${to} (use --to conllu, then stemma convert --to ${to})`);
    }
    const batcher = new TextBatcher(from);
    const run = async (inputs: Iterable<PieceInput>) => {
      for (const input of inputs) {
        await this.annotate(input, to === "conllu" || to === "json" ? to : "drawing", (result) =>
          this.writeTexts(result, from, to),
        );
      }
    };
    try {
      for await (const chunk of chunks) await run(batcher.push(chunk));
    } finally {
      // What came before an invalid byte is not lost.
      await run(batcher.end());
      await this.results.finish();
    }
  }

  private async parseTreebank(path: string, from: Format, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const to = this.options.to ?? "conllu";
    const source = sourceName(path);
    if (!isTreebankFormat(to)) {
      throw new FileError(`${source}: a treebank cannot be written as ${to} (pipe it to stemma draw)`);
    }
    for await (const piece of readPieces(chunks, source, from)) {
      if (piece instanceof TreebankError) await this.results.add(Promise.resolve(piece), (error) => this.skip(error));
      else {
        await this.annotate({ kind: "treebank", from, source, ...piece }, to, (result) =>
          this.writeTreebank(result, source, from, to),
        );
      }
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

  private async writeTexts({ sentences }: PieceResult, from: TextFormat, to: OutputFormat): Promise<void> {
    for (const sentence of sentences) {
      // Where lines are sentences, blank lines between them mean nothing.
      await this.texts.write(from === "text" ? sentence : { ...sentence, newParagraph: false }, to);
    }
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
    this.progress.clear();
    process.stderr.write(`${error.message}: sentence skipped\n`);
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
