import { useLayoutEffect, useRef } from "preact/hooks";
import type { Choice, Derivation } from "../../protocol/derivation.js";
import { kindOf, transitionName } from "../../state/derivation/names.js";
import { answer, answered, ask, count, judge, nextQuestion, startQuiz } from "../../state/derivation/quiz.js";
import { considered, effectivePolicy, gold, shownStep } from "../../state/shown/state.js";
import { Form } from "../common/Form.js";
import { useListed } from "./listed-choices.js";

/** In the place of the permitted transitions: which one comes next? Scores and costs follow the answer. */
export function Quiz({ derivation, forms }: { derivation: Derivation; forms: readonly string[] }) {
  const now = shownStep.value;
  const { choices, taken } = derivation.configurations[now]!;
  const { listed, more, showMore } = useListed(derivation, now, answered.value === undefined);
  const box = useRef<HTMLDivElement>(null);
  const given = answered.value;
  const atEnd = choices.length === 0;
  const isForced = choices.length === 1;
  // Another configuration is another question. Keys may come as soon as it is there, before the page is painted.
  useLayoutEffect(() => {
    answered.value = undefined;
  }, [derivation, now]);
  // A question has more than one possible answer. Whoever goes back may look at what had only one.
  useLayoutEffect(() => {
    if (choices.length === 1) ask(shownStep.value);
  }, [derivation]);
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as Element).closest("input, textarea, select, .tree, [role=dialog]")) return;
      const choice = /^[1-9]$/.test(event.key) ? choices[Number(event.key) - 1] : undefined;
      if (!choice || isForced || answered.value !== undefined) return;
      event.preventDefault();
      answer(choice.move);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [choices]);
  // After an answer, Enter leads on; before the next key can come.
  useLayoutEffect(() => {
    if (given !== undefined) box.current?.querySelector<HTMLElement>(".quiz-next")?.focus();
  }, [given]);
  const next = choices[taken];
  // With the model there is one answer: what it does.
  const others = effectivePolicy.value === "model" ? 0 : choices.filter((one) => one !== next && one.cost === 0).length;
  return (
    <div class="choices quiz" ref={box}>
      <div class="choices-top">
        <h2>
          {atEnd
            ? "The derivation is complete"
            : isForced
              ? "Only one transition is permitted here"
              : "Which transition comes next?"}
        </h2>
        <output class="quiz-count">
          <b>{count.value.right}</b> of {count.value.asked} right
        </output>
      </div>
      {!atEnd && !isForced && (
        <p class="faint">
          {effectivePolicy.value === "model"
            ? "The model decides. What will it do?"
            : `Which transition leads to the ${gold.value ? "gold tree" : "tree of the model"}, drawn below the words? Any without cost is right.`}
        </p>
      )}
      <ol class="quiz-choices">
        {listed
          .map((i) => [choices[i]!, i] as const)
          .map(([choice, i]) => (
            <li key={choice.move}>
              <button
                type="button"
                class={`quiz-choice ${given === undefined ? "" : verdictOf(choice, given, next)}`}
                disabled={given !== undefined || isForced}
                aria-pressed={given === choice.move}
                onPointerEnter={() => (considered.value = { ...choice, label: undefined })}
                onPointerLeave={() => (considered.value = undefined)}
                onClick={() => answer(choice.move)}
              >
                <kbd>{i + 1}</kbd>
                <span class={`move ${kindOf(choice.move)}`}>{choice.move}</span>
                {choice.dependent > 0 && (
                  <small>
                    <Form node={choice.head} forms={forms} /> → <Form node={choice.dependent} forms={forms} />
                  </small>
                )}
                {given !== undefined && <Facts choice={choice} />}
              </button>
            </li>
          ))}
      </ol>
      {more > 0 && (
        <button type="button" class="small" onClick={showMore}>
          Show {more} more
        </button>
      )}
      <div aria-live="polite">
        {given !== undefined && next && <Verdict given={given} next={next} others={others} />}
        {atEnd && <Result />}
      </div>
      <div class="quiz-buttons">
        {(given !== undefined || isForced) && (
          <button type="button" class="small primary quiz-next" onClick={nextQuestion}>
            Next
          </button>
        )}
        {atEnd && (
          <button
            type="button"
            class="small primary"
            onClick={() => {
              startQuiz(true);
              ask(0);
            }}
          >
            Once more
          </button>
        )}
        <button type="button" class="small" onClick={() => startQuiz(false)}>
          End the quiz
        </button>
      </div>
    </div>
  );
}

function verdictOf(choice: Choice, given: string, next: Choice | undefined): string {
  if (choice.move === given) return judge(given);
  return choice.move === next?.move ? "expected" : "";
}

function Facts({ choice }: { choice: Choice }) {
  return (
    <span class="quiz-facts">
      {choice.probability !== undefined && <small>{Math.round(100 * choice.probability)} %</small>}
      <span class={`badge ${choice.cost === undefined ? "plain" : choice.cost === 0 ? "good" : "bad"}`}>
        cost {choice.cost ?? "unknown"}
      </span>
    </span>
  );
}

function Verdict({ given, next, others }: { given: string; next: Choice; others: number }) {
  const judgement = judge(given);
  const name = transitionName(next);
  if (judgement === "unknown") {
    return (
      <p class="note">
        Unknown: the cost of {given} was not found, so this answer does not count. This derivation goes on with {name}.
      </p>
    );
  }
  if (judgement === "wrong") return <p class="note bad">No: {name} comes next.</p>;
  return (
    <p class="note good">
      {given === next.move
        ? `Right: ${name}.${others > 0 ? ` ${others === 1 ? "Another one costs" : `${others} others cost`} nothing either.` : ""}`
        : `Right as well: ${given} costs nothing. This derivation goes on with ${name}.`}
    </p>
  );
}

function Result() {
  const { asked, right } = count.value;
  if (asked === 0) return <p class="note">No question was answered.</p>;
  if (right === asked) return <p class="note good">All {asked} right.</p>;
  return (
    <p class={`note ${2 * right < asked ? "bad" : ""}`}>
      {right} of {asked} right.
    </p>
  );
}
