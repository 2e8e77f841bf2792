import type { EncoderData, EncoderHeader } from "../../encoder/encoder-data.js";
import type { TemplateSet } from "../../features/templates.js";
import { FIRST_ROW } from "./inputs.js";
import type { NetworkData, StoredNetwork } from "./network-data.js";
import { checkNetwork } from "./network-header.js";
import { NetworkScorer } from "./network-scorer.js";
import { type QuantizedNumbers, quantize, type Storage } from "./quantization.js";
import { type NetworkHeader, type NetworkView, storageOf, type TrainedNetwork } from "./shape.js";

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
  readonly encoder: EncoderData | undefined;

  constructor({ header, view, classes, keys, numbers, encoder }: NetworkData) {
    this.header = header;
    this.view = view;
    this.classes = classes;
    this.keys = keys;
    this.numbers = numbers;
    this.storage = storageOf(header, view, classes);
    this.encoder = encoder;
    checkInput(header, encoder?.header);
  }

  /** What scores configurations for one parser; `templates` are those of the view, the rest as for NetworkScorer. */
  scorer(templates: TemplateSet, plain = false, asTheyAre = false): NetworkScorer {
    return new NetworkScorer(this, templates, plain, asTheyAre);
  }

  /** The network in memory that threads can share. */
  shared(): NetworkData {
    const { header, view, classes, numbers, encoder } = this;
    const keys = this.keys.map((list) => {
      const copy = new Uint32Array(new SharedArrayBuffer(list.byteLength));
      copy.set(list);
      return copy;
    });
    const shared = encoder && { ...encoder, numbers: sharedNumbers(encoder.numbers) };
    return { header, view, classes, keys, numbers: sharedNumbers(numbers), encoder: shared };
  }
}

function sharedNumbers(numbers: QuantizedNumbers): QuantizedNumbers {
  const floats = new Float32Array(new SharedArrayBuffer(numbers.floats.byteLength));
  floats.set(numbers.floats);
  const integers = new Int8Array(new SharedArrayBuffer(numbers.integers.byteLength));
  integers.set(numbers.integers);
  return { floats, integers };
}

/** Throws a RangeError unless a network gets from its encoder what it has learnt with. */
function checkInput({ inputs, mixed }: NetworkHeader, encoder: EncoderHeader | undefined): void {
  const dim = inputs.find(({ kind }) => kind === "encoder")?.dim;
  if (dim !== encoder?.size || mixed !== encoder?.mixed)
    throw new RangeError(`encoder: ${encoder?.mixed} × ${encoder?.size} numbers (expected ${mixed} × ${dim})`);
}

/** Rounds a network that was trained; throws a RangeError if it is none that a model file can hold. */
export function neuralModel(
  { header, keys, tensors, encoder }: TrainedNetwork,
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
  return new NeuralModel({ header, view, classes, keys, numbers, encoder });
}
