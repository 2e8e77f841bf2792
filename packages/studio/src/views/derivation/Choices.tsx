import { signal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Choice, Derivation } from "../../protocol/derivation.js";
import { finishWith, fromTheStart, take, takeBack } from "../../state/derivation/actions.js";
import { kindOf, transitionName } from "../../state/derivation/names.js";
import { hidesAnswer, peek } from "../../state/derivation/quiz.js";
import {
  after,
  considered,
  deriving,
  gold,
  model,
  modelFits,
  prefix,
  sentence,
  shownStep,
  target,
} from "../../state/shown/state.js";
import { labelsFor } from "../../state/treebank/labels.js";
import { Form } from "../common/Form.js";
import { useListed } from "./listed-choices.js";
import { WhyCard } from "./WhyCard.js";

/** Why there are no scores, by what is known of the model. */
const NO_SCORES = {
  ready: "The model was trained for another system or root position, so it has no scores here.",
  loading: "The model is still loading, so there are no scores yet.",
  missing: "There is no model, so there are no scores.",
};

/** The label for arcs that are taken by hand; empty for the one that is listed. */
const handLabel = signal("");

/** The transitions that are permitted, what the model and the oracle think of each, and the means to take one. */
export function Choices({ derivation, forms }: { derivation: Derivation; forms: readonly string[] }) {
  const now = shownStep.value;
  const { choices, taken, loss } = derivation.configurations[now]!;
  const hidden = hidesAnswer.value;
  const scored = choices.some(({ score }) => score !== undefined);
  const hasArcs = choices.some(({ dependent }) => dependent > 0);
  const { listed, more, showMore } = useListed(derivation, now, hidden);
  const list = useRef<HTMLDivElement>(null);
  // The row that was taken from the keyboard: the focus stays there, although other transitions stand there now.
  const row = useRef(-1);
  const arrived = !deriving.value;
  useLayoutEffect(() => {
    if (row.current < 0) return;
    const buttons = list.current!.querySelectorAll<HTMLElement>(choices.length > 0 ? ".choice" : ".what-if button");
    buttons[Math.min(row.current, buttons.length - 1)]?.focus();
    if (arrived) row.current = -1;
  }, [derivation, now, arrived]);
  return (
    <div class="choices" ref={list}>
      <div class="choices-top">
        <h2>Permitted transitions</h2>
        {hidden ? (
          <button type="button" class="small" onClick={peek}>
            Show the answer
          </button>
        ) : (
          <span class="loss" title="Gold arcs that are lost: they are not built and can no longer be built">
            Loss{gold.value ? "" : "*"} <b>{loss ?? "?"}</b>
          </span>
        )}
      </div>
      <table class={hidden ? "hidden-answer" : ""}>
        <thead>
          <tr>
            <th scope="col">Transition</th>
            {!hidden && (
              <>
                <th scope="col">Probability</th>
                <th scope="col">Cost{gold.value ? "" : "*"}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {listed
            .map((i) => [choices[i]!, i] as const)
            .map(([choice, i]) => (
              <tr
                key={choice.move}
                class={`${i === taken ? "taken" : ""} ${choice.cost === 0 && !hidden ? "optimal" : ""}`}
                onPointerEnter={() => (considered.value = hidden ? { ...choice, label: undefined } : choice)}
                onPointerLeave={() => (considered.value = undefined)}
              >
                <td>
                  <button
                    type="button"
                    class="choice"
                    title={`Take ${hidden ? choice.move : transitionName(choice)} in this configuration`}
                    aria-current={i === taken ? "step" : undefined}
                    onFocus={() => (considered.value = hidden ? { ...choice, label: undefined } : choice)}
                    onBlur={() => (considered.value = undefined)}
                    onClick={(event) => {
                      if (event.currentTarget === document.activeElement) row.current = i;
                      takeByHand(choice);
                    }}
                  >
                    <span class={`move ${kindOf(choice.move)}`}>{choice.move}</span>
                    {choice.label && !hidden && <span class="choice-label">{choice.label}</span>}
                    {choice.dependent > 0 && (
                      <small>
                        <Form node={choice.head} forms={forms} /> → <Form node={choice.dependent} forms={forms} />
                      </small>
                    )}
                  </button>
                </td>
                {!hidden && <Judged choice={choice} />}
              </tr>
            ))}
          {choices.length === 0 && (
            <tr>
              <td colSpan={3} class="end">
                Terminal: the derivation is complete.
                {derivation.headless.length > 0 && (
                  <>
                    {" "}
                    Attached to the root at the end:{" "}
                    {derivation.headless.map((d, i) => (
                      <>
                        {i > 0 && ", "}
                        <Form node={d} forms={forms} />
                      </>
                    ))}
                    .
                  </>
                )}
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {more > 0 && (
        <button type="button" class="small" onClick={showMore}>
          Show {more} more
        </button>
      )}
      {more === 0 && derivation.configurations[now]!.leftOut > 0 && (
        <p class="faint">
          {derivation.configurations[now]!.leftOut} further transitions, which remove more words, are not listed.
        </p>
      )}
      {choices.length > 0 && (
        <p class="faint what-if-hint">
          {hidden
            ? "Which one comes next? Scores, costs and labels are hidden until you take one; then you are told what it cost."
            : "What if? Click a transition to take it here, then let the parser or the oracle continue."}
          {hasArcs && <HandLabel />}
        </p>
      )}
      {!scored && !hidden && choices.length > 0 && <p class="faint">{NO_SCORES[model.value.kind]}</p>}
      {!gold.value && <p class="faint">* Relative to the model's own tree. Drag an arc to make a gold tree.</p>}
      {scored && !hidden && taken >= 0 && choices.length > 0 && <WhyCard derivation={derivation} />}
      <WhatIf />
    </div>
  );
}

/** Score and cost of a transition, from model and oracle. */
function Judged({ choice }: { choice: Choice }) {
  return (
    <>
      <td class="score">
        {choice.score === undefined || choice.probability === undefined ? (
          <span class="faint">–</span>
        ) : (
          <>
            <span class="bar" style={{ width: `${100 * choice.probability}%` }} />
            <span class="number" title={`Score ${written(choice.score)}`}>
              {percent(choice.probability)}
            </span>
          </>
        )}
      </td>
      <td class="cost">
        {choice.cost === undefined ? (
          <span class="faint">?</span>
        ) : choice.cost === 0 ? (
          <span class="badge good" title="Optimal">
            0 ✓
          </span>
        ) : (
          <span class="badge bad">+{choice.cost}</span>
        )}
      </td>
    </>
  );
}

/** With two digits that count, as far as a hundredth of a percent. */
function percent(probability: number): string {
  const value = 100 * probability;
  if (value < 0.005) return "< 0.01 %";
  if (value > 99.995 && value < 100) return "> 99.99 %";
  const digits = value >= 99 ? 2 : value >= 10 ? 0 : value >= 1 ? 1 : 2;
  return `${Number(value.toFixed(digits))} %`;
}

/** Three decimals; what is nearly 0 is 0, not -0. */
function written(score: number): string {
  return (Math.round(1000 * score) / 1000 || 0).toLocaleString("en-US");
}

function HandLabel() {
  const data = sentence.value;
  const aim = target.value;
  const options = useMemo(() => labelsFor(data, aim).map((label) => <option key={label}>{label}</option>), [data, aim]);
  return (
    <label>
      {" "}
      Label{" "}
      <select value={handLabel.value} onChange={(event) => (handLabel.value = event.currentTarget.value)}>
        <option value="">as listed</option>
        {options}
      </select>
    </label>
  );
}

function takeByHand(choice: Choice): void {
  considered.value = undefined;
  take({ move: choice.move, label: choice.dependent > 0 ? handLabel.value || choice.label : undefined });
}

function WhatIf() {
  if (prefix.value.length === 0) return null;
  const by = after.value;
  return (
    <div class="what-if" role="status">
      <strong>What if</strong>
      <span>
        Step {prefix.value.length} was taken by hand
        {by === "hand"
          ? "; the next steps are up to you."
          : by === "model"
            ? "; the parser continued."
            : "; the oracle continued."}
      </span>
      <div class="what-if-buttons">
        <button
          type="button"
          class="small"
          aria-pressed={by === "model"}
          disabled={!modelFits.value}
          onClick={() => finishWith("model")}
        >
          Finish with parser
        </button>
        <button
          type="button"
          class="small"
          aria-pressed={by === "dynamic"}
          disabled={!target.value}
          onClick={() => finishWith("dynamic")}
        >
          Finish with oracle
        </button>
        <button type="button" class="small" onClick={takeBack}>
          Undo
        </button>
        <button type="button" class="small" onClick={fromTheStart}>
          Start over
        </button>
      </div>
    </div>
  );
}
