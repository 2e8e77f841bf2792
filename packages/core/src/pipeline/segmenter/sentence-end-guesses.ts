import { encoderProgram } from "../../scoring/encoder/encoders.js";
import type { EncoderProbe } from "../../scoring/encoder/probe-data.js";

/** For each token of a text a step of how much it looks like the last one of a sentence, from 1 up. */
export type SentenceEndGuesses = (forms: readonly string[]) => Uint8Array;

/** Classes of the probe: a sentence goes on, or ends. */
export const END_CLASSES = 2;
/** Steps of by how much the score of an end is higher than that of none. */
const STEPS = [-7, -5, -3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 4, 6];

/** The guesses of a probe. */
export function sentenceEndGuesses(probe: EncoderProbe): SentenceEndGuesses {
  const score = encoderProgram().probeGaps(probe);
  return (forms) => {
    const guesses = new Uint8Array(forms.length);
    guesses.set(endSteps(score(forms)));
    return guesses;
  };
}

/** The steps of rows of scores. */
export function endSteps(scores: Float32Array): Uint8Array {
  return Uint8Array.from({ length: scores.length / END_CLASSES }, (_, gap) => {
    const lead = scores[END_CLASSES * gap + 1]! - scores[END_CLASSES * gap]!;
    let step = 1;
    while (step <= STEPS.length && lead >= STEPS[step - 1]!) step++;
    return step;
  });
}
