import { signal } from "@preact/signals";
import { all } from "./database.js";

/** Where the treebank is written to, if the browser lets pages write files. */
export const handle = signal<FileSystemFileHandle | undefined>(undefined);

/** When the file was changed last, as far as is known here. */
export const modified = signal(0);

/**
 * The last time that the treebank was written: when, which changes are in it (see stampOf), and the time that the file
 * has had since.
 */
export const written = signal<{ time: number; stamp: string; modified?: number } | undefined>(undefined);

/** Finds out when a treebank was written last. */
export async function recallWritten(key: string): Promise<void> {
  try {
    const files = (await all("written")).filter(({ treebank }) => treebank === key);
    written.value = files.sort((a, b) => b.time - a.time)[0];
  } catch {
    written.value = undefined;
  }
}
