import type { TemplateSet } from "../../features/templates.js";
import { FIRST_ROW } from "./inputs.js";
import type { ContextualVectors, NetworkData, StoredNetwork, TrainedNetwork } from "./network-data.js";
import { checkNetwork } from "./network-header.js";
import { NetworkScorer } from "./network-scorer.js";
import { type QuantizedNumbers, quantize, type Storage } from "./quantization.js";
import { type NetworkHeader, type NetworkView, storageOf } from "./shape.js";

/**
 * A trained network, ready to parse, as it is in the model file. Tables of embeddings are used in place; each scorer
 * makes its own copy of the matrices, which are small, in the layout of the kernel.
 */
export class NeuralModel implements StoredNetwork {
  readonly header: NetworkHeader;
  readonly view: NetworkView;
  readonly classes: number;
  readonly keys: readonly Uint32Array[];
  readonly numbers: QuantizedNumbers;
  readonly storage: Storage;
  readonly contextual: ContextualVectors | undefined;

  constructor({ header, view, classes, keys, numbers, contextual }: NetworkData) {
    this.header = header;
    this.view = view;
    this.classes = classes;
    this.keys = keys;
    this.numbers = numbers;
    this.storage = storageOf(header, view, classes);
    this.contextual = contextual;
    checkInput(header, contextual);
  }

  /** The scorer of configurations for one parser; `templates` are those of the view, the rest as for NetworkScorer. */
  scorer(templates: TemplateSet, plain = false, asTheyAre = false): NetworkScorer {
    return new NetworkScorer(this, templates, plain, asTheyAre);
  }
}

/** Throws a RangeError unless a network gets the contextual vectors that it has learned with. */
function checkInput({ inputs, mixed }: NetworkHeader, found: ContextualVectors | undefined): void {
  const dim = inputs.find(({ kind }) => kind === "contextual")?.dim;
  if (dim !== found?.size || mixed !== found?.mixed) {
    const shown = (layers?: number, size?: number) => (size === undefined ? "none" : `${layers} × ${size} numbers`);
    throw new RangeError(`contextual: ${shown(found?.mixed, found?.size)} (expected ${shown(mixed, dim)})`);
  }
}

/** Rounds a network that was trained; throws a RangeError if it is none that a model file can hold. */
export function neuralModel(
  { header, keys, tensors, contextual }: TrainedNetwork,
  view: NetworkView,
  classes: number,
): NeuralModel {
  checkNetwork(header);
  header.inputs.forEach(({ kind, rows }, k) => {
    const list = keys[k] ?? new Uint32Array();
    if (list.length !== rows - FIRST_ROW || !list.every((key, i) => i === 0 || key > list[i - 1]!))
      throw new RangeError(`keys of ${kind}: ${list.length} (expected ${rows - FIRST_ROW}, ascending)`);
  });
  const numbers = quantize(storageOf(header, view, classes), tensors);
  return new NeuralModel({ header, view, classes, keys, numbers, contextual });
}
