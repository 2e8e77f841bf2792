// The network of a labeller of semantic roles, for models with an encoder: what the encoder makes of a word says which
// sense it has, and the vectors of two words and the path between them which role one has for the other. Its scores are
// added to those of the linear model, which it learns together with.
import type { StoredProbe } from "../../scoring/encoder/probe-data.js";
import { type RoleProbeHeader, roleProbeStorage } from "../../scoring/roles/role-probe.js";

/** The numbers of a network, row by row; a row of `stack`, `front` and `word` belongs to a unit of the hidden layer. */
export interface RoleTensors {
  /** For the word on top of the stack, for the one at the front of the buffer, and for one that may be a predicate. */
  readonly stack: Float32Array;
  readonly front: Float32Array;
  readonly word: Float32Array;
  /** The mean of each input in training, then what brings it to a variance of 1. */
  readonly inputs: Float32Array;
  /** Of the hidden layer of a pair, then of that of a word. */
  readonly biases: Float32Array;
  /** Rows for paths, which are found by hashes; for classes of transitions; for senses, the last one for all. */
  readonly paths: Float32Array;
  readonly moves: Float32Array;
  readonly senses: Float32Array;
}

/** Scores senses and transitions by the vectors of words; `bind` comes first. */
export class RoleNetwork {
  /** The hidden layers of the pair and of the word that were looked at last. */
  readonly pair: Float32Array;
  readonly own: Float32Array;
  /** What the units of hidden layers are multiplied by; in training some are left out. */
  readonly mask: Float32Array;
  private products: { stack: Float32Array; front: Float32Array; word: Float32Array };

  constructor(
    readonly header: RoleProbeHeader,
    readonly tensors: RoleTensors,
  ) {
    const { hidden } = header;
    this.pair = new Float32Array(hidden);
    this.own = new Float32Array(hidden);
    this.mask = new Float32Array(hidden).fill(1);
    const none = new Float32Array(0);
    this.products = { stack: none, front: none, word: none };
  }

  /** What the encoder makes of the words, from the first on; gives their inputs. */
  bind(encoded: Float32Array): Float32Array {
    const { inputs, hidden } = this.header;
    const words = encoded.length / inputs;
    const { stack, front, word, inputs: usual } = this.tensors;
    const vectors = encoded.map((value, k) => (value - usual[k % inputs]!) * usual[inputs + (k % inputs)]!);
    const multiply = (matrix: Float32Array): Float32Array => {
      const out = new Float32Array(words * hidden);
      for (let i = 0; i < words; i++) {
        for (let j = 0; j < hidden; j++) {
          const x = i * inputs;
          const w = j * inputs;
          let even = 0;
          let odd = 0;
          for (let k = 0; k < inputs; k += 2) {
            even += matrix[w + k]! * vectors[x + k]!;
            odd += matrix[w + k + 1]! * vectors[x + k + 1]!;
          }
          out[i * hidden + j] = even + odd;
        }
      }
      return out;
    };
    this.products = { stack: multiply(stack), front: multiply(front), word: multiply(word) };
    return vectors;
  }

  /** The row of a path, of which the hash is given. */
  pathRow(path: number): number {
    return (path >>> 0) % this.header.paths;
  }

  /** Adds the scores of the first `count` classes of transitions between two words. */
  addMoves(s: number, b: number, path: number, count: number, scores: Int32Array): void {
    const { pair, mask, tensors, header, products } = this;
    const { hidden, unit } = header;
    const { biases, paths, moves } = tensors;
    const [atS, atB, atP] = [(s - 1) * hidden, (b - 1) * hidden, this.pathRow(path) * hidden];
    for (let j = 0; j < hidden; j++) {
      const sum = products.stack[atS + j]! + products.front[atB + j]! + paths[atP + j]! + biases[j]!;
      pair[j] = sum > 0 ? sum * mask[j]! : 0;
    }
    for (let cls = 1; cls < count; cls++) {
      let sum = 0;
      for (let j = 0, at = cls * hidden; j < hidden; j++) sum += moves[at + j]! * pair[j]!;
      scores[cls]! += Math.round(unit * sum);
    }
  }

  /** Looks at a word, whose senses are then scored. */
  look(i: number): void {
    const { own, mask, products, tensors, header } = this;
    const { hidden } = header;
    for (let j = 0; j < hidden; j++) {
      const sum = products.word[(i - 1) * hidden + j]! + tensors.biases[hidden + j]!;
      own[j] = sum > 0 ? sum * mask[j]! : 0;
    }
  }

  /** The score of a sense of the word; of one that was not there in training, that of all. */
  sense(number: number): number {
    const { own, header, tensors } = this;
    const { hidden, unit, senses: count } = header;
    const { senses } = tensors;
    let sum = 0;
    for (let j = 0, at = count * hidden; j < hidden; j++) sum += senses[at + j]! * own[j]!;
    if (number < count) for (let j = 0, at = number * hidden; j < hidden; j++) sum += senses[at + j]! * own[j]!;
    return Math.round(unit * sum);
  }
}

/** The network in the numbers of a model. */
export function roleNetwork({ header, numbers }: StoredProbe<RoleProbeHeader>): RoleNetwork {
  const tensors: Record<string, Float32Array> = {};
  for (const { name, rows, columns, form, floats, integers } of roleProbeStorage(header).tensors) {
    const size = rows * columns;
    tensors[name] =
      form === "plain"
        ? numbers.floats.subarray(floats, floats + size)
        : Float32Array.from(
            numbers.integers.subarray(integers, integers + size),
            (value, k) => value * numbers.floats[floats + Math.floor(k / columns)]!,
          );
  }
  return new RoleNetwork(header, tensors as unknown as RoleTensors);
}
