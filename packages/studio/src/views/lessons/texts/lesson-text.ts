import type { ComponentChildren, ComponentType } from "preact";
import type { ShownSentence } from "../../../state/shown/sentence.js";

export interface QuestionText {
  question: ComponentChildren;
  answers: readonly ComponentChildren[];
  /** The number of the right answer, from 0. */
  right: number;
  /** Why it is right; shown after the first answer that is. */
  because: ComponentChildren;
  /** Shown after a wrong answer. */
  hint: ComponentChildren;
}

/** The text of a lesson, with its question. */
export interface LessonText {
  /** One sentence for the list of lessons. */
  summary: string;
  Text: ComponentType;
  /** Shown below the derivation. */
  Below?: ComponentType<{ sentence: ShownSentence }>;
  question: QuestionText;
}
