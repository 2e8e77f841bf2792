// The network of a labeller of semantic roles, on what an encoder, or without one the parser's network, makes of words:
// the vector of a word says which sense it has, and those of two words and the path between them which role one has for
// the other. Its scores are added to those of the linear model, which it learns together with.
import { checkProbe, type StoredProbe } from "../../scoring/encoder/probe-data.js";
import { checkRoleProbe, type RoleProbeHeader, roleProbeStorage } from "../../scoring/roles/role-probe.js";

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
  /** The units of a pair that are not 0. */
  private readonly active: Int32Array;
  private products: { stack: Float32Array; front: Float32Array; word: Float32Array };

  constructor(
    readonly header: RoleProbeHeader,
    readonly tensors: RoleTensors,
  ) {
    const { hidden } = header;
    this.pair = new Float32Array(hidden);
    this.own = new Float32Array(hidden);
    this.mask = new Float32Array(hidden).fill(1);
    this.active = new Int32Array(hidden);
    const none = new Float32Array(0);
    this.products = { stack: none, front: none, word: none };
  }

  /** What the words are encoded as, from the first on; gives their inputs. */
  bind(encoded: Float32Array): Float32Array {
    const { inputs, hidden } = this.header;
    const words = encoded.length / inputs;
    const { stack, front, word, inputs: usual } = this.tensors;
    const vectors = encoded.map((value, k) => (value - usual[k % inputs]!) * usual[inputs + (k % inputs)]!);
    const multiply = (matrix: Float32Array): Float32Array => {
      const out = new Float32Array(words * hidden);
      for (let i = 0; i < words; i++) {
        const x = i * inputs;
        // Two units at a time, of each the even and the odd inputs: sums that do not wait for each other.
        for (let j = 0; j < hidden; j += 2) {
          const w = j * inputs;
          const v = w + inputs;
          let even = 0;
          let odd = 0;
          let even2 = 0;
          let odd2 = 0;
          for (let k = 0; k < inputs; k += 2) {
            const a = vectors[x + k]!;
            const b = vectors[x + k + 1]!;
            even += matrix[w + k]! * a;
            odd += matrix[w + k + 1]! * b;
            even2 += matrix[v + k]! * a;
            odd2 += matrix[v + k + 1]! * b;
          }
          out[i * hidden + j] = even + odd;
          out[i * hidden + j + 1] = even2 + odd2;
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
    const { pair, mask, active: units, tensors, header, products } = this;
    const { hidden, unit } = header;
    const { biases, paths, moves } = tensors;
    const [atS, atB, atP] = [(s - 1) * hidden, (b - 1) * hidden, this.pathRow(path) * hidden];
    let active = 0;
    for (let j = 0; j < hidden; j++) {
      const sum = products.stack[atS + j]! + products.front[atB + j]! + paths[atP + j]! + biases[j]!;
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
  checkProbe("roles.probe", header, header.inputs);
  checkRoleProbe("roles.probe", header);
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
