// The text in the box and the trees that belong to it. All that changes either goes through here and can be undone.

import { batch, untracked } from "@preact/signals";
import { formatOf } from "../../protocol/input-format.js";
import type { ParseResult, Tree } from "../../protocol/sentence.js";
import { EXAMPLES, isExample } from "../address/examples.js";
import { fromTheStart } from "../derivation/actions.js";
import { beside, exampleFor } from "../model/available.js";
import { ask } from "../shown/client.js";
import { reason, say } from "../shown/say.js";
import { ShownSentence } from "../shown/sentence.js";
import * as state from "../shown/state.js";
import type { Change, Input } from "../storage/changes.js";
import { get } from "../storage/database.js";
import { note, redoChange, undoChange } from "../storage/journal.js";
import { discardEdits, nameOf, setTree, showState } from "./treebank-edits.js";

export function parseText(): void {
  const text = state.text.value;
  if (state.longText.value) return;
  // Trees that were given can be drawn without waiting for the model.
  if (formatOf(text) === "text" && state.modelLoading.value) {
    const first = state.modelChoice.value === undefined ? beside.value[0]?.first : undefined;
    if (first?.text === text) show(first.parsed);
    else state.parsing.value = state.parsed.peek() !== undefined;
    return;
  }
  // Another model has another tree.
  void state.modelInfo.value;
  state.parsing.value = true;
  ask("parse", { text }).then(
    (result) => {
      if (result) show(result);
    },
    (error) => {
      batch(() => {
        state.parsed.value = undefined;
        state.parsing.value = false;
        state.parseError.value = reason(error);
      });
    },
  );
}

function show(result: ParseResult): void {
  batch(() => {
    state.parsed.value = { ...result, sentences: result.sentences.map((one) => new ShownSentence(one)) };
    state.parsing.value = false;
    state.parseError.value = undefined;
  });
}

/** Trees that came with a link are taken over as if they were made here, where they are not already. */
export function adoptLinkedTrees(): void {
  const sentences = state.parsed.value?.sentences;
  const linked = state.linkedGold.value;
  if (!sentences || state.parsing.value || Object.keys(linked).length === 0) return;
  untracked(() => {
    batch(() => {
      state.linkedGold.value = {};
      for (const [number, tree] of Object.entries(linked)) {
        const index = Number(number);
        const data = sentences[index];
        if (!data || !state.fits(tree, data)) continue;
        const now = state.goldOf(data, index);
        if (JSON.stringify(now) !== JSON.stringify(tree)) setGold(index, tree);
      }
    });
  });
}

/** A text that is too long for the address is fetched from where the browser keeps it. */
export async function restoreLongText(): Promise<void> {
  const key = state.longText.value;
  if (!key) return;
  const kept = await get("texts", key).catch(() => undefined);
  if (state.longText.value !== key) return;
  batch(() => {
    state.longText.value = undefined;
    state.text.value = kept?.text ?? "";
  });
  if (!kept) say("The text of this link was too long for the link itself, and it is not stored in this browser.");
}

const current = (): Input => ({ text: state.text.value, place: state.place.value });

function put({ text, place }: Input): void {
  batch(() => {
    state.longText.value = undefined;
    state.text.value = text;
    state.place.value = place;
    state.linkedGold.value = {};
    chooseSentence(0);
  });
}

/** Would anything that a person made be gone with the text that is shown? */
function isOwn({ text, place }: Input): boolean {
  if (place || text.trim() === "") return false;
  return !isExample(text) || Object.keys(state.editedGold.value).length > 0;
}

/** Another example in the language of a model, where an example is shown: nobody's own text is replaced. */
export function showExampleFor(model: string): void {
  const shown = current();
  const example = exampleFor(model);
  const isEnglish = EXAMPLES.some(({ text }) => text === shown.text);
  if (shown.place || isOwn(shown) || formatOf(shown.text) !== "text" || (!example && isEnglish)) return;
  put({ text: (example ?? EXAMPLES[0]!).text, place: undefined });
}

/** Takes the text typed into the box. */
export function typeText(text: string): void {
  const after: Input = { text, place: undefined };
  note({ kind: "text", before: current(), after, typed: true });
  put(after);
}

/** Puts another text in the place of the one that is there: an example, a file, a sentence of a treebank. */
export function replaceText(after: Input): void {
  const before = current();
  if (before.text !== after.text && isOwn(before)) note({ kind: "text", before, after, typed: false });
  put(after);
}

export function chooseSentence(index: number): void {
  batch(() => {
    state.sentenceIndex.value = index;
    fromTheStart();
  });
}

/** Gives a sentence another gold tree, or none but its own; `words` are those that a person has attached. */
export function setGold(index: number, after: Tree | undefined, words: readonly number[] = []): void {
  const data = state.parsed.value?.sentences[index];
  if (!data) return;
  if (state.place.value) {
    if (after) setTree(index, after, words);
    else discardEdits();
    return;
  }
  const sentence = state.keyOf(index);
  note({ kind: "tree", sentence, index, before: state.editedGoldOf(data, index), after });
}

/** How a sentence of a treebank is shown; set by the treebank, which knows how to read it. */
export const opener: { open(place: NonNullable<Input["place"]>): Promise<boolean> } = { open: async () => false };

export async function undo(): Promise<void> {
  const change = undoChange();
  if (change) await showChange(change, "before");
}

export async function redo(): Promise<void> {
  const change = redoChange();
  if (change) await showChange(change, "after");
}

/** Shows where something was undone or done again. */
async function showChange(change: Change, side: "before" | "after"): Promise<void> {
  const what = side === "before" ? "Undone" : "Done again";
  if (change.kind === "text") {
    const { place } = change[side];
    put(change[side]);
    // A sentence of a treebank is as the journal has it by now.
    if (place) await opener.open(place);
    say(`${what}: the text`, false);
    return;
  }
  const found = change.kind === "tree" ? showTree(change) : await showSentences(change);
  say(`${what}: ${nameOf(change)}${found ? "" : " that is not shown"}`, !found);
}

function showTree({ index, sentence }: Change & { kind: "tree" }): boolean {
  if (state.place.value || state.keyOf(index) !== sentence) return false;
  state.sentenceIndex.value = index;
  return true;
}

async function showSentences({ document, sentences }: Change & { kind: "sentences" }): Promise<boolean> {
  const { key, index } = state.place.value ?? {};
  if (key === document && sentences.some((one) => one.index === index)) return showState();
  return opener.open({ key: document, index: sentences[0]!.index });
}
