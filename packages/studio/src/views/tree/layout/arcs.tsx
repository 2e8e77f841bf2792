import { useMemo } from "preact/hooks";
import type { PlacedArcs, TreeLayout } from "./layout.js";

export const MARGIN = 18;
export const LEVEL_HEIGHT = 27;
/** From the words to where level 0 would be; leaves room for the arrow head under the curve of level 1. */
export const FOOT = 12;
const CORNER = 16;
const ARROW_LENGTH = 8;
const ARROW_HALF = 4;
export const LABEL_HALF = 8;
export const WORD_HEIGHT = 48;
const TOKEN_ROOM = 12;
/** Of a row of semantic roles below the words. */
export const ROLE_HEIGHT = 18;
/** How far words that leave the sentence fall. */
export const FALL = 34;

/** A layout in the coordinates of the drawing. */
export interface Geometry {
  readonly width: number;
  readonly height: number;
  readonly wordHeight: number;
  /** The middle of a word, and the upper edge of its box. */
  x(word: number): number;
  top(word: number): number;
  half(word: number): number;
  /** The lower edge of what is written below a word. */
  below(word: number): number;
  /** Where the text of a word in a row of semantic roles stands. */
  role(row: number, word: number): { x: number; y: number };
  /** Where a word that leaves the sentence goes from its place. */
  readonly fall: { x: number; y: number };
  /** The word at or nearest to a place. */
  wordAt(x: number, y: number): number;
  /** Dependents of a side's arcs, highest arcs first, so that lower ones are drawn over them. */
  order(side: number): number[];
  line(side: number, dependent: number): string;
  arrow(side: number, dependent: number): string;
  label(side: number, dependent: number): { x: number; y: number };
  /** An arc above all arcs that `shows` says are there, and above others that are drawn in the same way. */
  ghost(
    head: number,
    dependent: number,
    shows: (dependent: number) => boolean,
    others?: number,
  ): { line: string; arrow: string; labelX: number; labelY: number };
}

/** Room for arcs that may come above, and for tokens, rows of roles and words that fall below the words. */
export interface Spare {
  ghostRoom: boolean;
  tokenRoom: boolean;
  roleRows?: number;
  fallRoom?: boolean;
}

export function geometry(
  { width, centers, half, sides }: TreeLayout,
  { ghostRoom, tokenRoom, roleRows = 0, fallRoom = false }: Spare,
): Geometry {
  const roomOf = (side: PlacedArcs | undefined, more = 0) =>
    side ? FOOT + Math.max(1, side.levelCount + more) * LEVEL_HEIGHT + LABEL_HALF : 0;
  const wordTop = MARGIN + roomOf(sides[0], ghostRoom ? 1 : 0);
  const wordBottom = wordTop + WORD_HEIGHT;
  const n = centers.length - 1;
  const rolesTop = wordBottom + (tokenRoom ? TOKEN_ROOM + 8 : 0);
  const x = (word: number) => centers[word]! + MARGIN;
  // Above the words arcs go up from their top edge; below, down from their bottom edge.
  const edge = (side: number) => (side === 0 ? wordTop - 2 : wordBottom + 2);
  const apexOf = (side: number, level: number) => edge(side) + (side === 0 ? -1 : 1) * (FOOT + level * LEVEL_HEIGHT);
  const ends = (side: number, d: number) => [sides[side]!.starts[d]! + MARGIN, sides[side]!.ends[d]! + MARGIN] as const;
  return {
    width: width + 2 * MARGIN,
    height:
      wordBottom +
      roomOf(sides[1]) +
      MARGIN +
      (tokenRoom ? TOKEN_ROOM : 0) +
      roleRows * ROLE_HEIGHT +
      (fallRoom ? FALL + (tokenRoom ? 8 : 0) : 0),
    wordHeight: WORD_HEIGHT,
    x,
    top: () => wordTop,
    half: (word) => half[word]!,
    below: () => rolesTop + roleRows * ROLE_HEIGHT,
    role: (row, word) => ({ x: x(word), y: rolesTop + 12 + row * ROLE_HEIGHT }),
    fall: { x: 0, y: FALL + (tokenRoom ? TOKEN_ROOM : 0) },
    wordAt(at) {
      let nearest = -1;
      let distance = Number.POSITIVE_INFINITY;
      for (let w = 1; w <= n; w++) {
        const away = Math.abs(x(w) - at) - half[w]!;
        if (away < distance) [nearest, distance] = [w, away];
      }
      return nearest;
    },
    order: (side) => highestFirst(sides[side]!),
    line(side, d) {
      const [start, end] = ends(side, d);
      return arcPath(start, end, edge(side), apexOf(side, sides[side]!.levels[d]!));
    },
    arrow: (side, d) => arrowPath(ends(side, d)[1], edge(side), side === 0 ? -1 : 1),
    label(side, d) {
      const [start, end] = ends(side, d);
      return { x: (start + end) / 2, y: apexOf(side, sides[side]!.levels[d]!) + 4 };
    },
    ghost(head, dependent, shows, others = 0) {
      const { levels, starts, ends } = sides[0]!;
      const end = x(dependent);
      const start = head > 0 ? x(head) : end;
      const [left, right] = [Math.min(start, end), Math.max(start, end)];
      let level = 1;
      for (let d = 1; d <= n; d++) {
        const [a, b] = [Math.min(starts[d]!, ends[d]!) + MARGIN, Math.max(starts[d]!, ends[d]!) + MARGIN];
        if (levels[d]! > 0 && shows(d) && a < right && b > left) level = Math.max(level, levels[d]! + 1);
      }
      const apex = Math.max(MARGIN - 4, apexOf(0, level) - (others * LEVEL_HEIGHT) / 2);
      return {
        line: arcPath(start, end, edge(0), apex),
        arrow: arrowPath(end, edge(0), -1),
        labelX: (start + end) / 2,
        labelY: apex + 4,
      };
    },
  };
}

