import { signal } from "@preact/signals";
import { type DrawablePredicate, roleRows } from "@stemma/core";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Tree } from "../../protocol/sentence.js";
import { isRightToLeft } from "../../state/shown/direction.js";
import { roleOfWord } from "../../state/shown/predicates.js";
import { explainRemoval, removedAs } from "../../state/shown/removed.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { explainLabel } from "../common/universal.js";
import { type Drag, useArcDrag } from "./drag.js";
import { wordFor } from "./keys.js";
import { ArcPaths, type Geometry, geometry, labelPlace } from "./layout/arcs.js";
import { layoutTree } from "./layout/layout.js";
import { FORM_FONT, SENSE_FONT, SMALL_FONT, widthOf } from "./layout/measure.js";
import { COMPACT_HEIGHT, verticalGeometry } from "./layout/vertical.js";
import { wrappedGeometry } from "./layout/wrapped.js";
import { Overview } from "./Overview.js";
import { RoleRows } from "./RoleRows.js";
import { WordCard } from "./WordCard.js";
import { layout, type Size, SMALLEST, scaleFor, zoom } from "./zoom.js";

/** The tree whose card is open: there is one card at a time on the page, so that none covers another. */
const openCard = signal<object | undefined>(undefined);

/** An arc that is not there, such as the one that a transition would build. */
export interface GhostArc {
  head: number;
  dependent: number;
  label: string | undefined;
  /** "passing": an arc that is there for now, and that another will take the place of. */
  tone: "wish" | "missing" | "passing";
}

export interface TreeProps {
  sentence: ShownSentence;
  tree: Tree;
  /** A second tree over the same words, drawn below them. */
  lower?: Tree | undefined;
  /** Arcs that are not visible keep their room, so that a growing tree does not move. */
  visible?: ((dependent: number) => boolean) | undefined;
  arcClass?: ((dependent: number, lower: boolean) => string) | undefined;
  wordClass?: ((word: number) => string) | undefined;
  ghosts?: readonly GhostArc[] | undefined;
  /** Room for ghosts that may come. */
  ghostRoom?: boolean | undefined;
  confidence?: readonly number[] | undefined;
  /** Labels to choose from when editing. */
  labels?: readonly string[] | undefined;
  /** Given, arcs can be dragged and words edited. */
  onEdit?: ((dependent: number, head: number, label: string) => boolean) | undefined;
  /** A word has got the focus, or was clicked. */
  onWord?: ((word: number) => void) | undefined;
  /** Predicates to draw below the words, with the roles of their arguments; not with a second tree. */
  predicates?: readonly DrawablePredicate[] | undefined;
  /** As what words are removed from the sentence, a number of `REMOVALS` each; they are struck through. */
  removed?: readonly number[] | undefined;
  /** Removed words fall out of the line: they have no arcs. */
  falls?: boolean | undefined;
  /** Is it drawn as large as its room permits? Otherwise the drawing takes the room that it needs. */
  fills?: boolean | undefined;
  /** A word to keep in sight. */
  inSight?: number | undefined;
  name: string;
}

const NO_PREDICATES: readonly DrawablePredicate[] = [];

