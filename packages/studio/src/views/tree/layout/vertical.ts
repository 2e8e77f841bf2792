import { FOOT, type Geometry, highestFirst, MARGIN, WORD_HEIGHT } from "./arcs.js";
import type { TreeLayout } from "./layout.js";

const GAP = 4;
/** Of a word without its tag, where there is little room. */
export const COMPACT_HEIGHT = 21;
/** The first word is below where an arc can be dropped to make its word the root. */
const TOP = 34;
/** Levels of arcs are nearer to each other where there is no room for so much. */
const LEVEL_WIDTHS = [4, 15] as const;
const CORNER = 8;
const ARROW = 7;
const WORD_PADDING = 6;
/** Room for a label beside its word. */
const LABEL_ROOM = 90;

/** Between columns of semantic roles. */
const ROLE_GAP = 12;

/**
 * The words one below the other, arcs on their left and the label of each on its right: any length fits a narrow
 * screen.
 */
export function verticalGeometry(
  { half, sides }: TreeLayout,
  heads: readonly number[],
  room: number,
  /** Of the columns of semantic roles. */
  roleWidths: readonly number[],
  isCompact = false,
): Geometry {
  const wordHeight = isCompact ? COMPACT_HEIGHT : WORD_HEIGHT;
  const row = isCompact ? wordHeight : wordHeight + GAP;
  const first = isCompact ? GAP : TOP;
  const n = heads.length - 1;
  const { levels, levelCount } = sides[0]!;
  const widest = half.reduce((a, b) => Math.max(a, b), 0);
  const spare = room - 2 * MARGIN - FOOT - 2 * widest - WORD_PADDING - LABEL_ROOM;
  const levelWidth = Math.max(LEVEL_WIDTHS[0], Math.min(LEVEL_WIDTHS[1], spare / (levelCount + 1)));
  const edge = MARGIN + FOOT + (levelCount + 1) * levelWidth;
  const x = edge + widest + WORD_PADDING;
  const top = (word: number) => first + (word - 1) * row;
  const middle = (word: number) => top(word) + wordHeight / 2;
  /** Arcs of a word are side by side: the one into it in the middle, those from it above and below. */
  const leaves = (head: number, d: number) => middle(head) + (Math.sign(d - head) * 3 * wordHeight) / 16;
  const path = (head: number, d: number, level: number) => {
    const end = middle(d);
    const tip = edge - ARROW;
    if (head <= 0) return `M${MARGIN} ${end}H${tip}`;
    const start = leaves(head, d);
    const far = edge - FOOT - level * levelWidth;
    const along = Math.sign(end - start);
    return `M${edge} ${start}H${far + CORNER}Q${far} ${start} ${far} ${start + along * CORNER}V${end - along * CORNER}Q${far} ${end} ${far + CORNER} ${end}H${tip}`;
  };
  const arrow = (d: number) =>
    `M${edge} ${middle(d)}L${edge - ARROW - 1} ${middle(d) - 4}Q${edge - ARROW + 1} ${middle(d)} ${edge - ARROW - 1} ${middle(d) + 4}Z`;
  const label = (d: number) => ({ x: x + widest + LABEL_ROOM / 2, y: middle(d) + 4 });
  let right = x + widest + LABEL_ROOM;
  const roles = roleWidths.map((width) => {
    right += ROLE_GAP + width;
    return right - width / 2;
  });
  return {
    width: right + MARGIN,
    height: top(n + 1) + (isCompact ? GAP : MARGIN),
    wordHeight,
    x: () => x,
    top,
    half: (word) => half[word]!,
    below: (word) => top(word) + wordHeight,
    role: (row, word) => ({ x: roles[row]!, y: middle(word) + 4 }),
    fall: { x: LABEL_ROOM / 2, y: 0 },
    wordAt: (_, y) => Math.max(1, Math.min(n, Math.floor((y - first) / row) + 1)),
    order: () => highestFirst(sides[0]!),
    line: (_, d) => path(heads[d]!, d, levels[d]!),
    arrow: (_, d) => arrow(d),
    label: (_, d) => label(d),
    ghost(head, dependent) {
      const at = label(dependent);
      return { line: path(head, dependent, levelCount + 1), arrow: arrow(dependent), labelX: at.x, labelY: at.y };
    },
  };
}
