// The network of roles while it learns, beside the linear model and from the same updates: the score of what is right
// goes up, that of its rival down. Steps of AdaGrad (Duchi et al. 2011), dropout of hidden units, and in the end the
// mean of what the weights were after each sentence.
import { Random } from "../../math/random.js";
import { quantize } from "../../scoring/network/quantization.js";
import { RoleNetwork, type RoleTensors } from "../network/role-network.js";
import { type RoleProbe, type RoleProbeHeader, roleProbeStorage } from "../network/role-probe.js";

const ROLE_NETWORK = {
  hidden: 64,
  paths: 4096,
  /** A score of 1 is worth so much in units of a weight and feature. */
  unit: 10,
  rate: 0.05,
  /** Of the matrices, whose gradients are sums over a sentence. */
  matrixRate: 0.01,
  dropout: 0.2,
} as const;

const MATRICES = ["stack", "front", "word"] as const;
/** The largest weights at the beginning of what is learned. */
const INITIAL = {
  ...{ stack: 0.04, front: 0.04, word: 0.04 },
  ...{ biases: 0, paths: 0.05, moves: 0.05, senses: 0.05 },
} as const;
/** AdaGrad begins as if there had been squares that add up to this. */
const FIRST_SQUARES = 1e-4;
/** The mean is of the weights after every so many sentences. */
const MEAN_EVERY = 64;

/** A tensor that is learned, with the sums of the squares of its gradients, and the mean of what it was. */
interface Learned {
  readonly weights: Float32Array;
  readonly squares: Float32Array;
  readonly mean: Float32Array;
}

/** Learns the network of a labeller. */
export class RoleNetworkLearner {
  readonly network: RoleNetwork;
  private readonly learned: Readonly<Record<keyof typeof INITIAL, Learned>>;
  private readonly random: Random;
  private vectors: Float32Array = new Float32Array(0);
  /** The derivatives of the products of the words with the matrices. */
  private gradients: Record<(typeof MATRICES)[number], Float32Array>;
  private sentences = 0;
  private means = 0;

  /** `vectors`: those of all training sentences, from which the size and the spread of inputs follow. */
  constructor(vectors: readonly Float32Array[], inputs: number, classes: number, senses: number, seed: number) {
    const { hidden, paths, unit } = ROLE_NETWORK;
    const header: RoleProbeHeader = { inputs, hidden, classes, paths, senses, unit };
    this.random = new Random(Math.imul(seed, 0x9e3779b1));
    const learned = Object.fromEntries(
      roleProbeStorage(header)
        .tensors.filter(({ name }) => name in INITIAL)
        .map(({ name, rows, columns }) => [name, this.begin(rows * columns, INITIAL[name as keyof typeof INITIAL])]),
    );
    this.learned = learned as typeof this.learned;
    const weights = Object.fromEntries(Object.entries(learned).map(([name, own]) => [name, own.weights]));
    const tensors = { ...weights, inputs: spreadOf(vectors, inputs) };
    this.network = new RoleNetwork(header, tensors as unknown as RoleTensors);
    this.gradients = { stack: this.vectors, front: this.vectors, word: this.vectors };
  }

  private begin(size: number, most: number): Learned {
    return {
      weights: Float32Array.from({ length: size }, () => (2 * this.random.next() - 1) * most),
      squares: new Float32Array(size).fill(FIRST_SQUARES),
      mean: new Float32Array(size),
    };
  }

  /** Begins a sentence. */
  bind(vectors: Float32Array): void {
    const { network, random } = this;
    const { inputs, hidden } = network.header;
    const { dropout } = ROLE_NETWORK;
    this.vectors = network.bind(vectors);
    const size = (vectors.length / inputs) * hidden;
    this.gradients = { stack: new Float32Array(size), front: new Float32Array(size), word: new Float32Array(size) };
    for (let j = 0; j < hidden; j++) network.mask[j] = random.next() < dropout ? 0 : 1 / (1 - dropout);
  }

