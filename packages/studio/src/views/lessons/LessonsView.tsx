import { embedded } from "../../state/address/embed.js";
import { LESSONS, type LessonId, lessonOf } from "../../state/address/lesson-plans.js";
import { quizOn, startQuiz } from "../../state/derivation/quiz.js";
import { presenting } from "../../state/derivation/stage.js";
import { replaceText } from "../../state/editing/text.js";
import { openLesson } from "../../state/lessons/actions.js";
import { solved } from "../../state/lessons/progress.js";
import {
  derivation,
  derivedFrom,
  deriveError,
  effectivePolicy,
  lesson,
  policy,
  sentence,
  systemWish,
  view,
} from "../../state/shown/state.js";
import { Skeleton } from "../common/Empty.js";
import { Stage } from "../derivation/Stage.js";
import { Verdict } from "../derivation/Verdict.js";
import { CopyLink } from "../export/Exports.js";
import { Branches } from "../step/Branches.js";
import { Question } from "./Question.js";
import { TEXTS } from "./texts/index.js";

/** Lessons: a text beside a derivation that moves, and a question. */
export function LessonsView() {
  const id = lesson.value;
  if (!id) return <Contents />;
  return <OneLesson id={id} />;
}

function Contents() {
  return (
    <section class="card" aria-label="Lessons">
      <h2>How a parser works</h2>
      <p class="faint">
        Each lesson is a short text beside a derivation that you can step through and change, and ends with a question.
        No model is needed.
      </p>
      <ol class="lesson-list">
        {LESSONS.map(({ id, title }) => (
          <li key={id}>
            <button type="button" class="lesson-entry" onClick={() => openLesson(id)}>
              <strong>{title}</strong>
              {solved.value.has(id) && <span class="badge good">solved</span>}
              <span class="faint">{TEXTS[id].summary}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function OneLesson({ id }: { id: LessonId }) {
  const { Text, Below, question } = TEXTS[id];
  const at = LESSONS.findIndex((one) => one.id === id);
  const data = sentence.value;
  const shown = derivation.value;
  return (
    <div class="lesson">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <article class="card lesson-text" aria-label="Lesson" tabIndex={0} hidden={presenting.value}>
        {!embedded && (
          <div class="lesson-nav">
            <button type="button" class="small" onClick={() => openLesson(undefined)}>
              All lessons
            </button>
            <span class="faint">
              Lesson {at} of {LESSONS.length - 1}
            </span>
          </div>
        )}
        <h2>{lessonOf(id).title}</h2>
        <Text />
        <Question id={id} {...question} />
        {!embedded && <Next at={at} />}
      </article>
      <div class="lesson-live">
        {deriveError.value && (
          <p class="note bad" role="alert">
            {deriveError.value}
          </p>
        )}
        {data && shown && derivedFrom.value === data ? (
          <>
            <div class="stage-screen">
              <Stage derivation={shown} sentence={data} />
            </div>
            {!presenting.value && (
              <>
                {!quizOn.value && <Verdict derivation={shown} sentence={data} />}
                <LessonFoot id={id} />
                <Branches sentence={data} />
                {Below && <Below sentence={data} />}
              </>
            )}
          </>
        ) : (
          <section class="card tree-card" aria-label="Derivation">
            {!deriveError.value && <Skeleton />}
          </section>
        )}
      </div>
    </div>
  );
}

function Next({ at }: { at: number }) {
  const [before, after] = [LESSONS[at - 1], LESSONS[at + 1]];
  return (
    <div class="lesson-next">
      {before && (
        <button type="button" class="small" onClick={() => openLesson(before.id)}>
          ‹ {before.title}
        </button>
      )}
      {after && (
        <button type="button" class="small primary" onClick={() => openLesson(after.id)}>
          {after.title} ›
        </button>
      )}
    </div>
  );
}

function LessonFoot({ id }: { id: LessonId }) {
  return (
    <div class="card-foot">
      <button
        type="button"
        class="small"
        aria-pressed={quizOn.value}
        disabled={effectivePolicy.value === "hand"}
        onClick={() => startQuiz(!quizOn.value)}
      >
        Quiz on this sentence
      </button>
      <button type="button" class="small" onClick={() => openLesson(id)}>
        As it was at first
      </button>
      {!embedded && (
        <button type="button" class="small" onClick={() => takeAlong(id)}>
          Take it to Step through
        </button>
      )}
      {!embedded && <CopyLink />}
    </div>
  );
}

/** The sentence of the lesson becomes that of the page; Undo brings the other one back. */
function takeAlong(id: LessonId): void {
  const [system, by] = [systemWish.value, policy.value];
  view.value = "step";
  replaceText({ text: lessonOf(id).conllu, place: undefined });
  systemWish.value = system;
  policy.value = by;
}
