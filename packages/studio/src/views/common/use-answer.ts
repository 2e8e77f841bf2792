import { useEffect, useState } from "preact/hooks";
import type { RequestName, Requests } from "../../protocol/requests.js";
import { ask } from "../../state/shown/client.js";
import { reason } from "../../state/shown/say.js";

/** The answer to a request, or why there is none; undefined until it is there. */
export type Answer<N extends RequestName> = Requests[N]["answer"] | { reason: string } | undefined;

/**
 * Asks the worker, again when something in `follows` changes, as for `useEffect`; without a question, nothing.
 * `stays`: the last answer is shown until the next one comes.
 */
export function useAnswer<N extends RequestName>(
  name: N,
  question: () => Requests[N]["ask"] | undefined,
  follows: readonly unknown[],
  { stays = false } = {},
): Answer<N> {
  const [known, setKnown] = useState<{ follows: readonly unknown[]; answer: Answer<N> }>();
  useEffect(() => {
    const asked = question();
    if (asked === undefined) return;
    ask(name, asked).then(
      (answer) => answer !== undefined && setKnown({ follows, answer }),
      (error) => setKnown({ follows, answer: { reason: reason(error) } }),
    );
  }, follows);
  // The answer to another question is never shown for this one, not even until the effect has run.
  const isCurrent = known?.follows.every((one, i) => one === follows[i]);
  return stays || isCurrent ? known?.answer : undefined;
}
