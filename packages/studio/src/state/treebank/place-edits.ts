import type { SentenceState } from "../storage/changes.js";
import { mergeTexts } from "../storage/merge.js";

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
    // Sentences that were split or joined have no words to be compared by.
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
