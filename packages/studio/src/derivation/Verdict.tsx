import type { Derivation, SentenceData } from "../protocol.js";
import { gold, step } from "../state.js";
import { transitionName } from "./names.js";

/** What became of the gold tree: the first mistake and what it cost, and things to know about the derivation. */
export function Verdict({ derivation, sentence }: { derivation: Derivation; sentence: SentenceData }) {
  const { configurations, firstMistake, complete, notes } = derivation;
  const mistake = firstMistake === undefined ? undefined : configurations[firstMistake]!;
  const choice = mistake?.choices[mistake.taken];
  const end = configurations.at(-1)!.loss;
  return (
    <div class="verdict">
      {gold.value && choice && (
        <p class="note bad">
          <span>
            First mistake in step {firstMistake! + 1}: <b>{transitionName(choice)}</b>
            {choice.dependent > 0 && (
              <span dir="auto">
                {" "}
                ({sentence.forms[choice.head] || "ROOT"} → {sentence.forms[choice.dependent]})
              </span>
            )}{" "}
            cost {choice.cost}. {complete && end !== undefined && `At the end ${arcs(end)} lost.`}
          </span>
          <button type="button" class="small" onClick={() => (step.value = firstMistake!)}>
            Go there
          </button>
        </p>
      )}
      {gold.value && !choice && complete && (
        <p class={`note ${end === 0 ? "good" : ""}`}>
          {end === 0
            ? "No mistakes: this is the gold tree."
            : `No mistakes, but ${arcs(end ?? 0)} lost from the start: the system cannot build the gold tree.`}
        </p>
      )}
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </div>
  );
}

function arcs(count: number): string {
  return count === 1 ? "one gold arc is" : `${count} gold arcs are`;
}
