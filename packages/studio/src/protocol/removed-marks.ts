import type { Sentence } from "@stemma/core";
import { REMOVALS } from "@stemma/core/treebank";

/** What `Removed=` in MISC says of each word; undefined if it says nothing. */
export function removedMarks(sentence: Sentence): number[] | undefined {
  const kinds = [0];
  for (let i = 1; i <= sentence.length; i++) {
    const [, kind = ""] = /(?:^|\|)Removed=(\w+)/.exec(sentence.misc(i)) ?? [];
    kinds.push(Math.max(0, (REMOVALS as readonly string[]).indexOf(kind)));
  }
  return kinds.some((kind) => kind > 0) ? kinds : undefined;
}
