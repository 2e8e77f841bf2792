import { TreebankError } from "@stemma/core";
import type { Exchange } from "./exchange.js";
import { sentenceTooLong } from "./parse-request.js";
import type { PieceInput, PieceOptions, PieceProblem, PieceResult } from "./piece.js";
import { Problem } from "./problem.js";

/**
 * Has the pieces of a request done, several at a time, and gives the results in the order of the pieces. No more than
 * `window` are under way, so that a request takes bounded memory however large it is.
 */
export async function runPieces(
  exchange: Exchange,
  inputs: AsyncIterable<PieceInput> | Iterable<PieceInput>,
  options: PieceOptions,
  window: number,
  field: string,
  consume: (sentences: readonly string[]) => Promise<void>,
): Promise<void> {
  const underWay: Promise<void>[] = [];
  let previous: Promise<void> = Promise.resolve();
  const finish = async (result: Promise<PieceResult>, before: Promise<void>) => {
    const { sentences, words, problem } = await result;
    await before;
    exchange.words += words;
    exchange.sentences += sentences.length;
    if (sentences.length > 0) await consume(sentences);
    if (problem) throw problemOf(problem, field, options.maxSentence, exchange.sentences - sentences.length);
  };
  const run = (input: PieceInput) => {
    const done = finish(exchange.lane.run({ input, options }), previous);
    // Whoever waits for more of the body has to hear of it.
    done.catch((error) => exchange.abort(error));
    previous = done;
    underWay.push(done);
    return underWay.length < window ? undefined : underWay.shift();
  };
  // Not every piece of what is there already should cost a turn of the event loop.
  if (Symbol.iterator in inputs) {
    for (const input of inputs) {
      const full = run(input);
      if (full) await full;
    }
  } else for await (const input of inputs) await run(input);
  await previous;
}

function problemOf(problem: PieceProblem, field: string, maxSentence: number, before: number): Problem {
  switch (problem.kind) {
    case "sentence-too-long":
      return sentenceTooLong(field, problem.words, maxSentence, before + problem.sentence);
    case "treebank":
      return new Problem(422, "invalid-conllu", new TreebankError(field, problem).message, field);
    case "failure":
      return new Problem(500, "internal-error", problem.message);
  }
}
