import { signal } from "@preact/signals";

/** The tree whose card is open: there is one card at a time on the page, so that none covers another. */
export const openCard = signal<object | undefined>(undefined);
