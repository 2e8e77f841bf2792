// The views of the page. The one that most people see first is there at once; the others come when they are wanted, or
// when nothing else is on its way any more: on a slow line the first tree does not wait for them.

import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { View } from "../state/address/address.js";
import { reason, say } from "../state/shown/say.js";
import { ParseView } from "../views/parse/ParseView.js";

const COMING: Readonly<Record<Exclude<View, "parse">, () => Promise<ComponentType>>> = {
  step: async () => (await import("../views/step/StepView.js")).StepView,
  compare: async () => (await import("../views/compare/CompareView.js")).CompareView,
  treebank: async () => (await import("../views/treebank/TreebankView.js")).TreebankView,
  annotate: async () => (await import("../views/annotate/AnnotateView.js")).AnnotateView,
  learn: async () => (await import("../views/lessons/LessonsView.js")).LessonsView,
};

/** The views that are there. */
export const views = signal<Readonly<Partial<Record<View, ComponentType>>>>({ parse: ParseView });

const asked = new Set<View>(["parse"]);

/** Fetches a view, once; what fails is said, and tried again when the view is wanted again. */
export async function fetchView(view: View): Promise<void> {
  if (view === "parse" || asked.has(view)) return;
  asked.add(view);
  try {
    const component = await COMING[view]();
    views.value = { ...views.value, [view]: component };
  } catch (error) {
    asked.delete(view);
    say(`This part of the page could not be loaded; reload the page: ${reason(error)}`);
  }
}

export function fetchAllViews(): void {
  for (const view of Object.keys(COMING) as View[]) void fetchView(view);
}
