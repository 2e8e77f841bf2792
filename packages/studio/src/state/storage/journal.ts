// Everything made by a person: trees of texts, sentences of treebanks, texts. Every change is noted in one journal, in
// order, so that it can be undone and done again across sentences and after a reload. What holds now follows from the
// journal alone.

import { batch, computed, signal } from "@preact/signals";
import type { Tree } from "../../protocol/sentence.js";
import type { Change, ChangedSentence, SentenceState } from "./changes.js";
import { all, put, remove } from "./database.js";

interface Entry {
  /** In the database; undefined until it is there. */
  id: number | undefined;
  change: Change;
}

/** The changes that were made, and how many of them hold; those after that can be done again. */
const entries = signal<readonly Entry[]>([]);
const done = signal(0);

export const nextUndo = computed(() => entries.value[done.value - 1]?.change);
export const nextRedo = computed(() => entries.value[done.value]?.change);

/** The trees made by hand for sentences of texts, by sentence. */
export const trees = signal<ReadonlyMap<string, Tree>>(new Map());
/** The versions of sentences of treebanks, by document and number. */
export const sentenceStates = signal<ReadonlyMap<string, ReadonlyMap<number, SentenceState>>>(new Map());

/** Is all that was done in the database? */
export type Saving = { kind: "saved" } | { kind: "saving" } | { kind: "failed"; reason: string };
export const saving = signal<Saving>({ kind: "saved" });

/** Text that is being typed is kept when nothing more comes for so many milliseconds. */
const TYPING = 300;
let typing: ReturnType<typeof setTimeout> | undefined;
/** Changes of texts that are kept from one time to the next; all others are kept. */
const MOST_TEXTS = 100;

/** Writing to the database goes one after the other, so that the order on the disk is the order of the changes. */
let writing: Promise<unknown> = Promise.resolve();
let waiting = 0;
let failed: (reason: string) => void = () => {};
/**
 * Entries that could not be written, and whether they were undone; they are tried again with the next change, or when
 * asked to.
 */
const unwritten = new Map<Entry, boolean>();

function write(task: () => Promise<unknown>): void {
  waiting++;
  saving.value = { kind: "saving" };
  writing = writing
    .then(task)
    .then(
      () => undefined,
      (error: Error) => {
        failed(error.message);
        return error.message;
      },
    )
    .then((reason) => {
      waiting--;
      if (reason !== undefined) saving.value = { kind: "failed", reason };
      else if (waiting === 0 && unwritten.size === 0) saving.value = { kind: "saved" };
    });
}

function store(entry: Entry, undone: boolean): void {
  unwritten.set(entry, undone);
  write(async () => {
    // Earlier failures go first.
    for (const [one, isUndone] of [...unwritten]) {
      const id = await put("changes", {
        ...(one.id === undefined ? {} : { id: one.id }),
        change: one.change,
        undone: isUndone,
      });
      one.id = id as number;
      if (unwritten.get(one) === isUndone) unwritten.delete(one);
    }
  });
}

function forget(entry: Entry): void {
  unwritten.delete(entry);
  write(async () => {
    if (entry.id !== undefined) await remove("changes", entry.id);
  });
}

/** Tries again to write what could not be written. */
export function saveAgain(): void {
  const [first] = unwritten;
  if (first) store(...first);
}

function withSentences(document: string, sentences: readonly ChangedSentence[], side: "before" | "after"): void {
  const states = new Map(sentenceStates.value.get(document));
  for (const sentence of sentences) setState(states, sentence.index, sentence[side]);
  sentenceStates.value = new Map(sentenceStates.value).set(document, states);
}

function setState(states: Map<number, SentenceState>, index: number, state: SentenceState | undefined): void {
  if (state && Object.values(state).some((value) => value !== undefined)) states.set(index, state);
  else states.delete(index);
}

/** Makes one side of a change hold; texts are for the caller to put back. */
function apply(change: Change, side: "before" | "after"): void {
  if (change.kind === "sentences") withSentences(change.document, change.sentences, side);
  if (change.kind !== "tree") return;
  const now = new Map(trees.value);
  const tree = change[side];
  if (tree) now.set(change.sentence, tree);
  else now.delete(change.sentence);
  trees.value = now;
}

