import { useMemo, useRef, useState } from "preact/hooks";
import type { DerivationGraph, Taken } from "../../protocol/derivation.js";
import { tryOut } from "../../state/derivation/actions.js";
import { kindOf } from "../../state/derivation/names.js";
import { isolate } from "../../state/shown/direction.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { derivation, gold, shownStep, step, system, target } from "../../state/shown/state.js";
import { type Answer, useAnswer } from "../common/use-answer.js";
import { layoutGraph } from "./graph-layout.js";

/** All derivations of the tree as a graph, looked for when it is opened. */
export function GraphCard({ sentence, open = false }: { sentence: ShownSentence; open?: boolean }) {
  const [isOpen, setOpen] = useState(open);
  const choice = system.value;
  const aim = target.value;
  const answer = useAnswer("graph", () => (isOpen && aim ? { system: choice, target: aim } : undefined), [
    isOpen,
    sentence,
    choice,
    aim,
  ]);
  return (
    <details class="card fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>All derivations as a graph</summary>
      {isOpen && <Content answer={answer} forms={sentence.forms} hasTree={aim !== undefined} />}
    </details>
  );
}

function Content({ answer, forms, hasTree }: { answer: Answer<"graph">; forms: readonly string[]; hasTree: boolean }) {
  if (!hasTree) return <p class="note">There is no tree: open a model file, or give CoNLL-U with heads.</p>;
  if (!answer) return <p class="faint">Looking for derivations…</p>;
  if ("reason" in answer) return <p class="note bad">{answer.reason}</p>;
  const tree = gold.value ? "the gold tree" : "the model's tree";
  if (answer.tooMany) {
    return (
      <p class="note">
        {answer.count
          ? `There are ${answer.count} derivations of ${tree}, with too many configurations to be drawn.`
          : `There are more derivations of ${tree} than can be counted.`}{" "}
        Try a shorter sentence.
      </p>
    );
  }
  if (answer.nodes.length === 0)
    return <p class="note">This system has no derivation of {tree}: it cannot build it.</p>;
  return (
    <>
      <p class="faint">
        <b>{answer.count === "1" ? "One derivation" : `${answer.count} derivations`}</b> of {tree}. Each dot is a
        configuration, each line a transition; the derivation that is shown is thick. Click a configuration, or choose
        it with the arrow keys and Enter, to go there.
      </p>
      <Graph graph={answer} forms={forms} />
    </>
  );
}

/** More would not be readable. */
const MOST_NAMES = 60;

