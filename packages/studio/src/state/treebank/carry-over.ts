// A file that was edited here and has changed since, by another program or a colleague: the edits follow to where their
// sentences are now.

import { signal } from "@preact/signals";
import { say } from "../shown/say.js";
import { all } from "../storage/database.js";
import { note, sentenceStates } from "../storage/journal.js";
import { hasWork } from "../storage/keep-treebank.js";
import { haveCommonSentences, placeEdits } from "./place-edits.js";

/** Edited sentences that have no place in the file that is open, as CoNLL-U. */
export const unplaced = signal<{ document: string; name: string; texts: string[] } | undefined>(undefined);

/** Looks for edits of an earlier version of a file, and takes them over if there are none of this one. */
export async function carryOver(file: File, key: string): Promise<void> {
  if (hasWork(key)) return;
  const earlier = (await all("treebanks").catch(() => []))
    .filter((one) => one.file.name === file.name && one.key !== key && hasWork(one.key))
    .sort((a, b) => b.opened - a.opened)[0];
  if (!earlier) return;
  const states = sentenceStates.value.get(earlier.key)!;
  const before = await textOf(earlier.file).catch(() => undefined);
  if (before === undefined) {
    // A file too large to be copied, which is no longer there as it was.
    const texts = [...states.values()].flatMap(({ text }) => (text ? [text] : []));
    unplaced.value = { document: key, name: file.name, texts };
    return;
  }
  const now = await textOf(file);
  const { placed, left } = placeEdits(before, now, states);
  // A file that has nothing in common with it but the name.
  if (placed.length === 0 && !haveCommonSentences(before, now)) return;
  unplaced.value = left.length > 0 ? { document: key, name: file.name, texts: left } : undefined;
  if (placed.length === 0) return;
  note({
    kind: "sentences",
    document: key,
    what: "carrying edits over",
    sentences: placed.map(([index, after]) => ({ index, before: undefined, after })),
    typed: false,
    made: Date.now(),
  });
  const count = placed.length === 1 ? "one sentence" : `${placed.length} sentences`;
  say(`${file.name} has changed since you edited it. Your edits of ${count} were carried over.`);
}

async function textOf(file: File): Promise<string> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first !== 0x1f || second !== 0x8b) return file.text();
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
