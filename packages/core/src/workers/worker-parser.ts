import { check, checkOptions, FUNCTION, STRING, wholeNumber } from "../checks/options.js";
import { load, type ModelSource } from "../model-file/load.js";
import { writeModel } from "../model-file/model-file.js";
import type { ParserOptions } from "../parser/parser.js";
import type { GivenWord } from "../pipeline/given-word.js";
import { type AbortSignalLike, checkParseOptions, checkWords, type ParseOptions } from "../pipeline/parse-options.js";
import type { PipelineModel } from "../pipeline/pipeline-model.js";
import { abortable, checkTextSource, TextCutter, type TextSource, textOf } from "../pipeline/text-stream.js";
import type { Sentence } from "../treebank/sentence/sentence.js";
import { type Answer, errorOf, type Start, sentenceOf, type Task } from "./messages.js";
import { shareModel } from "./shared-model.js";

/** The part of a Worker that is needed. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: { data: never }) => void): void;
  addEventListener(type: "error", listener: (event: { message?: string | undefined }) => void): void;
  terminate(): unknown;
}

/** Options of `createWorkerParser`. */
export interface WorkerParserOptions extends ParserOptions {
  /** Starts a worker that runs `@stemma/core/worker`. */
  worker: () => WorkerLike;
  /** How many, at most; they start when there is work for them. 2 if not given. */
  workers?: number | undefined;
}

/**
 * A parser whose work is done in workers, all on one copy of the model where memory can be shared. In a page:
 *
 *   const worker = () => new Worker(new URL("@stemma/core/worker", import.meta.url), { type: "module" });
 *   const parser = await createWorkerParser("en.stemma", { worker });
 */
export async function createWorkerParser(source: ModelSource, options: WorkerParserOptions): Promise<WorkerParser> {
  const { worker, workers = 2, ...search } = options ?? {};
  checkOptions(
    "createWorkerParser",
    { worker: worker ?? null, workers },
    { worker: FUNCTION, workers: wholeNumber(1, 1024) },
  );
  // Loading it here checks the model and how to search.
  const { model } = await load(source, search);
  return new WorkerParser(sentModel(model, workers), search, worker, workers);
}

/** In a page memory can be shared only if it is isolated from other origins. */
function sentModel(model: PipelineModel, workers: number): Start["model"] {
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  const canShare = typeof SharedArrayBuffer === "function" && crossOriginIsolated !== false;
  return canShare ? shareModel(model, workers) : writeModel(model);
}

interface Job {
  task: Task;
  resolve(sentences: Sentence[]): void;
  reject(error: unknown): void;
}

/** UTF-16 units of text that a worker gets at a time, unless a paragraph is longer. */
const PIECE = 1 << 14;

/** Parses as Pipeline does, in workers; createWorkerParser makes one. */
export class WorkerParser {
  private started = 0;
  private readonly all: WorkerLike[] = [];
  private readonly idle: WorkerLike[] = [];
  private readonly running = new Map<WorkerLike, Job>();
  private readonly waiting: Job[] = [];
  private failure: Error | undefined;

  constructor(
    private readonly model: Start["model"],
    private readonly search: ParserOptions,
    private readonly startWorker: () => WorkerLike,
    private readonly workers: number,
  ) {}

  /** The sentences of a text with their trees, in their order. */
  parse(text: string, options: ParseOptions = {}): AsyncGenerator<Sentence, void, void> {
    check("text", text, STRING);
    checkParseOptions("parse", options);
    return this.parsePieces([text], options);
  }

  /** The sentences of a text that comes in pieces, strings or bytes of UTF-8. */
  parseStream(chunks: TextSource, options: ParseOptions = {}): AsyncGenerator<Sentence, void, void> {
    checkTextSource(chunks);
    checkParseOptions("parseStream", options);
    return this.parsePieces(chunks, options);
  }

  /** A sentence whose tokens are known. */
  async parseTokens(words: readonly (string | GivenWord)[], options: ParseOptions = {}): Promise<Sentence> {
    checkWords(words);
    checkParseOptions("parseTokens", options);
    const [sentence] = await this.run({ words, trees: undefined, ...withoutSignal(options) }, options.signal);
    return sentence!;
  }

