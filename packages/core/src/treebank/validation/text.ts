import type { Sentence } from "../sentence/sentence.js";
import { surfaceText } from "../sentence/spaces.js";
import { page, type Report, type Rule } from "./violation.js";

/** Checks the id of a sentence, and that its tokens make its text. */
export function checkText(sentence: Sentence, report: Report): void {
  const link = page("format.html");
  const tell = (rule: Rule, level: "error" | "warning", message: string) =>
    report({ rule, level, word: 0, message, link });
  if (sentence.id === undefined) tell("sent-id", "warning", "The sentence has no sent_id.");
  const text = sentence.comment("text");
  const made = surfaceText(sentence);
  if (text === undefined) tell("text", "warning", "The sentence has no text comment.");
  if (text === undefined || made === text) return;
  let at = 0;
  while (at < made.length && made[at] === text[at]) at++;
  const shown = (whole: string) => JSON.stringify(whole.slice(Math.max(0, at - 8), at + 12));
  tell("text", "error", `Text and tokens differ: ${shown(text)} in the text, ${shown(made)} in the tokens.`);
}
