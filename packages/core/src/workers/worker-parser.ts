/// <reference lib="esnext.disposable" preserve="true" />
import { check, checkOptions, type Expectation, FUNCTION, STRING, wholeNumber } from "../checks/options.js";
import { load, type ModelSource, namedSearch } from "../model-file/load.js";
import { writeModel } from "../model-file/model-file.js";
import type { GivenToken } from "../pipeline/given-word.js";
import {
  type AbortSignalLike,
  checkParseOptions,
  checkWords,
  type ParseOptions,
  throwIfAborted,
} from "../pipeline/parse-options.js";
import type { PipelineModel } from "../pipeline/pipeline-model.js";
import type { PipelineOptions } from "../pipeline/pipeline-options.js";
import { type RawSentence, Segmenter } from "../pipeline/segmenter/segmenter.js";
import type { SegmenterModel } from "../pipeline/segmenter/segmenter-model.js";
import { SegmenterStream } from "../pipeline/segmenter/segmenter-stream.js";
import { abortable, checkTextSource, TextCutter, type TextSource, textOf } from "../pipeline/text-stream.js";
import type { ParsedSentence, Sentence } from "../treebank/sentence/sentence.js";
import { type Abort, type Answer, errorOf, type Start, sentenceOf, type Task } from "./messages.js";
import { shareModel } from "./shared-model.js";
import { type WorkerLike, WorkerQueue } from "./worker-queue.js";

/** Options of `createWorkerParser`. */
export interface WorkerParserOptions extends Omit<PipelineOptions, "afterTagging"> {
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
 * @param source the model: bytes, a URL, …
 * @param options how workers are made, how many, and those of `load`
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
  return new WorkerParser(sentModel(model, workers), model.segmenter, search, worker, workers);
}

/** In a page memory can be shared only if it is isolated from other origins. */
function sentModel(model: PipelineModel, workers: number): Start["model"] {
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  const canShare = typeof SharedArrayBuffer === "function" && crossOriginIsolated !== false;
  return canShare ? shareModel(model, workers) : writeModel(model);
}

/** UTF-16 units of text that a worker gets at a time, in whole paragraphs. */
const PIECE = 1 << 13;
/** A paragraph that is longer is cut into sentences here, so that workers need not wait for its end. */
const LONG = 1 << 14;
/** Words of sentences that are cut here which a worker gets at a time. */
const WORDS = 1 << 9;

/** A text of `parseAll` with its sentences. */
export interface ParsedDocument {
  /** The id that was given for the text, or its number, from 0. */
  readonly id: string | number;
  /** Those of the text, with their trees. */
  readonly sentences: readonly Sentence[];
}

/** Options of `parseAll`. */
export interface ParseAllOptions extends ParseOptions {
  /** A name for each text, in their order; by default they are numbered from 0. */
  ids?: Iterable<string | number> | undefined;
}

/**
 * Parses as Pipeline does, in workers; createWorkerParser makes one, openPool of `@stemma/core/node` in Node. It ends
 * with `close`, or by itself at the end of a block with `await using pool = …`.
 */
export class WorkerParser {
  private readonly queue: WorkerQueue<Task, Answer, Sentence[]>;
  /** Creates a segmenter for paragraphs that are too long for one worker. */
  private readonly cutting: (() => Segmenter) | undefined;

  /** @internal */
  constructor(
    model: Start["model"],
    segmenter: SegmenterModel | undefined,
    options: Omit<PipelineOptions, "afterTagging">,
    startWorker: () => WorkerLike,
    private readonly workers: number,
  ) {
    const named = namedSearch(options);
    this.cutting =
      segmenter && (() => new Segmenter(segmenter, { tokens: options.tokens, tokenPatterns: options.tokenPatterns }));
    const start = (thread: number) => {
      const worker = startWorker();
      worker.postMessage({ model, thread, search: named } satisfies Start);
      return worker;
    };
    this.queue = new WorkerQueue({ start, workers, read: answered, name: "the parser", abort: ABORT });
  }

  /**
   * The sentences of a text with their trees, in their order.
   * @param text the text
   * @param options as for `Pipeline.parse`
   */
  parse(
    text: string,
    options?: ParseOptions & { parse?: true | undefined },
  ): AsyncGenerator<ParsedSentence, void, void>;
  parse(text: string, options: ParseOptions): AsyncGenerator<Sentence, void, void>;
  parse(text: string, options: ParseOptions = {}): AsyncGenerator<Sentence, void, void> {
    check("text", text, STRING);
    checkParseOptions("parse", options);
    return this.parsePieces([text], options);
  }

