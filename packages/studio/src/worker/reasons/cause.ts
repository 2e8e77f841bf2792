// From a wrong arc back to the transition that caused it.

import type { Parser } from "@stemma/core";
import { Configuration, goldTreeOf, NONE, type TransitionSystem } from "@stemma/core/systems";
import type { Cause, CauseRequest, Choice, Derivation, SystemChoice, Taken } from "../../protocol/derivation.js";
import type { Tree } from "../../protocol/sentence.js";
import { type Costs, costsOf } from "../derivation/costs.js";
import { derive } from "../derivation/derive.js";
import { makeSystem, sentenceOf } from "../derivation/system.js";
import { why } from "./why.js";

/**
 * The transition of the parser's derivation after which a word could no longer get its right head, told by the loss
 * against a tree of which only this arc is known; where the head is right, the one that gave the arc another label.
 * O(steps) losses.
 */
export function cause({ sentence, target, word }: CauseRequest, parser: Parser): Cause {
  const choice = choiceOf(parser);
  const derivation = derive({ sentence, system: choice, target, policy: "model", prefix: [] }, parser);
  const { configurations, tree, since, firstMistake, notes } = derivation;
  const wantedLabel = target.labels[word]!;
  if (tree.heads[word] === target.heads[word] && tree.labels[word] === wantedLabel) {
    throw new Error("the transitions build the right arc here; it was changed after the last one");
  }
  const system = makeSystem(choice);
  const alone = onlyArc(choice, target, word);
  const isLabel = tree.heads[word] === target.heads[word];
  const lostAt = isLabel ? undefined : stepThatLoses(derivation, system, alone);
  const step = lostAt?.step ?? Math.max(0, Math.min(since[word]!, configurations.length - 1) - 1);
  const { choices, taken } = configurations[step]!;
  const first = choices[taken]!;
  const alternative = isLabel ? { ...first, label: wantedLabel } : lostAt && best(choices, first, lostAt.keeps);
  const before: Taken[] = configurations.slice(0, step).map((one) => named(one.choices[one.taken]!));
  return {
    step,
    taken: first,
    alternative: alternative && scored(alternative, isLabel),
    kind: isLabel ? "label" : lostAt ? "head" : "built",
    firstMistake,
    why: alternative && reasons(),
    notes,
  };

  function reasons(): Cause["why"] {
    try {
      return why({ sentence, system: choice, before, taken: named(first), rival: named(alternative!) }, parser);
    } catch {
      // A label that the model does not have.
      return undefined;
    }
  }
}

/** The model's own system, with its settings. */
function choiceOf({ model: { header } }: Parser): SystemChoice {
  return { name: header.system, root: header.root, singleRoot: true, settings: header.systemSettings ?? {} };
}

/** Losses against a tree of which one arc is known: 0 as long as it can be built. */
function onlyArc(choice: SystemChoice, target: Tree, word: number): Costs {
  const heads = target.heads.map((head, d) => (d === word ? head : NONE));
  // One label for all: it is the head that is asked about.
  const labels = heads.map(() => 0);
  const gold = goldTreeOf(makeSystem(choice), sentenceOf({ heads, labels: target.labels }), labels);
  return costsOf(choice, gold, []);
}

interface Lost {
  step: number;
  /** Can the arc still be built after a transition? */
  keeps(choice: Choice): boolean;
}

function stepThatLoses({ configurations, tree }: Derivation, system: TransitionSystem, alone: Costs): Lost | undefined {
  const n = tree.heads.length - 1;
  const c = new Configuration(n);
  system.initialize(c, n);
  for (const [step, { choices, taken }] of configurations.entries()) {
    const choice = choices[taken];
    if (!choice) return undefined;
    const cost = alone.cost(c, system.moveOf(choice.move), choice.dependent > 0 ? 0 : NONE);
    if (cost === undefined) return undefined;
    if (cost > 0) {
      const at = new Configuration(c.length);
      at.copyFrom(c);
      const keeps = (one: Choice) => alone.cost(at, system.moveOf(one.move), one.dependent > 0 ? 0 : NONE) === 0;
      return { step, keeps };
    }
    system.apply(c, system.moveOf(choice.move), choice.dependent > 0 ? 0 : NONE);
  }
  return undefined;
}

/** The best other transition that keeps the arc: one that costs nothing, if there is one. */
function best(choices: readonly Choice[], taken: Choice, keeps: (choice: Choice) => boolean): Choice | undefined {
  const kept = choices.filter((one) => one !== taken && keeps(one));
  const free = kept.filter(({ cost }) => cost === 0);
  return (free.length > 0 ? free : kept).sort((a, b) => (b.score ?? 0) - (a.score ?? 0))[0];
}

/** Score and probability are those of another label. */
function scored(choice: Choice, hasOtherLabel: boolean): Choice {
  return hasOtherLabel ? { ...choice, score: undefined, probability: undefined, cost: 0 } : choice;
}

function named({ move, label }: Choice): Taken {
  return { move, label };
}
