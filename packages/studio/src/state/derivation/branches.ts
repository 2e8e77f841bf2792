import { batch, signal } from "@preact/signals";
import type { Outcome } from "../../protocol/derivation.js";
import { ask } from "../shown/client.js";
import { reason } from "../shown/say.js";
import * as state from "../shown/state.js";

/** Where the derivation that nobody changed leads, and where each branch does; undefined until it is known. */
export const outcomes = signal<{ original: Outcome; branches: Outcome[] } | undefined>(undefined);
export const outcomesError = signal<string | undefined>(undefined);

/** Asks where all branches lead. */
export function deriveBranches(): void {
  const sentence = state.sentence.value;
  const branches = state.branches.value;
  const target = state.target.value;
  const system = state.system.value;
  const policy = state.effectivePolicy.value;
  const withoutModel = state.inLesson.value;
  if (!sentence || branches.length === 0 || (state.modelLoading.value && !withoutModel)) {
    outcomes.value = undefined;
    return;
  }
  const shared = { sentence: sentence.json, system, target, withoutModel };
  const derivations = [{ prefix: [], after: policy }, ...branches];
  ask(
    "outcomes",
    derivations.map(({ prefix, after }) => ({ ...shared, policy: after, prefix })),
  ).then(
    (answer) => {
      if (!answer) return;
      const [original, ...rest] = answer;
      batch(() => {
        outcomes.value = { original: original!, branches: rest };
        outcomesError.value = undefined;
      });
    },
    (error) => {
      batch(() => {
        outcomes.value = undefined;
        outcomesError.value = reason(error);
      });
    },
  );
}
