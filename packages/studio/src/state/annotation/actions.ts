// Changes to words and sentences, apart from arcs (editing/arc-edit.ts). Everything goes through the
// journal and can be undone.

import type { Sentence } from "@stemma/core";
import { joinSentences, joinWords, splitSentence, splitWord, surfaceText } from "@stemma/core/treebank";
import { editArc } from "../editing/arc-edit.js";
import { reparse } from "../editing/reparse.js";
import {
  changeSentences,
  changeState,
  changeText,
  editSentence,
  fixedOf,
  readSentences,
  sentencesOf,
  shownText,
  stateOf,
  textOfSentences,
  union,
} from "../editing/treebank-edits.js";
import { withArcs } from "../export/export.js";
import { ask } from "../shown/client.js";
import { reason, say } from "../shown/say.js";
import type { ShownSentence } from "../shown/sentence.js";
import { parsed, place } from "../shown/state.js";
import { isDone } from "../treebank/treebank.js";
import { go, nextInFile } from "./navigation.js";

export type EditableColumn = "form" | "lemma" | "upos" | "xpos" | "feats" | "deps" | "misc";

/** Sets a column of a word; the text of the sentence follows its forms if it did before. */
export function setColumn(k: number, word: number, column: EditableColumn, value: string): boolean {
  return editSentence(k, "a change to a word", (sentence) => {
    const wanted = value.trim();
    if (column === "form" && wanted === "") throw new RangeError("A word needs a form.");
    const follows = followsText(sentence);
    sentence.set(column, word, column === "feats" ? sorted(wanted) : wanted);
    if (follows && (column === "form" || column === "misc")) sentence.text = surfaceText(sentence);
    return {};
  });
}

/** Features in the order of the alphabet, whatever their case, as Universal Dependencies has them. */
function sorted(feats: string): string {
  if (!feats.includes("|")) return feats;
  return feats
    .split("|")
    .filter((feature) => feature !== "")
    .sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
    .join("|");
}

/** Splits a word into the parts between spaces. */
export function split(k: number, word: number, parts: string, oneToken: boolean): boolean {
  const forms = parts.trim().split(/\s+/);
  const more = forms.length - 1;
  return editSentence(k, "splitting a word", (sentence, fixed) => ({
    sentences: [splitWord(sentence, word, forms, { oneToken })],
    fixed: [fixed.map((i) => (i > word ? i + more : i))],
  }));
}

/** Joins a word with the one after it. */
export function joinNext(k: number, word: number): boolean {
  return editSentence(k, "joining words", (sentence, fixed) => {
    if (word === sentence.length) throw new RangeError("There is no next word.");
    return {
      sentences: [joinWords(sentence, word, word + 1)],
      fixed: [
        union(
          fixed.map((i) => (i > word ? i - 1 : i)),
          [],
        ),
      ],
    };
  });
}

/** Makes a word and the next one a token of the text, or takes the token apart that the word is in. */
export function toggleToken(k: number, word: number): boolean {
  return editSentence(k, "a change to a multiword token", (sentence) => {
    const token = sentence.multiWordTokens.find(({ from, to }) => from <= word && to >= word);
    const follows = followsText(sentence);
    if (token) takeApart(sentence, token);
    else makeToken(sentence, word);
    if (follows) sentence.text = surfaceText(sentence);
    return {};
  });
}

/** Is the text that of the tokens? Runs of spaces are as good as one. */
function followsText(sentence: Sentence): boolean {
  return sentence.comment("text")?.replace(/\s+/g, " ") === surfaceText(sentence);
}

function makeToken(sentence: Sentence, word: number): void {
  if (word === sentence.length) throw new RangeError("There is no next word.");
  const next = sentence.multiWordTokens.find(({ from }) => from === word + 1);
  const to = next?.to ?? word + 1;
  const form = surfaceText({
    length: to - word + 1,
    multiWordTokens: next ? [{ ...next, from: 2, to: to - word + 1 }] : [],
    form: (i) => sentence.form(word + i - 1),
    misc: (i) => sentence.misc(word + i - 1),
  }).replaceAll(" ", "");
  const last = next?.misc ?? sentence.misc(to);
  if (next) sentence.removeMultiWordToken(next.from);
  const hasNoSpace = last.split("|").includes("SpaceAfter=No");
  // The token says where it ends, not its words.
  for (let i = word; i <= to; i++) sentence.set("misc", i, withoutSpace(sentence.misc(i)));
  sentence.setMultiWordToken({ from: word, to, form, ...(hasNoSpace ? { misc: "SpaceAfter=No" } : {}) });
}

function takeApart(sentence: Sentence, { from, to, misc }: { from: number; to: number; misc: string }): void {
  sentence.removeMultiWordToken(from);
  if (!misc.split("|").includes("SpaceAfter=No")) return;
  const own = withoutSpace(sentence.misc(to));
  sentence.set("misc", to, own === "_" ? "SpaceAfter=No" : `${own}|SpaceAfter=No`);
}

function withoutSpace(misc: string): string {
  return (
    misc
      .split("|")
      .filter((item) => item !== "SpaceAfter=No")
      .join("|") || "_"
  );
}

/** Sets the form of the multiword token that a word is in. */
export function setTokenForm(k: number, from: number, to: number, form: string): boolean {
  return editSentence(k, "a change to a multiword token", (sentence) => {
    if (form.trim() === "") throw new RangeError("A token needs a form.");
    const follows = followsText(sentence);
    sentence.setMultiWordToken({ from, to, form: form.trim() });
    if (follows) sentence.text = surfaceText(sentence);
    return {};
  });
}

