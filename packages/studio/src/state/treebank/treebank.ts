import { batch, computed, signal, untracked } from "@preact/signals";
import type { ErrorFilter } from "../../protocol/error-filter.js";
import type {
  EvaluationResult,
  TreebankFound,
  TreebankQuery,
  TreebankSummary,
  TreeSource,
} from "../../protocol/treebank.js";
import { type MarkFilter, readAddress } from "../address/address.js";
import { opened, otherModel } from "../comparison/other-side.js";
import { ask } from "../shown/client.js";
import { reason, say } from "../shown/say.js";
import { modelInfo } from "../shown/state.js";
import { sentenceStates } from "../storage/journal.js";

/** The treebank that is open; it stays while another one is read, and if that cannot be. */
export const treebank = signal<TreebankSummary | undefined>(undefined);
/** The file that is being read. */
export const opening = signal<{ name: string; done: number } | undefined>(undefined);
/** Why the last file could not be opened. */
export const problem = signal<string | undefined>(undefined);

/** The treebank of the link, until it is open. */
export const linkedTreebank = signal(readAddress(location.hash).treebank);
export const treebankKey = computed(() => treebank.value?.key ?? linkedTreebank.value);

/** A search: in the file, and in what was done with its sentences. */
export interface Query extends TreebankQuery {
  marks: MarkFilter;
}

export const EVERYTHING: Query = {
  form: "",
  label: "",
  nonProjective: false,
  wrong: false,
  pattern: "",
  by: "",
  value: undefined,
  order: "file",
  marks: "all",
};

/** The search of the link is done as soon as its treebank is open. */
export const query = signal<Query>({ ...EVERYTHING, ...readAddress(location.hash).query });
/** The sentences that are listed, by number; undefined while the first search runs. */
export const matches = signal<Float64Array | undefined>(undefined);
export const searching = signal(false);
/** Of a pattern: how many matches, and their values. */
export const found = signal<Omit<TreebankFound, "sentences"> | undefined>(undefined);
/** The pattern of the last search that could be done, whose matches are highlighted. */
export const shownPattern = signal("");
/** Why the pattern cannot be searched for. */
export const patternProblem = signal<string | undefined>(undefined);
/** Is the model parsing the treebank to know how sure it is? How far is it; true if it is done. */
export const ranking = signal<{ done: number } | true | undefined>(undefined);
/** Does the model tag the words that it is evaluated on? */
export const retag = signal(readAddress(location.hash).retag);
export const evaluation = signal<EvaluationResult | { done: number } | undefined>(undefined);
/**
 * The height of a row of the list, in pixels, and how far it is scrolled: it is there again when one comes back to it.
 */
export const ROW = 60;
export const scrolled = signal(0);

/** Nothing is known of a treebank that was just opened; `search` is what the link wants to be searched for. */
export function forget(search: Query = EVERYTHING): void {
  matches.value = undefined;
  evaluation.value = undefined;
  ranking.value = undefined;
  found.value = undefined;
  shownPattern.value = "";
  patternProblem.value = undefined;
  scrolled.value = 0;
  query.value = search;
  wantsEvaluation.value = search.wrong || search.errors !== undefined;
}

/** Is a list wanted, by a link, that needs an evaluation? */
const wantsEvaluation = signal(false);

/** Evaluates for a link as soon as all models that it names are there. */
export function evaluateForLink(): void {
  const isComplete = otherModel.value === undefined || opened.value["other-model"] !== undefined;
  if (!wantsEvaluation.value || !treebank.value || !modelInfo.value || !isComplete) return;
  wantsEvaluation.value = false;
  untracked(() => void evaluate());
}

/** Is a sentence of the treebank done? */
export function isDone(index: number): boolean {
  const file = treebank.value;
  return sentenceStates.value.get(file?.key ?? "")?.get(index)?.done ?? doneInFile.value.has(index);
}

const doneInFile = computed(() => new Set(treebank.value?.done));

/** How many sentences there are by now and how many of them are done. */
export const progress = computed(() => {
  const file = treebank.value;
  const states = sentenceStates.value.get(file?.key ?? "") ?? new Map();
  let sentences = file?.sentences ?? 0;
  let done = doneInFile.value.size;
  for (const [index, state] of states) {
    if (!Number.isInteger(index)) {
      // It was split off another one.
      if (state.text) sentences++;
      if (state.text && state.done) done++;
    } else if (state.text === "") {
      // A sentence that was joined to another is none any more.
      sentences--;
      if (doneInFile.value.has(index)) done--;
    } else if (state.done !== undefined && state.done !== doneInFile.value.has(index)) done += state.done ? 1 : -1;
  }
  return { sentences, done };
});

