import { describeSystem } from "@stemma/core/systems";
import type { Derivation } from "../../protocol/derivation.js";
import { transitionName } from "../../state/derivation/names.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { gold, shownStep, step } from "../../state/shown/state.js";
import { Form } from "../common/Form.js";

/** Whether the gold tree was reached: the first mistake and what it cost, and things to know about the derivation. */
export function Verdict({ derivation, sentence }: { derivation: Derivation; sentence: ShownSentence }) {
  const { configurations, firstMistake, complete, notes } = derivation;
  const arcs = (count: number) => lostArcs(count, describeSystem(derivation.system.name).leftOut !== undefined);
  const mistake = firstMistake === undefined ? undefined : configurations[firstMistake]!;
  const choice = mistake?.choices[mistake.taken];
  const end = configurations.at(-1)!.loss;
  const goldTree = `the gold tree${derivation.removals.length > 0 ? " without its disfluent words" : ""}`;
  // A cost that is not known may have been one.
  const unknown = configurations.findIndex(
    ({ choices, taken }) => choices[taken] && choices[taken]!.cost === undefined,
  );
  const surelyFirst = unknown < 0 || (firstMistake !== undefined && firstMistake < unknown);
  return (
    <div class="verdict">
      {gold.value && choice && (
        <p class="note bad">
          <span>
            {surelyFirst ? "First mistake" : "First known mistake"} in step {firstMistake! + 1}:{" "}
            <b>{transitionName(choice)}</b>
            {choice.dependent > 0 && (
              <>
                {" "}
                (<Form node={choice.head} forms={sentence.forms} /> →{" "}
                <Form node={choice.dependent} forms={sentence.forms} />)
              </>
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
            ? `No mistakes: ${shownStep.value === configurations.length - 1 ? "this is" : "this derivation ends in"} ${goldTree}.`
            : unknown >= 0
              ? `${capital(arcs(end!))} lost at the end; the step is unknown because not all costs are known.`
              : `No mistakes, but ${arcs(end!)} lost from the start: the system cannot build the gold tree.`}
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

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** In systems that remove words, those that are removed wrongly or stay wrongly are lost like arcs. */
function lostArcs(count: number, removesWords: boolean): string {
  if (removesWords) return count === 1 ? "one gold arc or word is" : `${count} gold arcs and words are`;
  return count === 1 ? "one gold arc is" : `${count} gold arcs are`;
}
