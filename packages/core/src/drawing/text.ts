import { checkOptions, type Expectation, oneOf, TRUE_OR_FALSE } from "../checks/options.js";
import { cellWidth, printable } from "./characters.js";
import { DIRECTION, type Direction, type Drawable, layout, roleRows, wordCount } from "./layout.js";

/** Options of `toText`. */
export interface TextOptions {
  /** `vertical`: one word per line, for any tree; `horizontal`: arcs above the words, for short sentences. */
  readonly style?: "vertical" | "horizontal" | undefined;
  /** ANSI colours. */
  readonly color?: boolean | undefined;
  /** `rtl` lays the words out from right to left (horizontal style only). */
  readonly direction?: Direction | undefined;
}

const TEXT_OPTIONS: Readonly<Record<keyof TextOptions, Expectation>> = {
  style: oneOf("vertical", "horizontal"),
  color: TRUE_OR_FALSE,
  direction: DIRECTION,
};

// Strokes of a box-drawing character.
const UP = 1;
const DOWN = 2;
const LEFT = 4;
const RIGHT = 8;
// The character with the strokes given by its index.
const BOX = " ╵╷│╴┘┐┤╶└┌├─┴┬┼";

/** Characters of a picture: a tree may need as many columns as it has words, and a line for each. */
const MOST_CELLS = 1 << 24;

function checkSize(lines: number, width: number): void {
  if (lines * width <= MOST_CELLS) return;
  throw new RangeError(
    `too large for text: ${lines} lines of ${width} characters (expected at most ${MOST_CELLS} characters: draw it as SVG or LaTeX)`,
  );
}

const DIM = "\u001b[2m";
const CYAN = "\u001b[36m";
const YELLOW = "\u001b[33m";
const RESET = "\u001b[0m";

/**
 * The tree as lines of Unicode text, each ending in a line feed; a sentence without words is the empty string.
 * @param tree forms, heads and labels
 * @param options style, colour and direction
 */
export function toText(tree: Drawable, options: TextOptions = {}): string {
  checkOptions("toText", options, TEXT_OPTIONS);
  const n = wordCount(tree);
  if (n === 0) return "";
  // Spaces at the end stay outside the colour, so that they can be cut off the line.
  const paint = (code: string, text: string) =>
    options.color ? text.replace(/^.*[^ ]/, (inked) => code + inked + RESET) : text;
  const lines =
    options.style === "horizontal" ? horizontal(tree, n, options.direction, paint) : vertical(tree, n, paint);
  return lines.map((line) => `${withoutEndSpaces(line)}\n`).join("");
}

// A pattern such as / +$/ would look at every stretch of spaces once for each space in it.
function withoutEndSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") end--;
  return line.slice(0, end);
}

type Paint = (code: string, text: string) => string;

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(width - cellWidth(text), 0));
}

function texts(values: ArrayLike<string | undefined>, n: number): string[] {
  return Array.from({ length: n + 1 }, (_, i) => (i === 0 ? "" : printable(values[i] ?? "")));
}

const NOT_ATTACHED = "·";
const CYCLE = "↺";

interface Rails {
  /** Column of the vertical line of each head, of the word itself for a word without dependents; from 0. */
  readonly columns: Int32Array;
  /** First and last row of the vertical line of each word; the word's own row if it has no dependents. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  readonly count: number;
  /** Words whose head comes below them in a cycle: drawn as if they had none. */
  readonly cut: Uint8Array;
}

/**
 * Every head has a vertical line from its first to its last dependent, to the right of the line of its own head: in a
 * projective tree in the column of its depth, otherwise in the first one to the right that is free in its rows.
 * O(n²) at worst, times the number of columns that crossing arcs cost.
 */
