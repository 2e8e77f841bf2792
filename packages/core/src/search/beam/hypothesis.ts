import { Configuration } from "../../systems/configuration.js";

/** A sequence of transitions and where it led. */
export class Hypothesis {
  readonly c = new Configuration();
  /** The sum of the scores of its steps. */
  score = 0;
  /** Its last step in the history. */
  step = 0;
  finished = false;
  /** In training: whether all its steps are correct. */
  correct = false;
  /** Joint tagging: a number for its moves and their classes, the same whatever tags it has chosen. */
  derivation = 0;
  /** Joint tagging: for each open word the candidate that was chosen, NONE before that. */
  tags = new Int32Array(0);
  /** Joint tagging: tells stretches of tags apart (see OpenTags). */
  tagStamps = new Float64Array(0);
}