/** Begins a new sentence with a word. */
export function splitBefore(k: number, word: number): boolean {
  const isSplit = editSentence(k, "splitting a sentence", (sentence, fixed) => ({
    sentences: splitSentence(sentence, word),
    fixed: [fixed.filter((i) => i < word), fixed.filter((i) => i >= word).map((i) => i - word + 1)],
  }));
  if (isSplit) say("The sentence was split; its second part is the next sentence.");
  return isSplit;
}

/** Joins sentence k of the text with the next one, of the text or of the treebank. */
export async function joinNextSentence(k: number): Promise<void> {
  const shown = place.value;
  if (!shown) return;
  const before = shownText();
  const sentences = sentencesOf(before);
  const fixed = sentences.map((_, i) => fixedOf(i));
  const join = (first: Sentence, second: Sentence, more: readonly number[]) => ({
    sentence: joinSentences(first, second),
    fixed: [...fixed[k]!, ...more.map((i) => i + first.length)],
  });
  try {
    const [first, second] = [sentences[k], sentences[k + 1]];
    if (!first) return;
    if (second) {
      const joined = join(first, second, fixed[k + 1]!);
      sentences.splice(k, 2, joined.sentence);
      fixed.splice(k, 2, joined.fixed);
      return changeText("joining sentences", textOfSentences(sentences), fixed);
    }
    const next = nextInFile();
    if (next === undefined) return say("There is no next sentence.");
    const state = stateOf({ key: shown.key, index: next });
    const text = state.text ?? (await ask("sentence", { index: next }));
    if (text === undefined || shownText() !== before) return;
    const [other, ...rest] = readSentences(text);
    const joined = join(first, other!, state.fixed?.[0] ?? []);
    const isLast = rest.length === 0 && !Number.isInteger(next);
    sentences[k] = joined.sentence;
    fixed[k] = joined.fixed;
    changeSentences("joining sentences", [
      [shown.index, { ...stateOf(shown), text: textOfSentences(sentences), fixed }],
      // Of what was split off a sentence nothing is left.
      [next, isLast ? {} : { ...state, text: textOfSentences(rest), fixed: state.fixed?.slice(1) }],
    ]);
  } catch (error) {
    say(reason(error));
  }
}

/** Takes the arc of a word, and the tags that it lacks, from the prediction. */
export function copyPrediction(k: number, word: number): boolean {
  const data = parsed.value?.sentences[k];
  const { predicted } = data ?? {};
  if (!data || !predicted) {
    say("There is no prediction.");
    return false;
  }
  const tagged = editSentence(k, "a change to a word", (sentence) => (fillTags(sentence, data, word) ? {} : undefined));
  const [head, label] = [predicted.heads[word]!, predicted.labels[word]!];
  const tree = data.gold ?? data.draft;
  if (tree && tree.heads[word] === head && tree.labels[word] === label) return tagged;
  return editArc(data, k, word, head, label) || tagged;
}

const TAGS = ["lemma", "upos", "xpos", "feats"] as const;

function fillTags(sentence: Sentence, data: ShownSentence, word: number): boolean {
  let any = false;
  for (const column of TAGS) {
    const value = data.tagged[column](word);
    if (sentence[column](word) !== "_" || value === "_") continue;
    sentence.set(column, word, value);
    any = true;
  }
  return any;
}

/** Takes the whole prediction, but for what is fixed. */
export function copyWholePrediction(k: number): void {
  const data = parsed.value?.sentences[k];
  const { predicted } = data ?? {};
  if (!data || !predicted) return;
  // Around what is fixed, the model finds another tree than without it.
  if (fixedOf(k).length > 0) return void reparse(k);
  editSentence(k, "a change to a tree", (sentence) => {
    for (let d = 1; d <= sentence.length; d++) fillTags(sentence, data, d);
    return { sentences: [withArcs(sentence, predicted)] };
  });
}

/** Says that the arc of a word stays, or that it may change when the rest is parsed again. */
export function toggleFixed(k: number, word: number): void {
  editSentence(k, "fixing a word", (_, fixed) => ({
    fixed: [fixed.includes(word) ? fixed.filter((i) => i !== word) : union(fixed, [word])],
  }));
}

/** Gives a word a head and a label, both as they are typed. */
export function setArcOf(k: number, word: number, head: number, label: string): boolean {
  const data = parsed.value?.sentences[k];
  return data !== undefined && editArc(data, k, word, head, label);
}

export function setNote(note: string): void {
  changeState("a change to a note", { note: note === "" ? undefined : note }, "typed");
}

/** Marks the sentence as done, or not. */
export function toggleDone(): boolean {
  const shown = place.value;
  if (!shown) return false;
  const done = !isDone(shown.index);
  changeState("a done mark", { done });
  say(done ? "Done." : "Not done.", false);
  return done;
}

/** Marks the sentence as done and goes to the next one that is not. */
export async function finish(): Promise<void> {
  const shown = place.value;
  if (!shown) return;
  if (!isDone(shown.index)) changeState("a done mark", { done: true });
  await go(1, true);
}

/** Takes CoNLL-U in the place of the sentence that is shown; says what is wrong with it, if anything is. */
export function setSource(text: string): string | undefined {
  const before = shownText();
  const end = before.includes("\r\n") ? "\r\n" : "\n";
  const wanted = `${text.trimEnd().replace(/\r?\n/g, end)}${end}${end}`;
  try {
    const sentences = readSentences(wanted);
    if (sentences.length === 0) return "This contains no sentence.";
    const fixed = sentences.map((sentence, k) => fixedOf(k).filter((i) => i <= sentence.length));
    changeText("a change to the CoNLL-U", wanted, fixed);
    return undefined;
  } catch (error) {
    return reason(error);
  }
}
