// What a person made: trees, by document and sentence, and texts. Every change is noted in one journal, in order, so
// that it can be undone and done again across sentences and after a reload. The trees that hold now follow from the
// journal alone.

import { batch, computed, signal } from "@preact/signals";
import type { Tree } from "../protocol.js";
import { all, put, remove } from "../storage/database.js";
import type { Change } from "./changes.js";

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

type Trees = ReadonlyMap<string, ReadonlyMap<string, Tree>>;

/** The trees made by hand, by document and sentence. */
export const trees = signal<Trees>(new Map());

function withTree(all: Trees, document: string, sentence: string, tree: Tree | undefined): Trees {
  const sentences = new Map(all.get(document));
  if (tree) sentences.set(sentence, tree);
  else sentences.delete(sentence);
  return new Map(all).set(document, sentences);
}

/** Text that is being typed is kept when nothing more comes for so many milliseconds. */
const TYPING = 300;
let typing: ReturnType<typeof setTimeout> | undefined;
/** Changes of texts that are kept from one time to the next; those of trees are all kept. */
const MOST_TEXTS = 100;

/** Writing to the database goes one after the other, so that the order on the disk is the order of the changes. */
let writing: Promise<unknown> = Promise.resolve();
let failed: (reason: string) => void = () => {};

function write(task: () => Promise<unknown>): void {
  writing = writing.then(task).catch((error: Error) => failed(error.message));
}

function store(entry: Entry, undone: boolean): void {
  write(async () => {
    const key = await put("changes", {
      ...(entry.id === undefined ? {} : { id: entry.id }),
      change: entry.change,
      undone,
    });
    entry.id = key as number;
  });
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
    // What was done meanwhile comes after it.
    const made = entries.value.slice(0, done.value);
    const old = records.filter(({ undone }) => !undone);
    let undone = records.filter((record) => record.undone);
    if (made.length > 0) {
      for (const { id } of undone) write(() => remove("changes", id!));
      undone = [];
    }
    let now: Trees = new Map();
    const before = [...old, ...undone].map(({ id, change }) => ({ id, change }));
    for (const { change } of [...before.slice(0, old.length), ...made]) {
      if (change.kind === "tree") now = withTree(now, change.document, change.sentence, change.after);
    }
    batch(() => {
      entries.value = [...before, ...made];
      done.value = old.length + made.length;
      trees.value = now;
    });
  } catch (error) {
    failed((error as Error).message);
  }
}

/** Notes a change that is made; what was undone before can no longer be done again. */
export function note(change: Change): void {
  const held = entries.value.slice(0, done.value);
  for (const { id } of entries.value.slice(done.value)) if (id !== undefined) write(() => remove("changes", id));
  const last = held.at(-1);
  if (change.kind === "text" && change.typed && last?.change.kind === "text" && last.change.typed) {
    last.change = { ...last.change, after: change.after };
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
    if (change.kind === "tree") trees.value = withTree(trees.value, change.document, change.sentence, change.after);
  });
}

/** Takes the last change back and says which it was; texts are for the caller to put back. */
export function undoChange(): Change | undefined {
  const entry = entries.value[done.value - 1];
  if (!entry) return undefined;
  store(entry, true);
  const { change } = entry;
  batch(() => {
    done.value--;
    if (change.kind === "tree") trees.value = withTree(trees.value, change.document, change.sentence, change.before);
  });
  return change;
}

/** Makes the change again that was taken back last. */
export function redoChange(): Change | undefined {
  const entry = entries.value[done.value];
  if (!entry) return undefined;
  store(entry, false);
  const { change } = entry;
  batch(() => {
    done.value++;
    if (change.kind === "tree") trees.value = withTree(trees.value, change.document, change.sentence, change.after);
  });
  return change;
}
