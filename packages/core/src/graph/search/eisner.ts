// The best projective tree by Eisner's algorithm (1996), with the scores of arcs alone or also of neighbouring siblings
// (McDonald & Pereira 2006). O(n³) time, O(n²) memory.
import type { ArcScores } from "../../math/edmonds.js";

/**
 * The score added where `dependent` is the next dependent of `head` on the same side after `sibling`, which is nearer
 * to the head; `sibling` is the head itself if there is none.
 */
export type SiblingScore = (head: number, sibling: number, dependent: number) => number;

/** Which table an entry is in, with the way it was made, for walking back. */
const RIGHT = 0;
const LEFT = 1;

/** Further kinds of parts, beside the complete spans of either side: arcs, siblings, the whole tree. */
const ARC = 2;
const SIBLINGS = 4;
const WHOLE = 5;

/** One way to make a part of a tree: of two smaller ones (−1 for none), and an arc, if `dependent` is not 0. */
export interface HalfTree {
  readonly first: number;
  readonly second: number;
  readonly head: number;
  readonly dependent: number;
  /** The addition to the scores of both. */
  readonly own: number;
  /** With the best of both. */
  readonly score: number;
}

/**
 * Spans i … j, half trees of which one end is the head. They are complete if the head has all of its dependents on that
 * side up to the other end, incomplete if the arc goes between the two ends, and siblings if both ends are dependents
 * of a node outside.
 */
