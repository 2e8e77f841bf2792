import { NONE } from "../configuration.js";

/** A node that cannot be attached yet; no node of γ, and not NONE. */
const NOT_YET = -2;

/** The part of a configuration that a run looks at: see BottomUpLoss. */
export interface Gamma {
  readonly stacked: number;
  readonly size: number;
  readonly head: Int32Array;
  readonly waiting: Int32Array;
  readonly zero: number;
}

/** The parser at work on γ with the gold tree: its stack, and how many nodes each node still waits for. */
export class BottomUpRun {
  stack = new Int32Array(0);
  /** Height of the stack. */
  size = 0;
  head: Int32Array = new Int32Array(0);
  waiting = new Int32Array(0);
  zero = NONE;

  constructor(readonly degree: number) {}

  /** Make room for a γ of so many nodes. */
  reserve(nodes: number): void {
    if (this.stack.length >= nodes) return;
    this.stack = new Int32Array(2 * nodes);
    this.waiting = new Int32Array(2 * nodes);
  }

  /** Step 2: does the parser get through γ without giving up an arc? O(n). */
  getsThrough(gamma: Gamma): boolean {
    const { stack } = this;
    this.head = gamma.head;
    this.zero = gamma.zero;
    this.waiting.set(gamma.waiting.subarray(0, gamma.size));
    for (let i = 0; i < gamma.stacked; i++) stack[i] = i;
    this.size = gamma.stacked;
    for (let next = gamma.stacked; ; next++) {
      this.attachComplete();
      if (next === gamma.size) return this.size <= 1;
      stack[this.size++] = next;
    }
  }

  /**
   * Attach complete nodes within reach of the top to their gold heads, drop those that have none, until nothing
   * changes.
   */
  attachComplete(): void {
    const { stack, head, waiting, degree, zero } = this;
    let size = this.size;
    again: while (size > 1) {
      const top = stack[size - 1]!;
      const reach = Math.min(size - 1, degree);
      const topHead = waiting[top] === 0 ? head[top]! : NOT_YET;
      if (topHead === NONE && top !== zero) {
        size--;
        continue;
      }
      for (let k = 1; k <= reach; k++) {
        const node = stack[size - 1 - k]!;
        if (topHead === node) {
          waiting[node]!--;
          size--;
          continue again;
        }
        if (waiting[node] === 0 && (head[node] === top || (head[node] === NONE && node !== zero))) {
          if (head[node] === top) waiting[top]!--;
          for (let i = size - k; i < size; i++) stack[i - 1] = stack[i]!;
          size--;
          continue again;
        }
      }
      break;
    }
    this.size = size;
  }
}
