/** No node: the head of a word that has none, the label of an arc that has none. */
export const NONE = -1;

/** Where a node is that is still in the buffer. */
export const IN_BUFFER = 0;
/** Where a node is that is on the stack. */
export const ON_STACK = 1;
/** Where a node is that was taken off the stack for good. */
export const GONE = 2;

/** Position of the artificial root before parsing begins (Ballesteros & Nivre 2013). */
export type RootPosition = "first" | "last" | "none";

/** All positions of the artificial root. */
export const ROOT_POSITIONS: readonly RootPosition[] = ["first", "last", "none"];

const ARRAYS = 13;
/** How many of the last transitions a configuration remembers. */
export const HISTORY = 4;
/** Spreads label numbers over 32 bits (the golden ratio), so that sums of them tell sets apart. */
const LABEL_FACTOR = 0x9e3779b1;

/** The number that a label adds to the one for the set of labels of a head's dependents. */
export function labelMark(label: number): number {
  return Math.imul(label + 2, LABEL_FACTOR);
}

/** A stretch is this many places of every array, as a power of two. */
const STRETCH_BITS = 5;
/** Up to this capacity all is copied at once, which is quicker than looking for what differs. */
const SMALL = 256;

/** One packed array, and the views that are its parts. */
interface Layout {
  packed: Int32Array;
  views: Int32Array[];
  stamps: Float64Array;
  history: Int32Array;
}

function layoutOf(capacity: number, arrays: number): Layout {
  const packed = new Int32Array(arrays * capacity + 2 * HISTORY);
  const views = Array.from({ length: arrays }, (_, i) => packed.subarray(i * capacity, (i + 1) * capacity));
  return {
    packed,
    views,
    stamps: new Float64Array(capacity >> STRETCH_BITS),
    history: packed.subarray(arrays * capacity),
  };
}

/** Numbers that no two configurations write with. */
let lastStamp = 0;

/**
 * A configuration c = (σ, β, A): stack, buffer and arcs.
 *
 * All arrays are views of one packed Int32Array, so that a copy is a single `set`. Nothing is allocated once there was
 * a sentence of about the same length; `reset` makes a configuration ready for the next sentence.
 */
export class Configuration {
  /** Number of words n; the nodes are 0 (the root) and 1 … n. */
  length = 0;
  /** How many nodes are on the stack. */
  stackSize = 0;
  /** Index in `buffer` of the first node b0. */
  front = 0;
  /** One past the index in `buffer` of the last node. */
  end = 0;
  /**
   * Counts the changes, so that what was computed for a configuration can be recognised as still valid: 1 for a
   * transition, more for anything else.
   */
  version = 0;
  /** Position of node 0 among the words: 0 before them, n + 1 after them. */
  rootPlace = 0;

  /** σ: the top is `stack[stackSize - 1]`. */
  stack!: Int32Array;
  /** β: `buffer[front … end - 1]`. What was shifted leaves room before `front`, into which SWAP puts a node back. */
  buffer!: Int32Array;
  /** A: head of each node, NONE if it has none yet. */
  heads!: Int32Array;
  /** Label of the arc into each node. */
  labels!: Int32Array;
  /** Leftmost dependent to the left of each node; following it from a root walks down a left spine. */
  leftmost!: Int32Array;
  /** Rightmost dependent to the right of each node; following it from a root walks down a right spine. */
  rightmost!: Int32Array;
  /** The second dependent from the left on the left side of each node. */
  leftmost2!: Int32Array;
  /** The second dependent from the right on the right side of each node. */
  rightmost2!: Int32Array;
  /** How many dependents each node has on its left. */
  leftValency!: Int32Array;
  /** How many dependents each node has on its right. */
  rightValency!: Int32Array;
  /** A number for the set of labels of the left dependents (the sum of a scrambled number for each label). */
  leftLabels!: Int32Array;
  /** The same for the right dependents. */
  rightLabels!: Int32Array;
  /** IN_BUFFER, ON_STACK or GONE, for each node. */
  where!: Int32Array;
  /**
   * Further arrays of a system (`extraArrays` of its description): a second stack, lists, marks of words. All numbers
   * are NONE at first; place 0, which belongs to no word, is free for the size of a list.
   */
  extra: readonly Int32Array[] = [];
  /** The last transitions, the last first: their moves, and after these their labels; NONE before the first. */
  history!: Int32Array;