/** The dependents of arcs, those of the highest arcs first. */
export function highestFirst({ levels }: PlacedArcs): number[] {
  const dependents: number[] = [];
  levels.forEach((level, d) => {
    if (d > 0 && level > 0) dependents.push(d);
  });
  return dependents.sort((a, b) => levels[b]! - levels[a]!);
}

/** An arc from x to x above or below an edge; an open one begins or ends in the air, at the height of its apex. */
export function arcPath(
  start: number,
  end: number,
  edge: number,
  apex: number,
  open?: "open start" | "open end",
): string {
  const away = Math.sign(apex - edge);
  const tip = edge + away * (ARROW_LENGTH - 1);
  if (start === end) return `M${end} ${apex}V${tip}`;
  const along = Math.sign(end - start);
  const corner = Math.min(CORNER, Math.abs(end - start) / 2, Math.abs(apex - tip));
  const up =
    open === "open start"
      ? `M${start} ${apex}`
      : `M${start} ${edge}V${apex - away * corner}Q${start} ${apex} ${start + along * corner} ${apex}`;
  const down =
    open === "open end" ? `H${end}` : `H${end - along * corner}Q${end} ${apex} ${end} ${apex - away * corner}V${tip}`;
  return up + down;
}

export function arrowPath(x: number, edge: number, away: number): string {
  const back = edge + away * ARROW_LENGTH;
  return `M${x} ${edge}L${x - ARROW_HALF} ${back}Q${x} ${back - away * 2} ${x + ARROW_HALF} ${back}Z`;
}

interface ArcProps {
  place: Geometry;
  side: number;
  dependent: number;
  class: string;
  press?: ((event: PointerEvent) => void) | undefined;
  hover(word: number): void;
}

/** One arc: a gap for what it crosses, the line, the arrow head, and a wide invisible line that is easy to point at. */
export function ArcPaths({ place, side, dependent, press, hover, ...rest }: ArcProps) {
  // The same elements again are not looked at again: of a hundred arcs, a step changes one.
  const paths = useMemo(() => {
    const line = place.line(side, dependent);
    return (
      <>
        <path class="gap" d={line} />
        <path class="line" d={line} />
        <path class="arrow" d={place.arrow(side, dependent)} />
        <path class="hit" d={line} />
      </>
    );
  }, [place, side, dependent]);
  return (
    <g
      class={rest.class}
      data-dependent={dependent}
      onPointerDown={press}
      onPointerEnter={(event) => event.pointerType === "mouse" && hover(dependent)}
      onPointerLeave={() => hover(0)}
    >
      {paths}
    </g>
  );
}

export function labelPlace(place: Geometry, side: number, dependent: number): { x: number; y: number } {
  return place.label(side, dependent);
}
