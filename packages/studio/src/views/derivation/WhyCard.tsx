import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Derivation, Taken, Why } from "../../protocol/derivation.js";
import { takenUntil } from "../../state/derivation/actions.js";
import { transitionName } from "../../state/derivation/names.js";
import { sentence, shownStep, system } from "../../state/shown/state.js";
import { useAnswer } from "../common/use-answer.js";

/** It stays open from step to step. */
const isOpen = signal(false);

/** Why the model took a transition: what speaks for it and against it, compared with another one. */
export function WhyCard({ derivation }: { derivation: Derivation }) {
  const now = shownStep.value;
  const { choices, taken } = derivation.configurations[now]!;
  const [rival, setRival] = useState("");
  useEffect(() => setRival(""), [derivation, now]);
  const answer = useAnswer(
    "why",
    () => {
      const data = sentence.value;
      const choice = choices[taken];
      if (!isOpen.value || !data || !choice) return undefined;
      const other = choices.find(({ move }) => move === rival);
      const [before, chosen] = [takenUntil(now), named(choice)];
      return { sentence: data.json, system: system.value, before, taken: chosen, rival: other && named(other) };
    },
    [isOpen.value, derivation, now, rival],
    { stays: true },
  );
  return (
    <details class="why" open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>Why this transition?</summary>
      {isOpen.value && (
        <>
          <label class="why-rival">
            Compared with{" "}
            <select value={rival} onChange={(event) => setRival(event.currentTarget.value)}>
              <option value="">the next best</option>
              {choices.map(
                (choice, i) =>
                  i !== taken && (
                    <option key={choice.move} value={choice.move}>
                      {transitionName(choice)}
                    </option>
                  ),
              )}
            </select>
          </label>
          {!answer ? (
            <p class="faint">Looking…</p>
          ) : "reason" in answer ? (
            <p class="note">{answer.reason}</p>
          ) : (
            <Reasons why={answer} />
          )}
        </>
      )}
    </details>
  );
}

function named({ move, label }: Taken): Taken {
  return { move, label };
}

/** Reasons for one transition and against another. */
export function Reasons({ why: { kind, first, second, margin, reasons, others } }: { why: Why }) {
  const most = Math.max(...reasons.map(({ amount }) => Math.abs(amount)));
  return (
    <>
      <p class="faint">
        <b>{transitionName(first)}</b> against <b>{transitionName(second)}</b>: {signed(margin)}.{" "}
        {kind === "features"
          ? "Features by the difference of their weights."
          : "Words by what the difference loses when the word is not known."}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold a table */}
      <div class="why-scroll" tabIndex={0} role="group" aria-label="Reasons">
        <table class="why-table">
          <thead>
            <tr>
              <th scope="col">{kind === "features" ? "Feature" : "Word"}</th>
              <th scope="col">For</th>
            </tr>
          </thead>
          <tbody>
            {reasons.map(({ name, value, first: a, second: b, amount }) => (
              <tr key={name}>
                <th scope="row">
                  <bdi>{value}</bdi> <small>{name}</small>
                </th>
                <td title={kind === "features" ? `${a.toFixed(3)} against ${b.toFixed(3)}` : undefined}>
                  <span
                    class={`why-bar ${amount < 0 ? "against" : ""}`}
                    style={{ width: `${(60 * Math.abs(amount)) / most}%` }}
                  />
                  {signed(amount)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {others > 0 && <p class="faint">and {others} that count less</p>}
    </>
  );
}

function signed(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : 2;
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(digits)}`;
}
