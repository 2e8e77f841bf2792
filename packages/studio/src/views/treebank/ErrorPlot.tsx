import type { GroupSummary } from "@stemma/core/evaluation";
import { useEffect, useRef } from "preact/hooks";
import { described, type ErrorFilter, FEWEST_ARCS, rangeOf } from "../../protocol/error-filter.js";
import type { EvaluationResult } from "../../protocol/treebank.js";
import { showErrors } from "../../state/treebank/treebank.js";
import { Figure } from "../common/Figure.js";

/** A plot of an evaluation whose points list the sentences that they come from. */
export function ErrorPlot({ name, svg, result }: { name: string; svg: string; result: EvaluationResult }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const filters = filtersOf(name, result);
    // Those of the first model, if there are two.
    const markers = box.current!.querySelectorAll<SVGElement>(".series[data-series='0'] .marker");
    // Nothing is promised where points and groups are not the same ones.
    if (markers.length !== filters.length) return;
    // Buttons must not be hidden from those who do not see them.
    box.current!.querySelector("svg")?.setAttribute("role", "group");
    markers.forEach((marker, i) => {
      const filter = filters[i]!;
      const go = () => showErrors(filter);
      marker.setAttribute("role", "button");
      marker.setAttribute("tabindex", "0");
      marker.setAttribute("aria-label", described(filter));
      marker.onclick = go;
      marker.onkeydown = (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          go();
        }
      };
    });
  }, [name, svg, result]);
  return (
    <div ref={box} class="error-plot">
      <Figure svg={svg} />
    </div>
  );
}

/** The groups that the points of a plot stand for, in their order. */
function filtersOf(name: string, { summary, sentenceLengths }: EvaluationResult): ErrorFilter[] {
  const { breakdowns } = summary;
  if (!breakdowns) return [];
  const side = name.includes("precision") ? "system" : "gold";
  const enough = (group: GroupSummary) => group[side] >= FEWEST_ARCS;
  const exact = (by: "length" | "rootDistance", groups: Record<string, GroupSummary>) =>
    Object.entries(groups)
      .map(([value, group]) => [Number(value), group] as const)
      .filter(([value, group]) => enough(group) && (by !== "length" || value > 0))
      .sort(([a], [b]) => a - b)
      .map(([value]): ErrorFilter => ({ by, low: value, high: value, side }));
  if (name.startsWith("length-")) return exact("length", breakdowns.exactLength);
  if (name.startsWith("root-distance-")) return exact("rootDistance", breakdowns.exactRootDistance);
  if (name.startsWith("sentence-length-")) {
    return sentenceLengths.map((bin): ErrorFilter => ({ by: "sentenceLength", ...rangeOf(bin), side }));
  }
  return [];
}