/** Reads what was done before; `onFailure` is told, once, if nothing can be kept. */
export async function readJournal(onFailure: (reason: string) => void): Promise<void> {
  failed = (reason) => {
    failed = () => {};
    onFailure(reason);
  };
  try {
    let records = await all("changes");
    const texts = records.filter(({ change }) => change.kind === "text");
    const outdated = new Set(texts.slice(0, -MOST_TEXTS));
    for (const { id } of outdated) write(() => remove("changes", id!));
    records = records.filter((record) => !outdated.has(record));
    // Changes made meanwhile come after it.
    const made = entries.value.slice(0, done.value);
    const old = records.filter(({ undone }) => !undone);
    let undone = records.filter((record) => record.undone);
    if (made.length > 0) {
      for (const { id } of undone) write(() => remove("changes", id!));
      undone = [];
    }
    const before = [...old, ...undone].map(({ id, change }) => ({ id, change }));
    const treesNow = new Map<string, Tree>();
    const statesNow = new Map<string, Map<number, SentenceState>>();
    for (const { change } of [...before.slice(0, old.length), ...made]) {
      if (change.kind === "tree") {
        if (change.after) treesNow.set(change.sentence, change.after);
        else treesNow.delete(change.sentence);
      } else if (change.kind === "sentences") {
        const states = statesNow.get(change.document) ?? new Map<number, SentenceState>();
        for (const { index, after } of change.sentences) setState(states, index, after);
        statesNow.set(change.document, states);
      }
    }
    batch(() => {
      entries.value = [...before, ...made];
      done.value = old.length + made.length;
      trees.value = treesNow;
      sentenceStates.value = statesNow;
    });
  } catch (error) {
    saving.value = { kind: "failed", reason: (error as Error).message };
    failed((error as Error).message);
  }
}

/** A change that goes on with the last one, letter by letter, as one change; undefined if it is another. */
function continued(last: Change | undefined, change: Change): Change | undefined {
  if (change.kind === "text" && change.typed && last?.kind === "text" && last.typed) {
    return { ...last, after: change.after };
  }
  if (change.kind !== "sentences" || last?.kind !== "sentences") return undefined;
  const isTyped = change.typed && last.typed && change.what === last.what;
  const [one, two] = [last.sentences[0]!, change.sentences[0]!];
  if (!(isTyped || change.follows) || last.document !== change.document || one.index !== two.index) return undefined;
  return { ...change, what: last.what, sentences: [{ ...one, after: two.after }, ...last.sentences.slice(1)] };
}

/** Notes a change that is made; what was undone before can no longer be done again. */
export function note(change: Change): void {
  const held = entries.value.slice(0, done.value);
  for (const entry of entries.value.slice(done.value)) forget(entry);
  const last = held.at(-1);
  const longer = continued(last?.change, change);
  if (longer && last) {
    last.change = longer;
    saving.value = { kind: "saving" };
    clearTimeout(typing);
    typing = setTimeout(() => store(last, false), TYPING);
  } else {
    const entry: Entry = { id: undefined, change };
    held.push(entry);
    store(entry, false);
  }
  batch(() => {
    entries.value = held;
    done.value = held.length;
    apply(change, "after");
  });
}

/** Takes the last change back and says which it was. */
export function undoChange(): Change | undefined {
  const entry = entries.value[done.value - 1];
  if (!entry) return undefined;
  store(entry, true);
  batch(() => {
    done.value--;
    apply(entry.change, "before");
  });
  return entry.change;
}

/** Makes the change again that was taken back last. */
export function redoChange(): Change | undefined {
  const entry = entries.value[done.value];
  if (!entry) return undefined;
  store(entry, false);
  batch(() => {
    done.value++;
    apply(entry.change, "after");
  });
  return entry.change;
}

/**
 * A stamp that tells the texts of a treebank's sentences, and their notes and done marks if they count, from what they
 * were before: how many changes, and the last one. "" if there are none.
 */
export function stampOf(document: string, withMarks: boolean): string {
  let count = 0;
  let last = 0;
  for (const { change } of entries.value.slice(0, done.value)) {
    if (change.kind !== "sentences" || change.document !== document) continue;
    if (!withMarks && change.sentences.every(({ before, after }) => before?.text === after?.text)) continue;
    count++;
    last = change.made;
  }
  return count === 0 ? "" : `${count} ${last}`;
}
