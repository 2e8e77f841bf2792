import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Derivation } from "../../protocol/derivation.js";
import { arcsAt } from "../../state/derivation/arcs-at.js";
import { capitalized, stackTitle } from "../../state/derivation/names.js";
import { Form } from "../common/Form.js";
import { FORM_FONT, widthOf } from "../tree/layout/measure.js";

/** Longer buffers and stacks are cut at the end that is not looked at. */
const MOST_NODES = 40;

/** Of a node, whatever its size: borders and number; and what shrinks with its form: padding, gap to the next. */
const NODE_ROOM = 16;
const NODE_PADDING = 22;
/** Of each list: its padding and borders, and how wide it is at least, as in step.css. */
const LIST_ROOM = 26;
const NARROWEST = 72;
/** Smaller nodes are hard to read. */
const SMALLEST = 0.58;

/**
 * How small nodes have to be for all of them to stand side by side, as a factor; the same at every step, so that
 * nothing changes its size on the way.
 */
function useFit(derivation: Derivation, forms: readonly string[]) {
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setRoom(box.current!.clientWidth));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const fit = useMemo(() => {
    const width = forms.map((form, i) => (15 / 16) * widthOf(i === 0 ? "ROOT" : form, FORM_FONT) + NODE_PADDING);
    const isShared = sharesWords(derivation);
    /** The factor for which these lists fit side by side. */
    const factor = (lists: readonly (readonly number[])[]) => {
      const nodes = lists.flat();
      const bare = lists.reduce((sum, { length }) => sum + (length < 2 ? NARROWEST : LIST_ROOM), 0);
      return (room - bare - nodes.length * NODE_ROOM) / nodes.reduce((sum, node) => sum + width[node]!, 0);
    };
    const factors = derivation.configurations.flatMap(({ stack, buffer, lists }) => {
      const others = Object.values(lists);
      return isShared ? [stack, ...others].map((list) => factor([list, buffer])) : [factor([stack, ...others, buffer])];
    });
    return Math.max(SMALLEST, Math.min(1, ...factors));
  }, [derivation, forms, room]);
  return { box, fit };
}

/** May a word be in several lists, as on both stacks of 2-planar? Then they stand below each other. */
function sharesWords({ configurations }: Derivation): boolean {
  return configurations.some(({ stack, lists }) => {
    const on = new Set(stack);
    return Object.values(lists).some((list) => list.some((node) => on.has(node)));
  });
}

/** Stack and buffer as the papers draw them: the top of the stack meets the front of the buffer. */
export function ConfigurationView({
  derivation,
  step,
  forms,
}: {
  derivation: Derivation;
  step: number;
  forms: readonly string[];
}) {
  const { stack, buffer, spines, lists } = derivation.configurations[step]!;
  const { box, fit } = useFit(derivation, forms);
  // Where there is no room for all, the tops of stacks are in sight.
  useLayoutEffect(() => {
    const stacks = box.current!.querySelectorAll(".stack ol, .below-each-other > .list ol");
    for (const list of stacks) list.scrollLeft = list.scrollWidth;
  }, [step, derivation]);
  const shape = spines ? "with-spines" : sharesWords(derivation) ? "below-each-other" : "";
  const title = stackTitle(derivation.system.name);
  const arcs = arcsAt(derivation, step);
  const fallen = new Set(derivation.removals.flatMap(({ word, since }) => (since === step ? [word] : [])));
  const hidden = Math.max(0, stack.length - MOST_NODES);
  return (
    <div>
      <div class={`configuration ${shape}`} ref={box} style={{ "--fit": fit.toFixed(3) }}>
        <div class="stack">
          <h2>{title === "stack" ? "Stack σ" : capitalized(title)}</h2>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <ol tabIndex={0} aria-label={`${capitalized(title)}, bottom first`}>
            {hidden > 0 && <li class="more">+{hidden}</li>}
            {stack.length === 0 && <li class="none">empty</li>}
            {stack.slice(hidden).map((node, i) => {
              const fromTop = stack.length - hidden - 1 - i;
              const spine = spines?.[i + hidden];
              return (
                <li key={node} class={fromTop < 2 ? `s${fromTop}` : ""}>
                  <Node node={node} forms={forms} />
                  {spine && <Spines {...spine} forms={forms} />}
                </li>
              );
            })}
          </ol>
        </div>
        {Object.entries(lists).map(([title, nodes]) => (
          <div class="list" key={title}>
            <h2>{capitalized(title)}</h2>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
            <ol tabIndex={0} aria-label={capitalized(title)}>
              {nodes.length === 0 && <li class="none">empty</li>}
              {nodes.slice(0, MOST_NODES).map((node) => (
                <li key={node} class={fallen.has(node) ? "fallen" : ""}>
                  <Node node={node} forms={forms} />
                </li>
              ))}
              {nodes.length > MOST_NODES && <li class="more">+{nodes.length - MOST_NODES}</li>}
            </ol>
          </div>
        ))}
        <div class="buffer">
          <h2>Buffer β</h2>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <ol tabIndex={0} aria-label="Buffer, front first">
            {buffer.length === 0 && <li class="none">empty</li>}
            {buffer.slice(0, MOST_NODES).map((node, i) => (
              <li key={node} class={i === 0 ? "b0" : ""}>
                <Node node={node} forms={forms} />
              </li>
            ))}
            {buffer.length > MOST_NODES && <li class="more">+{buffer.length - MOST_NODES}</li>}
          </ol>
        </div>
      </div>
      <div class="arc-list">
        <h2>
          Arcs A <b>{arcs.length}</b>
        </h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <ul tabIndex={0} aria-label="Arcs, newest first">
          {arcs.length === 0 && <li class="none">none yet</li>}
          {arcs.map(({ head, dependent, label, since }) => (
            <li key={dependent} class={since === step ? "new" : ""}>
              <Form node={head} forms={forms} /> <small>{label}</small> → <Form node={dependent} forms={forms} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function Node({ node, forms }: { node: number; forms: readonly string[] }) {
  return (
    <span class={`node ${node === 0 ? "root" : ""}`}>
      <Form node={node} forms={forms} />
      <sub>{node}</sub>
    </span>
  );
}

/** LR-spines: both spines of a tree on the stack, from its root down. */
function Spines({ left, right, forms }: { left: number[]; right: number[]; forms: readonly string[] }) {
  if (left.length < 2 && right.length < 2) return null;
  const names = (nodes: readonly number[]) =>
    nodes.map((node, i) => (
      <>
        {i > 0 && " › "}
        <Form node={node} forms={forms} />
      </>
    ));
  return (
    <small class="spines">
      {left.length > 1 && <span title="Left spine, from the root down">left {names(left)}</span>}
      {right.length > 1 && <span title="Right spine, from the root down">right {names(right)}</span>}
    </small>
  );
}