function Graph({ graph, forms }: { graph: DerivationGraph; forms: readonly string[] }) {
  const { nodes, edges } = graph;
  const { width, height, x, y } = useMemo(() => layoutGraph(graph), [graph]);
  const taken = (derivation.value?.configurations ?? []).flatMap(({ choices, taken }) => choices[taken] ?? []);
  const way = useMemo(() => pathOf(graph, taken), [graph, derivation.value]);
  const onWay = new Map(way.map((node, i) => [node, i]));
  const now = way[shownStep.value];
  const [pointed, setPointed] = useState<number | undefined>(undefined);
  const svg = useRef<SVGSVGElement>(null);
  const described = nodes[pointed ?? now ?? 0] ?? nodes[0]!;
  const go = (node: number) => {
    const at = onWay.get(node);
    if (at !== undefined) step.value = at;
    else tryOut({ prefix: wayTo(graph, node), after: "static" });
  };
  const key = (event: KeyboardEvent, node: number) => {
    const to = neighbour(graph, y, node, event.key);
    if (event.key === "Enter" || event.key === " ") go(node);
    else if (to === undefined) return;
    else svg.current?.querySelector<SVGElement>(`[data-node="${to}"]`)?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  const stop = pointed ?? now ?? 0;
  return (
    <>
      <div class="graph-scroll">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold a drawing */}
        <svg
          ref={svg}
          class="graph"
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label="All derivations"
        >
          {edges.map(({ from, to, move }) => {
            const thick = onWay.has(from) && onWay.get(to) === onWay.get(from)! + 1 ? "way" : "";
            return (
              <g key={`${from} ${to} ${move}`} class={`edge ${kindOf(move)} ${thick}`}>
                <line x1={x[from]} y1={y[from]} x2={x[to]} y2={y[to]} />
                {nodes.length <= MOST_NAMES && (
                  <text x={(x[from]! + x[to]!) / 2} y={(y[from]! + y[to]!) / 2 - 5}>
                    {short(move)}
                  </text>
                )}
              </g>
            );
          })}
          {nodes.map((node, i) => (
            // biome-ignore lint/a11y/useSemanticElements: SVG has no button
            <g
              key={i}
              data-node={i}
              class={`node ${onWay.has(i) ? "way" : ""} ${i === now ? "now" : ""}`}
              role="button"
              tabindex={i === stop ? 0 : -1}
              aria-label={`${written(node, forms)}; ${node.derivations} derivations`}
              onClick={() => go(i)}
              onKeyDown={(event) => key(event, i)}
              onFocus={() => setPointed(i)}
              onBlur={() => setPointed(undefined)}
              onPointerEnter={() => setPointed(i)}
              onPointerLeave={() => setPointed(undefined)}
            >
              <circle class="hit" cx={x[i]} cy={y[i]} r={16} />
              <circle cx={x[i]} cy={y[i]} r={i === now ? 8 : 6} />
            </g>
          ))}
        </svg>
      </div>
      <p class="graph-caption">
        {written(described, forms)}{" "}
        <span class="faint">
          {described.derivations === "1" ? "one derivation passes" : `${described.derivations} derivations pass`}
        </span>
      </p>
    </>
  );
}

/** S, L, R, RE, SWA, SWI; what is counted keeps its number. */
function short(move: string): string {
  if (/^(?!SHIFT|LEFT-ARC|RIGHT-ARC|NO-ARC)[A-Z]+$/.test(move)) return move.slice(0, move.startsWith("SW") ? 3 : 2);
  return move[0] + (/\d$/.exec(move)?.[0] ?? "");
}

function written({ stack, buffer }: { stack: number[]; buffer: number[] }, forms: readonly string[]): string {
  const names = (all: readonly number[]) => all.map((node) => (node === 0 ? "ROOT" : isolate(forms[node]!))).join(" ");
  return `[${names(stack)}] [${names(buffer)}]`;
}

/** The configurations of a derivation, as far as it lies in the graph. */
function pathOf({ edges }: DerivationGraph, taken: readonly Taken[]): number[] {
  const path = [0];
  for (const { move } of taken) {
    const edge = edges.find((one) => one.from === path.at(-1) && one.move === move);
    if (!edge) break;
    path.push(edge.to);
  }
  return path;
}

/** A shortest way to a configuration. */
function wayTo({ edges }: DerivationGraph, node: number): Taken[] {
  const by = new Map<number, (typeof edges)[number]>();
  const queue = [0];
  for (const here of queue) {
    for (const edge of edges) {
      if (edge.from !== here || by.has(edge.to) || edge.to === 0) continue;
      by.set(edge.to, edge);
      queue.push(edge.to);
    }
  }
  const way: Taken[] = [];
  for (let at = node; at !== 0; at = by.get(at)!.from) {
    const { move, label } = by.get(at)!;
    way.unshift({ move, label });
  }
  return way;
}

function neighbour(
  { nodes, edges }: DerivationGraph,
  y: readonly number[],
  node: number,
  key: string,
): number | undefined {
  if (key === "ArrowRight") return edges.find(({ from }) => from === node)?.to;
  if (key === "ArrowLeft") return edges.find(({ to }) => to === node)?.from;
  const way = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (way === undefined) return undefined;
  const column = nodes.flatMap(({ depth }, i) => (depth === nodes[node]!.depth ? [i] : []));
  column.sort((a, b) => y[a]! - y[b]!);
  return column[column.indexOf(node) + way] ?? node;
}
