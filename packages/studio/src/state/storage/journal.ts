// Everything made by a person: trees of texts, sentences of treebanks, texts. Every change is noted in one journal, in
// order, so that it can be undone and done again across sentences and after a reload. What holds now follows from the
// journal alone.

import { batch, computed, signal } from "@preact/signals";
import type { Tree } from "../../protocol/sentence.js";
import type { Change, ChangedSentence, SentenceState } from "./changes.js";
import { all, putChange, remove } from "./database.js";
import { rebase } from "./merge.js";

interface Entry {
  /** In the database; undefined until it is there. */
  id: number | undefined;
  change: Change;
  /** As the database has it. */
  written?: Change | undefined;
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
      await storeOne(one, isUndone);
      if (unwritten.get(one) === isUndone) unwritten.delete(one);
    }
    channel?.postMessage(undefined);
  });
}

/** The last number in the database that is known here; other tabs may have written further ones. */
let seen = 0;
/** Other tabs are told when there is something new in the database. */
let channel: BroadcastChannel | undefined;
let onOthers: (what: string) => void = () => {};

/** Writes an entry, after those of other tabs that are not known here yet: then it is merged with them. */
async function storeOne(entry: Entry, undone: boolean): Promise<void> {
  let clashes: number | undefined;
  const id = await putChange(seen, (unseen) => {
    const { id, change, written } = entry;
    const isNew = id === undefined || change !== written;
    // A change that goes on gets another number, so that tabs that know its beginning see that there is more.
    const replaced = isNew ? id : undefined;
    if (unseen.length > 0 && isNew && !undone) {
      const others = unseen.flatMap((one) => (one.undone ? [] : [one.change]));
      const rebased = rebase(change, written, others);
      clashes = rebased.clashes;
      entry.change = rebased.change;
      return { record: { change: rebased.change, undone } };
    }
    return { record: { ...(isNew ? {} : { id: id! }), change, undone }, replaced };
  });
  entry.id = id;
  entry.written = entry.change;
  if (clashes === undefined) {
    seen = Math.max(seen, id);
    return;
  }
  await readChanges();
  onOthers(
    clashes === 0
      ? "Changes of another tab were merged with yours."
      : "Another tab changed the same words: yours is kept; undo shows the other version.",
  );
}

function forget(entry: Entry): void {
  unwritten.delete(entry);
  write(async () => {
    if (entry.id !== undefined) await remove("changes", entry.id);
    channel?.postMessage(undefined);
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

/**
 * Reads what was done before, and from then on what other tabs do. `onFailure` is told, once, if nothing can be kept;
 * `others` what came from another tab.
 */
export async function readJournal(
  onFailure: (reason: string) => void,
  others: (what: string) => void = () => {},
): Promise<void> {
  failed = (reason) => {
    failed = () => {};
    onFailure(reason);
  };
  onOthers = others;
  try {
    await readChanges();
    if (typeof BroadcastChannel === "undefined") return;
    channel = new BroadcastChannel("stemma-journal");
    // After what is being written here.
    channel.onmessage = () =>
      write(async () => {
        const before = seen;
        await readChanges();
        onOthers(seen > before ? "Changes made in another tab were taken over." : "");
      });
  } catch (error) {
    saving.value = { kind: "failed", reason: (error as Error).message };
    failed((error as Error).message);
  }
}

/** Makes the state follow from the database, and from what is not written yet. */
async function readChanges(): Promise<void> {
  let records = await all("changes");
  const texts = records.filter(({ change }) => change.kind === "text");
  const outdated = new Set(texts.slice(0, -MOST_TEXTS));
  for (const { id } of outdated) write(() => remove("changes", id!));
  records = records.filter((record) => !outdated.has(record));
  // Changes made meanwhile come after it.
  const last = Math.max(0, ...records.map(({ id }) => id!));
  const made = entries.value.slice(0, done.value).filter(({ id }) => id === undefined || id > last);
  const known = new Map(entries.value.map((entry) => [entry.id, entry]));
  // Every tab has a text box of its own.
  if (seen > 0) records = records.filter(({ id, change }) => change.kind !== "text" || known.has(id));
  const entryOf = ({ id, change }: (typeof records)[number]): Entry => {
    const entry = known.get(id);
    return entry && unwritten.has(entry) ? entry : { id, change, written: change };
  };
  const isUndone = (record: (typeof records)[number]) => {
    const entry = known.get(record.id);
    return (entry && unwritten.get(entry)) ?? record.undone;
  };
  const old = records.filter((record) => !isUndone(record)).map(entryOf);
  let undone = records.filter(isUndone).map(entryOf);
  if (made.length > 0) {
    for (const { id } of undone) write(() => remove("changes", id!));
    undone = [];
  }
  const held = [...old, ...made];
  const treesNow = new Map<string, Tree>();
  const statesNow = new Map<string, Map<number, SentenceState>>();
  for (const { change } of held) {
    if (change.kind === "tree") {
      if (change.after) treesNow.set(change.sentence, change.after);
      else treesNow.delete(change.sentence);
    } else if (change.kind === "sentences") {
      const states = statesNow.get(change.document) ?? new Map<number, SentenceState>();
      for (const { index, after } of change.sentences) setState(states, index, after);
      statesNow.set(change.document, states);
    }
  }
  seen = Math.max(seen, last);
  batch(() => {
    entries.value = [...held, ...undone];
    done.value = held.length;
    trees.value = treesNow;
    sentenceStates.value = statesNow;
  });
}

/** Waits until everything is written, and takes over what other tabs wrote: what follows is about all there is. */
export async function settle(): Promise<void> {
  write(readChanges);
  await writing;
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

/** When a treebank was changed last. */
export function lastChange(document: string): number | undefined {
  const times = entries.value.map(({ change }) =>
    change.kind === "sentences" && change.document === document ? change.made : 0,
  );
  return Math.max(0, ...times) || undefined;
}

/** Removes all changes to a treebank. */
export function forgetDocument(document: string): void {
  const isOf = ({ change }: Entry) => change.kind === "sentences" && change.document === document;
  const removed = entries.value.filter(isOf);
  const held = entries.value.slice(0, done.value).filter((entry) => !isOf(entry));
  for (const entry of removed) forget(entry);
  const states = new Map(sentenceStates.value);
  states.delete(document);
  batch(() => {
    entries.value = entries.value.filter((entry) => !isOf(entry));
    done.value = held.length;
    sentenceStates.value = states;
  });
}
