// The treebanks that are kept in the browser, and the work on each.

import { signal } from "@preact/signals";
import { all, remove } from "../storage/database.js";
import { forgetDocument, lastChange, sentenceStates, stampOf } from "../storage/journal.js";
import { closeTreebank, restoreTreebank } from "./open.js";
import { downloadTreebank, writesMarks } from "./save.js";
import { treebank } from "./treebank.js";

export interface KeptTreebank {
  key: string;
  name: string;
  bytes: number;
  /** Sentences that were edited, and those marked as done. */
  edited: number;
  done: number;
  /** The last change, or when it was opened. */
  time: number;
  /** Are there changes that no file has? */
  isUnsaved: boolean;
}

/** Those that were worked on last come first; undefined until they are read. */
export const kept = signal<KeptTreebank[] | undefined>(undefined);

export async function readKeptTreebanks(): Promise<void> {
  const [treebanks, written] = await Promise.all([all("treebanks"), all("written")]).catch(() => [[], []] as const);
  kept.value = treebanks
    .map(({ key, file, opened }): KeptTreebank => {
      const states = [...(sentenceStates.value.get(key)?.values() ?? [])];
      const stamp = stampOf(key, writesMarks.value);
      return {
        ...{ key, name: file.name, bytes: file.size },
        edited: states.filter(({ text }) => text !== undefined).length,
        done: states.filter(({ done }) => done).length,
        time: lastChange(key) ?? opened,
        isUnsaved: stamp !== "" && !written.some((one) => one.treebank === key && one.stamp === stamp),
      };
    })
    .sort((a, b) => b.time - a.time);
}

/** Saves it with all changes, as a download. */
export async function exportKept(key: string): Promise<void> {
  await restoreTreebank(key);
  await downloadTreebank();
}

/** Removes a file from the browser, with all changes to it. */
export async function removeKept(key: string): Promise<void> {
  // Changes made there from now on would have no file.
  if (treebank.value?.key === key) closeTreebank();
  forgetDocument(key);
  await remove("treebanks", key);
  await readKeptTreebanks();
}
