import { batch } from "@preact/signals";
import { ask } from "../client.js";
import type { SystemWish } from "../page/address.js";
import { reason } from "../page/say.js";
import type { Policy, Taken } from "../protocol.js";
import * as state from "../state.js";

/** Asks for the derivation that the state describes. */
export function derive(): void {
  const sentence = state.sentence.value;
  const target = state.target.value;
  const system = state.system.value;
  const prefix = state.prefix.value;
  const policy: Policy = prefix.length > 0 ? state.after.value : state.decider.value;
  if (state.view.value !== "step" || !sentence || state.modelLoading.value) return;
  const { forms, lemmas, upos, xpos, feats } = sentence;
  state.deriving.value = true;
  ask("derive", { words: { forms, lemmas, upos, xpos, feats }, system, target, policy, prefix }).then(
    (derivation) => {
      if (!derivation) return;
      batch(() => {
        state.derivation.value = derivation;
        if (state.step.value === Number.POSITIVE_INFINITY) state.step.value = derivation.configurations.length - 1;
        state.derivedFrom.value = sentence;
        state.deriving.value = false;
        state.deriveError.value = undefined;
      });
    },
    (error) => {
      batch(() => {
        state.deriving.value = false;
        state.deriveError.value = reason(error);
      });
    },
  );
}

/** A new derivation is shown from its first configuration. */
export function fromTheStart(): void {
  batch(() => {
    moments.length = 0;
    state.prefix.value = [];
    state.step.value = 0;
  });
}

export function setSystem(wish: SystemWish): void {
  batch(() => {
    state.systemWish.value = { ...state.systemWish.value, ...wish };
    fromTheStart();
  });
}

export function setPolicy(policy: Policy): void {
  batch(() => {
    state.policy.value = policy;
    fromTheStart();
  });
}

interface Moment {
  prefix: Taken[];
  after: Policy;
  step: number;
}

const moments: Moment[] = [];

/** The transitions of the derivation that is shown, up to a step. */
function takenUntil(step: number): Taken[] {
  const configurations = state.derivation.value?.configurations ?? [];
  return configurations.slice(0, step).map(({ choices, taken }) => {
    const { move, label } = choices[taken]!;
    return { move, label };
  });
}

function change(prefix: Taken[], after: Policy, step: number): void {
  moments.push({ prefix: state.prefix.value, after: state.after.value, step: state.step.value });
  batch(() => {
    state.prefix.value = prefix;
    state.after.value = after;
    state.step.value = step;
  });
}

/** What if: takes a transition in the configuration that is shown; what comes then is open. */
export function take(taken: Taken): void {
  const at = state.shownStep.value;
  change([...takenUntil(at), taken], "hand", at + 1);
}

/** Lets the model or an oracle go on from where the hand left off. */
export function finishWith(policy: Policy): void {
  change(state.prefix.value, policy, state.step.value);
}

/** Takes back what was last taken by hand. */
export function takeBack(): void {
  const moment = moments.pop();
  if (!moment) {
    fromTheStart();
    return;
  }
  batch(() => {
    state.prefix.value = moment.prefix;
    state.after.value = moment.after;
    state.step.value = moment.step;
  });
}
