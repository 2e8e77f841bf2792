import { computed } from "@preact/signals";
import { say } from "../shown/say.js";
import { place } from "../shown/state.js";
import { sentenceStates } from "../storage/journal.js";
import { showSentence } from "../treebank/open.js";
import { isDone, matches, ROW, scrolled, treebank } from "../treebank/treebank.js";

/** Where the sentence that is shown stands among those that were found: its row, or -1. */
export const row = computed(() => {
  const shown = place.value;
  return shown && shown.key === treebank.value?.key ? (matches.value?.indexOf(shown.index) ?? -1) : -1;
});

/** The last row that was shown: a sentence that is no longer found has neighbours all the same. */
let last = 0;
/** The row that is on its way: whoever goes on before it is there goes on from there. */
let heading: number | undefined;

/** Goes to another sentence of the current search. */
export async function go(
  step: 1 | -1,
  skipsDone = false,
  found: ArrayLike<number> | undefined = matches.value,
): Promise<void> {
  const key = treebank.value?.key;
  if (!found || !key) return;
  const shown = place.value?.key === key ? Array.prototype.indexOf.call(found, place.value.index) : -1;
  const from = heading ?? (shown >= 0 ? shown : step > 0 ? last - 1 : last);
  for (let at = from + step; at >= 0 && at < found.length; at += step) {
    if (skipsDone && isDone(found[at]!)) continue;
    last = heading = at;
    await showSentence({ key, index: found[at]! });
    if (heading === at) heading = undefined;
    // The list is there when one comes back to it.
    scrolled.value = Math.max(0, at - 2) * ROW;
    return;
  }
  say(step > 0 ? "This is the last sentence found." : "This is the first sentence found.");
}

/** The first sentence of the search that is not done, or the first. */
export async function begin(): Promise<void> {
  const found = matches.value;
  const key = treebank.value?.key;
  if (!found || !key || found.length === 0) return;
  const open = found.find((index) => !isDone(index)) ?? found[0]!;
  await showSentence({ key, index: open });
}

/** The sentence after the one that is shown in the file, whatever was searched for. */
export function nextInFile(): number | undefined {
  const shown = place.value;
  const file = treebank.value;
  if (!shown || file?.key !== shown.key) return undefined;
  const states = sentenceStates.value.get(file.key);
  let next = Math.floor(shown.index) + 1;
  while (next < file.sentences && states?.get(next)?.text === "") next++;
  let nearest = next < file.sentences ? next : Number.POSITIVE_INFINITY;
  // Parts split off a sentence come before the next one of the file.
  for (const [index, { text }] of states ?? []) {
    if (!Number.isInteger(index) && text && index > shown.index && index < nearest) nearest = index;
  }
  return Number.isFinite(nearest) ? nearest : undefined;
}
