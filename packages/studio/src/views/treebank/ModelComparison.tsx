import type { Significance } from "@stemma/core/evaluation";
import type { Which } from "../../protocol/error-filter.js";
import type { EvaluationResult } from "../../protocol/treebank.js";
import { showErrors } from "../../state/treebank/treebank.js";
import { HeadRow } from "../common/HeadRow.js";

const ROWS = [
  ["uas", "UAS"],
  ["las", "LAS"],
  ["lasFull", "LAS, full labels"],
  ["clas", "CLAS"],
  ["labels", "Labels"],
  ["exactLabelled", "Exact match"],
] as const;

/** Two models on the same sentences, as `stemma evaluate` compares them. */
export function ModelComparison({ result }: { result: EvaluationResult }) {
  const { second, summary, model } = result;
  if (!second) return null;
  const tests: Partial<Record<string, Significance>> = { uas: second.uas, las: second.las };
  return (
    <>
      <h3>Two models</h3>
      <div class="table-scroll">
        <table class="by-label model-comparison">
          <HeadRow titles={["F1", model, second.model, "Difference", "p"]} />
          <tbody>
            {ROWS.map(([key, title]) => {
              const [a, b] = [summary.scores[key].f1, second.summary.scores[key].f1];
              const p = tests[key]?.p;
              return (
                <tr key={key}>
                  <th scope="row">{title}</th>
                  <td>{percent(a)}</td>
                  <td>{percent(b)}</td>
                  <td>{signed(b - a)}</td>
                  <td>{p === undefined ? "" : p < 0.001 ? "< 0.001" : p.toFixed(3)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p class="faint">
        p: how likely so large a difference is between two equally good models (two-sided, by sentences:{" "}
        {second.las.test}, {second.las.samples.toLocaleString("en-US")} samples), as in <code>stemma evaluate</code>.
      </p>
      <p class="model-differences">
        Words with different arcs: <Words which="any" count={second.words.any} title="the models differ" /> in all,{" "}
        <Words which="first" count={second.words.first} title={`only ${model} is right`} /> where only {model} is right,{" "}
        <Words which="second" count={second.words.second} title={`only ${second.model} is right`} /> where only{" "}
        {second.model} is.
      </p>
    </>
  );
}

function Words({ which, count, title }: { which: Which; count: number; title: string }) {
  const text = count.toLocaleString("en-US");
  if (count === 0) return <b>{text}</b>;
  return (
    <button
      type="button"
      class="figure"
      aria-label={`${text} words, ${title}: show the sentences`}
      onClick={() => showErrors({ by: "models", which })}
    >
      {text}
    </button>
  );
}

function percent(share: number): string {
  return (100 * share).toFixed(2);
}

function signed(difference: number): string {
  const text = (100 * Math.abs(difference)).toFixed(2);
  return `${Number(text) === 0 ? "" : difference > 0 ? "+" : "−"}${text}`;
}
