// Changes to the sentences of a treebank. A sentence is its CoNLL-U, so that everything can be changed, and what is not
// changed keeps its bytes; all changes go through the journal.

import { signal } from "@preact/signals";
import { readTreebank, type Sentence } from "@stemma/core";
import type { Tree } from "../../protocol/sentence.js";
import { withArcs } from "../export/export.js";
import { reason, say } from "../shown/say.js";
import * as state from "../shown/state.js";
import type { Change, SentenceState, TreebankPlace } from "../storage/changes.js";
import { note, sentenceStates } from "../storage/journal.js";
import { numbersBetween } from "../storage/numbers.js";

/** The sentence that is shown as the file has it. */
export const original = signal<{ place: TreebankPlace; text: string } | undefined>(undefined);

/** The name of a change after “Undo”. */
export function nameOf(change: Change): string {
  if (change.kind === "sentences") return change.what;
  return change.kind === "tree" ? "a change to a tree" : "a change to the text";
}

export function stateOf({ key, index }: TreebankPlace): SentenceState {
  return sentenceStates.value.get(key)?.get(index) ?? {};
}

/** The sentences of a text; throws if they cannot be read, and says in which line of it. */
export function readSentences(text: string): Sentence[] {
  if (text.trim() === "") return [];
  try {
    return readTreebank(text, { source: "line", allowNonTrees: true });
  } catch (error) {
    throw new Error(reason(error).replace(/^line:(\d+)(?::\d+)?: /, "Line $1: "));
  }
}

/** The sentences of a text, none if they cannot be read. */
export function sentencesOf(text: string): Sentence[] {
  try {
    return readSentences(text);
  } catch {
    return [];
  }
}

export function textOfSentences(sentences: readonly Sentence[]): string {
  return sentences.map(String).join("");
}

/** Shows what the journal has of the sentence; says whether there is one. */
export function showState(): boolean {
  const place = state.place.peek();
  if (!place) return false;
  const text = stateOf(place).text ?? original.peek()?.text;
  if (text !== undefined && text !== state.text.peek()) state.text.value = text;
  return true;
}

/** The text of the sentence that is shown, as it is by now. */
export function shownText(): string {
  return state.sentenceState.peek()?.text ?? state.text.peek();
}

/** How a change goes with the one before: letter by letter, or as its consequence. */
export type Manner = "typed" | "follows" | undefined;

/** Notes what becomes of sentences of the treebank that is shown. */
export function changeSentences(what: string, after: readonly [number, SentenceState][], manner?: Manner): void {
  const place = state.place.peek();
  if (!place) return;
  const { key } = place;
  const states = sentenceStates.peek().get(key);
  const sentences = after.map(([index, next]) => ({
    ...{ index, before: states?.get(index), after: next },
    ...(index === place.index && original.peek() ? { original: original.peek()!.text } : {}),
  }));
  note({
    kind: "sentences",
    document: key,
    what,
    sentences,
    typed: manner === "typed",
    ...(manner === "follows" ? { follows: true } : {}),
    made: Date.now(),
  });
  showState();
}

/** Notes a change of the sentence that is shown. */
export function changeState(what: string, change: SentenceState, manner?: Manner): void {
  const place = state.place.peek();
  if (place) changeSentences(what, [[place.index, { ...stateOf(place), ...change }]], manner);
}

/**
 * Sets the text of the sentence that is shown, and which arcs were made by hand; that of the file is no change. Of
 * several sentences the first takes its place, and the others become sentences of their own after it.
 */
export function changeText(what: string, text: string, fixed: number[][] = [], manner?: Manner): void {
  const place = state.place.peek();
  if (!place) return;
  const isOriginal = text === original.peek()?.text;
  if (isOriginal) {
    changeState(what, { text: undefined, fixed: undefined }, manner);
    return;
  }
  const sentences = readSentences(text);
  const [first = text, ...rest] = sentences.length > 1 ? sentences.map(String) : [text];
  const numbers = numbersBetween(place.index, nextNumber(place), rest.length);
  changeSentences(
    what,
    [
      [place.index, { ...stateOf(place), text: first, fixed: fixed.slice(0, 1) }],
      ...rest.map((one, i): [number, SentenceState] => [numbers[i]!, { text: one, fixed: [fixed[i + 1] ?? []] }]),
    ],
    manner,
  );
}

/** The next number after that of a sentence that another one has, be it split off or of the file. */
function nextNumber({ key, index }: TreebankPlace): number {
  let next = Math.floor(index) + 1;
  for (const other of sentenceStates.peek().get(key)?.keys() ?? []) if (other > index && other < next) next = other;
  return next;
}

/**
 * Puts back what the file has in the place of the sentence that is shown: with all that was split off it, and with the
 * sentences that were joined to it, or that it was joined to.
 */
export function discardEdits(): void {
  const place = state.place.peek();
  const states = place && sentenceStates.peek().get(place.key);
  if (!place || !states) return;
  const isJoined = (index: number) => states.get(index)?.text === "";
  let from = Math.floor(place.index);
  let to = from;
  while (isJoined(from)) from--;
  while (isJoined(to + 1)) to++;
  const edited = [...states].filter(([index, { text }]) => index >= from && index < to + 1 && text !== undefined);
  changeSentences(
    "discarding edits",
    edited.map(([index, now]) => [index, Number.isInteger(index) ? { ...now, text: undefined, fixed: undefined } : {}]),
  );
}

/** The words of sentence k of the text whose arcs a person has set. */
export function fixedOf(k: number): number[] {
  return state.sentenceState.value?.fixed?.[k] ?? [];
}

/** A sentence after an edit: another one, or several, with the words that are fixed. */
export interface Outcome {
  sentences: Sentence[];
  fixed: number[][];
}

/**
 * Changes sentence k of the text that is shown. What is refused is said, and changes nothing. Says whether anything was
 * changed.
 */
export function editSentence(
  k: number,
  what: string,
  edit: (sentence: Sentence, fixed: number[]) => Partial<Outcome> | undefined,
  manner?: Manner,
): boolean {
  const before = shownText();
  const sentences = sentencesOf(before);
  const sentence = sentences[k];
  if (!sentence) return false;
  try {
    const fixed = sentences.map((_, i) => fixedOf(i));
    const outcome = edit(sentence, fixed[k]!);
    if (!outcome) return false;
    sentences.splice(k, 1, ...(outcome.sentences ?? [sentence]));
    fixed.splice(k, 1, ...(outcome.fixed ?? [fixed[k]!]));
    const text = textOfSentences(sentences);
    if (text === before && JSON.stringify(fixed) === JSON.stringify(state.sentenceState.peek()?.fixed ?? [[]])) {
      return false;
    }
    changeText(what, text, fixed, manner);
    return true;
  } catch (error) {
    say(reason(error));
    return false;
  }
}

/** Gives sentence k a tree; the words that are named are fixed from then on, and stay so when the rest is parsed. */
export function setTree(k: number, tree: Tree, words: readonly number[] = []): void {
  editSentence(k, "a change to a tree", (sentence, fixed) => ({
    sentences: [withArcs(sentence, tree)],
    fixed: [union(fixed, words)],
  }));
}

export function union(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}
