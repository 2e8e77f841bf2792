import type { ContextualVectors } from "../../../scoring/network/network-data.js";
import type { LanePlan, NetworkMemory, PlacedTensor } from "../network-memory.js";

/** Contextual vectors of nodes of training data: numbers only, so that threads can share them. */
export interface ContextualNodes {
  /** For each node its row, -1 for node 0. */
  readonly rows: Int32Array;
  /** `mixed` × `size` integers a row, the earlier layer first, and a scale for each layer of a row. */
  readonly values: Int8Array;
  readonly scales: Float32Array;
}

/** Training data whose words have contextual vectors. */
export interface ContextualTreebank {
  readonly contextual: ContextualVectors;
  /** The root of the mean square of the numbers of each layer. */
  readonly sizes: readonly number[];
  /** The nodes of sentences, each with its node 0 first. */
  nodes(sentences: readonly { readonly length: number; form(i: number): string }[]): ContextualNodes;
}

/**
 * The addition of contextual vectors to the words of a lane: the sum of their layers, each times its number in the mix.
 */
export class LaneContextual {
  private readonly mix: PlacedTensor;
  /** Numbers of a word before its contextual vector, in it, and all. */
  private readonly before: number;
  private readonly size: number;
  private readonly all: number;
  /** The rows of the words that were taken in, -1 for node 0. */
  private rows = new Int32Array();

  constructor(
    private readonly memory: NetworkMemory,
    private readonly plan: LanePlan,
    private readonly begins: Int32Array,
    private readonly nodes: ContextualNodes,
  ) {
    this.mix = memory.tensor("mix");
    const { inputs } = memory.size.header;
    const place = inputs.findIndex(({ kind }) => kind === "contextual");
    this.size = inputs[place]!.dim;
    this.before = inputs.slice(0, place).reduce((sum, { dim }) => sum + dim, 0);
    this.all = inputs.reduce((sum, { dim }) => sum + dim, 0);
  }

  /** Adds the vectors of the words of sentences to the lane's words, which are in the same order. */
  read(sentences: Int32Array): void {
    const { begins, nodes, memory, mix, size } = this;
    const { values, scales } = nodes;
    const { floats } = memory;
    const layers = mix.columns;
    const factors = floats.subarray(mix.at / 4, mix.at / 4 + layers);
    this.rows = new Int32Array(sentences.reduce((sum, s) => sum + begins[s + 1]! - begins[s]!, 0));
    let word = 0;
    for (const s of sentences) {
      for (let node = begins[s]!; node < begins[s + 1]!; node++, word++) {
        const row = nodes.rows[node]!;
        this.rows[word] = row;
        if (row < 0) continue;
        const to = this.plan.words / 4 + word * this.all + this.before;
        for (let layer = 0; layer < layers; layer++) {
          const factor = factors[layer]! * scales[row * layers + layer]!;
          const from = (row * layers + layer) * size;
          for (let j = 0; j < size; j++) floats[to + j] = floats[to + j]! + factor * values[from + j]!;
        }
      }
    }
  }

  /** From the derivatives by the lane's words to those by the mix, which are added up. */
  readBack(): void {
    const { nodes, memory, plan, mix, size, rows } = this;
    const { values, scales } = nodes;
    const { floats } = memory;
    const layers = mix.columns;
    const gradient = memory.gradientOf(plan, mix) / 4;
    for (let word = 0; word < rows.length; word++) {
      const row = rows[word]!;
      if (row < 0) continue;
      const at = plan.wordsGradient / 4 + word * this.all + this.before;
      for (let layer = 0; layer < layers; layer++) {
        const from = (row * layers + layer) * size;
        let sum = 0;
        for (let j = 0; j < size; j++) sum += floats[at + j]! * values[from + j]!;
        floats[gradient + layer] = floats[gradient + layer]! + sum * scales[row * layers + layer]!;
      }
    }
  }
}
