// The best projective tree by Eisner's algorithm (1996), with the scores of arcs alone or also of neighbouring siblings
// (McDonald & Pereira 2006). O(n³) time, O(n²) memory.
import type { ArcScores } from "../../math/edmonds.js";

/**
 * What it adds that `dependent` is the next dependent of `head` on the same side after `sibling`, which is nearer to
 * the head; `sibling` is the head itself if there is none.
 */
export type SiblingScore = (head: number, sibling: number, dependent: number) => number;

/** Which table an entry is in, with the way it was made, for walking back. */
const RIGHT = 0;
const LEFT = 1;

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
}
