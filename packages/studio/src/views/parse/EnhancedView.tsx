import { useMemo, useRef } from "preact/hooks";
import { isRightToLeft } from "../../state/shown/direction.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { arcPath, arrowPath, LEVEL_HEIGHT, MARGIN } from "../tree/layout/arcs.js";
import { FORM_FONT, SMALL_FONT, widthOf } from "../tree/layout/measure.js";
import { type EnhancedGraph, enhancedGraph, type GraphArc, levelsOf } from "./enhanced-graph.js";

const GAP = 26;
const PADDING = 30;
const WORD_HEIGHT = 46;
const FOOT = 14;

/** The enhanced graph of a sentence with its empty nodes, if the file has one. */
export function EnhancedView({ sentence }: { sentence: ShownSentence }) {
  const graph = useMemo(() => enhancedGraph(sentence.given), [sentence]);
  if (!graph) return null;
  return (
    <details class="enhanced">
      <summary>
        Enhanced graph
        {graph.words.some(({ empty }) => empty) && " with empty nodes"}
      </summary>
      <EnhancedGraphDrawing graph={graph} rightToLeft={isRightToLeft(sentence.forms.join(" "))} name={sentence.text} />
      <p class="faint">
        Above the words the arcs that are in the tree as well, below them those of the enhanced graph alone. Words in a
        broken frame are empty nodes.
      </p>
    </details>
  );
}

interface DrawingProps {
  graph: EnhancedGraph;
  rightToLeft: boolean;
  name: string;
  /** Given, the drawing is edited: an arc was chosen, moved to another head, or is wanted; -1 is the root. */
  onArc?(arc: GraphArc): void;
  onMove?(arc: GraphArc, head: number): void;
  onJoin?(head: number, dependent: number): void;
}

/** Distance in pixels from which on a press is a drag. */
const DRAGGED = 5;

export function EnhancedGraphDrawing({ graph, rightToLeft, name, onArc, onMove, onJoin }: DrawingProps) {
  const { words, arcs } = graph;
  const isEdited = onArc !== undefined;
  const pressed = useRef<{ x: number; y: number; arc?: GraphArc; word?: number } | undefined>(undefined);
  const dropped = (event: PointerEvent) => {
    const from = pressed.current;
    pressed.current = undefined;
    if (!from || Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAGGED) return;
    const target = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-node]");
    const to = words.findIndex(({ id }) => id === target?.getAttribute("data-node"));
    if (to < 0) return;
    if (from.arc && to !== from.arc.dependent && to !== from.arc.head) onMove?.(from.arc, to);
    else if (from.word !== undefined && to !== from.word) onJoin?.(from.word, to);
    // The click that follows is part of the drag.
    wasDragged.current = true;
    setTimeout(() => (wasDragged.current = false));
  };
  const wasDragged = useRef(false);
  const chosen = (choose: () => void) => ({
    onClick: () => !wasDragged.current && choose(),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    },
  });
  const place = useMemo(() => layout(graph, rightToLeft), [graph, rightToLeft]);
  const { x, width, height, top } = place;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold a drawing
    <div class="tree-scroll" tabIndex={0} role="group" aria-label="Enhanced graph">
      <svg
        class={`tree-svg enhanced-svg ${isEdited ? "edited" : ""}`}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role={isEdited ? "group" : "img"}
        onPointerUp={isEdited ? dropped : undefined}
      >
        <title>{`Enhanced graph of: ${name}. ${arcs.map((arc) => told(graph, arc)).join("; ")}`}</title>
        <g class="arcs">
          {place.arcs.map(({ line, arrow, basic }, i) => (
            <g key={i} class={`arc ${basic ? "" : "enhanced-arc"}`}>
              <path class="gap" d={line} />
              <path class="line" d={line} />
              <path class="arrow" d={arrow} />
            </g>
          ))}
        </g>
        <g class="labels">
          {place.arcs.map(({ arc, label, labelX, labelY, basic }, i) => (
            <text
              key={i}
              class={`label ${basic ? "" : "enhanced-label"}`}
              x={labelX}
              y={labelY}
              {...(isEdited && {
                role: "button",
                tabindex: 0,
                "aria-label": `${told(graph, arc)}: change`,
                onPointerDown: ({ clientX: x, clientY: y }: PointerEvent) => (pressed.current = { x, y, arc }),
                ...chosen(() => onArc(arc)),
              })}
            >
              {label}
            </text>
          ))}
        </g>
        <g class="words">
          {words.map(({ id, form, tag, empty }, i) => (
            <g
              key={id}
              class={`word ${empty ? "empty-node" : ""}`}
              data-node={id}
              {...(isEdited && {
                role: "button",
                tabindex: 0,
                "aria-label": `${form} ${empty ? id : tag}, node ${id}: add an arc`,
                onPointerDown: ({ clientX: x, clientY: y }: PointerEvent) => (pressed.current = { x, y, word: i }),
                ...chosen(() => onJoin?.(-1, i)),
              })}
            >
              <rect
                x={x[i]! - place.half[i]! - 5}
                y={top}
                width={2 * place.half[i]! + 10}
                height={WORD_HEIGHT}
                rx={6}
              />
              <text class="form" direction={isRightToLeft(form) ? "rtl" : "ltr"} x={x[i]} y={top + 21}>
                {form}
              </text>{" "}
              <text class="tag" x={x[i]} y={top + 38}>
                {empty ? id : tag}
              </text>
            </g>
          ))}
        </g>
      </svg>
    </div>
  );
}

