import { TreebankError } from "@stemma/core/treebank";
import { InOrder } from "../annotation/in-order.js";
import type { AnnotatedSentence, PieceInput, PieceProblem, PieceResult } from "../annotation/piece.js";
import { Problem } from "../http/problem.js";
import type { PoolExchange } from "../pool/pool-exchange.js";
import { answerSize, type ServerPiece, sizeOfTokens, weightOf, wordsOf } from "../pool/server-piece.js";
import { groups } from "./cutter.js";
import { sentenceTooLong } from "./parse-request.js";

export interface RunLimits {
  /** How many pieces of a request are under way at a time. */
  window: number;
  /** Words of a piece times the width of the beam. */
  maxWork: number;
}

/**
 * Has the pieces of a request done, several at a time, and gives the sentences in the order of the pieces; the first
 * problem ends it.
 */
export function runPieces(
  exchange: PoolExchange,
  inputs: AsyncIterable<PieceInput> | Iterable<PieceInput>,
  how: PieceTask,
  limits: RunLimits,
  field: string,
  consume: (sentences: readonly AnnotatedSentence[]) => Promise<void>,
): Promise<void> {
  return runEach(exchange, inputs, how, limits, field, {
    run: (piece) => exchange.lane.run(piece),
    async take({ sentences, problems }, _, before) {
      if (sentences.length > 0) await consume(sentences);
      const problem = problems[0];
      if (problem) throw problemOf(problem, field, how.options.maxSentence!, before);
    },
  });
}

/** The task for all pieces of a request. */
export type PieceTask = Pick<ServerPiece, "model" | "options">;

/** How pieces become results, and who takes them. */
export interface PieceRunner {
  run(piece: ServerPiece): Promise<PieceResult>;
  /** `before`: how many sentences were taken before. */
  take(result: PieceResult, input: PieceInput, before: number): Promise<void>;
  /** UTF-16 units of the answer for a piece besides its sentences. */
  more?(input: PieceInput): number;
}

/**
 * Has the pieces of a request done, several at a time, and gives the results in the order of the pieces. No more than
 * `window` are under way, so that a request takes bounded memory however large it is.
 */
export async function runEach(
  exchange: PoolExchange,
  inputs: AsyncIterable<PieceInput> | Iterable<PieceInput>,
  how: PieceTask,
  { window, maxWork }: RunLimits,
  field: string,
  { run: runPiece, take, more = () => 0 }: PieceRunner,
): Promise<void> {
  const weight = weightOf(how.options);
  // Whoever waits for more of the body has to hear of a failure. Several trees of each sentence take much memory.
  const results = new InOrder(weight === 1 ? window : 2, (error) => exchange.abort(error));
  const run = (input: PieceInput): Promise<void> | undefined => {
    const piece = { input, ...how };
    const words = wordsOf(piece);
    const size = answerSize(words, how.options) + more(input);
    if (words * weight > maxWork) throw tooMuchWork(words, weight, maxWork, field);
    if (size > exchange.mostAnswer) throw tooMuchAnswer(size, exchange.mostAnswer, field);
    if (exchange.expect(size)) return begin(piece, size);
    return waitFor(size).then(() => begin(piece, size));
  };
  const waitFor = async (size: number) => {
    await results.finish();
    await exchange.sendAll();
    await exchange.waitFor(size);
  };
  const begin = (piece: ServerPiece, expected: number) =>
    results.add(runPiece(piece), async (result) => {
      exchange.became(expected, sizeOfSentences(result.sentences) + more(piece.input));
      exchange.progress();
      const before = exchange.sentences;
      exchange.words += result.words;
      exchange.sentences += result.sentences.filter(({ rank }) => rank === 1).length;
      await take(result, piece.input, before);
    });
  // Not every piece of what is there already should cost a turn of the event loop.
  if (Symbol.iterator in inputs) {
    for (const input of inputs) {
      for (const part of partsOf(input, weight)) {
        const full = run(part);
        if (full) await full;
      }
    }
  } else for await (const input of inputs) for (const part of partsOf(input, weight)) await run(part);
  await results.finish();
}

/** Sentences that are more work than usual go in smaller pieces. */
function* partsOf(input: PieceInput, weight: number): Generator<PieceInput> {
  if (weight === 1 || (input.kind !== "tokens" && input.kind !== "sentences")) yield input;
  else if (input.kind === "tokens") {
    for (const sentences of groups(input.sentences, (tokens) => weight * sizeOfTokens(tokens)))
      yield { ...input, sentences };
  } else {
    for (const sentences of groups(input.sentences, (text) => weight * text.length)) yield { ...input, sentences };
  }
}

function sizeOfSentences(sentences: readonly AnnotatedSentence[]): number {
  return sentences.reduce((sum, { body }) => sum + body.length, 0);
}

export function tooMuchWork(words: number, weight: number, most: number, field: string): Problem {
  const detail =
    `about ${words} words that cannot be divided, with ${weight} trees or a beam of ${weight}: ${words * weight} ` +
    `(expected at most ${most}, words times beam: shorter paragraphs, or a smaller beam)`;
  return new Problem(422, "too-costly", detail, field);
}

export function tooMuchAnswer(size: number, most: number, field: string): Problem {
  const detail =
    `an answer of about ${size} characters for a part that cannot be divided (expected at most ${most}: shorter ` +
    "paragraphs, fewer trees, or no svg)";
  return new Problem(422, "too-costly", detail, field);
}

export function problemOf(problem: PieceProblem, field: string, maxSentence: number, before: number): Error {
  switch (problem.kind) {
    case "sentence-too-long":
      return sentenceTooLong(field, problem.words, maxSentence, before + problem.sentence);
    case "treebank":
      return new Problem(422, "invalid-conllu", new TreebankError(field, problem).message, field);
    case "impossible-heads":
      return new Problem(422, "impossible-heads", `sentence ${before + problem.sentence}: ${problem.message}`, field);
    case "failure":
      // For the log only.
      return new Error(problem.message);
  }
}
