import type { DerivationGraph } from "../../protocol/derivation.js";

export const COLUMN = 58;
export const ROW = 40;
export const MARGIN = 22;

export interface GraphLayout {
  width: number;
  height: number;
  /** The middle of each configuration. */
  x: number[];
  y: number[];
}

/**
 * Configurations in columns by the number of transitions that lead to them; within a column each stands as near as
 * possible to those that it comes from, so that few lines cross.
 */
export function layoutGraph({ nodes, edges }: DerivationGraph): GraphLayout {
  const columns: number[][] = [];
  nodes.forEach(({ depth }, i) => {
    columns[depth] ??= [];
    columns[depth]!.push(i);
  });
  const before = nodes.map((): number[] => []);
  for (const { from, to } of edges) before[to]!.push(from);
  const place = new Array<number>(nodes.length).fill(0);
  const tallest = Math.max(1, ...columns.map((column) => column?.length ?? 0));
  for (const column of columns) {
    const wish = (node: number) =>
      before[node]!.reduce((sum, from) => sum + place[from]!, 0) / before[node]!.length || 0;
    column.sort((a, b) => wish(a) - wish(b));
    column.forEach((node, i) => {
      place[node] = i - (column.length - 1) / 2;
    });
  }
  return {
    width: 2 * MARGIN + (columns.length - 1) * COLUMN,
    height: 2 * MARGIN + (tallest - 1) * ROW,
    x: nodes.map(({ depth }) => MARGIN + depth * COLUMN),
    y: place.map((row) => MARGIN + (row + (tallest - 1) / 2) * ROW),
  };
}
