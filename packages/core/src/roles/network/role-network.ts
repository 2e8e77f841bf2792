// The network of a labeller of semantic roles, on what an encoder, or without one the parser's network, makes of words:
// the vector of a word says which sense it has, and those of two words and the path between them which role one has for
// the other. Its scores are added to those of the linear model, which it learns together with.
import type { StoredProbe } from "../../encoder/probe/probe-data.js";
import { type RoleProbeHeader, roleProbeStorage } from "./role-probe.js";

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

type Matrix = "stack" | "front" | "word";

/** Scores senses and transitions by the vectors of words; `bind` comes first. */
export class RoleNetwork {
  /** The hidden layers of the pair and of the word that were looked at last. */
  readonly pair: Float32Array;
  readonly own: Float32Array;
  /** The factors of the units of hidden layers; in training some are left out. */
  readonly mask: Float32Array;
  /** The units of a pair that are not 0. */
  private readonly active: Int32Array;
  /** The inputs of the sentence, and the products of its words with the matrices, from word 1 on. */
  private vectors = new Float32Array(0);
  private products: Record<Matrix, Float32Array[]> = { stack: [], front: [], word: [] };

  constructor(
    readonly header: RoleProbeHeader,
    readonly tensors: RoleTensors,
  ) {
    const { hidden } = header;
    this.pair = new Float32Array(hidden);
    this.own = new Float32Array(hidden);
    this.mask = new Float32Array(hidden).fill(1);
    this.active = new Int32Array(hidden);
  }

  /** The encodings of the words, from the first on; gives their inputs. */
  bind(encoded: Float32Array): Float32Array {
    const { inputs } = this.header;
    const { inputs: usual } = this.tensors;
    this.vectors = encoded.map((value, k) => (value - usual[k % inputs]!) * usual[inputs + (k % inputs)]!);
    this.products = { stack: [], front: [], word: [] };
    return this.vectors;
  }

  /** The product of a word with a matrix, which is computed when it is needed. */
  private product(name: Matrix, word: number): Float32Array {
    return (this.products[name][word] ??= this.multiply(this.tensors[name], word));
  }

  private multiply(matrix: Float32Array, word: number): Float32Array {
    const { vectors } = this;
    const { inputs, hidden } = this.header;
    const out = new Float32Array(hidden);
    const x = (word - 1) * inputs;
    // Four units at a time, of each the even and the odd inputs: sums that do not wait for each other.
    for (let j = 0; j < hidden; j += 4) {
      let p = j * inputs;
      let [p0, p1, q0, q1, r0, r1, s0, s1] = [0, 0, 0, 0, 0, 0, 0, 0];
      for (let k = x; k < x + inputs; k += 2, p += 2) {
        const a = vectors[k]!;
        const b = vectors[k + 1]!;
        const q = p + inputs;
        const r = q + inputs;
        const s = r + inputs;
        p0 += matrix[p]! * a;
        p1 += matrix[p + 1]! * b;
        q0 += matrix[q]! * a;
        q1 += matrix[q + 1]! * b;
        r0 += matrix[r]! * a;
        r1 += matrix[r + 1]! * b;
        s0 += matrix[s]! * a;
        s1 += matrix[s + 1]! * b;
      }
      out[j] = p0 + p1;
      out[j + 1] = q0 + q1;
      out[j + 2] = r0 + r1;
      out[j + 3] = s0 + s1;
    }
    return out;
  }

  /** The row of a path, of which the hash is given. */
  pathRow(path: number): number {
    return (path >>> 0) % this.header.paths;
  }

  /** Adds the scores of the first `count` classes of transitions between two words. */
  addMoves(s: number, b: number, path: number, count: number, scores: Int32Array): void {
    const { pair, mask, active: units, tensors, header } = this;
    const { hidden, unit } = header;
    const { biases, paths, moves } = tensors;
    const [ofStack, ofFront] = [this.product("stack", s), this.product("front", b)];
    const atP = this.pathRow(path) * hidden;
    let active = 0;
    for (let j = 0; j < hidden; j++) {
      const sum = ofStack[j]! + ofFront[j]! + paths[atP + j]! + biases[j]!;
      pair[j] = sum > 0 ? sum * mask[j]! : 0;
      if (pair[j] !== 0) units[active++] = j;
    }
    for (let cls = 1; cls < count; cls++) {
      let sum = 0;
      for (let k = 0, at = cls * hidden; k < active; k++) sum += moves[at + units[k]!]! * pair[units[k]!]!;
      scores[cls]! += Math.round(unit * sum);
    }
  }

  /** Looks at a word, whose senses are then scored. */
  look(i: number): void {
    const { own, mask, tensors, header } = this;
    const { hidden } = header;
    const products = this.product("word", i);
    for (let j = 0; j < hidden; j++) {
      const sum = products[j]! + tensors.biases[hidden + j]!;
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
  const storage = roleProbeStorage(header);
  const [found, expected] = [numbers.floats.length + numbers.integers.length, storage.floats + storage.integers];
  if (found !== expected) throw new RangeError(`roles.probe: ${found} numbers (expected ${expected})`);
  const tensors: Record<string, Float32Array> = {};
  for (const { name, rows, columns, form, floats, integers } of storage.tensors) {
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