/** The name of a sentence: its number in the file, and 12.2, 12.3, … for what was split off number 12. */
export function numberOf(index: number): string {
  const whole = Math.floor(index);
  const number = (whole + 1).toLocaleString("en-US");
  if (index === whole) return number;
  let part = 1;
  for (const [other, { text }] of sentenceStates.value.get(treebank.value?.key ?? "") ?? []) {
    if (text && other > whole && other <= index) part++;
  }
  return `${number}.${part}`;
}

const unreadable = computed(() => new Set(treebank.value?.unreadable));

/** Can a sentence not be read, neither as the file has it nor as a person made it? */
export function isUnreadable(index: number): boolean {
  const state = sentenceStates.value.get(treebank.value?.key ?? "")?.get(index);
  return state?.text === undefined && unreadable.value.has(index);
}

function hasMark(index: number, marks: MarkFilter): boolean {
  if (marks === "all") return true;
  if (marks === "open") return !isDone(index);
  if (marks === "done") return isDone(index);
  if (marks === "unreadable") return isUnreadable(index);
  const state = sentenceStates.value.get(treebank.value?.key ?? "")?.get(index);
  return marks === "edited" ? state?.text !== undefined : (state?.note ?? "") !== "";
}

/**
 * Searches with what is changed of the query, from the first row; without a change the list stays at the sentence where
 * it is.
 */
export async function search(change?: Partial<Query>): Promise<void> {
  query.value = { ...query.value, ...change };
  const { order, marks, ...asked } = query.value;
  if (order !== "file" && ranking.value === undefined) void rank();
  // Nobody waits for it any more.
  if (order === "file" && ranking.value && ranking.value !== true) void ask("cancel", { name: "rank" });
  searching.value = true;
  try {
    const answer = await ask("searchTreebank", { ...asked, order });
    // A newer search goes on.
    if (!answer) return;
    const sentences = answer.sentences.filter((index) => hasMark(index, marks));
    const at = change ? undefined : matches.value?.[Math.floor(scrolled.value / ROW)];
    const row = at === undefined ? 0 : sentences.findIndex((index) => (order === "file" ? index >= at : index === at));
    batch(() => {
      scrolled.value = Math.max(0, row) * ROW;
      matches.value = sentences;
      found.value = answer;
      shownPattern.value = asked.pattern;
      patternProblem.value = undefined;
    });
  } catch (error) {
    if (query.value.pattern === "") say(reason(error));
    else patternProblem.value = reason(error);
  }
  searching.value = false;
}

/** Searches for what a link wants, if it is something else. */
export function searchAgain(wanted: Partial<Query>): void {
  const next = { ...EVERYTHING, ...wanted };
  if (treebank.value && JSON.stringify(next) !== JSON.stringify(query.value)) void search(next);
}

/** Parses the whole treebank in the background, to know what the model is sure of; then the list is put in order. */
export async function rank(): Promise<void> {
  const ranked = treebank.value;
  ranking.value = { done: 0 };
  try {
    const answer = await ask("rank", {}, (done) => {
      if (treebank.value === ranked && ranking.value !== true) ranking.value = { done };
    });
    if (treebank.value !== ranked) return;
    ranking.value = answer;
    if (answer && query.value.order !== "file") await search({});
  } catch (error) {
    if (treebank.value !== ranked) return;
    batch(() => {
      ranking.value = undefined;
      query.value = { ...query.value, order: "file" };
    });
    say(reason(error));
  }
}

/** Parses the whole treebank in the background and compares; afterwards wrong sentences can be searched for. */
export async function evaluate(): Promise<void> {
  evaluation.value = { done: 0 };
  const judged = treebank.value;
  try {
    const second = opened.value["other-model"] !== undefined;
    const result = await ask("evaluate", { retag: retag.value, second }, (done) => {
      if (evaluation.value && "done" in evaluation.value) evaluation.value = { done };
    });
    // Another treebank may have been opened meanwhile.
    if (treebank.value !== judged) return;
    evaluation.value = result;
    if (query.value.wrong || query.value.errors) await search();
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

export const PANELS = ["Sentences", "Statistics", "Evaluation", "Rewrite"] as const;

/** The part of the treebank view that is shown. */
export const panel = signal<(typeof PANELS)[number]>("Sentences");

/** Lists the sentences behind a figure of the evaluation. */
export function showErrors(errors: ErrorFilter | undefined): void {
  panel.value = "Sentences";
  void search({ errors });
}

/** The trees in which the errors of a list are seen. */
export function sidesOf({ by }: ErrorFilter): [TreeSource, TreeSource] {
  return by === "models" ? ["model", "other-model"] : ["gold", "model"];
}
