import {
  arcPath,
  arrowPath,
  FALL,
  FOOT,
  type Geometry,
  highestFirst,
  LABEL_HALF,
  LEVEL_HEIGHT,
  MARGIN,
  ROLE_HEIGHT,
  WORD_HEIGHT,
} from "./arcs.js";
import type { TreeLayout } from "./layout.js";

/** Between the words of a line and what is drawn of the next. */
const LINE_GAP = 22;
/** The middle of a label is so far from the edge, so that all of it can be read. */
const LABEL_ROOM = 28;

interface Line {
  first: number;
  last: number;
  wordTop: number;
  /** The height of each level of arcs that the line has something of, from 1. */
  ranks: ReadonlyMap<number, number>;
  /** The rows of semantic roles that have something below its words. */
  roles: readonly number[];
}

/** Below the words: rows of semantic roles, by word, and room for words that leave the sentence. */
interface Below {
  roles: readonly (readonly string[])[];
  fallRoom: boolean;
}

/**
 * The words in lines, as text is. An arc to another line goes on to the edge and comes in again at the edge of the next
 * line, up to the line of its dependent, where its label is.
 */
export function wrappedGeometry(
  { centers, half, sides }: TreeLayout,
  heads: readonly number[],
  room: number,
  rightToLeft: boolean,
  { roles, fallRoom }: Below,
): Geometry {
  const n = centers.length - 1;
  const { levels, starts, ends } = sides[0]!;
  const width = Math.max(room, 2 * (MARGIN + half.reduce((a, b) => Math.max(a, b), 0)));
  const edgeOf = (word: number, side: 1 | -1) => centers[word]! + side * half[word]!;
  const [before, after] = rightToLeft ? ([1, -1] as const) : ([-1, 1] as const);

  const lines: Line[] = [];
  const belowLine = (line: Line) => line.wordTop + WORD_HEIGHT + line.roles.length * ROLE_HEIGHT;
  const lineOf = new Int32Array(n + 1);
  for (let w = 1, first = 1; w <= n; w++) {
    const isLast = w === n || Math.abs(edgeOf(w + 1, after) - edgeOf(first, before)) > width - 2 * MARGIN;
    lineOf[w] = lines.length;
    if (!isLast) continue;
    lines.push({ first, last: w, wordTop: 0, ranks: new Map(), roles: [] });
    first = w + 1;
  }
  let bottom = MARGIN;
  for (const line of lines) {
    const present = new Set<number>();
    for (let d = 1; d <= n; d++) {
      if (levels[d]! <= 0) continue;
      const head = heads[d]! > 0 ? heads[d]! : d;
      if (Math.min(head, d) <= line.last && Math.max(head, d) >= line.first) present.add(levels[d]!);
    }
    line.ranks = new Map([...present].sort((a, b) => a - b).map((level, i) => [level, i + 1]));
    line.wordTop = bottom + FOOT + (line.ranks.size + 1) * LEVEL_HEIGHT + LABEL_HALF;
    line.roles = roles.flatMap((row, k) =>
      row.slice(line.first, line.last + 1).some((text) => text !== "") ? [k] : [],
    );
    bottom = belowLine(line) + LINE_GAP + (fallRoom ? FALL - LINE_GAP / 2 : 0);
  }

  const x = (word: number) => {
    const { first } = lines[lineOf[word]!]!;
    const along = centers[word]! - edgeOf(first, before);
    return rightToLeft ? width - MARGIN + along : MARGIN + along;
  };
  const top = (word: number) => lines[lineOf[word]!]!.wordTop;
  const edges = rightToLeft ? ([width, 0] as const) : ([0, width] as const);
  const apexIn = (line: Line, rank: number) => line.wordTop - 2 - FOOT - rank * LEVEL_HEIGHT;

  /** An arc from x to x, in as many pieces as there are lines; and the piece that has the label. */
  const pieces = (head: number, d: number, startX: number, endX: number, rankIn: (line: Line) => number) => {
    const to = lineOf[d]!;
    const from = head > 0 ? lineOf[head]! : to;
    const last = lines[to]!;
    const apex = apexIn(last, rankIn(last));
    if (from === to) return { line: arcPath(startX, endX, last.wordTop - 2, apex), labelX: (startX + endX) / 2, apex };
    // Where the arc leaves the line of its head, and comes into that of its dependent.
    const [leaves, enters] = from < to ? [edges[1], edges[0]] : edges;
    const start = lines[from]!;
    let line = arcPath(startX, leaves, start.wordTop - 2, apexIn(start, rankIn(start)), "open end");
    for (let l = Math.min(from, to) + 1; l < Math.max(from, to); l++) {
      line += `M${edges[0]} ${apexIn(lines[l]!, rankIn(lines[l]!))}H${edges[1]}`;
    }
    line += arcPath(enters, endX, last.wordTop - 2, apex, "open start");
    return { line, labelX: (enters + endX) / 2, apex };
  };
  const placed = (d: number) => {
    const endX = x(d) + ends[d]! - centers[d]!;
    const head = heads[d]!;
    const startX = head > 0 ? x(head) + starts[d]! - centers[head]! : endX;
    return pieces(head, d, startX, endX, (line) => line.ranks.get(levels[d]!) ?? 1);
  };
  return {
    width,
    height: bottom,
    wordHeight: WORD_HEIGHT,
    x,
    top,
    half: (word) => half[word]!,
    below: (word) => belowLine(lines[lineOf[word]!]!),
    role(row, word) {
      const line = lines[lineOf[word]!]!;
      return { x: x(word), y: line.wordTop + WORD_HEIGHT + 12 + line.roles.indexOf(row) * ROLE_HEIGHT };
    },
    fall: { x: 0, y: FALL },
    wordAt(atX, atY) {
      let nearest = -1;
      let distance = Number.POSITIVE_INFINITY;
      const line = lines.findIndex((one) => atY <= belowLine(one) + LINE_GAP / 2);
      const { first, last } = lines[line < 0 ? lines.length - 1 : line] ?? { first: 1, last: 0 };
      for (let w = first; w <= last; w++) {
        const away = Math.abs(x(w) - atX) - half[w]!;
        if (away < distance) [nearest, distance] = [w, away];
      }
      return nearest;
    },
    order: () => highestFirst(sides[0]!),
    line: (_, d) => placed(d).line,
    arrow: (_, d) => arrowPath(x(d) + ends[d]! - centers[d]!, top(d) - 2, -1),
    label(_, d) {
      const { labelX, apex } = placed(d);
      return { x: Math.max(LABEL_ROOM, Math.min(width - LABEL_ROOM, labelX)), y: apex + 4 };
    },
    ghost(head, dependent) {
      const endX = x(dependent);
      const { line, labelX, apex } = pieces(
        head,
        dependent,
        head > 0 ? x(head) : endX,
        endX,
        ({ ranks }) => ranks.size + 1,
      );
      return { line, arrow: arrowPath(endX, top(dependent) - 2, -1), labelX, labelY: apex + 4 };
    },
  };
}
