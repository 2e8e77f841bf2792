// The best tree that a parser can still join from what is left: the elements of σ and β, from left to right.
//
// An element is a node (arc-standard) or a tree whose spines take dependents (LR-spines). Each arc joins two neighbours
// and so closes the gap between two elements: a dependent on the right of its head the gap at the left end of its
// subtree, once all gaps from the head up to there are closed; a dependent on the left the gap at the right end of its
// subtree, once all gaps from the dependent up to there are closed. The gaps between elements of the stack close from
// the top down. So what can be built is the projective trees over the elements in which
//
//   - an element below the top of the stack has no dependents on its right that end below the top;
//   - bottom-up (arc-standard), where a dependent is complete when it gets its head: a dependent on the left of its
//     head whose subtree ends below the top of the stack has no dependents of its own.
//
// Among these trees the one that keeps most gold arcs is found as Eisner (1996) finds the best projective tree: the
// left and the right half of every element are built apart. O(n³) time at worst, O(n²) memory, for any gold tree,
// projective or not.

import { NONE } from "../configuration.js";

/** Instead of a number of arcs; whatever can be added to it, the sum is negative. */
const IMPOSSIBLE = -32768;

/** Tables of up to so many cells are kept for the next question; larger ones are left to the garbage collector. */
const CELLS_KEPT = 1 << 16;

/** The rest, but for what the elements want. */
export interface Problem {
  /** How many elements there are at most. */
  readonly most: number;
  /** How many of them, the first, are on the stack. */
  readonly stacked: number;
  /** The element that is node 0, which never becomes a dependent; NONE if it is none. */
  readonly zero: number;
  /** May node 0 take a single dependent only? */
  readonly zeroTakesOne: boolean;
  /** Are dependents complete when they get their heads? */
  readonly bottomUp: boolean;
  /**
   * Is the gold tree projective, and the buffer reduced? Then no trees over the buffer alone need be looked at: its
   * elements join the tree at the border of stack and buffer one by one, which takes less time.
   */
  readonly projective: boolean;
}

/**
 * Finds how many gold arcs the best tree keeps. `begin`, then `add` for each element from left to right, then say what
 * each wants as its head, then ask `mostKept`.
 *
 * A *place* is where dependents on one side go: a node of that side's spine. Places of an element are numbered from the
 * deepest to the root, for the deeper ones take the nearer dependents: once a place has taken one, those below it are
 * inner nodes.
 */
export class BestTree {
  private size = 0;
  private stacked = 0;
  private zero = NONE;
  private zeroTakesOne = false;
  private bottomUp = false;
  /** Does every tree over several elements contain the top of the stack? */
  private borderOnly = false;
  /** The places of element e are leftStart[e] … leftStart[e + 1] - 1, and the same on the right. */
  private leftStart = new Int32Array(1);
  private rightStart = new Int32Array(1);
  /**
   * The place on the right side of an element before d (on the left side of one behind d) that d wants; NONE if it
   * wants none.
   */
  private wantedBefore = new Int32Array(0);
  private wantedBehind = new Int32Array(0);
  private wantsToRemain = new Uint8Array(0);
  // Tables with a row for each place and a column for each element. A half holds the most arcs kept when the place,
  // those below it and all that hangs on them reach exactly up to the element. Taken: the same when the element is the
  // last dependent that the place took, whose own far half is still missing.
  private leftHalf = new Int16Array(0);
  private leftTaken = new Int16Array(0);
  private rightHalf = new Int16Array(0);
  private rightTaken = new Int16Array(0);

  /** A new problem. The elements are added afterwards. */
  begin({ most, stacked, zero, zeroTakesOne, bottomUp, projective }: Problem): void {
    this.size = 0;
    this.stacked = stacked;
    this.zero = zero;
    this.zeroTakesOne = zeroTakesOne;
    this.bottomUp = bottomUp;
    this.borderOnly = projective && stacked > 0;
    if (this.wantedBefore.length >= most) return;
    const capacity = 2 * most;
    this.leftStart = new Int32Array(capacity + 1);
    this.rightStart = new Int32Array(capacity + 1);
    this.wantedBefore = new Int32Array(capacity);
    this.wantedBehind = new Int32Array(capacity);
    this.wantsToRemain = new Uint8Array(capacity);
  }

  /** One more element, with so many places (at least one) on either side. Returns its number. */
  add(leftPlaces: number, rightPlaces: number): number {
    const e = this.size++;
    this.leftStart[e + 1] = this.leftStart[e]! + leftPlaces;
    this.rightStart[e + 1] = this.rightStart[e]! + rightPlaces;
    this.wantedBefore[e] = NONE;
    this.wantedBehind[e] = NONE;
    this.wantsToRemain[e] = 0;
    return e;
  }

  /** The dependent d wants a place of element h, counted from the deepest. */
  want(d: number, h: number, place = 0): void {
    if (h < d) this.wantedBefore[d] = this.rightStart[h]! + place;
    else this.wantedBehind[d] = this.leftStart[h]! + place;
  }

  /** An element wants to be the one that remains. */
  wantToRemain(e: number): void {
    this.wantsToRemain[e] = 1;
  }

