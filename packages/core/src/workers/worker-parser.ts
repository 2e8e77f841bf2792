import { check, checkOptions, FUNCTION, STRING, wholeNumber } from "../checks/options.js";
import { load, type ModelSource, namedSearch } from "../model-file/load.js";
import { writeModel } from "../model-file/model-file.js";
import type { ParserOptions } from "../parser/tree-parser.js";
import type { GivenWord } from "../pipeline/given-word.js";
import {
  type AbortSignalLike,
  checkParseOptions,
  checkWords,
  type ParseOptions,
  throwIfAborted,
} from "../pipeline/parse-options.js";
import type { PipelineModel } from "../pipeline/pipeline-model.js";
import { abortable, checkTextSource, TextCutter, type TextSource, textOf } from "../pipeline/text-stream.js";
import type { Sentence } from "../treebank/sentence/sentence.js";
import { type Answer, errorOf, type Start, sentenceOf, type Task } from "./messages.js";
import { shareModel } from "./shared-model.js";
import { type WorkerLike, WorkerQueue } from "./worker-queue.js";

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

/** UTF-16 units of text that a worker gets at a time, unless a paragraph is longer. */
const PIECE = 1 << 14;

/** Parses as Pipeline does, in workers; createWorkerParser makes one. */
export class WorkerParser {
  private readonly queue: WorkerQueue<Task, Answer, Sentence[]>;

  /** @internal */
  constructor(
    model: Start["model"],
    search: ParserOptions,
    startWorker: () => WorkerLike,
    private readonly workers: number,
  ) {
    const named = namedSearch(search);
    const start = (thread: number) => {
      const worker = startWorker();
      worker.postMessage({ model, thread, search: named } satisfies Start);
      return worker;
    };
    this.queue = new WorkerQueue({ start, workers, read: answered, name: "the parser" });
  }

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
    async function* sentencesOf(task: Promise<Sentence[]>): AsyncGenerator<Sentence, void, void> {
      for (const sentence of await task) {
        throwIfAborted(signal);
        yield sentence;
      }
    }
    try {
      for await (const text of piecesOf(textOf(chunks, signal), options)) {
        const task = this.run({ text, options: { ...options, signal: undefined, offset: done } }, signal);
        done += text.length;
        // It is waited for in its turn.
        task.catch(() => {});
        underWay.push(task);
        if (underWay.length >= 2 * this.workers) yield* sentencesOf(underWay.shift()!);
      }
      while (underWay.length > 0) yield* sentencesOf(underWay.shift()!);
    } finally {
      underWay.length = 0;
    }
  }

  private run(task: Task, signal: AbortSignalLike | undefined): Promise<Sentence[]> {
    let withdraw = () => {};
    const ask = () => {
      const asked = this.queue.run(task);
      withdraw = asked.withdraw;
      return asked.result;
    };
    // A task aborted before a worker had it need not be done.
    return abortable(ask, signal).finally(() => withdraw());
  }

  /** Ends the workers: what is under way, and what is asked for afterwards, fails. */
  close(): Promise<void> {
    return this.queue.close();
  }
}

function answered(answer: Answer): Sentence[] {
  if ("error" in answer) throw errorOf(answer.error);
  return answer.sentences.map(sentenceOf);
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
