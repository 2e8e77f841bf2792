import { NONE } from "../configuration.js";
import { BestTree } from "./best-tree.js";
import { type BottomUpLoss, type CheapestLoss, ROOT } from "./bottom-up.js";

/** A table of up to so many cells is kept for the next question; a larger one is left to the garbage collector. */
const CELLS_KEPT = 1 << 16;

/** With more nodes than this on the stack, the best tree is found sooner than the table is filled. */
const TABLE_STACK = 50;

/** Arc-standard: what must be lost in γ, for the dynamic oracle. */
export class ArcStandardLoss implements CheapestLoss {
  readonly exact = true;
  private readonly table = new ArcStandardTable();
  private readonly tree = new BestTree();

  least(gamma: BottomUpLoss): number {
    const { projective, stacked } = gamma;
    return projective && stacked > 0 && stacked <= TABLE_STACK ? this.table.least(gamma) : this.byBestTree(gamma);
  }

  /** For any gold tree: every node of γ is an element of the best tree that can be joined. */
  private byBestTree({ size, stacked, head, zero }: BottomUpLoss): number {
    const { tree } = this;
    tree.begin({ most: size, stacked, zero, zeroTakesOne: false, bottomUp: true, projective: false });
    for (let i = 0; i < size; i++) tree.add(1, 1);
    let wants = 0;
    for (let d = 0; d < size; d++) {
      const h = head[d]!;
      if (h === NONE) continue;
      wants++;
      if (h === ROOT) tree.wantToRemain(d);
      else tree.want(d, h);
    }
    return wants - tree.mostKept();
  }
}

/**
 * For projective gold trees (thesis algorithm 5.6; Goldberg, Sartorio & Satta 2014): the least loss of a tree over the
 * top i + 1 nodes of the stack and the first j of the reduced buffer with root h, for all i, j, h. The tree grows by a
 * neighbour at a time, on the left to row i + 1, on the right to column j + 1. A row is needed only for the next one,
 * which takes its place cell by cell, so there is one row: O(|σ| · |β_R| · (|σ| + |β_R|)) time, O(|β_R| · (|σ| +
 * |β_R|)) memory.
 */
export class ArcStandardTable {
  private row = new Int32Array(0);
  /** The cell that is being extended. */
  private cell = new Int32Array(0);

  least({ stacked, size, head, zero }: BottomUpLoss): number {
    const columns = size - stacked + 1;
    if (this.row.length < columns * size) this.row = new Int32Array(2 * columns * size);
    if (this.cell.length < size) this.cell = new Int32Array(2 * size);
    const { row, cell } = this;
    const infinite = size + 1;
    row.fill(infinite, 0, columns * size);
    row[stacked - 1] = 0;
    for (let left = stacked - 2; left >= NONE; left--) {
      for (let j = 0; j < columns; j++) {
        const at = j * size;
        const right = stacked + j;
        for (let h = left + 1; h < right; h++) cell[h] = row[at + h]!;
        // The last row, in which there is nothing more on the left, stays where it is.
        if (left >= 0) row.fill(infinite, at + left, at + right);
        for (let h = left + 1; h < right; h++) {
          const loss = cell[h]!;
          if (loss >= infinite) continue;
          if (left >= 0) combine(row, at, loss, h, left, head, zero);
          if (right < size) combine(row, at + size, loss, h, right, head, zero);
        }
      }
    }
    // The node that remains keeps its arc only if it was to hang on 0.
    const last = (columns - 1) * size;
    let least = infinite;
    for (let h = 0; h < size; h++) least = Math.min(least, row[last + h]! + (head[h]! >= 0 ? 1 : 0));
    if (this.cells > CELLS_KEPT) this.row = new Int32Array(0);
    if (least >= infinite) throw new Error(`no tree joins the ${size} nodes that are left, ${stacked} of them stacked`);
    return least;
  }

  /** How many cells the table has at the moment. */
  get cells(): number {
    return this.row.length;
  }
}

/**
 * The trees with roots a and b become one, either way round. An arc costs 1 if its dependent could still get its gold
 * head.
 */
function combine(
  cells: Int32Array,
  cell: number,
  loss: number,
  a: number,
  b: number,
  head: Int32Array,
  zero: number,
): void {
  if (b !== zero) {
    const price = loss + (head[b] === a || head[b] === NONE ? 0 : 1);
    if (price < cells[cell + a]!) cells[cell + a] = price;
  }
  if (a !== zero) {
    const price = loss + (head[a] === b || head[a] === NONE ? 0 : 1);
    if (price < cells[cell + b]!) cells[cell + b] = price;
  }
}
