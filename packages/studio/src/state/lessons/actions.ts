import { batch } from "@preact/signals";
import { type LessonId, lessonOf } from "../address/lesson-plans.js";
import { startQuiz } from "../derivation/quiz.js";
import { ask } from "../shown/client.js";
import { reason, say } from "../shown/say.js";
import { ShownSentence } from "../shown/sentence.js";
import * as state from "../shown/state.js";

/** Asks for the sentence of the lesson. No model is needed, and none is waited for. */
export function prepareLesson(): void {
  const id = state.lesson.value;
  if (!state.inLesson.value || !id) return;
  ask("prepare", { text: lessonOf(id).conllu }).then(
    (result) => {
      if (result) state.lessonSentence.value = new ShownSentence(result.sentences[0]!);
    },
    (error) => say(reason(error)),
  );
}

/** Opens a lesson where it begins, or the list of lessons. */
export function openLesson(id: LessonId | undefined): void {
  batch(() => {
    startQuiz(false);
    state.view.value = "learn";
    if (state.lesson.value !== id) state.lessonSentence.value = undefined;
    state.lesson.value = id;
    if (!id) return;
    const { system, policy, branches, step } = lessonOf(id);
    state.systemWish.value = system;
    state.policy.value = policy;
    state.branches.value = branches;
    state.branch.value = undefined;
    state.step.value = step;
  });
}
