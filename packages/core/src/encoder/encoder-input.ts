import type { Words } from "../features/columns.js";
import type { MatrixPlace, SentencePlaces } from "../scoring/network/inference-memory.js";
import { ROOT_ROW } from "../scoring/network/inputs.js";
import type { ContextualInput, StoredNetwork } from "../scoring/network/network-data.js";
import type { InferenceKernel } from "../scoring/network/plain-network.js";
import type { WordEncoder } from "./encoder-data.js";

/** The output of an encoder for the words of a sentence, as an input of a network. */
export class EncoderInput implements ContextualInput {
  private readonly mix: Float32Array;
  /** The stand-in for node 0. */
  private readonly root: Float32Array;

  constructor(
    { storage, numbers }: StoredNetwork,
    private readonly encoder: WordEncoder,
    private readonly matrix: MatrixPlace,
  ) {
    const stored = (name: string) => storage.tensors.find((tensor) => tensor.name === name)!;
    const mix = stored("mix");
    this.mix = numbers.floats.subarray(mix.floats, mix.floats + mix.columns);
    const { columns, floats, integers } = stored("input contextual");
    const from = integers + ROOT_ROW * columns;
    const scale = numbers.floats[floats + ROOT_ROW]!;
    this.root = Float32Array.from(numbers.integers.subarray(from, from + columns), (value) => value * scale);
  }

  multiply(words: Words, kernel: InferenceKernel, floats: Float32Array, places: SentencePlaces): void {
    const { root, matrix } = this;
    const { contextual, contextualNarrowed, contextualProducts, scales: rowScales } = places;
    const nodes = words.length + 1;
    const forms: string[] = [];
    for (let i = 1; i < nodes; i++) forms.push(words.form(i));
    floats.set(root, contextual / 4);
    this.mixLayers(this.encoder.encode(forms), forms.length, floats, contextual / 4 + root.length);
    const { at, scales, pairs, columns, level } = matrix;
    kernel.quantize(contextual, nodes, root.length, level, contextualNarrowed, rowScales);
    kernel.multiply(contextualNarrowed, rowScales, nodes, pairs, at, scales, columns, contextualProducts, 4 * columns);
  }

  private mixLayers(vectors: Float32Array, words: number, out: Float32Array, to: number): void {
    const { mix } = this;
    const size = this.root.length;
    for (let word = 0; word < words; word++) {
      const from = word * mix.length * size;
      for (let j = 0; j < size; j++) {
        let sum = 0;
        for (let layer = 0; layer < mix.length; layer++) sum += mix[layer]! * vectors[from + layer * size + j]!;
        out[to + word * size + j] = sum;
      }
    }
  }
}
