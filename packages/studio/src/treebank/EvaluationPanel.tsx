import type { EvaluationSummary } from "@stemma/core/evaluation";
import { Empty } from "../page/Empty.js";
import { Figure } from "../page/Figure.js";
import { model } from "../state.js";
import { cancelEvaluation, evaluate, evaluation, retag } from "./state.js";

const SCORES = [
  ["las", "LAS"],
  ["uas", "UAS"],
  ["labels", "Labels"],
  ["clas", "CLAS"],
  ["exactLabelled", "Exact match"],
  ["upos", "UPOS"],
] as const;
const MOST_LABELS = 20;

/** How good the model is on the open treebank. */
export function EvaluationPanel() {
  const state = evaluation.value;
  if (model.value.kind !== "ready") {
    return (
      <section class="card" aria-label="Evaluation">
        <Empty title="There is no model to evaluate">
          {model.value.kind === "loading" ? "It is still loading." : "Open a model file first."}
        </Empty>
      </section>
    );
  }
  return (
    <section class="card" aria-label="Evaluation">
      <div class="evaluation-top">
        <button type="button" class="small primary" disabled={state && "done" in state} onClick={() => void evaluate()}>
          {state && "summary" in state ? "Evaluate again" : "Parse all sentences and compare"}
        </button>
        <label class="check">
          <input
            type="checkbox"
            checked={retag.value}
            onChange={(event) => (retag.value = event.currentTarget.checked)}
          />
          Tag the words with the model instead of using the file's tags
        </label>
        {state && "done" in state && (
          <>
            <progress value={state.done} max={1} aria-label="Parsing" />
            <button type="button" class="small" onClick={() => void cancelEvaluation()}>
              Cancel
            </button>
          </>
        )}
        {state && "summary" in state && <span class="faint">{state.seconds.toFixed(1)} s</span>}
      </div>
      {!state && (
        <Empty title="Nothing measured yet">
          The model parses the treebank in the background; you can continue working in the meantime.
        </Empty>
      )}
      {state && "summary" in state && (
        <>
          <div class="scores">
            {SCORES.map(([key, title]) => (
              <div key={key} class="score-tile">
                <span>{title}</span>
                <b>{(100 * state.summary.scores[key].f1).toFixed(2)}</b>
              </div>
            ))}
          </div>
          <p class="faint">F1 in percent, labels without subtypes, tags: {state.summary.tags.upos.source}.</p>
          <div class="plots">
            {state.plots.map(([name, svg]) => (
              <Figure key={name} svg={svg} />
            ))}
          </div>
          <ByLabel summary={state.summary} />
        </>
      )}
    </section>
  );
}

function ByLabel({ summary }: { summary: EvaluationSummary }) {
  const groups = Object.entries(summary.breakdowns?.label ?? {}).slice(0, MOST_LABELS);
  const percent = (value: number) => (100 * value).toFixed(1);
  return (
    <>
      <h3>By label</h3>
      <div class="table-scroll">
        <table class="by-label">
          <thead>
            <tr>
              <th scope="col">Label</th>
              <th scope="col">Gold arcs</th>
              <th scope="col">Precision</th>
              <th scope="col">Recall</th>
              <th scope="col">F1</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(([label, group]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{group.gold.toLocaleString("en-US")}</td>
                <td>{percent(group.labelled.precision)}</td>
                <td>{percent(group.labelled.recall)}</td>
                <td>{percent(group.labelled.f1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
