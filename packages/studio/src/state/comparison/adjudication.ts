// Two annotators have worked on the same file. The first one's is open, and becomes the result: at each difference it
// keeps its value or takes the second one's. All of it goes through the journal, with what was decided.

import { computed, signal } from "@preact/signals";
import type { Sentence } from "@stemma/core";
import {
  type AnnotationDifference,
  annotationDifferences,
  type DecidedColumn,
} from "../../protocol/annotation-differences.js";
import type { Differing } from "../../protocol/treebank.js";
import { changeState, changeText, editSentence, original, sentencesOf } from "../editing/treebank-edits.js";
import { sentenceState, text } from "../shown/state.js";

/** The last comparison of all sentences, and of what; or how far it is. */
export const differing = signal<(Differing & { of: string }) | { done: number } | undefined>(undefined);

/** A difference, the values of both, and what has become of it. */
export interface Decision extends AnnotationDifference {
  key: string;
  first: string;
  second: string;
  /** The value that the result has by now. */
  chosen: "first" | "second" | "other";
  isDecided: boolean;
}

/** The sentence that is shown as the first annotator has it. */
const first = computed(() => sentencesOf(original.value?.text || text.value)[0]);

/** All differences from the second annotator's version; undefined if the words are not the same. */
export function decisionsAgainst(second: Sentence): Decision[] | undefined {
  const [now, ...more] = sentencesOf(sentenceState.value?.text ?? text.value);
  const before = first.value;
  if (!now || !before || more.length > 0) return undefined;
  if ([before, second].some((one) => formsOf(one) !== formsOf(now))) return undefined;
  const decided = new Set(sentenceState.value?.decided);
  return annotationDifferences(before, second).map(({ word, column }) => {
    const [mine, theirs, value] = [before, second, now].map((one) => valueIn(one, word, column));
    const key = `${word} ${column}`;
    const chosen = value === theirs ? "second" : value === mine ? "first" : "other";
    return { word, column, key, first: mine!, second: theirs!, chosen, isDecided: decided.has(key) };
  });
}

/** Gives the result the value of one of the two; the sentence is done when all is decided. */
export function decide(all: readonly Decision[], one: Decision, side: "first" | "second", second: Sentence): void {
  const from = side === "first" ? first.value! : second;
  const what = "a decision";
  const isChanged = editSentence(0, what, (sentence) => {
    const { word, column } = one;
    if (column === "arc") {
      sentence.setHead(word, from.head(word));
      sentence.setDeprel(word, from.deprel(word));
      sentence.set("deps", word, from.deps(word));
    } else sentence.set(column, word, from[column](word));
    return {};
  });
  const decided = [...new Set([...(sentenceState.peek()?.decided ?? []), one.key])];
  const isDone = all.every(({ key }) => decided.includes(key));
  changeState(what, { decided, ...(isDone ? { done: true } : {}) }, isChanged ? "follows" : undefined);
}

/** Takes the whole sentence of the second annotator: comments, tokens and empty nodes, too. */
export function takeWhole(second: string): void {
  changeText("a decision", second);
  changeState("a decision", { done: true }, "follows");
}

function valueIn(sentence: Sentence, word: number, column: DecidedColumn): string {
  if (column !== "arc") return sentence[column](word);
  return [sentence.head(word), sentence.deprel(word), sentence.deps(word)].join("\t");
}

function formsOf(sentence: Sentence): string {
  return sentence.words.map(({ form }) => form).join("\t");
}
