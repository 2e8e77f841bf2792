import { LinearModel } from "../scoring/linear/linear-model.js";
import { checkClasses, linearWeights } from "../scoring/linear/linear-weights.js";
import { FIRST_ROW } from "../scoring/network/inputs.js";
import type { ContextualVectors } from "../scoring/network/network-data.js";
import { checkNetwork } from "../scoring/network/network-header.js";
import { tableKeys, tensorNumbers } from "../scoring/network/network-numbers.js";
import { NeuralModel } from "../scoring/network/neural-model.js";
import type { QuantizedNumbers } from "../scoring/network/quantization.js";
import { type NetworkHeader, type NetworkView, storageOf } from "../scoring/network/shape.js";
import type { Opened, Part, Parts } from "../storage/part.js";
import { type Stored, stored } from "../storage/store.js";

/** The weights of a parser. */
export type ParserWeights = LinearModel | NeuralModel;

/** How they are kept; `classes`: how many a linear model has. */
export function contentOf(weights: ParserWeights, classes: number): Stored[] {
  if (weights instanceof LinearModel) return [stored(linearWeights(classes), weights)];
  const { keys, numbers, storage } = weights;
  return [stored(tableKeys(keys.map(({ length }) => length)), keys), stored(tensorNumbers(storage), numbers)];
}

/**
 * The content that belongs to the header of a parser with a linear model or, with the view of the parser, a network.
 */
export function openWeights(
  network: NetworkHeader | undefined,
  viewOf: () => NetworkView,
  classes: number,
  { contextual }: Parts,
  make: (weights: ParserWeights) => Part,
): Opened {
  checkClasses(classes);
  if (network === undefined) {
    if (contextual) throw new RangeError("contextual: vectors for a linear model (expected one with a network)");
    return { stores: [linearWeights(classes)], make };
  }
  checkNetwork(network);
  const view = viewOf();
  if (view.nodes.length === 0) throw new RangeError("templates: no node (expected .vector of at least one)");
  const vectors = contextual as (Part & ContextualVectors) | undefined;
  return {
    stores: [
      tableKeys(network.inputs.map(({ rows }) => rows - FIRST_ROW)),
      tensorNumbers(storageOf(network, view, classes)),
    ],
    make: (keys: readonly Uint32Array[], numbers: QuantizedNumbers) =>
      make(new NeuralModel({ header: network, view, classes, keys, numbers, contextual: vectors })),
  };
}