  /** How many wants the best tree fulfils. */
  mostKept(): number {
    const { size, leftStart, rightStart, wantsToRemain } = this;
    if (size === 0) return 0;
    this.reserve();
    const { leftHalf, rightHalf } = this;
    for (let e = 0; e < size; e++) {
      for (let p = leftStart[e]!; p < leftStart[e + 1]!; p++) leftHalf[p * size + e] = 0;
      for (let p = rightStart[e]!; p < rightStart[e + 1]!; p++) rightHalf[p * size + e] = 0;
    }
    for (let width = 1; width < size; width++) {
      for (let i = 0, j = width; j < size; i++, j++) {
        this.growRight(i, j);
        this.growLeft(i, j);
      }
    }
    let most = IMPOSSIBLE;
    for (let e = 0; e < size; e++) {
      const left = leftHalf[(leftStart[e + 1]! - 1) * size]!;
      const right = rightHalf[rightStart[e + 1]! * size - 1]!;
      most = Math.max(most, left + right + wantsToRemain[e]!);
    }
    this.release();
    if (most < 0) throw new Error(`no tree joins the ${size} elements that are left, ${this.stacked} of them stacked`);
    return most;
  }

  /** How many cells the tables have at the moment. */
  get cells(): number {
    return this.leftHalf.length + this.leftTaken.length + this.rightHalf.length + this.rightTaken.length;
  }

  // Every cell is written before it is read, so nothing needs to be cleared.
  private reserve(): void {
    const left = this.leftStart[this.size]! * this.size;
    const right = this.rightStart[this.size]! * this.size;
    if (this.leftHalf.length < left) {
      this.leftHalf = new Int16Array(left);
      this.leftTaken = new Int16Array(left);
    }
    if (this.rightHalf.length < right) {
      this.rightHalf = new Int16Array(right);
      this.rightTaken = new Int16Array(right);
    }
  }

  /** Gives back the memory of a large problem. */
  private release(): void {
    if (this.cells <= CELLS_KEPT) return;
    this.leftHalf = this.leftTaken = this.rightHalf = this.rightTaken = new Int16Array(0);
  }

  /**
   * The right half of i, up to j: first with j as its last dependent, where what lies between them is divided in every
   * way; then with any last dependent whose own right half ends with j, or as the deeper place has it.
   */
  private growRight(i: number, j: number): void {
    const { size, borderOnly, zero, rightStart, leftStart, rightHalf, leftHalf, rightTaken } = this;
    const border = this.stacked - 1;
    const own = (leftStart[j + 1]! - 1) * size;
    // The right half of i ends with i itself, or not before the top of the stack.
    const from = i === zero && this.zeroTakesOne ? j : Math.max(i + 1, border, borderOnly ? j - 1 : 0);
    const overBuffer = borderOnly && i >= border && i + 1 < j;
    const wanted = this.wantedBefore[j]!;
    const end = rightStart[i + 1]!;
    let half = IMPOSSIBLE;
    for (let p = rightStart[i]!; p < end; p++) {
      const row = p * size;
      let taken = overBuffer ? IMPOSSIBLE : leftHalf[own + i + 1]!;
      for (let q = from; q < j; q++) {
        const kept = rightHalf[row + q]! + leftHalf[own + q + 1]!;
        if (kept > taken) taken = kept;
      }
      if (p === wanted) taken++;
      rightTaken[row + j] = taken < 0 || j === zero ? IMPOSSIBLE : taken;
      if (j < border) continue;
      for (let d = i + 1; d <= j; d++) {
        const kept = rightTaken[row + d]! + rightHalf[(rightStart[d + 1]! - 1) * size + j]!;
        if (kept > half) half = kept;
      }
      rightHalf[row + j] = half = half < 0 ? IMPOSSIBLE : half;
    }
  }

  /** The left half of j, down to i. */
  private growLeft(i: number, j: number): void {
    const { size, borderOnly, zero, rightStart, leftStart, rightHalf, leftHalf, leftTaken } = this;
    const border = this.stacked - 1;
    const own = (rightStart[i + 1]! - 1) * size;
    const onlyOne = j === zero && this.zeroTakesOne;
    const from = Math.max(i + 1, border, onlyOne || borderOnly ? j - 1 : 0);
    const overBuffer = borderOnly && i >= border && i + 1 < j;
    // Bottom-up, i is taken alone if it is below the top of the stack and what takes it begins right behind it.
    const alone = this.bottomUp && i < border;
    const wanted = this.wantedBehind[i]!;
    const end = leftStart[j + 1]!;
    let half = IMPOSSIBLE;
    for (let p = leftStart[j]!; p < end; p++) {
      const row = p * size;
      let taken = overBuffer || (onlyOne && i + 1 < j) ? IMPOSSIBLE : leftHalf[row + i + 1]!;
      if (alone) {
        if (i !== zero) half = Math.max(half, p === wanted ? taken + 1 : taken);
        taken = IMPOSSIBLE;
      }
      for (let q = from; q < j; q++) {
        const kept = rightHalf[own + q]! + leftHalf[row + q + 1]!;
        if (kept > taken) taken = kept;
      }
      if (p === wanted) taken++;
      leftTaken[row + i] = taken < 0 || i === zero ? IMPOSSIBLE : taken;
      if (borderOnly && i > border) continue;
      // Bottom-up, an element of the stack takes all that is below it alone.
      for (let d = alone && j <= border ? i - 1 : j - 1; d >= i; d--) {
        const kept = leftTaken[row + d]! + leftHalf[(leftStart[d + 1]! - 1) * size + i]!;
        if (kept > half) half = kept;
      }
      leftHalf[row + i] = half = half < 0 ? IMPOSSIBLE : half;
    }
  }
}
