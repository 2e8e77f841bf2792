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

/** What a lesson says, and asks. */
export interface LessonText {
  /** One sentence for the list of lessons. */
  summary: string;
  Text: ComponentType;
  /** What is shown below the derivation. */
  Below?: ComponentType<{ sentence: ShownSentence }>;
  question: QuestionText;
}
