// The page's database in this browser, so that nothing is gone after a reload: IndexedDB, or nothing where that is
// forbidden.

import type { Change } from "./changes.js";

/** The records of each store. */
interface Stores {
  /** Changes made by a person, in order. */
  changes: { id?: number; change: Change; undone: boolean };
  treebanks: { key: string; file: File; opened: number; handle?: FileSystemFileHandle | undefined };
  /** Of files that were written here the key of the treebank, and what they hold of its changes. */
  written: { key: string; treebank: string; stamp: string; time: number; modified?: number };
  models: { key: string; file: File; opened: number };
  /** Texts that are too long for the address bar. */
  texts: { key: string; text: string; opened: number };
}

type StoreName = keyof Stores;

const NAME = "stemma-studio";
const VERSION = 2;

let opening: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      const { result } = request;
      const missing = (name: string) => !result.objectStoreNames.contains(name);
      if (missing("changes")) result.createObjectStore("changes", { keyPath: "id", autoIncrement: true });
      for (const name of ["treebanks", "models", "texts", "written"]) {
        if (missing(name)) result.createObjectStore(name, { keyPath: "key" });
      }
    };
    request.onsuccess = () => {
      // A newer page in another tab is not kept waiting; this one has to be loaded again before it can keep more.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error("the browser cannot open its database"));
    request.onblocked = () => reject(new Error("another tab uses an older version of the database"));
  });
  return opening;
}

async function run<T>(
  name: StoreName,
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const transaction = (await database()).transaction(name, mode);
  const request = ask(transaction.objectStore(name));
  return new Promise((resolve, reject) => {
    // Only a finished transaction is on the disk.
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser cannot store this"));
  });
}

/**
 * Writes a change and gives its number. `make` gets what other tabs have written after number `seen`, in the same
 * transaction, so that nothing is written over what was not read. `replaced`: a record that goes.
 */
export async function putChange(
  seen: number,
  make: (unseen: readonly Stores["changes"][]) => { record: Stores["changes"]; replaced?: number | undefined },
): Promise<number> {
  const transaction = (await database()).transaction("changes", "readwrite");
  const store = transaction.objectStore("changes");
  return new Promise((resolve, reject) => {
    const unseen = store.getAll(IDBKeyRange.lowerBound(seen, true));
    let written: IDBRequest<IDBValidKey> | undefined;
    let problem: unknown;
    unseen.onsuccess = () => {
      try {
        const { record, replaced } = make(unseen.result);
        if (replaced !== undefined) store.delete(replaced);
        written = store.put(record);
      } catch (error) {
        problem = error;
        transaction.abort();
      }
    };
    transaction.oncomplete = () => resolve(written!.result as number);
    transaction.onabort = () => reject(problem ?? transaction.error ?? new Error("the browser cannot store this"));
  });
}

/** Adds or replaces a record and gives its key. */
export function put<N extends StoreName>(name: N, value: Stores[N]): Promise<IDBValidKey> {
  return run(name, "readwrite", (store) => store.put(value));
}

export function get<N extends StoreName>(name: N, key: string): Promise<Stores[N] | undefined> {
  return run(name, "readonly", (store) => store.get(key));
}

/** All records, in the order of their keys. */
export function all<N extends StoreName>(name: N): Promise<Stores[N][]> {
  return run(name, "readonly", (store) => store.getAll());
}

export async function remove(name: StoreName, key: IDBValidKey): Promise<void> {
  await run(name, "readwrite", (store) => store.delete(key));
}

/** Keeps a file or text under its key; of each kind, those that were opened last stay, and those that are needed. */
export async function keep<N extends "treebanks" | "models" | "texts">(
  name: N,
  value: Omit<Stores[N], "opened">,
  most: number,
  isNeeded: (key: string) => boolean = () => false,
): Promise<void> {
  await put(name, { ...value, opened: Date.now() } as Stores[N]);
  const records = (await all(name)).filter(({ key }) => !isNeeded(key));
  records.sort((a, b) => b.opened - a.opened);
  for (const { key } of records.slice(most)) await remove(name, key);
}
