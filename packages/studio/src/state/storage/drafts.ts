// Text that is typed and not applied yet, CoNLL-U or a cell: it is there again when one comes back to the sentence.

import type { TreebankPlace } from "./changes.js";

/** The cell that is being edited: the sentence of the text, the ID of the row, the number of the column. */
export interface CellDraft {
  place: TreebankPlace;
  k: number;
  id: string;
  column: number;
  typed: string;
}

const CELL = "stemma-cell";

/** The one that was being edited when the page was loaded again. */
export function cellDraft(place: TreebankPlace | undefined, k: number): CellDraft | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(CELL) ?? "null") as CellDraft | null;
    return draft?.k === k && place && keyOf(draft.place) === keyOf(place) ? draft : undefined;
  } catch {
    return undefined;
  }
}

export function keepCell(draft: CellDraft | undefined): void {
  try {
    if (draft) sessionStorage.setItem(CELL, JSON.stringify(draft));
    else sessionStorage.removeItem(CELL);
  } catch {
    // As below.
  }
}

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
