// Changes of the whole treebank by a pattern: looked at first, then made as one change that can be undone.

import { signal } from "@preact/signals";
import type { Rewritten } from "../../protocol/treebank.js";
import { showState } from "../editing/treebank-edits.js";
import { ask } from "../shown/client.js";
import { reason, say } from "../shown/say.js";
import type { SentenceState } from "../storage/changes.js";
import { note, sentenceStates, stampOf } from "../storage/journal.js";
import { treebank } from "./treebank.js";

/** The pattern and the actions that are being written. */
export const rewriting = signal({ pattern: "", actions: "" });

/** The preview, of which treebank with which changes; how far it is; or what is wrong with it. */
export const preview = signal<
  (Rewritten & { key: string; stamp: string }) | { done: number } | { problem: string } | undefined
>(undefined);

export async function previewRewriting(): Promise<void> {
  const key = treebank.value?.key;
  if (!key) return;
  preview.value = { done: 0 };
  const stamp = stampOf(key, false);
  try {
    const answer = await ask("rewrite", rewriting.value, (done) => {
      if (preview.value && "done" in preview.value) preview.value = { done };
    });
    preview.value = answer && { ...answer, key, stamp };
  } catch (error) {
    preview.value = { problem: reason(error) };
  }
}

/** Makes the changes of the preview, all as one. */
export function applyRewriting(): void {
  const shown = preview.value;
  if (!shown || !("changed" in shown)) return;
  const { key, stamp, changed } = shown;
  preview.value = undefined;
  if (treebank.value?.key !== key || stampOf(key, false) !== stamp) {
    say("The treebank has changed since the preview: look at it again.");
    return;
  }
  const states = sentenceStates.value.get(key);
  note({
    kind: "sentences",
    document: key,
    what: "a rewriting",
    sentences: changed.map(({ index, before: original, after }) => {
      const before = states?.get(index);
      const change = { index, before, after: rewritten(before, original, after) };
      return before?.text === undefined ? { ...change, original } : change;
    }),
    typed: false,
    made: Date.now(),
  });
  showState();
  const count = changed.length === 1 ? "One sentence was" : `${changed.length.toLocaleString("en-US")} sentences were`;
  say(`${count} changed. Undo takes all of it back.`);
}

/** Words that are fixed have their numbers only as long as none is deleted. */
function rewritten(state: SentenceState | undefined, before: string, text: string): SentenceState {
  const { fixed, ...rest } = state ?? {};
  const count = (one: string) => one.match(/^\d+\t/gm)?.length;
  return { ...rest, text, ...(fixed && count(before) === count(text) ? { fixed } : {}) };
}
