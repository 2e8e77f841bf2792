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
}
