// A file that was edited here and has changed since, by another program or a colleague: the edits follow to where their
// sentences are now.

import { signal } from "@preact/signals";
import { say } from "../shown/say.js";
import type { SentenceState } from "../storage/changes.js";
import { all } from "../storage/database.js";
import { note, sentenceStates } from "../storage/journal.js";
import { mergeTexts } from "../storage/merge.js";

/** Edited sentences that have no place in the file that is open, as CoNLL-U. */
export const unplaced = signal<{ document: string; name: string; texts: string[] } | undefined>(undefined);

/** Looks for edits of an earlier version of a file, and takes them over if there are none of this one. */
export async function carryOver(file: File, key: string): Promise<void> {
  const hasWork = (one: string) => (sentenceStates.value.get(one)?.size ?? 0) > 0;
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
  const { placed, left } = placeEdits(before, await textOf(file), states);
  // A file that has nothing in common with it but the name.
  if (placed.length === 0) return;
  note({
    kind: "sentences",
    document: key,
    what: "carrying edits over",
    sentences: placed.map(([index, after]) => ({ index, before: undefined, after })),
    typed: false,
    made: Date.now(),
  });
  unplaced.value = left.length > 0 ? { document: key, name: file.name, texts: left } : undefined;
  const count = placed.length === 1 ? "one sentence" : `${placed.length} sentences`;
  say(`${file.name} has changed since you edited it. Your edits of ${count} were carried over.`);
}

async function textOf(file: File): Promise<string> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first !== 0x1f || second !== 0x8b) return file.text();
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

/**
 * Finds the sentences of a file in a later version of it, by sent_id or text, and merges what was edited with what has
 * changed. `left`: the text of those that are not there, or have other words by now.
 */
export function placeEdits(
  before: string,
  now: string,
  states: ReadonlyMap<number, SentenceState>,
): { placed: [number, SentenceState][]; left: string[] } {
  const [old, later] = [blocksOf(before), blocksOf(now)];
  const places = [placesBy(later, idOf), placesBy(later, formsOf)];
  const find = (block: string) => places[0]!.get(idOf(block) ?? "") ?? places[1]!.get(formsOf(block)) ?? -1;
  const placed: [number, SentenceState][] = [];
  const left: string[] = [];
  for (const [index, state] of states) {
    const whole = Math.floor(index);
    const block = old[whole];
    const to = block === undefined ? -1 : find(block);
    const leave = () => left.push(state.text || block || "");
    if (to < 0) {
      leave();
      continue;
    }
    const isSame = later[to] === block;
    // What was split or joined has no words to be compared by.
    const isWhole = index === whole && state.text !== "";
    if (isSame && (isWhole || followsAsBefore(whole, to))) placed.push([to + index - whole, state]);
    else if (isWhole && state.text === undefined) placed.push([to, state]);
    else {
      const text = isWhole ? mergeTexts(block!, later[to]!, state.text!, () => {}) : undefined;
      if (text === undefined) leave();
      else placed.push([to, { ...state, text }]);
    }
  }
  return { placed, left };

  function followsAsBefore(from: number, to: number): boolean {
    return from === 0 || (old[from - 1] !== undefined && old[from - 1] === later[to - 1]);
  }
}

/** The sentences with their blank lines. */
function blocksOf(text: string): string[] {
  return text.match(/(?:[^\n]*\S[^\n]*\n?)+(?:[^\S\n]*\n)*/g) ?? [];
}

/** Of what is there once. */
function placesBy(blocks: readonly string[], nameOf: (block: string) => string | undefined): Map<string, number> {
  const places = new Map<string, number>();
  blocks.forEach((block, i) => {
    const name = nameOf(block);
    if (name) places.set(name, places.has(name) ? -1 : i);
  });
  return places;
}

function idOf(block: string): string | undefined {
  return /^# sent_id\s*=\s*(.*?)\s*$/m.exec(block)?.[1];
}

function formsOf(block: string): string {
  return Array.from(block.matchAll(/^\d+\t([^\t]*)/gm), ([, form]) => form).join(" ");
}
