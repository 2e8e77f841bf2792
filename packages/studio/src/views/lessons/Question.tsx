import { useEffect, useState } from "preact/hooks";
import type { LessonId } from "../../state/address/lesson-plans.js";
import { noteSolved } from "../../state/lessons/progress.js";
import type { QuestionText } from "./texts/lesson-text.js";

/** The question of a lesson. One may try again; the reason comes with the right answer. */
export function Question({ id, question, answers, right, because, hint }: QuestionText & { id: LessonId }) {
  const [given, setGiven] = useState<number | undefined>(undefined);
  useEffect(() => setGiven(undefined), [id]);
  const isRight = given === right;
  return (
    <fieldset class="question">
      <legend>Question</legend>
      <div class="question-text">{question}</div>
      {answers.map((text, i) => (
        <label key={i} class={given === i ? (isRight ? "right" : "wrong") : ""}>
          <input
            type="radio"
            name={`question-${id}`}
            checked={given === i}
            onChange={() => {
              setGiven(i);
              if (i === right) noteSolved(id);
            }}
          />
          <span>{text}</span>
        </label>
      ))}
      <div aria-live="polite">
        {given !== undefined && (
          <div class={`note ${isRight ? "good" : "bad"}`}>
            <div>
              <b>{isRight ? "Right." : "Not quite."}</b> {isRight ? because : hint}
            </div>
          </div>
        )}
      </div>
    </fieldset>
  );
}
