// The permitted transitions of a configuration, each with a label, its score and its cost.

import type { Parser } from "@stemma/core";
import { Configuration, FIRST_FREE_KIND, kindOf, type Move, NONE, type TransitionSystem } from "@stemma/core/systems";
import type { Choice, Taken } from "../../protocol/derivation.js";
import type { Tree } from "../../protocol/sentence.js";
import type { Costs } from "./costs.js";
import { sharesIn } from "./probabilities.js";
import type { LabelNumbers } from "./system.js";

/** Transitions that remove words from the sentence and are listed: there may be one for every span of it. */
const MOST_REMOVALS = 40;

export interface Knowledge {
  names: LabelNumbers;
  scorer: Parser | undefined;
  target: Tree | undefined;
  judge: Costs | undefined;
  /** Arcs of the target get the label that they have there, not the one that the model likes best. */
  aimsAtGold: boolean;
  /** The transition that will be taken whatever the others say, with its label. */
  taken: Taken | undefined;
}

/**
 * The permitted transitions. Of those that remove words only the shortest are listed, and the ones that the model likes
 * best.
 */
export function listedMoves(
  system: TransitionSystem,
  c: Configuration,
  scorer: Parser | undefined,
): { moves: Move[]; leftOut: number } {
  if (system.isTerminal(c)) return { moves: [], leftOut: 0 };
  const permitted: Move[] = [];
  permitted.length = system.permitted(c, permitted);
  const { leftOut: removed } = system.description;
  if (!removed) return { moves: permitted, leftOut: 0 };
  const after = new Configuration(c.length);
  const countRemoved = () =>
    removed(after)
      .subarray(1, c.length + 1)
      .reduce((sum, kind) => sum + (kind > 0 ? 1 : 0), 0);
  const removes = new Map(
    permitted.map((move) => {
      after.copyFrom(c);
      const before = countRemoved();
      system.apply(after, move);
      return [move, countRemoved() - before];
    }),
  );
  permitted.sort((a, b) => removes.get(a)! - removes.get(b)!);
  const removals = permitted.filter((move) => removes.get(move)! > 0);
  const cut = new Set(removals.slice(MOST_REMOVALS));
  if (scorer && cut.size > 0) {
    const { decider } = scorer;
    const scoreOf = (move: Move) => decider.scoreOf(decider.moves.indexOf(move));
    decider.decide(c);
    const best = [...cut].reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a));
    cut.delete(best);
  }
  return { moves: permitted.filter((move) => !cut.has(move)), leftOut: cut.size };
}

/** Is it a transition of a system's own that removes words? There are very many of them, and their costs come last. */
export function removesWords(system: TransitionSystem, move: Move): boolean {
  return system.description.leftOut !== undefined && kindOf(move) >= FIRST_FREE_KIND;
}

/** Gives a permitted transition one label, its score and its cost. */
export function choiceMaker(system: TransitionSystem, c: Configuration, knowledge: Knowledge): (move: Move) => Choice {
  const { names, scorer, target, judge, aimsAtGold, taken } = knowledge;
  const decider = system.isTerminal(c) ? undefined : scorer?.decider;
  decider?.decide(c);
  const shareOf = decider && sharesIn(scorer!, c);
  return (move) => {
    const name = system.nameOf(move);
    const dependent = system.dependent(c, move);
    const head = system.head(c, move);
    const wanted = dependent > 0 && target?.heads[dependent] === head ? target.labels[dependent] : undefined;
    const index = decider ? decider.moves.indexOf(move) : -1;
    const best = index < 0 ? NONE : decider!.classes.labels[decider!.bestClass[index]!]!;
    let label: string | undefined;
    if (dependent > 0) {
      label = (best < 0 ? target?.labels[dependent] : names.list[best]) ?? "dep";
      if (aimsAtGold && wanted !== undefined) label = wanted;
      if (taken?.move === name && taken.label !== undefined) label = taken.label;
    }
    const number = label === undefined ? NONE : names.indexOf(label);
    let score: number | undefined;
    let probability: number | undefined;
    if (decider && index >= 0) {
      const { classes } = decider;
      if (number === best) score = decider.scoreOf(index);
      else {
        const cls = classes.classOf(classes.groupOf(move), number) ?? NONE;
        if (cls >= 0) score = (classes.perMove ? decider.rescore(c, index) : decider.scores)[cls];
      }
      if (score !== undefined) {
        probability = shareOf!(score);
        score /= decider.scorer.logUnit ?? 1;
      }
    }
    return {
      move: name,
      label,
      head,
      dependent,
      score,
      probability,
      cost: removesWords(system, move) ? undefined : judge?.cost(c, move, number),
    };
  };
}

/** Choices of a configuration whose costs are found when those of all other transitions are known. */
export interface Postponed {
  c: Configuration;
  choices: Choice[];
}

export function postpone(
  all: Postponed[],
  c: Configuration,
  choices: readonly Choice[],
  system: TransitionSystem,
): void {
  const removals = choices.filter(({ move }) => removesWords(system, system.moveOf(move)));
  if (removals.length === 0) return;
  const copy = new Configuration(c.length);
  copy.copyFrom(c);
  all.push({ c: copy, choices: removals });
}

/** The first of every configuration come first, since what takes too long is given up. */
export function findCosts(all: readonly Postponed[], judge: Costs, system: TransitionSystem): void {
  const most = Math.max(...all.map(({ choices }) => choices.length));
  for (let i = 0; i < most; i++) {
    for (const { c, choices } of all) {
      const choice = choices[i];
      if (choice) choice.cost ??= judge.cost(c, system.moveOf(choice.move), NONE);
    }
  }
}
