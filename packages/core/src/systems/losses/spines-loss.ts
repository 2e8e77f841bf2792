import { type Configuration, NONE, type RootPosition } from "../configuration.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import { BestTree } from "./best-tree.js";
import { canStillGet } from "./spines.js";
import { SpinesRun } from "./spines-run.js";

/**
 * Gold arcs lost in a configuration of LR-spines, for any gold tree: those lost already, and those that the best tree
 * which can be joined from the trees on the stack and the buffer does not keep. Only nodes of a spine that some word
 * still wants as head are places of that tree; two trees that are joined without a gold arc are joined at the far end
 * of a spine, which takes no node off it (thesis 6.4.2).
 */
export class SpinesLoss {
  private gold!: GoldTree;
  /** Per word: the gold head while the word can still get it, else NONE. Per node: how many words want it as head. */
  private head = new Int32Array(0);
  private waiting = new Int32Array(0);
  /** The buffer without words that see to themselves. */
  private buffer = new Int32Array(0);
  private bufferSize = 0;
  /** Element of each node that is a place, and the number of its place on the left and on the right. */
  private element = new Int32Array(0);
  private leftPlace = new Int32Array(0);
  private rightPlace = new Int32Array(0);
  private readonly tree = new BestTree();

  constructor(
    private readonly root: RootPosition,
    private readonly singleRoot: boolean,
  ) {}

  bind(gold: GoldTree): void {
    this.gold = gold;
    if (this.head.length > gold.length) return;
    const capacity = 2 * (gold.length + 1);
    this.head = new Int32Array(capacity);
    this.waiting = new Int32Array(capacity);
    this.buffer = new Int32Array(capacity);
    this.element = new Int32Array(capacity);
    this.leftPlace = new Int32Array(capacity);
    this.rightPlace = new Int32Array(capacity);
  }

  /** How many gold arcs are lost in a configuration already. */
  lostSoFar(c: Configuration): number {
    const { heads } = this.gold;
    let lost = 0;
    for (let d = 1; d <= c.length; d++) {
      const h = heads[d]!;
      if (h < (this.root === "none" ? 1 : 0)) continue;
      if (c.heads[d] !== NONE ? c.heads[d] !== h : !this.available(c, h, d)) lost++;
    }
    return lost;
  }

  // The head of a word must be in the buffer, or on the spine that faces the word of a tree on the stack. With one root
  // required, 0 that has its one word is no head any more.
  private available(c: Configuration, h: number, d: number): boolean {
    if (h === 0 && this.rootTaken(c)) return false;
    return canStillGet(c, d, h);
  }

  /** With one root required: does 0 have its word? */
  private rootTaken(c: Configuration): boolean {
    return this.singleRoot && (c.leftmost[0] !== NONE || c.rightmost[0] !== NONE);
  }

  /** How many gold arcs must be lost beyond those that are lost already. */
  unavoidable(c: Configuration): number {
    const { tree, head } = this;
    this.collectWants(c);
    this.reduceBuffer(c);
    const size = c.stackSize + this.bufferSize;
    const bare = this.singleRoot && !this.rootTaken(c);
    const last = this.bufferSize > 0 ? this.buffer[this.bufferSize - 1]! : c.s(0);
    const zero = c.stackSize > 0 && c.stack[0] === 0 ? 0 : last === 0 ? size - 1 : NONE;
    const stacked = c.stackSize;
    tree.begin({ most: size, stacked, zero, zeroTakesOne: bare, bottomUp: false, projective: false });
    for (let e = 0; e < size; e++) this.addElement(c, e, this.rootOf(c, e));
    let wants = 0;
    for (let d = 0; d < size; d++) {
      const h = head[this.rootOf(c, d)]!;
      if (h === NONE) continue;
      wants++;
      const e = this.element[h]!;
      tree.want(d, e, e < d ? this.rightPlace[h]! : this.leftPlace[h]!);
    }
    return wants - tree.mostKept();
  }

  private rootOf(c: Configuration, element: number): number {
    return element < c.stackSize ? c.stack[element]! : this.buffer[element - c.stackSize]!;
  }

  private collectWants(c: Configuration): void {
    const { head, waiting } = this;
    const { heads } = this.gold;
    head.fill(NONE, 0, c.length + 1);
    waiting.fill(0, 0, c.length + 1);
    for (let d = 1; d <= c.length; d++) {
      const h = heads[d]!;
      if (c.heads[d] !== NONE || h < (this.root === "none" ? 1 : 0) || !this.available(c, h, d)) continue;
      head[d] = h;
      waiting[h]!++;
    }
  }

  /** Words are merged into their heads when they are complete and neighbours, and left out when no head wants them. */
  private reduceBuffer(c: Configuration): void {
    const { head, waiting, buffer } = this;
    let size = 0;
    for (let i = c.front; i < c.end; i++) {
      buffer[size++] = c.buffer[i]!;
      while (size > 0) {
        const top = buffer[size - 1]!;
        const below = size > 1 ? buffer[size - 2]! : NONE;
        if (waiting[top] === 0 && head[top] === NONE) size--;
        // With one root required, 0 takes what remains at the end, and not what happens to stand beside it.
        else if (below > 0 && head[below] === top && waiting[below] === 0 && !(top === 0 && this.singleRoot)) {
          waiting[top]!--;
          head[below] = NONE;
          buffer[size - 2] = top;
          size--;
        } else if (below >= 0 && head[top] === below && waiting[top] === 0) {
          waiting[below]!--;
          head[top] = NONE;
          size--;
        } else break;
      }
    }
    this.bufferSize = size;
  }

  private addElement(c: Configuration, e: number, root: number): void {
    const { leftPlace, rightPlace } = this;
    const left = this.numberPlaces(root, c.leftmost, leftPlace, e);
    const right = this.numberPlaces(root, c.rightmost, rightPlace, e);
    this.tree.add(Math.max(1, left), Math.max(1, right));
  }

  /** Numbers the nodes of a spine that are wanted, from the deepest on. Returns how many there are. */
  private numberPlaces(root: number, next: Int32Array, place: Int32Array, e: number): number {
    let count = 0;
    for (let node = root; node !== NONE; node = next[node]!) if (this.waiting[node]! > 0) count++;
    let number = count;
    for (let node = root; node !== NONE; node = next[node]!) {
      if (this.waiting[node] === 0) continue;
      place[node] = --number;
      this.element[node] = e;
    }
    return count;
  }
}

/** The loss ahead for projective gold trees. */
export class ProjectiveSpinesLoss extends SpinesRun {
  private readonly tree = new BestTree();

  /** How many gold arcs must be lost from here on, after b0 was shifted if `shifted`. */
  unavoidable(c: Configuration, shifted: boolean): number {
    return this.getsThrough(c, shifted) ? 0 : this.leastLoss();
  }

  /**
   * The arcs that must be lost when the run gets stuck: the best tree tells. One place on each side will do, as gold
   * arcs never conflict.
   */
  private leastLoss(): number {
    const { size, stacked, want, zero, tree } = this;
    tree.begin({ most: size, stacked, zero, zeroTakesOne: this.bareAtFirst, bottomUp: false, projective: true });
    for (let e = 0; e < size; e++) tree.add(1, 1);
    let wants = 0;
    for (let d = 0; d < size; d++) {
      if (want[d] === NONE) continue;
      tree.want(d, want[d]!);
      wants++;
    }
    return wants - tree.mostKept();
  }
}
