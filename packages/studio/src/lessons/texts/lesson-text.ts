import type { ComponentType } from "preact";
import type { QuestionText } from "../Question.js";

/** What a lesson says, and asks. */
export interface LessonText {
  /** One sentence for the list of lessons. */
  summary: string;
  Text: ComponentType;
  question: QuestionText;
}
