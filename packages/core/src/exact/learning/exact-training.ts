import { type Expectation, oneOf } from "../../checks/options.js";
import type { TemplateSet } from "../../features/templates.js";
import type { Example } from "../../learning/examples.js";
import type { ViolationFinder } from "../../learning/linear/beam-violation.js";
import { type StructuredOptions, StructuredTrainer } from "../../learning/linear/structured.js";
import { Training, type TrainOptions } from "../../learning/training.js";
import type { Classes } from "../../scoring/classes.js";
import { ExactSearch } from "../exact-search.js";
import { EXACT } from "../name.js";
import { obstacleOf } from "../two-words.js";
import { ExactViolation } from "./exact-violation.js";

/** Options of `ExactTraining`. */
export interface ExactOptions extends TrainOptions {
  merge: typeof EXACT;
}

/** The structured perceptron with exact search, for a parser that is searched like that. */
class ExactTrainer extends StructuredTrainer {
  protected override createFinder(): ViolationFinder {
    return new ExactViolation(new ExactSearch(this.decider), this.judge.margin);
  }

  override learn(example: Example, epoch: number): void {
    (this.finder as ExactViolation).example = example;
    super.learn(example, epoch);
  }
}

/** Training with exact search, where it learns from whole derivations. */
export class ExactTraining extends Training<ExactOptions> {
  protected override get expected(): Readonly<Record<string, Expectation>> {
    return { ...super.expected, merge: oneOf(EXACT) };
  }

  protected override createStructured(
    classes: Classes,
    templates: TemplateSet,
    options: TrainOptions & StructuredOptions,
  ): StructuredTrainer {
    const found = obstacleOf(this.system, templates);
    if (found) throw new RangeError(`invalid merge: ${EXACT}, with ${found}`);
    return new ExactTrainer(this.system, classes, templates, options, this.random);
  }
}
