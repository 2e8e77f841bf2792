import { batch } from "@preact/signals";
import type { Branch, Policy, SystemWish, Taken } from "../../protocol/derivation.js";
import { ask } from "../shown/client.js";
import { reason } from "../shown/say.js";
import * as state from "../shown/state.js";
import { startQuiz } from "./quiz.js";

/** Asks for the derivation that the state describes. */
export function derive(): void {
  const sentence = state.sentence.value;
  const target = state.target.value;
  const system = state.system.value;
  const prefix = state.prefix.value;
  const policy: Policy = prefix.length > 0 ? state.after.value : state.effectivePolicy.value;
  const withoutModel = state.inLesson.value;
  if ((state.view.value !== "step" && !withoutModel) || !sentence || (state.modelLoading.value && !withoutModel))
    return;
  state.deriving.value = true;
  ask("derive", { sentence: sentence.json, system, target, policy, prefix, withoutModel }).then(
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
    state.branches.value = [];
    state.branch.value = undefined;
    state.step.value = 0;
  });
}

export function setSystem(wish: SystemWish): void {
  batch(() => {
    const before = state.systemWish.value;
    state.systemWish.value = { ...before, ...wish, settings: { ...before.settings, ...wish.settings } };
    fromTheStart();
  });
}

export function setPolicy(policy: Policy): void {
  batch(() => {
    state.policy.value = policy;
    // Who decides alone cannot be asked what comes next.
    if (policy === "hand") startQuiz(false);
    fromTheStart();
  });
}

interface Moment {
  branches: Branch[];
  branch: number | undefined;
  step: number;
}

const moments: Moment[] = [];

/** The transitions of the derivation that is shown, up to a step. */
export function takenUntil(step: number): Taken[] {
  const configurations = state.derivation.value?.configurations ?? [];
  return configurations.slice(0, step).map(({ choices, taken }) => {
    const { move, label } = choices[taken]!;
    return { move, label };
  });
}

function change(branches: Branch[], branch: number | undefined, step: number): void {
  moments.push({ branches: state.branches.value, branch: state.branch.value, step: state.step.value });
  batch(() => {
    state.branches.value = branches;
    state.branch.value = branch;
    state.step.value = step;
  });
}

function withShown(changed: Branch): Branch[] {
  return state.branches.value.map((branch, i) => (i === state.branch.value ? changed : branch));
}

/**
 * Tries out a transition in the configuration that is shown; what comes then is open. At the open end of a branch
 * the branch goes on; anywhere else another one begins.
 */
export function take(taken: Taken): void {
  const at = state.shownStep.value;
  const branch: Branch = { prefix: [...takenUntil(at), taken], after: "hand" };
  const goesOn = state.after.value === "hand" && state.prefix.value.length > 0 && state.prefix.value.length === at;
  if (goesOn) change(withShown(branch), state.branch.value, at + 1);
  else change([...state.branches.value, branch], state.branches.value.length, at + 1);
}

/** Adds a branch with a beginning of its own. */
export function tryOut(branch: Branch): void {
  change([...state.branches.value, branch], state.branches.value.length, branch.prefix.length);
}

/** Lets the model or an oracle go on from where the hand left off. */
export function finishWith(after: Policy): void {
  change(withShown({ prefix: state.prefix.value, after }), state.branch.value, state.step.value);
}

/** Takes back what was last taken by hand. */
export function takeBack(): void {
  const moment = moments.pop();
  if (!moment) {
    fromTheStart();
    return;
  }
  batch(() => {
    state.branches.value = moment.branches;
    state.branch.value = moment.branch;
    state.step.value = moment.step;
  });
}

/** Shows a branch, or what nobody changed, at the step where they part. */
export function showBranch(branch: number | undefined): void {
  const parts = (branch === undefined ? state.prefix.value : (state.branches.value[branch]?.prefix ?? [])).length;
  batch(() => {
    state.branch.value = branch;
    state.step.value = Math.max(0, branch === undefined ? parts - 1 : parts);
  });
}

/** Removes a branch; Undo brings it back. */
export function removeBranch(index: number): void {
  const shown = state.branch.value;
  const left = state.branches.value.filter((_, i) => i !== index);
  const now = shown === undefined || shown === index ? undefined : shown > index ? shown - 1 : shown;
  change(left, now, state.step.value);
}