function told({ words }: EnhancedGraph, { head, dependent, label }: GraphArc): string {
  return `${words[dependent]!.form}, ${label} of ${head < 0 ? "root" : words[head]!.form}`;
}

function layout({ words, arcs }: EnhancedGraph, rightToLeft: boolean) {
  const half = words.map(
    ({ form, tag, id }) =>
      Math.max(widthOf(form, FORM_FONT), widthOf(tag, SMALL_FONT), widthOf(id, SMALL_FONT), 12) / 2,
  );
  const space = words.map((_, i) => half[i]! + GAP + (half[i + 1] ?? 0));
  // Short arcs make room for their labels.
  for (const { head, dependent, label } of arcs) {
    if (Math.abs(head - dependent) !== 1 || head < 0) continue;
    const from = Math.min(head, dependent);
    space[from] = Math.max(space[from]!, widthOf(label, SMALL_FONT) + 2 * PADDING);
  }
  let at = MARGIN + (half[0] ?? 0) + 20;
  const fromStart = words.map((_, i) => {
    const here = at;
    at += space[i]!;
    return here;
  });
  const width = (fromStart.at(-1) ?? 0) + (half.at(-1) ?? 0) + MARGIN + 20;
  const x = rightToLeft ? fromStart.map((value) => width - value) : fromStart;
  const sides = [arcs.filter(({ basic }) => basic), arcs.filter(({ basic }) => !basic)];
  const levels = sides.map(levelsOf);
  const room = levels.map((all) => (all.length === 0 ? 0 : FOOT + (Math.max(...all) + 1) * LEVEL_HEIGHT));
  const top = MARGIN + room[0]!;
  const bottom = top + WORD_HEIGHT;
  const placed = sides.flatMap((list, side) => {
    const away = side === 0 ? -1 : 1;
    const edge = side === 0 ? top - 2 : bottom + 2;
    const ends = spread(list, x);
    return list.map((arc, i) => {
      const { basic, label } = arc;
      const apex = edge + away * (FOOT + levels[side]![i]! * LEVEL_HEIGHT);
      const [start, end] = ends[i]!;
      return {
        arc,
        basic,
        label,
        line: arcPath(start, end, edge, apex),
        arrow: arrowPath(end, edge, away),
        labelX: (start + end) / 2,
        labelY: apex + 4,
      };
    });
  });
  return { x, half, width, height: bottom + room[1]! + MARGIN, top, arcs: placed };
}

/** Where arcs begin and end: those that meet at a word stand side by side. */
function spread(arcs: readonly GraphArc[], x: readonly number[]): [number, number][] {
  const at = new Map<number, { other: number; set(place: number): void }[]>();
  const ends = arcs.map(({ head, dependent }): [number, number] => [x[head] ?? x[dependent]!, x[dependent]!]);
  const note = (word: number, other: number, set: (place: number) => void) =>
    at.set(word, [...(at.get(word) ?? []), { other, set }]);
  arcs.forEach(({ head, dependent }, i) => {
    note(dependent, head < 0 ? x[dependent]! : x[head]!, (place) => {
      ends[i]![1] = place;
      if (head < 0) ends[i]![0] = place;
    });
    if (head >= 0) note(head, x[dependent]!, (place) => (ends[i]![0] = place));
  });
  for (const [word, list] of at) {
    // Those that lead far away stand outside on the near side of it.
    list.sort((a, b) => Math.sign(a.other - x[word]!) - Math.sign(b.other - x[word]!) || b.other - a.other);
    for (const [k, { set }] of list.entries()) set(x[word]! + (k - (list.length - 1) / 2) * 8);
  }
  return ends;
}
