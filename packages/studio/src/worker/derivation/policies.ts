import type { Parser } from "@stemma/core";
import {
  Configuration,
  canBuild,
  dynamicOracle,
  type GoldTree,
  type Move,
  type NonDeterministicOracle,
  nonDeterministicOracle,
  staticOracle,
  type TransitionSystem,
} from "@stemma/core/systems";
import type { Choice, Configured, DeriveRequest } from "../../protocol/derivation.js";

/**
 * The index of the transition to take among the choices of a configuration, -1 where nobody knows. `indexOf` finds any
 * transition among them.
 */
export type Chooser = (c: Configuration, here: Configured, indexOf: (move: Move) => number) => number;

/** Decides as a policy wants it; `notes` gets what there is to say about that. */
export function chooser(
  { policy, prefix }: DeriveRequest,
  system: TransitionSystem,
  gold: GoldTree | undefined,
  scorer: Parser | undefined,
  notes: string[],
): Chooser {
  const cheapest: Chooser = (_, { choices }) => {
    let best = -1;
    choices.forEach(({ cost }, i) => {
      if (cost !== undefined && (best < 0 || cost < choices[best]!.cost!)) best = i;
    });
    if (best < 0)
      notes.push(`The oracle of ${system.description.title} does not know what to do from here; continue by hand.`);
    return best;
  };
  if (policy === "hand") return () => -1;
  if (policy === "model") {
    if (scorer) return (_, { choices }) => best(choices);
    notes.push(`The model was not trained for ${system.description.title} with these settings; the oracle decides.`);
  }
  if (!gold) {
    notes.push("There is no tree for the oracle to follow: open a model file, or paste CoNLL-U with heads.");
    return () => -1;
  }
  const exact = dynamicOracle(system);
  exact?.bind(gold);
  const dynamic: Chooser = (c, here, indexOf) => (exact ? indexOf(exact.optimal(c)) : cheapest(c, here, indexOf));
  if (exact && policy !== "static" && policy !== "non-deterministic") return dynamic;
  if (exact && prefix.length > 0) {
    // The static oracle is only defined along its own derivation, the non-deterministic one where nothing is lost.
    return dynamic;
  }
  if (policy !== "model" && !canBuild(system, gold, new Configuration(gold.length))) {
    notes.push(
      `${system.description.title} cannot build this tree; the dynamic oracle leads to the nearest tree that it can build.`,
    );
    return dynamic;
  }
  const any = policy === "non-deterministic" ? nonDeterministicOracle(system) : undefined;
  if (any) return oneOfThem(any, gold, dynamic);
  const canonical = staticOracle(system);
  canonical.bind(gold);
  return (c, here, indexOf) => {
    // Off its own derivation the static oracle of swap may be wrong; the search knows better, where it ends in time.
    const index = indexOf(canonical.next(c));
    const cost = here.choices[index]?.cost;
    return index < 0 || (cost !== undefined && cost > 0) ? dynamic(c, here, indexOf) : index;
  };
}

/**
 * All transitions that keep the gold tree within reach are marked; of several it takes the last one, then the last but
 * one and so on, so that the derivation is not the canonical one.
 */
function oneOfThem(oracle: NonDeterministicOracle, gold: GoldTree, otherwise: Chooser): Chooser {
  oracle.bind(gold);
  const moves: Move[] = [];
  let open = 0;
  return (c, here, indexOf) => {
    const count = oracle.correct(c, moves);
    const correct = moves.slice(0, count).map(indexOf);
    for (const index of correct) here.choices[index]!.correct = true;
    if (correct.length === 0) return otherwise(c, here, indexOf);
    return correct.length === 1 ? correct[0]! : correct.at(-1 - (open++ % correct.length))!;
  };
}

function best(choices: readonly Choice[]): number {
  let index = -1;
  choices.forEach(({ score }, i) => {
    if (index < 0 || score! > choices[index]!.score!) index = i;
  });
  return index;
}
