import { arcLevels } from "@stemma/core";

export interface Arcs {
  readonly heads: readonly number[];
  readonly labels: readonly string[];
}

/** Where the arcs of one tree are; arrays are indexed by dependent. */
export interface PlacedArcs {
  readonly levels: Int32Array;
  readonly levelCount: number;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

export interface TreeLayout {
  readonly width: number;
  readonly centers: Float64Array;
  /** Half of the room that each word takes. */
  readonly half: Float64Array;
  readonly sides: readonly PlacedArcs[];
}

const WORD_GAP = 18;
const LABEL_PADDING = 15;
const PITCH = [6, 11] as const;

/**
 * Places words and the arcs of one or two trees over the same words. As core's drawings do it, but with the widths that
 * the browser measures, and for two trees at once.
 */
export function layoutTree(
  widths: readonly number[],
  trees: readonly Arcs[],
  labelWidth: (label: string) => number,
  rightToLeft: boolean,
): TreeLayout {
  const n = widths.length - 1;
  const half = Float64Array.from(widths, (width) => width / 2);
  const sides = trees.map(({ heads, labels }) => {
    const levels = arcLevels(heads);
    const levelCount = levels.reduce((a, b) => Math.max(a, b), 0);
    const placed = { levels, levelCount, starts: new Float64Array(n + 1), ends: new Float64Array(n + 1) };
    spreadEnds(heads, labels, placed, half, labelWidth);
    return placed;
  });

  // space[i] is the distance of the centres of the words i and i + 1.
  const space = new Float64Array(n + 1);
  for (let w = 1; w < n; w++) space[w] = half[w]! + WORD_GAP + half[w + 1]!;
  trees.forEach(({ heads, labels }, k) => {
    const { starts, ends } = sides[k]!;
    for (const d of shortestFirst(heads)) {
      const [from, to] = [Math.min(heads[d]!, d), Math.max(heads[d]!, d)];
      let missing = labelWidth(labels[d]!) + 2 * LABEL_PADDING - Math.sign(d - heads[d]!) * (ends[d]! - starts[d]!);
      for (let i = from; i < to; i++) missing -= space[i]!;
      for (let i = from; missing > 0 && i < to; i++) {
        const share = missing / (to - i);
        space[i]! += share;
        missing -= share;
      }
    }
  });

  const centers = new Float64Array(n + 1);
  for (let w = 1, x = half[1] ?? 0; w <= n; x += space[w++]!) centers[w] = x;
  const width = n === 0 ? 0 : centers[n]! + half[n]!;
  trees.forEach(({ heads }, k) => {
    const { starts, ends } = sides[k]!;
    for (let d = 1; d <= n; d++) {
      ends[d]! += centers[d]!;
      starts[d] = heads[d]! > 0 ? starts[d]! + centers[heads[d]!]! : ends[d]!;
    }
  });
  if (rightToLeft) {
    for (const xs of [centers, ...sides.flatMap(({ starts, ends }) => [starts, ends])]) {
      for (let i = 1; i <= n; i++) xs[i] = width - xs[i]!;
    }
  }
  return { width, centers, half, sides };
}

/** Offsets of arc ends from the centre of their word, such that arcs that meet at a word do not cross there. */
function spreadEnds(
  heads: readonly number[],
  labels: readonly string[],
  { levels, starts, ends }: PlacedArcs,
  half: Float64Array,
  labelWidth: (label: string) => number,
): void {
  const incident: number[][] = Array.from(heads, () => []);
  for (let d = 1; d < heads.length; d++) {
    if (heads[d]! >= 0) incident[d]!.push(d);
    if (heads[d]! > 0) incident[heads[d]!]!.push(d);
  }
  const side = (w: number, d: number) => (heads[d] === 0 ? 0 : Math.sign(heads[d]! + d - 2 * w));
  incident.forEach((arcs, w) => {
    if (w === 0) return;
    arcs.sort(
      (a, b) =>
        side(w, a) - side(w, b) || (side(w, a) < 0 ? levels[a]! - levels[b]! : levels[b]! - levels[a]!) || a - b,
    );
    const pitch = Math.max(PITCH[0], Math.min(PITCH[1], (2 * half[w]!) / Math.max(arcs.length, 1)));
    const spread = (arcs.length - 1) * pitch;
    half[w] = Math.max(half[w]!, (spread + PITCH[0]) / 2);
    arcs.forEach((d, k) => {
      const offset = k * pitch - spread / 2;
      if (d !== w) starts[d] = offset;
      else {
        ends[d] = offset;
        if (heads[d] === 0) half[w] = Math.max(half[w]!, labelWidth(labels[d]!) / 2 + Math.abs(offset));
      }
    });
  });
}

function shortestFirst(heads: readonly number[]): number[] {
  const dependents: number[] = [];
  for (let d = 1; d < heads.length; d++) if (heads[d]! > 0) dependents.push(d);
  const length = (d: number) => Math.abs(heads[d]! - d);
  return dependents.sort((a, b) => length(a) - length(b) || a - b);
}
