import { signal } from "@preact/signals";
import { keep } from "./database.js";
import { sentenceStates } from "./journal.js";

/** Treebank files that are kept in the browser, besides those with changes. */
const MOST_TREEBANKS = 5;
/** Larger files are kept as references to the file on the disk. */
const LARGEST_COPY = 256 << 20;

/** How often what is kept has changed since the page was loaded: lists of it are read again. */
export const timesKept = signal(0);

/** Has a person changed anything in a treebank? */
export function hasWork(key: string): boolean {
  return (sentenceStates.value.get(key)?.size ?? 0) > 0;
}

/** Keeps a treebank in the browser; what was worked on makes room for none. */
export async function keepTreebank(key: string, opened: File, handle?: FileSystemFileHandle): Promise<void> {
  const { name, lastModified } = opened;
  // The browser loses sight of a file on the disk as soon as another program writes the file.
  const file = opened.size > LARGEST_COPY ? opened : new File([await opened.arrayBuffer()], name, { lastModified });
  await keep("treebanks", { key, file, ...(handle ? { handle } : {}) }, MOST_TREEBANKS, hasWork);
  timesKept.value++;
}
