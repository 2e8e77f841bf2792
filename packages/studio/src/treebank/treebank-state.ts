import { batch, signal } from "@preact/signals";
import { say, setText, show } from "../actions.js";
import { ask } from "../client.js";
import type { EvaluationResult, TreebankQuery, TreebankSummary } from "../protocol.js";

export type TreebankState =
  | { kind: "none" }
  | { kind: "reading"; name: string; done: number }
  | { kind: "open"; summary: TreebankSummary }
  | { kind: "failed"; message: string };

export const treebank = signal<TreebankState>({ kind: "none" });
export const query = signal<TreebankQuery>({ form: "", label: "", nonProjective: false, wrong: false });
/** The sentences that are listed, by number; undefined while the first search runs. */
export const matches = signal<Uint32Array | undefined>(undefined);
export const searching = signal(false);
export const retag = signal(false);
export const evaluation = signal<EvaluationResult | { done: number } | undefined>(undefined);

export async function openTreebank(file: File): Promise<void> {
  batch(() => {
    treebank.value = { kind: "reading", name: file.name, done: 0 };
    matches.value = undefined;
    evaluation.value = undefined;
    query.value = { form: "", label: "", nonProjective: false, wrong: false };
  });
  try {
    const summary = await ask("openTreebank", { file }, (done) => {
      if (treebank.value.kind === "reading") treebank.value = { kind: "reading", name: file.name, done };
    });
    if (!summary) return;
    if (summary.sentences === 0) {
      const reason = summary.errors[0] ?? "it has no sentences";
      treebank.value = { kind: "failed", message: `${file.name} cannot be read as CoNLL-U: ${reason}` };
      return;
    }
    treebank.value = { kind: "open", summary };
    await search();
  } catch (error) {
    treebank.value = { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

export async function search(change: Partial<TreebankQuery> = {}): Promise<void> {
  query.value = { ...query.value, ...change };
  searching.value = true;
  try {
    const found = await ask("searchTreebank", query.value);
    if (!found) return;
    matches.value = found.matches;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
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
    if (!result || treebank.value !== judged) return;
    evaluation.value = result;
    if (query.value.wrong) await search();
  } catch (error) {
    if (treebank.value === judged) evaluation.value = undefined;
    say(error instanceof Error ? error.message : String(error));
  }
}

export async function openSentence(index: number): Promise<void> {
  const conllu = await ask("sentence", { index });
  if (conllu === undefined) return;
  setText(conllu);
  show("parse");
}
