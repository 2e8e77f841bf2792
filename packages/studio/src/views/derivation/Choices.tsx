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
  inLesson,
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
import { Lost, type LostArcs } from "./lost-arcs.js";
import { WhyCard } from "./WhyCard.js";

/** Why there are no scores, by what is known of the model. */
const NO_SCORES = {
  ready: "No scores: the model was trained for another system or root position.",
  loading: "No scores yet: the model is still loading.",
  missing: "No scores: there is no model.",
};

/** The label for arcs that are taken by hand; empty for the one that is listed. */
const handLabel = signal("");

interface Props {
  derivation: Derivation;
  forms: readonly string[];
  lost: LostArcs;
}

/** The transitions that are permitted, what the model and the oracle think of each, and the means to take one. */
export function Choices({ derivation, forms, lost }: Props) {
  const now = shownStep.value;
  const { choices, taken, loss, leftOut } = derivation.configurations[now]!;
  const hidden = hidesAnswer.value;
  const scored = choices.some(({ score }) => score !== undefined);
  const hasArcs = choices.some(({ dependent }) => dependent > 0);
  const { listed, more, showMore } = useListed(derivation, now, hidden);
  const list = useRef<HTMLDivElement>(null);
  // They stay from the first step to the last, so that nothing moves.
  const notes = [
    gold.value ? "" : "* Relative to the model’s own tree. Drag an arc to make a gold tree.",
    more === 0 && leftOut > 0 ? `${leftOut} further transitions, which remove more words, are not listed.` : "",
    hasScores(derivation) || inLesson.value || hidden ? "" : NO_SCORES[model.value.kind],
  ].filter(Boolean);
  // The row that was taken from the keyboard: the focus stays there, although other transitions stand there now.
  const row = useRef(-1);
  const arrived = !deriving.value;
  // Of very many transitions the one that is taken is in sight.
  useLayoutEffect(() => {
    const table = list.current!.querySelector("table")!;
    const row = table.querySelector<HTMLElement>("tr.taken");
    table.scrollTop = row ? row.offsetTop - table.offsetTop - row.offsetHeight : 0;
  }, [derivation, now]);
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
        {prefix.value.length > 0 ? (
          <WhatIf />
        ) : (
          choices.length > 0 && (
            <p class="faint what-if-hint">
              {hidden
                ? "Which one comes next? Take one, and you are told what it cost."
                : "What if? Click one to take it here."}
            </p>
          )
        )}
        {choices.length > 0 && <HandLabel disabled={!hasArcs} />}
        {more > 0 && (
          <button type="button" class="small" onClick={showMore}>
            Show {more} more
          </button>
        )}
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
        <thead class="unseen">
          <tr>
            <th scope="col">Transition</th>
            {!hidden && scored && <th scope="col">Probability</th>}
            {!hidden && <th scope="col">Cost{gold.value ? "" : "*"}</th>}
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
                    {choice.correct && !hidden && <span class="badge good">correct</span>}
                    <small>
                      {choice.dependent > 0 && (
                        <>
                          <Form node={choice.head} forms={forms} /> → <Form
                            node={choice.dependent}
                            forms={forms}
                          />{" "}
                        </>
                      )}
                      {!hidden && (
                        <span class="lost">
                          <Lost words={lost.by(choice)} cost={choice.cost ?? 0} forms={forms} />
                        </span>
                      )}
                    </small>
                  </button>
                </td>
                {!hidden && <Judged choice={choice} scored={scored} />}
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
      {notes.length > 0 && <p class="faint choices-notes">{notes.join(" ")}</p>}
      {scored && !hidden && taken >= 0 && choices.length > 0 && <WhyCard derivation={derivation} />}
    </div>
  );
}

function hasScores({ configurations }: Derivation): boolean {
  return configurations.some(({ choices }) => choices.some(({ score }) => score !== undefined));
}

/** Score and cost of a transition, from model and oracle. */
function Judged({ choice, scored }: { choice: Choice; scored: boolean }) {
  return (
    <>
      <td class="score" hidden={!scored}>
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

function HandLabel({ disabled }: { disabled: boolean }) {
  const data = sentence.value;
  const aim = target.value;
  const options = useMemo(() => labelsFor(data, aim).map((label) => <option key={label}>{label}</option>), [data, aim]);
  return (
    <label class="hand-label">
      Label{" "}
      <select
        value={handLabel.value}
        disabled={disabled}
        onChange={(event) => (handLabel.value = event.currentTarget.value)}
      >
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
