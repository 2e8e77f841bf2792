import { batch, computed, signal } from "@preact/signals";
import { ask } from "../client.js";
import { readAddress } from "../page/address.js";
import { reason, say } from "../page/say.js";
import type { EvaluationResult, TreebankQuery, TreebankSummary } from "../protocol.js";

/** The treebank that is open; it stays while another one is read, and if that cannot be. */
export const treebank = signal<TreebankSummary | undefined>(undefined);
/** The file that is being read. */
export const opening = signal<{ name: string; done: number } | undefined>(undefined);
/** Why the last file could not be opened. */
export const problem = signal<string | undefined>(undefined);

/** The treebank of the link, until it is open. */
export const linkedTreebank = signal(readAddress(location.hash).treebank);
export const treebankKey = computed(() => treebank.value?.key ?? linkedTreebank.value);

const EVERYTHING: TreebankQuery = { form: "", label: "", nonProjective: false, wrong: false };

export const query = signal<TreebankQuery>(EVERYTHING);
/** The sentences that are listed, by number; undefined while the first search runs. */
export const matches = signal<Uint32Array | undefined>(undefined);
export const searching = signal(false);
export const retag = signal(false);
export const evaluation = signal<EvaluationResult | { done: number } | undefined>(undefined);
/**
 * The height of a row of the list, in pixels, and how far it is scrolled: it is there again when one comes back to it.
 */
export const ROW = 60;
export const scrolled = signal(0);

/** Nothing is known of a treebank that was just opened. */
export function forget(): void {
  matches.value = undefined;
  evaluation.value = undefined;
  scrolled.value = 0;
  query.value = EVERYTHING;
}

/**
 * Searches with what is changed of the query, from the first row; without a change the list stays at the sentence where
 * it is.
 */
export async function search(change?: Partial<TreebankQuery>): Promise<void> {
  query.value = { ...query.value, ...change };
  searching.value = true;
  try {
    const found = await ask("searchTreebank", query.value);
    // A newer search goes on.
    if (!found) return;
    const at = change ? 0 : (matches.value?.[Math.floor(scrolled.value / ROW)] ?? 0);
    const row = found.matches.findIndex((index) => index >= at);
    batch(() => {
      scrolled.value = Math.max(0, row) * ROW;
      matches.value = found.matches;
    });
  } catch (error) {
    say(reason(error));
  }
  searching.value = false;
}

/** Parses the whole treebank in the background and compares; afterwards wrong sentences can be searched for. */
export async function evaluate(): Promise<void> {
  evaluation.value = { done: 0 };
  const judged = treebank.value;
  try {
    const result = await ask("evaluate", { retag: retag.value }, (done) => {
      if (evaluation.value && "done" in evaluation.value) evaluation.value = { done };
    });
    // Another treebank may have been opened meanwhile.
    if (treebank.value !== judged) return;
    evaluation.value = result;
    if (query.value.wrong) await search();
  } catch (error) {
    if (treebank.value === judged) evaluation.value = undefined;
    say(reason(error));
  }
}

/** Ends an evaluation; what is known of the sentences so far stays. */
export async function cancelEvaluation(): Promise<void> {
  await ask("cancel", { name: "evaluate" });
  say("The evaluation was cancelled.", false);
}