  private packed!: Int32Array;
  /**
   * For each stretch the number that it was last written with. Configurations never write with the same number, and
   * take another one whenever they are copied: stretches with the same number are the same.
   */
  private stamps!: Float64Array;
  private stamp = 0;
  private capacity = 0;
  private extraArrays = 0;
  /** The views for sentences of up to 31 words, up to 63, up to 127, … once there was such a sentence. */
  private layouts: Layout[] = [];

  /** @param words the number of words that room is made for */
  constructor(words = 0) {
    this.makeRoom(words + 1, 0);
  }

  /**
   * Room for so many nodes and not for many more: a copy is as long as the sentence, whatever sentences were longer
   * before.
   */
  private makeRoom(nodes: number, extraArrays: number): void {
    const size = 32 - Math.clz32((nodes - 1) >> 5);
    const capacity = 32 << size;
    if (capacity === this.capacity && extraArrays === this.extraArrays) return;
    if (extraArrays !== this.extraArrays) this.layouts = [];
    this.extraArrays = extraArrays;
    this.layouts[size] ??= layoutOf(capacity, ARRAYS + extraArrays);
    const { packed, views, stamps, history } = this.layouts[size];
    this.packed = packed;
    this.stamps = stamps;
    this.history = history;
    this.capacity = capacity;
    this.stack = views[0]!;
    this.buffer = views[1]!;
    this.heads = views[2]!;
    this.labels = views[3]!;
    this.leftmost = views[4]!;
    this.rightmost = views[5]!;
    this.where = views[6]!;
    this.leftmost2 = views[7]!;
    this.rightmost2 = views[8]!;
    this.leftValency = views[9]!;
    this.rightValency = views[10]!;
    this.leftLabels = views[11]!;
    this.rightLabels = views[12]!;
    this.extra = views.slice(ARRAYS);
  }

  /**
   * The initial configuration for n words.
   * @param words the number of words
   * @param root where node 0 is
   * @param extraArrays how many arrays of its own the system needs
   */
  reset(words: number, root: RootPosition, extraArrays = 0): void {
    this.makeRoom(words + 1, extraArrays);
    const nodes = words + 1;
    this.length = words;
    this.version += 2;
    this.stamp = ++lastStamp;
    this.stamps.fill(this.stamp);
    this.heads.fill(NONE, 0, nodes);
    this.labels.fill(NONE, 0, nodes);
    this.leftmost.fill(NONE, 0, nodes);
    this.rightmost.fill(NONE, 0, nodes);
    this.where.fill(IN_BUFFER, 0, nodes);
    this.leftmost2.fill(NONE, 0, nodes);
    this.rightmost2.fill(NONE, 0, nodes);
    this.leftValency.fill(0, 0, nodes);
    this.rightValency.fill(0, 0, nodes);
    this.leftLabels.fill(0, 0, nodes);
    this.rightLabels.fill(0, 0, nodes);
    for (let i = 0; i < extraArrays; i++) this.extra[i]!.fill(NONE, 0, nodes);
    this.history.fill(NONE);
    for (let i = 0; i < words; i++) this.buffer[i] = i + 1;
    this.front = 0;
    this.end = words;
    this.stackSize = 0;
    this.rootPlace = root === "last" ? nodes : 0;
    if (root === "last") this.buffer[this.end++] = 0;
    else if (root === "first") this.push(0);
    else this.where[0] = GONE;
  }

  /**
   * Become equal to another configuration.
   * @param other of the same system
   */
  copyFrom(other: Configuration): void {
    this.makeRoom(other.capacity, other.extraArrays);
    this.packed.set(other.packed);
    this.stamps.set(other.stamps);
    this.copyRest(other);
  }

