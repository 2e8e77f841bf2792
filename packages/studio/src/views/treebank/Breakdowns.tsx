import type { EvaluationSummary, GroupSummary } from "@stemma/core/evaluation";
import { useState } from "preact/hooks";
import { type ErrorFilter, rangeOf, type Side } from "../../protocol/error-filter.js";
import { showErrors } from "../../state/treebank/treebank.js";
import { HeadRow } from "../common/HeadRow.js";

/** Rarer labels than these are noise. */
const MOST_ROWS = 60;

type By = Exclude<ErrorFilter["by"], "confusion" | "models">;

const KINDS: readonly [by: By, title: string, column: string][] = [
  ["label", "By label", "Label"],
  ["upos", "By part of speech", "Gold UPOS"],
  ["length", "By length of the arc", "Words"],
  ["rootDistance", "By distance to the root", "Arcs"],
  ["sentenceLength", "By length of the sentence", "Words"],
  ["projectivity", "By projectivity", "Arc"],
];

/** Tables of an evaluation; every figure lists the sentences that it comes from. */
export function Breakdowns({ summary }: { summary: EvaluationSummary }) {
  const [by, setBy] = useState<By>("label");
  const { breakdowns } = summary;
  if (!breakdowns) return null;
  const groups = Object.entries(breakdowns[by]);
  const column = KINDS.find(([kind]) => kind === by)![2];
  return (
    <>
      <h3>Where the errors are</h3>
      <p class="faint">Click a figure to list the sentences with these errors.</p>
      <label>
        Table{" "}
        <select value={by} onChange={(event) => setBy(event.currentTarget.value as By)}>
          {KINDS.map(([kind, title]) => (
            <option key={kind} value={kind}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <div class="table-scroll">
        <table class="by-label">
          <HeadRow titles={[column, "Gold arcs", "Precision", "Recall", "F1"]} />
          <tbody>
            {groups.slice(0, MOST_ROWS).map(([name, group]) => (
              <Row key={name} by={by} name={name} group={group} />
            ))}
          </tbody>
        </table>
      </div>
      <Confusions summary={summary} />
    </>
  );
}

function filterOf(by: By, name: string, side: Side): ErrorFilter {
  if (by === "label" || by === "upos" || by === "projectivity") return { by, value: name, side };
  return { by, ...rangeOf(name), side };
}

function Row({ by, name, group }: { by: By; name: string; group: GroupSummary }) {
  const { precision, recall, f1 } = group.labelled;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{group.gold.toLocaleString("en-US")}</td>
      {(
        [
          ["system", precision, "precision"],
          ["gold", recall, "recall"],
          ["either", f1, "F1"],
        ] as const
      ).map(([side, value, title]) => (
        <td key={side}>
          <button
            type="button"
            class="figure"
            aria-label={`${(100 * value).toFixed(1)}, ${title} of ${name}: show the errors`}
            onClick={() => showErrors(filterOf(by, name, side))}
          >
            {(100 * value).toFixed(1)}
          </button>
        </td>
      ))}
    </tr>
  );
}

const MOST_CONFUSED = 12;

/** Gold labels against predicted ones: the labels that are confused most, and how often. */
function Confusions({ summary }: { summary: EvaluationSummary }) {
  const all = summary.breakdowns?.confusions ?? [];
  if (all.length === 0) return null;
  const weight = new Map<string, number>();
  for (const { gold, system, count } of all) {
    weight.set(gold, (weight.get(gold) ?? 0) + count);
    weight.set(system, (weight.get(system) ?? 0) + count);
  }
  const labels = [...weight]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MOST_CONFUSED)
    .map(([label]) => label);
  const counts = new Map(all.map(({ gold, system, count }) => [`${gold} ${system}`, count]));
  const most = Math.max(...all.map(({ count }) => count));
  return (
    <>
      <h3>Which labels are confused</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold a table */}
      <div class="table-scroll" tabIndex={0} role="group" aria-label="Confusions">
        <table class="confusions">
          <HeadRow titles={["gold \\ predicted", ...labels]} />
          <tbody>
            {labels.map((gold) => (
              <tr key={gold}>
                <th scope="row">{gold}</th>
                {labels.map((system) => {
                  const count = counts.get(`${gold} ${system}`);
                  return (
                    <td key={system}>
                      {count === undefined ? (
                        <span class="faint">{gold === system ? "" : "·"}</span>
                      ) : (
                        <button
                          type="button"
                          class="figure"
                          style={{ "--share": `${Math.round(70 * Math.sqrt(count / most))}%` }}
                          aria-label={`${count} times gold ${gold}, predicted ${system}: show the errors`}
                          onClick={() => showErrors({ by: "confusion", gold, system })}
                        >
                          {count}
                        </button>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