/** A dependency tree: arcs above the words, everything to be had by pointer and by keyboard. */
export function TreeView(props: TreeProps) {
  const { sentence, tree, lower, visible, arcClass, wordClass, ghosts = [], ghostRoom = false, onEdit } = props;
  const { removed } = props;
  // Below the words there may be another tree.
  const falls = props.falls === true && !lower;
  const predicates = lower ? NO_PREDICATES : (props.predicates ?? NO_PREDICATES);
  const n = sentence.forms.length - 1;
  const words = useMemo(() => sentence.forms.join(" "), [sentence]);
  const rightToLeft = isRightToLeft(words);
  const [space, setSpace] = useState<Size>({ width: 0, height: 0 });
  const room = space.width;
  const fills = props.fills === true;
  // Two trees over the same words are always drawn in one line.
  const shape = lower ? "line" : layout.value;
  const rows = useMemo(() => roleRows(predicates, n), [predicates, n]);
  const place = useMemo(() => {
    const roleWidth = (i: number) => Math.max(0, ...rows.map((row) => widthOf(row[i]!, SENSE_FONT)));
    const widths = sentence.forms.map((form, i) => {
      if (i === 0) return 0;
      const own = Math.max(widthOf(form, FORM_FONT), widthOf(sentence.tag(i), SMALL_FONT), 10);
      // In columns beside the words roles take no room below them.
      return shape === "vertical" ? own : Math.max(own, roleWidth(i));
    });
    const labelWidth = (label: string) => widthOf(label, SMALL_FONT);
    const inLine = layoutTree(widths, lower ? [tree, lower] : [tree], labelWidth, rightToLeft);
    // Where a line would be too small to read, and the words fit below each other.
    const isNarrow = room > 0 && space.width / inLine.width < SMALLEST && n * COMPACT_HEIGHT * SMALLEST < space.height;
    if (fills && !lower && shape === "line" && zoom.value === "auto" && isNarrow)
      return verticalGeometry(inLine, tree.heads, room, [], true);
    if (shape === "wrapped" && room > 0)
      return wrappedGeometry(inLine, tree.heads, room, rightToLeft, { roles: rows, fallRoom: falls });
    if (shape === "vertical") {
      const columns = rows.map((row) => Math.max(...row.map((text) => widthOf(text, SENSE_FONT))));
      return verticalGeometry(inLine, tree.heads, room, columns);
    }
    return geometry(inLine, {
      ghostRoom,
      tokenRoom: !lower && sentence.multiWordTokens.length > 0,
      roleRows: rows.length,
      fallRoom: falls,
    });
  }, [sentence, tree, lower, rows, rightToLeft, ghostRoom, falls, shape, fills ? space : shape === "line" ? 0 : room]);

  const [hovered, setHovered] = useState(0);
  const [focused, setFocused] = useState(0);
  /** The word that Tab leads to: the one that had the focus last. */
  const [stop, setStop] = useState(1);
  const [chosen, setChosen] = useState(0);
  /** The word whose card was sent away while it was only pointed at. */
  const [dismissed, setDismissed] = useState(0);
  const me = useRef({}).current;
  const pinned = openCard.value === me ? chosen : 0;
  const setPinned = (word: number) => {
    setChosen(word);
    if (word > 0) openCard.value = me;
    else if (openCard.peek() === me) openCard.value = undefined;
  };
  const [scrolled, setScrolled] = useState(0);
  const scale = room > 0 ? scaleFor(place, space, fills) : 1;
  const isCompact = place.wordHeight === COMPACT_HEIGHT;
  const svg = useRef<SVGSVGElement>(null);
  const scroll = useRef<HTMLDivElement>(null);
  const { drag, press, handlers } = useArcDrag(svg, place, {
    click: setPinned,
    drop(dependent, head) {
      if (head === tree.heads[dependent]) return;
      const label = head === 0 ? "root" : tree.labels[dependent] === "root" ? "dep" : tree.labels[dependent]!;
      if (onEdit!(dependent, head, label)) setPinned(dependent);
    },
  });

  useEffect(() => {
    setPinned(0);
    setHovered(0);
    setStop(1);
    return () => {
      if (openCard.peek() === me) openCard.value = undefined;
    };
    // Another tree over the same words, such as when the model comes in, closes nothing.
  }, [words]);

  const { inSight = 0 } = props;
  useEffect(() => {
    const box = scroll.current;
    if (!box || inSight <= 0 || inSight > n || box.scrollWidth <= box.clientWidth) return;
    const x = place.x(inSight) * scale;
    const margin = Math.min(120, box.clientWidth / 4);
    if (x < box.scrollLeft + margin || x > box.scrollLeft + box.clientWidth - margin) {
      box.scrollLeft = x - box.clientWidth / 2;
    }
  }, [inSight, place, n, scale]);
  useEffect(() => {
    const box = scroll.current!;
    // With the overview: it comes and goes with the size.
    const frame = box.parentElement!.parentElement!;
    const observer = new ResizeObserver(() => setSpace({ width: box.clientWidth, height: frame.clientHeight }));
    observer.observe(fills ? frame : box);
    return () => observer.disconnect();
  }, []);

  const current = drag ? 0 : pinned || hovered || focused;
  const showsCard =
    current > 0 && current <= n && (pinned > 0 || (openCard.value === undefined && dismissed !== current));
  // Before the next key can come.
  useLayoutEffect(() => setDismissed(0), [current]);
  useLayoutEffect(() => {
    if (!showsCard) return;
    const dismiss = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      if (pinned > 0) close();
      else setDismissed(current);
    };
    addEventListener("keydown", dismiss);
    return () => removeEventListener("keydown", dismiss);
  }, [showsCard, pinned, current]);
  const shows = (d: number) => tree.heads[d]! >= 0 && (visible?.(d) ?? true);
  const related = (d: number, heads: readonly number[]) =>
    current === 0 ? "" : d === current ? "to-head" : heads[d] === current ? "to-dependent" : "dim";
  const wordState = (i: number) => {
    if (drag) return i === drag.over ? "drop" : i === drag.dependent ? "dragged" : "";
    if (current === 0) return "";
    if (i === current) return "current";
    if (shows(current) && tree.heads[current] === i) return "is-head";
    if (shows(i) && tree.heads[i] === current) return "is-dependent";
    return "";
  };

  const focusWord = (word: number) => {
    const element = svg.current?.querySelector<SVGGElement>(`[data-word="${word}"]`);
    element?.focus();
    element?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const key = (event: KeyboardEvent, word: number) => {
    const to = wordFor(event.key, word, tree, rightToLeft, shows);
    if (to !== undefined && to > 0) focusWord(to);
    else if (event.key === "Enter" || event.key === " ") setPinned(pinned === word ? 0 : word);
    else if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const close = () => {
    setPinned(0);
    focusWord(pinned);
  };

  const order = useMemo(() => place.order(0), [place]);
  const lowerOrder = useMemo(() => (lower ? place.order(1) : []), [place, lower]);
  const kindOf = (word: number) => removed?.[word] ?? 0;
  const tabStop = Math.min(stop, n);
  const draggable = onEdit ? "draggable" : "";

  return (
    <div class={`tree ${drag ? "dragging" : ""} ${fills ? "fills" : ""}`}>
      <div class="tree-frame">
        <div class="tree-scroll" ref={scroll} onScroll={(event) => setScrolled(event.currentTarget.scrollLeft)}>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold a drawing */}
          <svg
            ref={svg}
            class="tree-svg"
            width={place.width * scale}
            height={place.height * scale}
            viewBox={`0 0 ${place.width} ${place.height}`}
            role="group"
            aria-label={props.name}
            {...handlers}
          >
            {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus */}
            <g class="arcs" aria-hidden="true">
              {order.map((d) =>
                shows(d) ? (
                  <ArcPaths
                    key={d}
                    place={place}
                    side={0}
                    dependent={d}
                    class={`arc ${tree.heads[d] === 0 ? "root" : ""} ${draggable} ${related(d, tree.heads)} ${drag?.dependent === d ? "lifted" : ""} ${arcClass?.(d, false) ?? ""}`}
                    press={onEdit && press(d)}
                    hover={setHovered}
                  />
                ) : null,
              )}
              {lowerOrder.map((d) => (
                <ArcPaths
                  key={`l${d}`}
                  place={place}
                  side={1}
                  dependent={d}
                  class={`arc ${related(d, lower!.heads)} ${arcClass?.(d, true) ?? ""}`}
                  hover={setHovered}
                />
              ))}
              {ghosts.map((ghost, i) => {
                // An arc of the tree that is not there yet has its place.
                const hasPlace = tree.heads[ghost.dependent] === ghost.head && ghost.tone === "missing";
                const above = ghosts.slice(0, i).filter(({ tone }) => tone !== "missing" || !hasPlace).length;
                return (
                  <Ghost
                    key={`${ghost.tone} ${ghost.head} ${ghost.dependent}`}
                    ghost={ghost}
                    drawn={
                      hasPlace ? ownArc(place, ghost.dependent) : place.ghost(ghost.head, ghost.dependent, shows, above)
                    }
                  />
                );
              })}
            </g>
            {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus */}
            <g class="labels" aria-hidden="true">
              {order.map((d) =>
                shows(d) ? (
                  <text
                    key={d}
                    class={`label ${draggable} ${related(d, tree.heads)} ${arcClass?.(d, false) ?? ""}`}
                    data-dependent={d}
                    {...labelPlace(place, 0, d)}
                    onPointerDown={onEdit && press(d)}
                  >
                    {tree.labels[d]}
                    <title>{explainLabel(tree.labels[d]!)?.text}</title>
                  </text>
                ) : null,
              )}
              {lowerOrder.map((d) => (
                <text
                  key={`l${d}`}
                  class={`label ${related(d, lower!.heads)} ${arcClass?.(d, true) ?? ""}`}
                  {...labelPlace(place, 1, d)}
                >
                  {lower!.labels[d]}
                </text>
              ))}
            </g>
            <g class="words">
              {sentence.forms.map((form, i) =>
                i === 0 ? null : (
                  // biome-ignore lint/a11y/useSemanticElements: SVG has no button
                  <g
                    key={i}
                    class={`word ${wordState(i)} ${wordClass?.(i) ?? ""} ${kindOf(i) > 0 ? "removed" : ""}`}
                    style={
                      falls && kindOf(i) > 0 ? { transform: `translate(${place.fall.x}px, ${place.fall.y}px)` } : ""
                    }
                    data-word={i}
                    role="button"
                    aria-expanded={pinned === i}
                    // SVG knows the attribute in small letters only.
                    tabindex={i === tabStop ? 0 : -1}
                    aria-label={describe(sentence, tree, i, shows(i), predicates, kindOf(i))}
                    onPointerEnter={(event) => event.pointerType === "mouse" && setHovered(i)}
                    onPointerLeave={() => setHovered(0)}
                    onFocus={() => {
                      setFocused(i);
                      setStop(i);
                      props.onWord?.(i);
                    }}
                    onBlur={() => setFocused(0)}
                    onClick={() => setPinned(pinned === i ? 0 : i)}
                    onKeyDown={(event) => key(event, i)}
                  >
                    <rect
                      x={place.x(i) - place.half(i) - 5}
                      y={place.top(i)}
                      width={2 * place.half(i) + 10}
                      height={place.wordHeight}
                      rx={6}
                    />
                    <text
                      class="form"
                      direction={isRightToLeft(form) ? "rtl" : "ltr"}
                      x={place.x(i)}
                      y={place.top(i) + (isCompact ? 16 : 21)}
                    >
                      {form}
                    </text>{" "}
                    {!isCompact && (
                      <text class="tag" x={place.x(i)} y={place.top(i) + 38}>
                        {sentence.tag(i)}
                      </text>
                    )}
                    {kindOf(i) > 0 && <title>{`Removed ${explainRemoval(kindOf(i))}`}</title>}
                  </g>
                ),
              )}
            </g>
            {sentence.multiWordTokens.length > 0 && (
              <g class="multi-word-tokens">
                {sentence.multiWordTokens.map((token) => (
                  <MultiWordToken key={token.from} place={place} {...token} />
                ))}
              </g>
            )}
            {rows.length > 0 && <RoleRows place={place} predicates={predicates} rows={rows} current={current} />}
            {drag && <DragLine place={place} drag={drag} />}
          </svg>
        </div>
        {drag && <div class={`root-target ${drag.over === 0 ? "over" : ""}`}>Drop here to make it the root</div>}
        {showsCard && (
          <WordCard
            sentence={sentence}
            tree={tree}
            word={current}
            shows={shows}
            confidence={props.confidence?.[current]}
            left={place.x(current) * scale + Math.max(0, (room - place.width * scale) / 2) - scrolled}
            // Below its word; where there are arcs or roles below the words, below these.
            top={lower ? undefined : place.below(current) * scale}
            predicates={predicates}
            removed={kindOf(current)}
            room={room || 300}
            pinned={pinned === current}
            labels={props.labels ?? []}
            onEdit={onEdit}
            onClose={close}
          />
        )}
      </div>
      {room > 0 &&
        (place.width * scale > room + 1 || (zoom.value !== "auto" && zoom.value !== 1) || shape !== "line") && (
          <Overview
            place={place}
            scale={scale}
            shows={shows}
            shapes={!lower}
            from={Math.min(1, scrolled / (place.width * scale))}
            to={Math.min(1, (scrolled + room) / (place.width * scale))}
            onGo={(at) => {
              if (scroll.current) scroll.current.scrollLeft = at * place.width * scale - room / 2;
            }}
          />
        )}
    </div>
  );
}