  /** Makes a class score more, and another less, for the pair that was looked at last. */
  updateMove(s: number, b: number, path: number, right: number, rival: number): void {
    const { network, gradients } = this;
    const { hidden } = network.header;
    const { moves, biases, paths } = this.learned;
    const { weights } = moves;
    const row = network.pathRow(path) * hidden;
    for (let j = 0; j < hidden; j++) {
      const value = network.pair[j]!;
      if (value === 0) continue;
      const change = (weights[rival * hidden + j]! - weights[right * hidden + j]!) * network.mask[j]!;
      descend(moves, right * hidden + j, -value);
      descend(moves, rival * hidden + j, value);
      descend(biases, j, change);
      descend(paths, row + j, change);
      gradients.stack[(s - 1) * hidden + j]! += change;
      gradients.front[(b - 1) * hidden + j]! += change;
    }
  }

  /** Makes a sense of the word that was looked at last score more (`sign` 1) or less (-1). */
  updateSense(word: number, sense: number, sign: number): void {
    const { network, gradients } = this;
    const { hidden, senses: count } = network.header;
    const { senses, biases } = this.learned;
    const { weights } = senses;
    const isKnown = sense < count;
    for (let j = 0; j < hidden; j++) {
      const value = network.own[j]!;
      if (value === 0) continue;
      const [own, all] = [sense * hidden + j, count * hidden + j];
      const change = -sign * (weights[all]! + (isKnown ? weights[own]! : 0)) * network.mask[j]!;
      descend(senses, all, -sign * value);
      if (isKnown) descend(senses, own, -sign * value);
      descend(biases, hidden + j, change);
      gradients.word[(word - 1) * hidden + j]! += change;
    }
  }

  /** Ends a sentence; `isKept`: its weights count for the mean. */
  finish(isKept: boolean): void {
    for (const name of MATRICES) this.descendMatrix(name);
    if (!isKept || ++this.sentences % MEAN_EVERY !== 0) return;
    this.means++;
    for (const { weights, mean } of Object.values(this.learned)) {
      for (let k = 0; k < mean.length; k++) mean[k]! += (weights[k]! - mean[k]!) / this.means;
    }
  }

  private descendMatrix(name: (typeof MATRICES)[number]): void {
    const { inputs, hidden } = this.network.header;
    const { vectors } = this;
    const gradients = this.gradients[name];
    const matrix = this.learned[name];
    const sum = new Float32Array(inputs);
    for (let j = 0; j < hidden; j++) {
      let isChanged = false;
      for (let at = j, x = 0; at < gradients.length; at += hidden, x += inputs) {
        const gradient = gradients[at]!;
        if (gradient === 0) continue;
        isChanged = true;
        for (let k = 0; k < inputs; k++) sum[k]! += gradient * vectors[x + k]!;
      }
      if (!isChanged) continue;
      for (let k = 0; k < inputs; k++) descend(matrix, j * inputs + k, sum[k]!, ROLE_NETWORK.matrixRate);
      sum.fill(0);
    }
  }

  /** The network of now, for a linear model whose weights are multiplied by `scale`. */
  probe(contextual: RoleProbe["contextual"], scale: number): RoleProbe {
    const { network, learned, means } = this;
    const header = { ...network.header, unit: network.header.unit * scale };
    const storage = roleProbeStorage(header);
    const tensors = storage.tensors.map(({ name }) => {
      if (name === "inputs") return network.tensors.inputs;
      const { mean, weights } = learned[name as keyof typeof INITIAL];
      return means > 0 ? mean : weights;
    });
    return { header, numbers: quantize(storage, tensors), contextual };
  }
}

function descend({ weights, squares }: Learned, at: number, gradient: number, rate: number = ROLE_NETWORK.rate): void {
  squares[at]! += gradient * gradient;
  weights[at]! -= (rate * gradient) / Math.sqrt(squares[at]!);
}

/** The mean of each input, then what it has to be multiplied by for a variance of 1. */
function spreadOf(vectors: readonly Float32Array[], inputs: number): Float32Array {
  const sums = new Float64Array(inputs);
  const squares = new Float64Array(inputs);
  let words = 0;
  for (const list of vectors) {
    for (let k = 0; k < list.length; k++) {
      sums[k % inputs]! += list[k]!;
      squares[k % inputs]! += list[k]! * list[k]!;
    }
    words += list.length / inputs;
  }
  const spread = new Float32Array(2 * inputs);
  for (let k = 0; k < inputs; k++) {
    const mean = sums[k]! / words;
    spread[k] = mean;
    spread[inputs + k] = 1 / Math.sqrt(Math.max(1e-6, squares[k]! / words - mean * mean));
  }
  return spread;
}
