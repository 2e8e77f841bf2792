import { NONE } from "../../systems/configuration.js";

const WORD_ARRAYS = ["stack", "senses", "lastOut", "lastIn"] as const;
const ARC_ARRAYS = ["heads", "dependents", "roles", "previousOut", "previousIn"] as const;

/**
 * The configuration of the semantic half of a derivation: c = (τ, β, P, A), a stack, the words to come, the predicates
 * with their senses, and the arcs from predicates to arguments. A word may have any number of them, so the arcs are a
 * list.
 */
export class SemanticConfiguration {
  /** Number of words n. */
  length = 0;
  /** b0; n + 1 when the buffer is empty. */
  front = 1;
  stackSize = 0;
  /** Whether it is settled if b0 is a predicate. */
  isDecided = false;
  /** Whether the last transition was SEM-SWAP. */
  isSwapped = false;
  /** τ: the top is `stack[stackSize - 1]`. */
  stack!: Int32Array;
  /** P: the sense of each word, NONE if it is no predicate, or not one yet. */
  senses!: Int32Array;
  /** A: how many arcs there are, and of each its predicate, its argument and its role. */
  arcCount = 0;
  heads: Int32Array = new Int32Array(64);
  dependents: Int32Array = new Int32Array(64);
  roles: Int32Array = new Int32Array(64);
  /** The last arc of which each word is the predicate, or the argument, NONE if there is none … */
  lastOut!: Int32Array;
  lastIn!: Int32Array;
  /** … and for each arc the one before it with the same predicate, or argument. */
  previousOut: Int32Array = new Int32Array(64);
  previousIn: Int32Array = new Int32Array(64);
  private packed = new Int32Array(0);
  private capacity = 0;

  constructor() {
    this.reset(0);
  }

  /** The initial configuration for n words. */
  reset(words: number): void {
    if (this.capacity < words + 2) {
      this.capacity = 2 * (words + 2);
      this.packed = new Int32Array(WORD_ARRAYS.length * this.capacity);
      WORD_ARRAYS.forEach((name, k) => {
        this[name] = this.packed.subarray(k * this.capacity, (k + 1) * this.capacity);
      });
    }
    this.packed.fill(NONE);
    this.length = words;
    this.front = 1;
    this.stackSize = 0;
    this.arcCount = 0;
    this.isDecided = false;
    this.isSwapped = false;
  }

  /** Becomes like another configuration. */
  copy(other: SemanticConfiguration): void {
    this.reset(other.length);
    if (this.capacity === other.capacity) this.packed.set(other.packed);
    else for (const name of WORD_ARRAYS) this[name].set(other[name].subarray(0, other.length + 2));
    this.front = other.front;
    this.stackSize = other.stackSize;
    this.isDecided = other.isDecided;
    this.isSwapped = other.isSwapped;
    this.arcCount = other.arcCount;
    for (const name of ARC_ARRAYS) {
      if (this[name].length < other[name].length) this[name] = new Int32Array(other[name].length);
      const [own, others] = [this[name], other[name]];
      for (let a = 0; a < other.arcCount; a++) own[a] = others[a]!;
    }
  }

  /** The node at depth i of the stack, 0 for its top; NONE if there is none. */
  s(i: number): number {
    return i < this.stackSize ? this.stack[this.stackSize - 1 - i]! : NONE;
  }

  /** The first word of the buffer; NONE if it is empty. */
  get b(): number {
    return this.front <= this.length ? this.front : NONE;
  }

  /** The role that a word has for a predicate, NONE if it has none. */
  role(predicate: number, argument: number): number {
    for (let a = this.lastOut[predicate]!; a !== NONE; a = this.previousOut[a]!) {
      if (this.dependents[a] === argument) return this.roles[a]!;
    }
    return NONE;
  }

  addArc(predicate: number, argument: number, role: number): void {
    const a = this.arcCount++;
    if (a === this.heads.length) {
      for (const name of ARC_ARRAYS) {
        const wider = new Int32Array(2 * a);
        wider.set(this[name]);
        this[name] = wider;
      }
    }
    this.heads[a] = predicate;
    this.dependents[a] = argument;
    this.roles[a] = role;
    this.previousOut[a] = this.lastOut[predicate]!;
    this.lastOut[predicate] = a;
    this.previousIn[a] = this.lastIn[argument]!;
    this.lastIn[argument] = a;
  }
}