function describe(
  sentence: ShownSentence,
  { heads, labels }: Tree,
  i: number,
  attached: boolean,
  predicates: readonly DrawablePredicate[],
  kind: number,
): string {
  const { forms } = sentence;
  const { predicate, roles } = roleOfWord(predicates, i);
  const parts = [`${forms[i]} ${sentence.tag(i)}`.trim()];
  if (attached) parts.push(heads[i] === 0 ? "root" : `${labels[i]} of ${forms[heads[i]!]}`);
  else if (kind === 0) parts.push("no head yet");
  if (kind > 0) parts.push(`removed ${removedAs(kind)}`);
  if (predicate) parts.push(`predicate ${predicate.sense}`);
  for (const { role, of } of roles) parts.push(`${role} of ${forms[of.word]}`);
  return parts.join(", ");
}

/** A token of the text below the words that it stands for. */
function MultiWordToken({ place, from, to, form }: { place: Geometry; from: number; to: number; form: string }) {
  const [a, b] = [place.x(from), place.x(to)];
  const left = Math.min(a - place.half(from), b - place.half(to));
  const right = Math.max(a + place.half(from), b + place.half(to));
  const y = place.top(from) + place.wordHeight + 3;
  // A token that goes on in another line.
  if (place.top(from) !== place.top(to)) return null;
  return (
    <>
      <path d={`M${left} ${y - 3}V${y}H${right}V${y - 3}`} />
      <text direction={isRightToLeft(form) ? "rtl" : "ltr"} x={(left + right) / 2} y={y + 14}>
        {form}
      </text>
    </>
  );
}

function ownArc(place: Geometry, d: number): ReturnType<Geometry["ghost"]> {
  const { x, y } = labelPlace(place, 0, d);
  return { line: place.line(0, d), arrow: place.arrow(0, d), labelX: x, labelY: y };
}

function Ghost({ ghost, drawn }: { ghost: GhostArc; drawn: ReturnType<Geometry["ghost"]> }) {
  const { line, arrow, labelX, labelY } = drawn;
  return (
    <g class={`arc ghost ${ghost.tone}`}>
      <path class="line" d={line} />
      <path class="arrow" d={arrow} />
      {ghost.label && (
        <text class="label" x={labelX} y={labelY}>
          {ghost.label}
        </text>
      )}
    </g>
  );
}

function DragLine({ place, drag }: { place: Geometry; drag: Drag }) {
  const from = place.x(drag.dependent);
  const y = place.top(drag.dependent) - 2;
  const height = Math.min(y - 8, 40 + Math.abs(drag.x - from) / 4);
  return (
    <path
      class="drag-line"
      d={`M${drag.x} ${drag.y}C${drag.x} ${Math.min(drag.y, y - height)} ${from} ${y - height} ${from} ${y}`}
    />
  );
}