export class Eisner {
  private nodes = 0;
  private complete: [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
  private incomplete: [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
  private siblings = new Float64Array(0);
  private completeAt: [Int32Array, Int32Array] = [new Int32Array(0), new Int32Array(0)];
  private incompleteAt: [Int32Array, Int32Array] = [new Int32Array(0), new Int32Array(0)];
  private siblingsAt = new Int32Array(0);

  /** The heads of the best tree over n words, and with several roots if `singleRoot` is false. */
  parse(n: number, scores: ArcScores, singleRoot: boolean, sibling?: SiblingScore): Int32Array {
    this.makeRoom(n + 1);
    const first = singleRoot ? 1 : 0;
    this.fill(first, n, scores, sibling);
    const heads = new Int32Array(n + 1).fill(-1);
    if (!singleRoot) {
      this.walkComplete(RIGHT, 0, n, heads, sibling !== undefined);
      return heads;
    }
    // One word hangs on 0: the half trees to its left and to its right are the rest.
    const w = n + 1;
    let root = 1;
    let best = Number.NEGATIVE_INFINITY;
    for (let r = 1; r <= n; r++) {
      const extra = sibling ? sibling(0, 0, r) : 0;
      const score = this.complete[LEFT][w + r]! + this.complete[RIGHT][r * w + n]! + scores[r]! + extra;
      if (score > best) {
        best = score;
        root = r;
      }
    }
    heads[root] = 0;
    this.walkComplete(LEFT, 1, root, heads, sibling !== undefined);
    this.walkComplete(RIGHT, root, n, heads, sibling !== undefined);
    return heads;
  }

  private makeRoom(nodes: number): void {
    this.nodes = nodes;
    const room = nodes * nodes;
    if (this.siblings.length >= room) return;
    const floats = () => new Float64Array(room);
    const ints = () => new Int32Array(room);
    this.complete = [floats(), floats()];
    this.incomplete = [floats(), floats()];
    this.siblings = floats();
    this.completeAt = [ints(), ints()];
    this.incompleteAt = [ints(), ints()];
    this.siblingsAt = ints();
  }

  private fill(first: number, last: number, scores: ArcScores, sibling: SiblingScore | undefined): void {
    const { nodes: w, siblings, siblingsAt } = this;
    const [right, left] = this.complete;
    const [arcRight, arcLeft] = this.incomplete;
    const [rightAt, leftAt] = this.completeAt;
    const [arcRightAt, arcLeftAt] = this.incompleteAt;
    for (let i = first; i <= last; i++) right[i * w + i] = left[i * w + i] = 0;
    for (let length = 1; length <= last - first; length++) {
      for (let i = first; i + length <= last; i++) {
        const j = i + length;
        const at = i * w + j;
        // Two complete spans that meet: what an arc goes over, or what is between two siblings.
        let best = Number.NEGATIVE_INFINITY;
        let from = i;
        for (let k = i; k < j; k++) {
          const score = right[i * w + k]! + left[(k + 1) * w + j]!;
          if (score > best) {
            best = score;
            from = k;
          }
        }
        if (sibling) {
          siblings[at] = best;
          siblingsAt[at] = from;
          this.addSecondOrderArcs(i, j, scores, sibling);
        } else {
          // Nothing hangs on 0 but to its right.
          arcRight[at] = best + scores[at]!;
          arcLeft[at] = i === 0 ? Number.NEGATIVE_INFINITY : best + scores[j * w + i]!;
          arcRightAt[at] = arcLeftAt[at] = from;
        }
        best = Number.NEGATIVE_INFINITY;
        for (let k = i + 1; k <= j; k++) {
          const score = arcRight[i * w + k]! + right[k * w + j]!;
          if (score > best) {
            best = score;
            from = k;
          }
        }
        right[at] = best;
        rightAt[at] = from;
        best = Number.NEGATIVE_INFINITY;
        from = i;
        for (let k = i; k < j; k++) {
          const score = left[i * w + k]! + arcLeft[k * w + j]!;
          if (score > best) {
            best = score;
            from = k;
          }
        }
        left[at] = best;
        leftAt[at] = from;
      }
    }
  }

  /** Arcs i → j and j → i: the first dependent of the head on that side, or the next after a sibling. */
  private addSecondOrderArcs(i: number, j: number, scores: ArcScores, sibling: SiblingScore): void {
    const { nodes: w, siblings } = this;
    const [right, left] = this.complete;
    const [arcRight, arcLeft] = this.incomplete;
    const [arcRightAt, arcLeftAt] = this.incompleteAt;
    const at = i * w + j;
    let best = left[(i + 1) * w + j]! + sibling(i, i, j);
    let from = i;
    for (let k = i + 1; k < j; k++) {
      const score = arcRight[i * w + k]! + siblings[k * w + j]! + sibling(i, k, j);
      if (score > best) {
        best = score;
        from = k;
      }
    }
    arcRight[at] = best + scores[at]!;
    arcRightAt[at] = from;
    if (i === 0) {
      arcLeft[at] = Number.NEGATIVE_INFINITY;
      return;
    }
    best = right[i * w + j - 1]! + sibling(j, j, i);
    from = j;
    for (let k = i + 1; k < j; k++) {
      const score = siblings[i * w + k]! + arcLeft[k * w + j]! + sibling(j, k, i);
      if (score > best) {
        best = score;
        from = k;
      }
    }
    arcLeft[at] = best + scores[j * w + i]!;
    arcLeftAt[at] = from;
  }

  /** Gives the words of a complete span their heads. The spans that are left to do are on a stack of our own. */
  private walkComplete(side: number, start: number, end: number, heads: Int32Array, second: boolean): void {
    const { nodes: w } = this;
    const todo: number[] = [side, start, end];
    while (todo.length > 0) {
      const j = todo.pop()!;
      const i = todo.pop()!;
      const kind = todo.pop()!;
      if (i === j) continue;
      if (kind === RIGHT) {
        const k = this.completeAt[RIGHT][i * w + j]!;
        todo.push(RIGHT, k, j);
        this.walkArc(RIGHT, i, k, heads, second, todo);
      } else {
        const k = this.completeAt[LEFT][i * w + j]!;
        todo.push(LEFT, i, k);
        this.walkArc(LEFT, k, j, heads, second, todo);
      }
    }
  }

  private walkArc(side: number, start: number, end: number, heads: Int32Array, second: boolean, todo: number[]): void {
    const { nodes: w } = this;
    let [i, j] = [start, end];
    for (;;) {
      if (side === RIGHT) heads[j] = i;
      else heads[i] = j;
      const k = this.incompleteAt[side]![i * w + j]!;
      if (!second) {
        todo.push(RIGHT, i, k, LEFT, k + 1, j);
        return;
      }
      if (side === RIGHT) {
        if (k === i) {
          todo.push(LEFT, i + 1, j);
          return;
        }
        const between = this.siblingsAt[k * w + j]!;
        todo.push(RIGHT, k, between, LEFT, between + 1, j);
        j = k;
      } else {
        if (k === j) {
          todo.push(RIGHT, i, j - 1);
          return;
        }
        const between = this.siblingsAt[i * w + k]!;
        todo.push(RIGHT, i, between, LEFT, between + 1, k);
        i = k;
      }
    }
  }

  /** The part that is the whole tree that was parsed last. */
  get whole(): number {
    return WHOLE * this.nodes * this.nodes;
  }

  /** All ways to make a part of the tree that was parsed last, with the same arguments. */
  ways(part: number, scores: ArcScores, singleRoot: boolean, sibling?: SiblingScore): HalfTree[] {
    const { nodes: w } = this;
    const room = w * w;
    const kind = Math.floor(part / room);
    const i = Math.floor((part % room) / w);
    const j = part % w;
    const ways: HalfTree[] = [];
    const tables = [...this.complete, ...this.incomplete, this.siblings];
    // A complete span of one word is nothing to make.
    const placeOf = (of: number, start: number, end: number) =>
      start === end && of <= LEFT ? -1 : of * room + start * w + end;
    const add = (first: number, second: number, own: number, head = 0, dependent = 0) => {
      let score = own;
      for (const place of [first, second]) if (place >= 0) score += tables[Math.floor(place / room)]![place % room]!;
      if (score > Number.NEGATIVE_INFINITY) ways.push({ first, second, own, score, head, dependent });
    };
    const extra = (head: number, before: number, d: number) => (sibling ? sibling(head, before, d) : 0);
    if (kind === WHOLE) {
      const last = w - 1;
      if (!singleRoot) add(placeOf(RIGHT, 0, last), -1, 0);
      else {
        for (let r = 1; r <= last; r++)
          add(placeOf(LEFT, 1, r), placeOf(RIGHT, r, last), scores[r]! + extra(0, 0, r), 0, r);
      }
    } else if (kind === RIGHT) {
      for (let k = i + 1; k <= j; k++) add(placeOf(ARC + RIGHT, i, k), placeOf(RIGHT, k, j), 0);
    } else if (kind === LEFT) {
      for (let k = i; k < j; k++) add(placeOf(LEFT, i, k), placeOf(ARC + LEFT, k, j), 0);
    } else if (kind === SIBLINGS || !sibling) {
      const [head, d] = kind === SIBLINGS ? [0, 0] : kind === ARC + RIGHT ? [i, j] : [j, i];
      const own = d === 0 ? 0 : scores[head * w + d]!;
      for (let k = i; k < j; k++) add(placeOf(RIGHT, i, k), placeOf(LEFT, k + 1, j), own, head, d);
    } else if (kind === ARC + RIGHT) {
      const own = scores[i * w + j]!;
      add(-1, placeOf(LEFT, i + 1, j), own + sibling(i, i, j), i, j);
      for (let k = i + 1; k < j; k++)
        add(placeOf(ARC + RIGHT, i, k), placeOf(SIBLINGS, k, j), own + sibling(i, k, j), i, j);
    } else {
      const own = scores[j * w + i]!;
      add(placeOf(RIGHT, i, j - 1), -1, own + sibling(j, j, i), j, i);
      for (let k = i + 1; k < j; k++)
        add(placeOf(SIBLINGS, i, k), placeOf(ARC + LEFT, k, j), own + sibling(j, k, i), j, i);
    }
    return ways;
  }
}
