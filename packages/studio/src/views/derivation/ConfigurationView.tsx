import { useEffect, useRef } from "preact/hooks";
import type { Derivation } from "../../protocol/derivation.js";
import { arcsAt } from "../../state/derivation/arcs-at.js";
import { capitalized, stackTitle } from "../../state/derivation/names.js";
import { Form } from "../common/Form.js";

/** Longer buffers and stacks are cut at the end that is not looked at. */
const MOST_NODES = 40;

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
  const stackEnd = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (stackEnd.current) stackEnd.current.scrollLeft = stackEnd.current.scrollWidth;
  }, [step, derivation]);
  const title = stackTitle(derivation.system.name);
  const arcs = arcsAt(derivation, step);
  const fallen = new Set(derivation.removals.flatMap(({ word, since }) => (since === step ? [word] : [])));
  const hidden = Math.max(0, stack.length - MOST_NODES);
  return (
    <div class="configuration">
      <div class="stack">
        <h2>{title === "stack" ? "Stack σ" : capitalized(title)}</h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <ol ref={stackEnd} tabIndex={0} aria-label={`${capitalized(title)}, bottom first`}>
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