function rails(tree: Drawable, n: number): Rails {
  const first = Int32Array.from({ length: n + 1 }, (_, i) => i);
  const last = first.slice();
  const cut = new Uint8Array(n + 1);
  const children: number[][] = Array.from({ length: n + 1 }, () => []);
  const order: number[] = [];
  for (let d = 1; d <= n; d++) {
    const head = tree.heads[d]!;
    if (head <= 0) order.push(d);
    else children[head]!.push(d);
  }
  // Breadth first, so that heads come before their dependents; what is not reached hangs on a cycle.
  const reached = new Uint8Array(n + 1);
  let next = 0;
  const visit = () => {
    for (; next < order.length; next++) {
      reached[order[next]!] = 1;
      for (const d of children[order[next]!]!) if (!reached[d] && !cut[d]) order.push(d);
    }
  };
  visit();
  for (let d = 1; d <= n; d++) {
    if (reached[d]) continue;
    // Following heads from here ends in the cycle; it is cut at the first word found twice.
    const seen = new Set<number>();
    let node = d;
    for (; !seen.has(node); node = tree.heads[node]!) seen.add(node);
    cut[node] = 1;
    order.push(node);
    visit();
  }

  for (let d = 1; d <= n; d++) {
    const head = tree.heads[d]!;
    if (head <= 0 || cut[d]) continue;
    first[head] = Math.min(first[head]!, d);
    last[head] = Math.max(last[head]!, d);
  }
  const columns = new Int32Array(n + 1);
  const taken: Uint8Array[] = [];
  let count = 1;
  for (const w of order) {
    const attached = tree.heads[w]! > 0 && !cut[w];
    let column = attached ? columns[tree.heads[w]!]! + 1 : 0;
    if (first[w] !== last[w]) {
      while (taken[column]?.subarray(first[w], last[w]! + 1).includes(1)) column++;
      checkSize(n, 2 * column + 4);
      for (let k = taken.length; k <= column; k++) taken.push(new Uint8Array(n + 1));
      taken[column]!.fill(1, first[w], last[w]! + 1);
      count = Math.max(count, column + 1);
    }
    columns[w] = column;
  }
  return { columns, first, last, count, cut };
}

function vertical(tree: Drawable, n: number, paint: Paint): string[] {
  const { columns, first, last, count, cut } = rails(tree, n);
  // Column k is at cell 2k + 1; cell 0 holds the line from the root. A line runs on to the word on its right.
  const width = 2 * count + 2;
  const grid = Array.from({ length: n + 1 }, () => new Uint8Array(width));
  const foreign = Array.from({ length: n + 1 }, () => new Uint8Array(width));
  for (let w = 1; w <= n; w++) {
    if (first[w] === last[w]) continue;
    const x = 2 * columns[w]! + 1;
    for (let row = first[w]!; row <= last[w]!; row++) {
      foreign[row]![x] = 1;
      grid[row]![x]! |= (row > first[w]! ? UP : 0) | (row < last[w]! ? DOWN : 0);
    }
  }
  for (let w = 1; w <= n; w++) {
    const head = tree.heads[w]!;
    const attached = head > 0 && !cut[w];
    const from = attached ? 2 * columns[head]! + 1 : 0;
    const own = first[w] === last[w] ? -1 : 2 * columns[w]! + 1;
    for (let x = from; x < width; x++) {
      // A line that belongs to other words passes in front: the horizontal line is interrupted there.
      if (foreign[w]![x] && x !== own && !(attached && x === from)) continue;
      grid[w]![x]! |= (x > from ? LEFT : 0) | RIGHT;
    }
    if (!attached) grid[w]![0] = LEFT | RIGHT;
  }

  const forms = texts(tree.forms, n);
  const fields = [tree.lemmas, tree.tags, tree.labels].map((values) => (values ? texts(values, n) : []));
  const [lemmas, tags, labels] = fields as [string[], string[], string[]];
  const widest = (values: readonly string[]) => values.reduce((most, value) => Math.max(most, cellWidth(value)), 0);
  const widths = [forms, lemmas, tags].map(widest);
  const roles = roleRows(tree.predicates ?? [], n).map((row) => texts(row, n));
  const roleWidths = roles.map(widest);
  const labelWidth = widest(labels);
  return forms.slice(1).map((form, i) => {
    const w = i + 1;
    let lines = Array.from(grid[w]!, (strokes) => BOX[strokes]).join("");
    if (cut[w]) lines = CYCLE + lines.slice(1);
    else if (tree.heads[w]! < 0) lines = NOT_ATTACHED + lines.slice(1);
    let line = `${paint(DIM, lines)} ${pad(form, widths[0]!)}`;
    if (tree.lemmas) line += `  ${pad(lemmas[w]!, widths[1]!)}`;
    if (tree.tags) line += `  ${paint(YELLOW, pad(tags[w]!, widths[2]!))}`;
    const label = tree.heads[w]! >= 0 ? (labels[w] ?? "") : "";
    if (roles.length > 0) line += `  ${paint(CYAN, pad(label, labelWidth))}`;
    else if (tree.labels && tree.heads[w]! >= 0) line += `  ${paint(CYAN, label)}`;
    roles.forEach((row, k) => {
      line += `  ${pad(row[w]!, roleWidths[k]!)}`;
    });
    return line;
  });
}