  /**
   * Become equal to another configuration, where both were changed by methods alone since they were reset. In long
   * sentences only what differs is copied: a beam may copy at every step.
   * @param other of the same sentence
   */
  catchUpWith(other: Configuration): void {
    const { capacity, extraArrays } = other;
    if (capacity <= SMALL || capacity !== this.capacity || extraArrays !== this.extraArrays) {
      this.copyFrom(other);
      return;
    }
    const { packed, stamps, length } = this;
    const { packed: others, stamps: othersStamps } = other;
    for (let stretch = 0; stretch <= length >> STRETCH_BITS; stretch++) {
      if (stamps[stretch] === othersStamps[stretch] || this.unites(other, stretch)) continue;
      stamps[stretch] = othersStamps[stretch]!;
      for (let start = stretch << STRETCH_BITS; start < this.perNode; start += capacity) {
        const end = start + (1 << STRETCH_BITS);
        for (let i = start; i < end; i++) packed[i] = others[i]!;
      }
    }
    for (let i = 0; i < 2 * HISTORY; i++) this.history[i] = other.history[i]!;
    this.copyRest(other);
  }

  /** How much of what is packed belongs to nodes. */
  private get perNode(): number {
    return this.packed.length - 2 * HISTORY;
  }

  /**
   * Write into `out` the places at which an array differs from that of another configuration of the same sentence, as
   * `catchUpWith` takes them; returns how many there are.
   * @param out where the result is written
   * @param other of the same sentence
   */
  differences(other: Configuration, out: number[]): number {
    const { packed, stamps, capacity, length } = this;
    const { packed: others, stamps: othersStamps } = other;
    let count = 0;
    for (let stretch = 0; stretch <= length >> STRETCH_BITS; stretch++) {
      if (stamps[stretch] === othersStamps[stretch] || this.unites(other, stretch)) continue;
      const end = Math.min(length + 1, (stretch + 1) << STRETCH_BITS);
      for (let place = stretch << STRETCH_BITS; place < end; place++) {
        let at = place;
        while (at < this.perNode && packed[at] === others[at]) at += capacity;
        if (at < this.perNode) out[count++] = place;
      }
    }
    this.stamp = ++lastStamp;
    other.stamp = ++lastStamp;
    return count;
  }

  /**
   * Give a stretch the same stamp in both configurations if they have come to the same by different ways. The older
   * one, so that all that have it find out without comparing.
   */
  private unites(other: Configuration, stretch: number): boolean {
    const { packed, stamps, capacity } = this;
    const { packed: others, stamps: othersStamps } = other;
    for (let start = stretch << STRETCH_BITS; start < this.perNode; start += capacity) {
      const end = start + (1 << STRETCH_BITS);
      for (let i = start; i < end; i++) if (packed[i] !== others[i]) return false;
    }
    const older = Math.min(stamps[stretch]!, othersStamps[stretch]!);
    stamps[stretch] = older;
    othersStamps[stretch] = older;
    return true;
  }

  private copyRest(other: Configuration): void {
    this.stamp = ++lastStamp;
    other.stamp = ++lastStamp;
    this.version += 2;
    this.length = other.length;
    this.stackSize = other.stackSize;
    this.front = other.front;
    this.end = other.end;
    this.rootPlace = other.rootPlace;
  }

  /**
   * The i-th node of the stack counted from the top (s0 is the top), NONE if there is none.
   * @param i counted from 0
   */
  s(i: number): number {
    return i < this.stackSize ? this.stack[this.stackSize - 1 - i]! : NONE;
  }

  /**
   * The i-th node of the buffer, NONE if there is none.
   * @param i counted from 0
   */
  b(i: number): number {
    return this.front + i < this.end ? this.buffer[this.front + i]! : NONE;
  }

  /** How many nodes are in the buffer. */
  get bufferSize(): number {
    return this.end - this.front;
  }

  /** A place is about to be written to, in some of the arrays. */
  private touch(place: number): void {
    this.stamps[place >> STRETCH_BITS] = this.stamp;
  }

  /**
   * Remember a transition that was applied.
   * @param move the transition
   * @param label the label of the arc
   */
  record(move: number, label: number): void {
    const { history } = this;
    for (let i = HISTORY - 1; i > 0; i--) {
      history[i] = history[i - 1]!;
      history[HISTORY + i] = history[HISTORY + i - 1]!;
    }
    history[0] = move;
    history[HISTORY] = label;
  }

  /**
   * The move that was applied last (0), the one before (1), …; NONE if there was none or it is not remembered.
   * @param i counted from 0
   */
  lastMove(i: number): number {
    return i < HISTORY ? this.history[i]! : NONE;
  }

