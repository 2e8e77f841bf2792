// CoNLL-U that is typed and not applied yet: it is there again when one comes back to the sentence.

import type { TreebankPlace } from "./changes.js";

const keyOf = ({ key, index }: TreebankPlace) => `stemma-draft ${key} ${index}`;

export function draftOf(place: TreebankPlace): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(place)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft(place: TreebankPlace, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(keyOf(place));
    else sessionStorage.setItem(keyOf(place), text);
  } catch {
    // Where nothing can be kept, the text is there as long as the sentence is shown.
  }
}