function horizontal(tree: Drawable, n: number, direction: Direction | undefined, paint: Paint): string[] {
  const given = [tree.forms, tree.lemmas, tree.tags].filter((values) => values !== undefined);
  const roles = roleRows(tree.predicates ?? [], n);
  const rows = [...given, ...roles].map((values) => texts(values, n));
  const labels = texts(tree.labels ?? [], n);
  const widths = Array.from({ length: n + 1 }, (_, i) => Math.max(1, ...rows.map((row) => cellWidth(row[i]!))));
  const labelWidths = labels.map(cellWidth);
  const place = layout(
    tree,
    { word: (i) => widths[i]!, label: (d) => labelWidths[d]!, gap: 1, labelPadding: 2, pitch: [2, 2] },
    direction,
  );
  const height = place.levelCount;
  const size = place.width + 2;
  checkSize(height + 1 + rows.length, size);
  // Strokes of the arcs; row 0 is the highest level, row `height` holds the arrow heads.
  const grid = Array.from({ length: height + 1 }, () => new Uint8Array(size));
  const stroke = (row: number, x: number, strokes: number) => {
    grid[row]![x]! |= strokes;
  };
  for (let d = 1; d <= n; d++) {
    if (tree.heads[d]! < 0) continue;
    const top = height - place.levels[d]!;
    const start = place.starts[d]!;
    const end = place.ends[d]!;
    for (const x of start === end ? [end] : [start, end]) {
      stroke(top, x, DOWN);
      for (let row = top + 1; row < height; row++) stroke(row, x, UP | DOWN);
      if (x !== end) stroke(height, x, UP | DOWN);
    }
    for (let x = Math.min(start, end); x < Math.max(start, end); x++) {
      stroke(top, x, RIGHT);
      stroke(top, x + 1, LEFT);
    }
  }
  const canvas = grid.map((row) => Array.from(row, (strokes) => BOX[strokes]!));
  for (let d = 1; d <= n; d++) {
    if (tree.heads[d]! < 0) continue;
    canvas[height]![place.ends[d]!] = "▼";
    // The label takes the place of its cells: its text in the first, nothing in the others.
    if (labelWidths[d] === 0) continue;
    const x = Math.max(place.labels[d]! - (labelWidths[d]! >> 1), 0);
    canvas[height - place.levels[d]!]!.fill("", x, x + labelWidths[d]!);
    canvas[height - place.levels[d]!]![x] = labels[d]!;
  }
  const lines = height === 0 ? [] : canvas.map((row) => paint(DIM, row.join("")));
  for (const row of rows) {
    const cells = Array.from({ length: size }, () => " ");
    for (let i = 1; i <= n; i++) {
      const width = cellWidth(row[i]!);
      if (width === 0) continue;
      const x = Math.max(place.centers[i]! - (width >> 1), 0);
      cells.fill("", x, x + width);
      cells[x] = row[i]!;
    }
    const line = cells.join("");
    const at = rows.indexOf(row);
    lines.push(at === 0 || at >= given.length ? line : paint(YELLOW, line));
  }
  return lines;
}
