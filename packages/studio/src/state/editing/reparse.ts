// After a correction the rest is parsed again around it: what a person has fixed stays.

import { computed, signal } from "@preact/signals";
import type { Sentence } from "@stemma/core";
import { isTree, repairedHeads } from "@stemma/core/treebank";
import type { Tree } from "../../protocol/sentence.js";
import { withArcs } from "../export/export.js";
import { ask } from "../shown/client.js";
import { reason, say } from "../shown/say.js";
import type { ShownSentence } from "../shown/sentence.js";
import * as state from "../shown/state.js";
import { isRootLabel } from "./problems.js";
import { setGold } from "./text.js";
import { editSentence, fixedOf, type Manner, original, sentencesOf, shownText } from "./treebank-edits.js";

/** A word whose arc the parser has changed: what it was, and what it is. */
export interface Reparsed {
  word: number;
  from: { head: number; label: string };
  to: { head: number; label: string };
}

/** Words that the last parse around corrections has changed in sentence k of the text. */
export const reparsed = signal<{ text: string; k: number; words: Reparsed[] } | undefined>(undefined);

const KEYS = { tree: "stemma-reparse-trees", none: "stemma-reparse" } as const;
/** Is the rest of a sentence parsed again? One answer for those that have a tree in the file, one for the others. */
const wishes = signal({
  tree: localStorage.getItem(KEYS.tree) === "1",
  none: localStorage.getItem(KEYS.none) !== "0",
});

const hasTreeInFile = computed(() => {
  const text = original.value?.text;
  return text !== undefined && sentencesOf(text).every(({ heads }) => isTree(heads));
});

/** Is the rest parsed again after a correction? By default where the file has no tree, and not what others made. */
export const reparses = computed(() => wishes.value[hasTreeInFile.value ? "tree" : "none"]);

export function setReparses(value: boolean): void {
  const which = hasTreeInFile.value ? "tree" : "none";
  wishes.value = { ...wishes.value, [which]: value };
  localStorage.setItem(KEYS[which], value ? "1" : "0");
}

/** Parses what is not fixed in sentence k anew, as a consequence of the change before, if that is wanted. */
export async function reparseRest(k: number): Promise<void> {
  reparsed.value = undefined;
  if (state.place.value && reparses.value && state.modelInfo.value) await reparse(k, true);
}

/** Parses what is not fixed in sentence k anew, and shows what has changed. */
export async function reparse(k: number, follows = false): Promise<void> {
  const before = shownText();
  const sentence = sentencesOf(before)[k];
  if (!sentence) return;
  try {
    const tree = await ask("reparse", { sentence: sentence.toJSON(), fixed: fixedOf(k) });
    // Another change came first: it will be parsed again with that.
    if (!tree || shownText() !== before) return;
    replaceTree(k, tree, "a change to a tree", follows ? "follows" : undefined);
    if (!follows && reparsed.value?.words.length === 0) say("The parser finds the same tree.");
  } catch (error) {
    say(`The rest was not reparsed: ${reason(error)}`);
  }
}

/**
 * The tree nearest to what is none: the model's around all arcs that can stay, or else the one with as few changes as
 * there can be.
 */
async function repaired(sentence: Sentence): Promise<Tree> {
  const heads = repairedHeads(sentence);
  const kept = heads.flatMap((head, i) => (i > 0 && head === sentence.head(i) ? [i] : []));
  const found = state.modelInfo.value
    ? await ask("reparse", { sentence: sentence.toJSON(), fixed: kept }).catch(() => undefined)
    : undefined;
  const tree: Tree = { heads: found?.heads ?? heads, labels: [""] };
  for (let d = 1; d <= sentence.length; d++) {
    const label = sentence.deprel(d);
    const isFree = label === "_" || isRootLabel(label);
    const isSame = tree.heads[d] === sentence.head(d);
    const fallback = tree.heads[d] === 0 ? "root" : isFree ? "dep" : label;
    tree.labels.push(isSame && label !== "_" && tree.heads[d] !== 0 ? label : (found?.labels[d] ?? fallback));
  }
  return tree;
}

/** Makes a tree of sentence k, and shows what has changed. */
export async function repair(k: number): Promise<void> {
  const before = shownText();
  const sentence = sentencesOf(before)[k];
  if (!sentence) return;
  const tree = await repaired(sentence);
  if (shownText() === before) replaceTree(k, tree, "repairing a tree");
}

/** The same for a sentence of any text. */
export async function repairDraft(data: ShownSentence, index: number): Promise<void> {
  if (state.place.value) return repair(index);
  setGold(index, await repaired(data.given));
}

/** Gives sentence k the arcs of a tree, and shows which are other ones. */
function replaceTree(k: number, tree: Tree, what: string, manner?: Manner): void {
  const words: Reparsed[] = [];
  editSentence(
    k,
    what,
    (sentence) => {
      for (let d = 1; d <= sentence.length; d++) {
        const from = { head: sentence.head(d), label: sentence.deprel(d) };
        const to = { head: tree.heads[d]!, label: tree.labels[d]! };
        if (from.head === to.head && from.label === to.label) continue;
        words.push({ word: d, from, to });
      }
      return words.length > 0 ? { sentences: [withArcs(sentence, tree)] } : undefined;
    },
    manner,
  );
  reparsed.value = { text: shownText(), k, words };
}
