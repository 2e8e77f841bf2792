// Disfluencies in treebanks of Universal Dependencies: words that a speaker took back, or that are no part of what is
// said.

import { check, checkTexts, wholeNumber } from "../checks/options.js";
import { checkHeads, STRINGS } from "../checks/shapes.js";

/** As what a word is removed. */
export const INTERJECTION = 1;
export const DISCOURSE_MARKER = 2;
export const REPARANDUM = 3;

/** The ways in which words are removed from a sentence, numbered from 1; 0 is for words that stay. */
export const REMOVALS = ["", "IJ", "DM", "RP"] as const;

/** As what a word with this label is removed: 1 interjection, 2 discourse marker, 3 reparandum, 0 if it stays. */
export function removalOf(label: string): number {
  checkTexts({ label });
  if (label === "discourse:filler") return INTERJECTION;
  if (label === "discourse" || label === "parataxis:discourse") return DISCOURSE_MARKER;
  return label === "reparandum" || label.startsWith("reparandum:") ? REPARANDUM : 0;
}

/**
 * The words that a tree says are disfluent: those with the labels `discourse:filler` (interjections, 1), `discourse`
 * and `parataxis:discourse` (discourse markers, 2) and `reparandum` (3), each with all words below it. A word below
 * several of them goes with the nearest. Undefined if there are none. heads[0] and labels[0] are ignored. O(n).
 */
export function removedWords(heads: ArrayLike<number>, labels: readonly string[]): Uint8Array | undefined {
  checkHeads(heads);
  check("labels", labels, STRINGS);
  if (labels.length !== heads.length) {
    throw new RangeError(`invalid labels: ${labels.length} entries (expected ${heads.length}, as many as heads)`);
  }
  const n = heads.length - 1;
  const OPEN = 255;
  const removed = new Uint8Array(n + 1).fill(OPEN);
  removed[0] = 0;
  const path: number[] = [];
  let any = false;
  for (let d = 1; d <= n; d++) {
    let word = d;
    // Up to a word that is known, or that says it itself.
    while (word > 0 && removed[word] === OPEN && path.length <= n) {
      const own = removalOf(labels[word]!);
      if (own > 0) removed[word] = own;
      else {
        path.push(word);
        word = heads[word]!;
      }
    }
    const kind = word > 0 && removed[word] !== OPEN ? removed[word]! : 0;
    while (path.length > 0) removed[path.pop()!] = kind;
    any ||= removed[d]! > 0;
  }
  return any ? removed : undefined;
}

/** MISC with the way in which a word was removed, `Removed=RP`, and without one that it had; 0 if the word stays. */
export function withRemoval(misc: string, removed: number): string {
  checkTexts({ misc });
  check("removed", removed, wholeNumber(0, REMOVALS.length - 1));
  if (removed === 0 && !misc.includes("Removed=")) return misc;
  const items = misc.split("|").filter((item) => item !== "_" && !item.startsWith("Removed="));
  if (removed > 0) items.unshift(`Removed=${REMOVALS[removed]}`);
  return items.join("|") || "_";
}