  /**
   * The sentences of a text that comes in pieces, strings or bytes of UTF-8.
   * @param chunks the text in pieces
   * @param options as for `Pipeline.parseStream`
   */
  parseStream(
    chunks: TextSource,
    options?: ParseOptions & { parse?: true | undefined },
  ): AsyncGenerator<ParsedSentence, void, void>;
  parseStream(chunks: TextSource, options: ParseOptions): AsyncGenerator<Sentence, void, void>;
  parseStream(chunks: TextSource, options: ParseOptions = {}): AsyncGenerator<Sentence, void, void> {
    checkTextSource(chunks);
    checkParseOptions("parseStream", options);
    return this.parsePieces(chunks, options);
  }

  /**
   * The sentences of many texts, text by text in their order, while the workers are kept busy. Texts are taken only as
   * they are needed: of a source without end, no more than twice as many as there are workers before their turn.
   *
   * @example
   * ```ts
   * import { openPool } from "@stemma/core/node";
   * import model from "@stemma/model-en";
   *
   * await using pool = await openPool(model);
   * const reviews = ["Great food.", "We waited for an hour. Never again!"];
   * const ids = ["r1", "r2"];
   * for await (const { id, sentences } of pool.parseAll(reviews, { ids })) console.log(id, sentences.length);
   * ```
   *
   * @param texts in a list, or as they arrive
   * @param options `ids`, and those of `parse`
   */
  parseAll(
    texts: Iterable<string> | AsyncIterable<string>,
    options: ParseAllOptions = {},
  ): AsyncGenerator<ParsedDocument, void, void> {
    check("texts", typeof texts === "string" ? texts : Object(texts), TEXTS);
    const { ids, ...parsing } = options ?? {};
    if (ids !== undefined) check("ids of parseAll", Object(ids), IDS);
    checkParseOptions("parseAll", options === null ? options : parsing);
    return this.parseTexts(texts, ids, parsing);
  }

  private async *parseTexts(
    texts: Iterable<string> | AsyncIterable<string>,
    ids: Iterable<string | number> | undefined,
    options: ParseOptions,
  ): AsyncGenerator<ParsedDocument, void, void> {
    const underWay: Promise<ParsedDocument>[] = [];
    const names = ids?.[Symbol.iterator]();
    let number = 0;
    const stop = new Stop();
    const abort = () => stop.abort(options.signal?.reason);
    if (options.signal?.aborted) abort();
    options.signal?.addEventListener("abort", abort);
    try {
      for await (const text of texts) {
        check(`text ${number}`, text, STRING);
        const name = names?.next();
        if (name?.done) throw new RangeError(`invalid ids of parseAll: ${number} (expected one for each text)`);
        const id = name ? name.value : number;
        number++;
        const task = collected(id, this.parsePieces([text], { ...options, signal: stop }));
        // It is waited for in its turn.
        task.catch(() => {});
        underWay.push(task);
        if (underWay.length >= 2 * this.workers) yield await underWay.shift()!;
      }
      while (underWay.length > 0) yield await underWay.shift()!;
    } finally {
      options.signal?.removeEventListener("abort", abort);
      // Of texts that nobody asks for any more, the rest need not be parsed.
      if (underWay.length > 0) stop.abort(new Error("no more texts were requested"));
    }
  }

  /**
   * A sentence whose tokens are known.
   * @param words the words, as text or with known values
   * @param options as for `Pipeline.parseTokens`
   */
  parseTokens(
    words: readonly (string | GivenToken)[],
    options?: ParseOptions & { parse?: true | undefined },
  ): Promise<ParsedSentence>;
  parseTokens(words: readonly (string | GivenToken)[], options: ParseOptions): Promise<Sentence>;
  async parseTokens(words: readonly (string | GivenToken)[], options: ParseOptions = {}): Promise<Sentence> {
    checkWords(words);
    checkParseOptions("parseTokens", options);
    const [sentence] = await this.run({ words, trees: undefined, ...withoutSignal(options) }, options.signal);
    return sentence!;
  }

  /**
   * The best trees of a sentence whose tokens are known, best first, at most `trees`; the beam must be at least as
   * wide.
   * @param words the words, as text or with known values
   * @param trees how many trees at most
   * @param options as for `Pipeline.parseTokensBest`
   */
  async parseTokensBest(
    words: readonly (string | GivenToken)[],
    trees: number,
    options: ParseOptions = {},
  ): Promise<Sentence[]> {
    checkWords(words);
    checkParseOptions("parseTokensBest", options);
    return this.run({ words, trees, ...withoutSignal(options) }, options.signal);
  }

