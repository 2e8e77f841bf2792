import { signal } from "@preact/signals";

export const PANELS = ["Sentences", "Statistics", "Evaluation"] as const;

/** The part of the treebank view that is shown. */
export const panel = signal<(typeof PANELS)[number]>("Sentences");
