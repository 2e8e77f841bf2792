import { TreebankError } from "@stemma/core/treebank";
import { InOrder } from "../annotation/in-order.js";
import type { AnnotatedSentence, PieceInput, PieceProblem } from "../annotation/piece.js";
import { Problem } from "../http/problem.js";
import type { PoolExchange } from "../pool/pool-exchange.js";
import { type ServerPiece, sizeOfTokens, weightOf } from "../pool/server-piece.js";
import { groups } from "./cutter.js";
import { sentenceTooLong } from "./parse-request.js";

/**
 * Has the pieces of a request done, several at a time, and gives the results in the order of the pieces. No more than
 * `window` are under way, so that a request takes bounded memory however large it is.
 */
export async function runPieces(
  exchange: PoolExchange,
  inputs: AsyncIterable<PieceInput> | Iterable<PieceInput>,
  how: Pick<ServerPiece, "model" | "options">,
  window: number,
  field: string,
  consume: (sentences: readonly AnnotatedSentence[]) => Promise<void>,
): Promise<void> {
  const weight = weightOf(how.options);
  // Whoever waits for more of the body has to hear of a failure. Several trees of each sentence take much memory.
  const results = new InOrder(weight === 1 ? window : 2, (error) => exchange.abort(error));
  const run = (input: PieceInput) =>
    results.add(exchange.lane.run({ input, ...how }), async ({ sentences, words, problems }) => {
      exchange.progress();
      const before = exchange.sentences;
      exchange.words += words;
      exchange.sentences += sentences.filter(({ rank }) => rank === 1).length;
      if (sentences.length > 0) await consume(sentences);
      const problem = problems[0];
      if (problem) throw problemOf(problem, field, how.options.maxSentence!, before);
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

function problemOf(problem: PieceProblem, field: string, maxSentence: number, before: number): Error {
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