  private async *parsePieces(chunks: TextSource, options: ParseOptions): AsyncGenerator<Sentence, void, void> {
    const { signal } = options;
    const underWay: Asked[] = [];
    async function* sentencesOf({ result }: Asked): AsyncGenerator<Sentence, void, void> {
      for (const sentence of await result) {
        throwIfAborted(signal);
        yield sentence;
      }
    }
    try {
      for await (const piece of piecesOf(textOf(chunks, signal), options, this.cutting)) {
        underWay.push(this.ask({ ...piece, options: { ...options, signal: undefined, ...piece.options } }, signal));
        if (underWay.length >= 2 * this.workers) yield* sentencesOf(underWay.shift()!);
      }
      while (underWay.length > 0) yield* sentencesOf(underWay.shift()!);
    } finally {
      // Sentences that nobody asks for any more need not be parsed.
      for (const { withdraw } of underWay) withdraw();
    }
  }

  private run(task: Task, signal: AbortSignalLike | undefined): Promise<Sentence[]> {
    return this.ask(task, signal).result;
  }

  private ask(task: Task, signal: AbortSignalLike | undefined): Asked {
    let withdraw = () => {};
    const ask = () => {
      const asked = this.queue.run(task);
      withdraw = asked.withdraw;
      return asked.result;
    };
    const result = abortable(ask, signal).finally(() => withdraw());
    // It is waited for in its turn.
    result.catch(() => {});
    return { result, withdraw: () => withdraw() };
  }

  /** Ends the workers: what is under way, and what is asked for afterwards, fails. */
  close(): Promise<void> {
    return this.queue.close();
  }

  /** The same, at the end of a block with `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A signal that is aborted here. */
class Stop implements AbortSignalLike {
  aborted = false;
  reason: unknown;
  private readonly listeners = new Set<() => void>();

  abort(reason: unknown): void {
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.listeners) listener();
  }

  addEventListener(_: "abort", listener: () => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_: "abort", listener: () => void): void {
    this.listeners.delete(listener);
  }
}

/** A task under way. */
interface Asked {
  readonly result: Promise<Sentence[]>;
  withdraw(): void;
}

const ABORT: Abort = { abort: true };

const TEXTS: Expectation = {
  expected: "an iterable of strings",
  accepts: (value) => typeof value === "object" && (Symbol.iterator in value! || Symbol.asyncIterator in value!),
};
const IDS: Expectation = {
  expected: "an iterable of strings or numbers",
  accepts: (value) => typeof value === "object" && Symbol.iterator in value!,
};

async function collected(id: string | number, sentences: AsyncIterable<Sentence>): Promise<ParsedDocument> {
  const found: Sentence[] = [];
  for await (const sentence of sentences) found.push(sentence);
  return { id, sentences: found };
}

function answered(answer: Answer): Sentence[] {
  if ("error" in answer) throw errorOf(answer.error);
  return answer.sentences.map(sentenceOf);
}

function withoutSignal(options: ParseOptions): { options: ParseOptions } {
  return { options: { ...options, signal: undefined } };
}

/** A piece of a text for a worker: the text and where it begins, or sentences with their places. */
type Piece = { text: string; options: { offset: number } } | { cut: RawSentence[]; options: { offset: number } };

/**
 * Whole paragraphs, or lines where these are sentences, some at a time. From the first paragraph that is too long on,
 * the text is cut into sentences here, as `parseStream` of a Pipeline does it: they are the same.
 */
async function* piecesOf(
  chunks: AsyncIterable<string>,
  { input = "text", offset = 0 }: ParseOptions,
  segmenter: (() => Segmenter) | undefined,
): AsyncGenerator<Piece, void, void> {
  const cutter = new TextCutter(input);
  let stream: SegmenterStream | undefined;
  let piece = "";
  let done = 0;
  const take = function* (): Generator<Piece, void, void> {
    if (piece !== "") yield { text: piece, options: { offset: offset + done } };
    done += piece.length;
    piece = "";
  };
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += PIECE) {
      const text = chunk.slice(from, from + PIECE);
      if (stream) {
        yield* cutPieces(stream.push(text), offset + done);
        continue;
      }
      piece += cutter.push(text);
      if (piece.length >= PIECE) yield* take();
      if (input !== "text" || !segmenter || cutter.pending < LONG) continue;
      yield* take();
      stream = new SegmenterStream(segmenter());
      yield* cutPieces(stream.push(cutter.end()), offset + done);
    }
  }
  if (stream) return yield* cutPieces(stream.end(), offset + done);
  piece += cutter.end();
  yield* take();
}

function* cutPieces(sentences: readonly RawSentence[], offset: number): Generator<Piece, void, void> {
  let cut: RawSentence[] = [];
  let words = 0;
  for (const sentence of sentences) {
    cut.push(sentence);
    words += sentence.tokens.length;
    if (words < WORDS) continue;
    yield { cut, options: { offset } };
    cut = [];
    words = 0;
  }
  if (cut.length > 0) yield { cut, options: { offset } };
}