  /**
   * The label of the move that was applied last (0), of the one before (1), …; NONE if it had none.
   * @param i counted from 0
   */
  lastLabel(i: number): number {
    return i < HISTORY ? this.history[HISTORY + i]! : NONE;
  }

  /**
   * Puts a node on the stack.
   * @param node the number of the word, or 0
   */
  push(node: number): void {
    this.version++;
    this.touch(this.stackSize);
    this.touch(node);
    this.stack[this.stackSize++] = node;
    this.where[node] = ON_STACK;
  }

  // Old entries are cleared by `shift` and `remove`, so that configurations that are the same look the same.

  /** Move b0 to the top of the stack. */
  shift(): void {
    const node = this.buffer[this.front]!;
    this.touch(this.front);
    this.buffer[this.front++] = NONE;
    this.push(node);
  }

  /**
   * Take the i-th node from the top off the stack for good.
   * @param i counted from 0
   */
  remove(i: number): void {
    this.version++;
    const stack = this.stack;
    const at = this.stackSize - 1 - i;
    this.touch(stack[at]!);
    this.where[stack[at]!] = GONE;
    for (let j = at + 1; j < this.stackSize; j++) {
      this.touch(j - 1);
      stack[j - 1] = stack[j]!;
    }
    this.touch(--this.stackSize);
    stack[this.stackSize] = NONE;
  }

  /**
   * Move the i-th node from the top of the stack back to the front of the buffer.
   * @param i counted from 0
   */
  unshift(i: number): void {
    const node = this.stack[this.stackSize - 1 - i]!;
    this.remove(i);
    this.where[node] = IN_BUFFER;
    this.touch(--this.front);
    this.buffer[this.front] = node;
  }

  /** Move the top of the stack back into the buffer, behind its front. */
  putBehindFront(): void {
    const node = this.stack[this.stackSize - 1]!;
    const front = this.buffer[this.front]!;
    this.unshift(0);
    this.touch(this.front + 1);
    this.buffer[this.front] = front;
    this.buffer[this.front + 1] = node;
  }

  /**
   * Take the arc into a node away. O(n).
   * @param dependent the node that depends on it
   */
  removeArc(dependent: number): void {
    const head = this.heads[dependent]!;
    const place = head === 0 ? this.rootPlace : head;
    const mark = labelMark(this.labels[dependent]!);
    const isLeft = dependent < place;
    this.touch(head);
    this.touch(dependent);
    this.heads[dependent] = NONE;
    this.labels[dependent] = NONE;
    (isLeft ? this.leftValency : this.rightValency)[head]!--;
    (isLeft ? this.leftLabels : this.rightLabels)[head]! -= mark;
    const outermost: number[] = [];
    const step = isLeft ? 1 : -1;
    for (let d = isLeft ? 1 : this.length; outermost.length < 2 && (isLeft ? d < place : d > place); d += step) {
      if (this.heads[d] === head) outermost.push(d);
    }
    (isLeft ? this.leftmost : this.rightmost)[head] = outermost[0] ?? NONE;
    (isLeft ? this.leftmost2 : this.rightmost2)[head] = outermost[1] ?? NONE;
  }

  /**
   * Add the arc head → dependent.
   * @param head the node that becomes the head
   * @param dependent the node that depends on it
   * @param label the label of the arc
   */
  addArc(head: number, dependent: number, label: number): void {
    this.touch(head);
    this.touch(dependent);
    this.heads[dependent] = head;
    this.labels[dependent] = label;
    const mark = labelMark(label);
    if (dependent < (head === 0 ? this.rootPlace : head)) {
      const first = this.leftmost[head]!;
      const second = this.leftmost2[head]!;
      if (first === NONE || dependent < first) {
        this.leftmost[head] = dependent;
        this.leftmost2[head] = first;
      } else if (second === NONE || dependent < second) this.leftmost2[head] = dependent;
      this.leftValency[head]!++;
      this.leftLabels[head]! += mark;
    } else {
      const first = this.rightmost[head]!;
      const second = this.rightmost2[head]!;
      if (first === NONE || dependent > first) {
        this.rightmost[head] = dependent;
        this.rightmost2[head] = first;
      } else if (second === NONE || dependent > second) this.rightmost2[head] = dependent;
      this.rightValency[head]!++;
      this.rightLabels[head]! += mark;
    }
  }
}
