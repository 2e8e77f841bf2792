// Emoji in Universal Dependencies: symbols that hang on a word as `discourse`. Treebanks have hardly any, so that a
// tagger and a parser would have to guess. A rule for all models with these labels.
import type { PartialTree } from "../../search/constraints/tree-constraints.js";
import { NONE } from "../../systems/configuration.js";
import type { ParsedTree } from "../../treebank/sentence/parsed-tree.js";
import type { KnownWord, KnownWords } from "../given-word.js";
import { isEmoji } from "../segmenter/characters/whole-tokens.js";

export const EMOJI_TAG = "SYM";
export const EMOJI_LABEL = "discourse";

/** The known facts of the words with these forms (from index 1), and of emoji that they are symbols. */
export function withEmojiTags(forms: readonly string[], known: KnownWords | undefined): KnownWords | undefined {
  if (!forms.some(isEmoji)) return known;
  return forms.slice(1).map((form, i): KnownWord | undefined => {
    const given = known?.[i];
    return isEmoji(form) ? { ...given, upos: given?.upos ?? EMOJI_TAG, lemma: given?.lemma ?? form } : given;
  });
}

/**
 * Hangs the emoji of a sentence with these forms (from index 1) on words: each on the highest one above the word before
 * it that it reaches without crossing an arc. Words below an emoji go to where it hung, and one of them becomes the
 * root if it was. Nothing changes for a sentence of emoji alone, or for heads and labels that are `kept`. O(n · depth)
 * for each emoji.
 */
export function attachEmoji(
  forms: readonly string[],
  { heads, labels }: ParsedTree,
  kept?: PartialTree | undefined,
): void {
  const n = forms.length - 1;
  const isFree = (i: number) => (kept?.heads[i] ?? NONE) === NONE && kept?.labels?.[i] === undefined;
  const isPicture = new Uint8Array(n + 1);
  let pictures = 0;
  for (let i = 1; i <= n; i++) {
    if (!isEmoji(forms[i]!) || !isFree(i)) continue;
    isPicture[i] = 1;
    pictures++;
  }
  if (pictures === 0 || pictures === n) return;
  freeWords(heads, labels, isPicture);
  for (let i = 1; i <= n; i++) {
    if (!isPicture[i]) continue;
    let word = i;
    while (word > 0 && isPicture[word]) word--;
    if (word === 0) for (word = i; isPicture[word]; ) word++;
    for (let above = heads[word]!; above > 0 && !crosses(heads, isPicture, i, above); above = heads[word]!)
      word = above;
    heads[i] = word;
    labels[i] = EMOJI_LABEL;
  }
}

/** Lets no word hang on an emoji. */
function freeWords(heads: Int32Array, labels: string[], isPicture: Uint8Array): void {
  const orphans: number[] = [];
  for (let d = 1; d < heads.length; d++) {
    if (isPicture[d] || !isPicture[heads[d]!]) continue;
    let head = heads[d]!;
    while (isPicture[head]) head = heads[head]!;
    if (head > 0) heads[d] = head;
    else orphans.push(d);
  }
  if (orphans.length === 0) return;
  const root = orphans.find((d) => labels[d] !== "punct") ?? orphans[0]!;
  for (const d of orphans) heads[d] = root;
  heads[root] = 0;
  labels[root] = labels[isPicture.findIndex((picture, i) => picture === 1 && heads[i] === 0)]!;
}

/** Whether an arc between an emoji and a word crosses one between words. */
function crosses(heads: Int32Array, isPicture: Uint8Array, emoji: number, word: number): boolean {
  const low = Math.min(emoji, word);
  const high = Math.max(emoji, word);
  const isInside = (i: number) => i > low && i < high;
  const isOutside = (i: number) => i < low || i > high;
  for (let d = 1; d < heads.length; d++) {
    const h = heads[d]!;
    if (h <= 0 || isPicture[d] === 1) continue;
    if ((isInside(d) && isOutside(h)) || (isInside(h) && isOutside(d))) return true;
  }
  return false;
}
