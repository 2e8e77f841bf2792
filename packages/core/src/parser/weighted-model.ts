import { LinearModel } from "../scoring/linear/linear-model.js";
import type { NeuralModel } from "../scoring/network/neural-model.js";
import type { ParserWeights } from "./parser-weights.js";

/**
 * A trained parser whose weights are a linear model or a network, for verticals. ParserModel has these lines itself, so
 * that what every page loads is no larger.
 */
export abstract class WeightedModel<Header> {
  constructor(
    readonly header: Header,
    readonly weights: ParserWeights,
  ) {}

  /** The weights of a linear model; throws a TypeError if the parser has a network. */
  get linear(): LinearModel {
    if (this.weights instanceof LinearModel) return this.weights;
    throw new TypeError("invalid weights: a network (expected a linear model)");
  }

  /** The network, if the parser has one. */
  get network(): NeuralModel | undefined {
    return this.weights instanceof LinearModel ? undefined : this.weights;
  }
}
