import { useState } from "preact/hooks";
import type { Derivation } from "../../protocol/derivation.js";

/** More transitions than anyone looks through; systems that remove words have one for every span. */
const MOST_LISTED = 9;

/**
 * The choices to show, as places in the list: all where they are few; otherwise the first, and unless that would give
 * the answer away, also what is taken, what costs nothing and what the model likes.
 */
export function useListed(
  { configurations }: Derivation,
  step: number,
  hidden: boolean,
): { listed: number[]; more: number; showMore(): void } {
  const here = configurations[step]!;
  const [opened, setOpened] = useState<unknown>(undefined);
  const all = here.choices.map((_, i) => i);
  const isFew = all.length <= MOST_LISTED + 2;
  const listed =
    isFew || opened === here
      ? all
      : all.filter((i) => {
          const { cost, probability = 0 } = here.choices[i]!;
          return i < MOST_LISTED || (!hidden && (i === here.taken || cost === 0 || probability >= 0.01));
        });
  return { listed, more: all.length - listed.length, showMore: () => setOpened(here) };
}
