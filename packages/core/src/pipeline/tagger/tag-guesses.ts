import { encoderProgram } from "../../scoring/encoder/encoders.js";
import type { EncoderProbe } from "../../scoring/encoder/probe-data.js";

/** What a probe holds of each word of a sentence: a number each, see `packGuesses`. */
export type TagGuesses = (forms: readonly string[]) => Int32Array;

const CLASS_BITS = 12;
/** The bits of a guess that have its best class. */
export const BEST_GUESS = (1 << CLASS_BITS) - 1;
/** Steps of how much better the best class is than the second. */
const STEPS = [0.5, 1.5, 3, 6];

/** The guesses of a probe. */
export function guessesOf(probe: EncoderProbe): TagGuesses {
  const score = encoderProgram().probe(probe);
  return (forms) => packGuesses(score(forms), probe.header.classes);
}

/** For each row of scores its best class, the second, and by how much the best is better, in one number. */
export function packGuesses(scores: Float32Array, classes: number): Int32Array {
  const guesses = new Int32Array(scores.length / classes);
  for (let row = 0; row < guesses.length; row++) {
    const at = row * classes;
    let [best, second] = [0, -1];
    for (let c = 1; c < classes; c++) {
      if (scores[at + c]! > scores[at + best]!) [best, second] = [c, best];
      else if (second < 0 || scores[at + c]! > scores[at + second]!) second = c;
    }
    const lead = second < 0 ? STEPS[STEPS.length - 1]! : scores[at + best]! - scores[at + second]!;
    let step = 0;
    while (step < STEPS.length && lead >= STEPS[step]!) step++;
    guesses[row] = best | (Math.max(0, second) << CLASS_BITS) | (step << (2 * CLASS_BITS));
  }
  return guesses;
}
