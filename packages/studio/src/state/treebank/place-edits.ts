import { BlockSplitter } from "@stemma/core/treebank";
import type { SentenceState } from "../storage/changes.js";
import { mergeTexts } from "../storage/merge.js";

/**
 * Finds the sentences of a file in a later version of it, by sent_id and words, and merges what was edited with what
 * has changed. `left`: the text of those that are not there, or in which edited words are others by now.
 */
export function placeEdits(
  before: string,
  now: string,
  states: ReadonlyMap<number, SentenceState>,
): { placed: [number, SentenceState][]; left: string[] } {
  const [old, later] = [blocksOf(before), blocksOf(now)];
  const byId = placesBy(later, idOf);
  const byForms = placesBy(later, formsOf);
  /** Sentences may have got other numbers: a sent_id counts alone only where nothing else has these words. */
  const find = (block: string) => {
    const [named, worded] = [byId.get(idOf(block) ?? "") ?? -1, byForms.get(formsOf(block)) ?? -1];
    return named >= 0 && (worded < 0 || formsOf(later[named]!) === formsOf(block)) ? named : worded;
  };
  const placed = new Map<number, SentenceState>();
  const left: string[] = [];
  for (const [index, state] of states) {
    const whole = Math.floor(index);
    const block = old[whole];
    const to = block === undefined ? -1 : find(block);
    const next = to < 0 || placed.has(to + index - whole) ? undefined : stateAt(index, block!, to, state);
    if (next) placed.set(to + index - whole, next);
    else left.push(withNote(state.text || block || "", state.note));
  }
  return { placed: [...placed], left };

  function stateAt(index: number, block: string, to: number, state: SentenceState): SentenceState | undefined {
    const whole = Math.floor(index);
    const there = later[to]!;
    // Sentences that were split or joined have no words to be compared by.
    const isWhole = index === whole && state.text !== "";
    if (there === block && (isWhole || followsAsBefore(whole, to))) return state;
    const hasSameWords = formsOf(there) === formsOf(block);
    if (!isWhole || !(hasSameWords || hasEditedWords(block, there, state.text))) return undefined;
    if (state.text === undefined) return state;
    const text = mergeTexts(block, there, state.text, () => {});
    return text === undefined ? undefined : { ...state, text };
  }

  function followsAsBefore(from: number, to: number): boolean {
    return from === 0 || (old[from - 1] !== undefined && old[from - 1] === later[to - 1]);
  }
}

/** Is a sentence of one file in the other, by sent_id or words? */
export function haveCommonSentences(before: string, now: string): boolean {
  const known = new Set(blocksOf(now).flatMap((block) => [idOf(block), formsOf(block)]));
  return blocksOf(before).some((block) => known.has(formsOf(block)) || known.has(idOf(block) ?? formsOf(block)));
}

/** Are the words that were edited, be there other ones by now, still the same? */
function hasEditedWords(before: string, now: string, edited: string | undefined): boolean {
  if (edited === undefined) return false;
  const [old, later, own] = [before, now, edited].map((text) => text.split("\n").filter((line) => /^\d/.test(line)));
  const formOf = (line: string | undefined) => line?.split("\t", 2)[1];
  return own!.every((line, i) => line === old![i] || formOf(old![i]) === formOf(later![i]));
}

/** The sentences, as the worker numbers them. */
function blocksOf(text: string): string[] {
  const splitter = new BlockSplitter();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const blocks = splitter.push(new TextEncoder().encode(text));
  const rest = splitter.end();
  if (rest) blocks.push(rest);
  return blocks.filter(({ hasWords }) => hasWords).map(({ bytes }) => decoder.decode(bytes));
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

/** A sentence with no place takes its note along. */
function withNote(text: string, note: string | undefined): string {
  return note ? `# note = ${note.trim().replace(/\s+/g, " ")}\n${text}` : text;
}
