import { batch } from "@preact/signals";
import type { Cause, Choice } from "../../protocol/derivation.js";
import type { Tree } from "../../protocol/sentence.js";
import { fromTheStart } from "../../state/derivation/actions.js";
import { transitionName } from "../../state/derivation/names.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { branch, policy, step, systemWish, view } from "../../state/shown/state.js";
import { Form } from "../common/Form.js";
import { useAnswer } from "../common/use-answer.js";
import { Reasons } from "../derivation/WhyCard.js";

/** The transition behind a wrong arc: what was taken, what should have been, and what the model went by. */
export function CauseCard({ sentence, target, word }: { sentence: ShownSentence; target: Tree; word: number }) {
  const answer = useAnswer("cause", () => ({ sentence: sentence.json, target, word }), [sentence, target, word]);
  return (
    <div class="cause" role="status" aria-label={`The cause at ${sentence.forms[word]}`}>
      {!answer ? (
        <p class="faint">Looking…</p>
      ) : "reason" in answer ? (
        <p class="note">{answer.reason}</p>
      ) : (
        <Told cause={answer} sentence={sentence} target={target} word={word} />
      )}
    </div>
  );
}

function Told(props: { cause: Cause; sentence: ShownSentence; target: Tree; word: number }) {
  const { cause, sentence, target, word } = props;
  const { taken, alternative, kind, firstMistake, why } = cause;
  const form = (node: number) => <Form node={node} forms={sentence.forms} />;
  return (
    <>
      <p>
        Step {cause.step + 1}: the model took <Transition choice={taken} />.{" "}
        {kind === "label" ? (
          <>
            It gave {form(word)} the right head, with the label {taken.label} for {target.labels[word]}.
          </>
        ) : kind === "head" ? (
          <>
            After it, {form(word)} could no longer be attached to {form(target.heads[word]!)}.
          </>
        ) : (
          <>It attached {form(word)} elsewhere; whether the right arc was lost earlier is not known for this system.</>
        )}
      </p>
      {alternative ? (
        <p>
          Best correct alternative: <Transition choice={alternative} />.
        </p>
      ) : (
        kind === "head" && <p>No other transition that was permitted keeps the arc within reach.</p>
      )}
      {firstMistake !== undefined && firstMistake < cause.step && (
        <p class="faint">An earlier mistake, in step {firstMistake + 1}, had its share in how it came to this.</p>
      )}
      <button type="button" class="small primary" onClick={() => goTo(cause.step)}>
        Go to step {cause.step + 1}
      </button>
      {why && <Reasons why={why} />}
    </>
  );
}

/** A transition with its probability. */
function Transition({ choice }: { choice: Choice }) {
  return (
    <>
      <b>{transitionName(choice)}</b>
      {choice.probability !== undefined && ` (${(100 * choice.probability).toFixed(1)} %)`}
    </>
  );
}

/** Shows a step of the model's own derivation. */
function goTo(wanted: number): void {
  batch(() => {
    systemWish.value = {};
    policy.value = "model";
    fromTheStart();
    branch.value = undefined;
    step.value = wanted;
    view.value = "step";
  });
}
