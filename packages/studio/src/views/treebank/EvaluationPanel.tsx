import { useEffect } from "preact/hooks";
import type { EvaluationResult } from "../../protocol/treebank.js";
import { otherLoading } from "../../state/comparison/other-side.js";
import { ask } from "../../state/shown/client.js";
import { model, modelInfo } from "../../state/shown/state.js";
import { cancelEvaluation, evaluate, evaluation, retag } from "../../state/treebank/treebank.js";
import { Empty } from "../common/Empty.js";
import { ScoreTile } from "../common/ScoreTile.js";
import { SecondModel } from "../input/SecondModel.js";
import { Breakdowns } from "./Breakdowns.js";
import { ErrorPlot } from "./ErrorPlot.js";
import { ModelComparison } from "./ModelComparison.js";

const SCORES = [
  ["las", "LAS"],
  ["uas", "UAS"],
  ["labels", "Labels"],
  ["clas", "CLAS"],
  ["exactLabelled", "Exact match"],
  ["upos", "UPOS"],
] as const;

/** How good the model is on the open treebank. */
export function EvaluationPanel() {
  const state = evaluation.value;
  // While a person looks at the panel, further workers read the model.
  const loaded = modelInfo.value;
  useEffect(() => {
    if (loaded) void ask("startHelpers", {}).catch(() => undefined);
  }, [loaded]);
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
        <button
          type="button"
          class="small primary"
          disabled={(state && "done" in state) || otherLoading.value !== undefined}
          onClick={() => void evaluate()}
        >
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
        <SecondModel />
        {state && "done" in state && (
          <>
            <progress value={state.done} max={1} aria-label="Parsing" />
            <button type="button" class="small" onClick={() => void cancelEvaluation()}>
              Cancel
            </button>
          </>
        )}
        {state && "summary" in state && (
          <span class="faint">
            {state.model}, {state.seconds.toFixed(1)} s, {state.workers} workers
            {state.model !== model.value.info.name && "; another model is loaded now"}
          </span>
        )}
      </div>
      {!state && (
        <Empty title="Nothing measured yet">
          The model parses the treebank in the background; you can continue working in the meantime.
        </Empty>
      )}
      {state && "summary" in state && (
        <>
          <div class="scores">
            {SCORES.filter(([key]) => key !== "upos" || !hasGoldTags(state)).map(([key, title]) => (
              <ScoreTile key={key} title={title} value={(100 * state.summary.scores[key].f1).toFixed(2)} />
            ))}
          </div>
          <p class="faint">
            F1 in percent, labels without subtypes; tags:{" "}
            {hasGoldTags(state) ? "those of the file, so they have no score" : state.summary.tags.upos.source}.
          </p>
          <ModelComparison result={state} />
          <div class="plots">
            {state.plots.map(([name, svg]) => (
              <ErrorPlot key={name} name={name} svg={svg} result={state} />
            ))}
          </div>
          <Breakdowns summary={state.summary} />
        </>
      )}
    </section>
  );
}

/** Did the words have the tags of the file? A score of these would say nothing about the model. */
function hasGoldTags({ summary }: EvaluationResult): boolean {
  return summary.tags.upos.source === "gold";
}
