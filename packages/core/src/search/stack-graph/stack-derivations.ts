import type { Move } from "../../systems/transition.js";
import { addByScore } from "../beam/beam-derivations.js";
import type { LastArc, StackState } from "./stack-state.js";

/** A transition with its class. */
export interface Step {
  readonly move: Move;
  readonly cls: number;
}

/** A step and those that follow. */
interface Steps {
  readonly step: Step;
  readonly next: Steps | undefined;
}

/** What comes before: the part of a state since its topmost tree was begun, or SHIFT, and what was before that. */
interface Before {
  readonly state: StackState | undefined;
  readonly before: Before | undefined;
}

/** Derivations with the same steps at the end, of which the best has this score. */
interface Item {
  readonly score: number;
  readonly before: Before | undefined;
  readonly steps: Steps | undefined;
}

/**
 * All derivations that end in one of the given states, best first. They are read backwards: an arc comes after the part
 * of the state that it took off, the SHIFT with which that began, and the part of the state below it. The best arc of
 * each state is known, so the next best derivation is always at hand; those that part from one that was given are made
 * only when another is asked for.
 */
export function* stackDerivations(
  ends: readonly StackState[],
  shift: Step,
): Generator<{ score: number; steps: Step[] }> {
  const agenda: Item[] = [];
  for (const state of ends) {
    const { below, belowScores } = state.origin;
    if (below.length === 0) addByScore(agenda, { score: state.score, before: { state, before: undefined }, steps: undefined });
    // There is one tree at most, so that nothing is below these any more.
    below.forEach((first, i) => {
      const score = belowScores[i]! + state.inside;
      addByScore(agenda, { score, before: partsOf(state, first, undefined), steps: undefined });
    });
  }
  for (let item = agenda.pop(); item; item = agenda.pop()) {
    const { score } = item;
    const passed: { arcs: readonly LastArc[]; before: Before | undefined; steps: Steps | undefined }[] = [];
    let { before, steps } = item;
    while (before) {
      const { state } = before;
      before = before.before;
      if (!state) steps = { step: shift, next: steps };
      else if (state.arcs.length > 0) {
        const { arcs } = state;
        if (arcs.length > 1) passed.push({ arcs, before, steps });
        steps = { step: arcs[0]!, next: steps };
        before = partsOf(arcs[0]!.over, arcs[0]!.below, before);
      }
    }
    const derivation: Step[] = [];
    for (let s = steps; s; s = s.next) derivation.push(s.step);
    yield { score, steps: derivation };
    for (const place of passed) {
      const [best, ...others] = place.arcs as [LastArc, ...LastArc[]];
      for (const arc of others) {
        addByScore(agenda, {
          score: score - best.inside + arc.inside,
          before: partsOf(arc.over, arc.below, place.before),
          steps: { step: arc, next: place.steps },
        });
      }
    }
  }
}

/** The part of a state, the shift with which it began, and the part of a state below. */
function partsOf(over: StackState, below: StackState, before: Before | undefined): Before {
  return { state: over, before: { state: undefined, before: { state: below, before } } };
}