  /**
   * The best trees of a sentence whose tokens are known, best first, at most `trees`; the beam must be at least as
   * wide.
   */
  async parseTokensBest(
    words: readonly (string | GivenWord)[],
    trees: number,
    options: ParseOptions = {},
  ): Promise<Sentence[]> {
    checkWords(words);
    checkParseOptions("parseTokensBest", options);
    return this.run({ words, trees, ...withoutSignal(options) }, options.signal);
  }

  private async *parsePieces(chunks: TextSource, options: ParseOptions): AsyncGenerator<Sentence, void, void> {
    const { signal, offset = 0 } = options;
    const underWay: Promise<Sentence[]>[] = [];
    let done = offset;
    try {
      for await (const text of piecesOf(textOf(chunks, signal), options)) {
        const task = this.run({ text, options: { ...options, signal: undefined, offset: done } }, signal);
        done += text.length;
        // It is waited for in its turn.
        task.catch(() => {});
        underWay.push(task);
        if (underWay.length >= 2 * this.workers) yield* await underWay.shift()!;
      }
      while (underWay.length > 0) yield* await underWay.shift()!;
    } finally {
      underWay.length = 0;
    }
  }

  private run(task: Task, signal: AbortSignalLike | undefined): Promise<Sentence[]> {
    let job: Job | undefined;
    const ask = () =>
      new Promise<Sentence[]>((resolve, reject) => {
        if (this.failure) return reject(this.failure);
        job = { task, resolve, reject };
        this.waiting.push(job);
        this.next();
      });
    return abortable(ask, signal).finally(() => {
      // What was aborted before a worker had it need not be done.
      const at = job ? this.waiting.indexOf(job) : -1;
      if (at >= 0) this.waiting.splice(at, 1);
    });
  }

  private next(): void {
    while (this.waiting.length > 0) {
      const worker = this.idle.pop() ?? this.start();
      if (!worker) return;
      const job = this.waiting.shift()!;
      this.running.set(worker, job);
      try {
        worker.postMessage(job.task);
      } catch (error) {
        // Something in it cannot be sent.
        this.running.delete(worker);
        this.idle.push(worker);
        job.reject(error);
      }
    }
  }

  private start(): WorkerLike | undefined {
    if (this.started === this.workers) return undefined;
    const { model, search } = this;
    const worker = this.startWorker();
    const start: Start = { model, thread: this.started++, search };
    worker.addEventListener("message", ({ data }: { data: Answer }) => {
      const job = this.running.get(worker);
      this.running.delete(worker);
      this.idle.push(worker);
      this.next();
      if ("error" in data) job?.reject(errorOf(data.error));
      else job?.resolve(data.sentences.map(sentenceOf));
    });
    worker.addEventListener("error", ({ message }) => {
      this.fail(new Error(`a worker of the parser failed: ${message ?? "its script cannot be loaded"}`));
    });
    this.all.push(worker);
    worker.postMessage(start);
    return worker;
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const job of [...this.running.values(), ...this.waiting]) job.reject(this.failure);
    this.running.clear();
    this.waiting.length = 0;
  }

  /** Ends the workers: what is under way, and what is asked for afterwards, fails. */
  async close(): Promise<void> {
    this.fail(new Error("the parser is closed"));
    await Promise.all(this.all.splice(0).map((worker) => worker.terminate()));
  }
}

function withoutSignal(options: ParseOptions): { options: ParseOptions } {
  return { options: { ...options, signal: undefined } };
}

/** Whole paragraphs, or lines where these are sentences, some at a time. */
async function* piecesOf(chunks: AsyncIterable<string>, { input }: ParseOptions): AsyncGenerator<string, void, void> {
  const cutter = new TextCutter(input);
  let piece = "";
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += PIECE) {
      piece += cutter.push(chunk.slice(from, from + PIECE));
      if (piece.length < PIECE) continue;
      yield piece;
      piece = "";
    }
  }
  piece += cutter.end();
  if (piece !== "") yield piece;
}
