import type { ComponentType } from "preact";
import type { SentenceData } from "../../protocol.js";
import type { QuestionText } from "../Question.js";

/** What a lesson says, and asks. */
export interface LessonText {
  /** One sentence for the list of lessons. */
  summary: string;
  Text: ComponentType;
  /** What is shown below the derivation. */
  Below?: ComponentType<{ sentence: SentenceData }>;
  question: QuestionText;
}
