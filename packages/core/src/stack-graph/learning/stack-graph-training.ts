import { type Expectation, oneOf } from "../../checks/options.js";
import type { TemplateSet } from "../../features/templates.js";
import type { ViolationFinder } from "../../learning/linear/beam-violation.js";
import { type StructuredOptions, StructuredTrainer } from "../../learning/linear/structured.js";
import { Training, type TrainOptions } from "../../learning/training.js";
import type { Classes } from "../../scoring/classes.js";
import { STACK_GRAPH } from "../name.js";
import { obstacleOf } from "../obstacle.js";
import { StackSearch } from "../stack-search.js";
import { StackViolation } from "./stack-violation.js";

/** Options of `StackGraphTraining`. */
export interface StackGraphOptions extends TrainOptions {
  merge: typeof STACK_GRAPH;
}

/** The structured perceptron with a graph-structured stack, for a parser that is searched like that. */
class StackGraphTrainer extends StructuredTrainer {
  protected override createFinder(templates: TemplateSet): ViolationFinder {
    const { decider, options, judge, extractor } = this;
    return new StackViolation(new StackSearch(decider, options.beam, templates, extractor.columns), judge);
  }
}

/** Training that merges hypotheses in a graph-structured stack, where it learns from whole derivations. */
export class StackGraphTraining extends Training<StackGraphOptions> {
  protected override get expected(): Readonly<Record<string, Expectation>> {
    return { ...super.expected, merge: oneOf(STACK_GRAPH) };
  }

  protected override createStructured(
    classes: Classes,
    templates: TemplateSet,
    options: TrainOptions & StructuredOptions,
  ): StructuredTrainer {
    const { beam, update, lowestLoss, lossBound } = options;
    const found =
      beam === 1
        ? "a beam of 1 (expected at least 2)"
        : update === "early"
          ? "update early (expected max-violation)"
          : lowestLoss || lossBound !== Number.POSITIVE_INFINITY
            ? `${lowestLoss ? "lowestLoss" : `lossBound ${lossBound}`} (expected neither lowestLoss nor a bound)`
            : obstacleOf(this.system.description, templates);
    if (found) throw new RangeError(`invalid merge: ${STACK_GRAPH}, with ${found}`);
    return new StackGraphTrainer(this.system, classes, templates, options, this.random);
  }
}
