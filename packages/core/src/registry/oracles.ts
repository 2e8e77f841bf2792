import { check, number } from "../checks/options.js";
import { having, SYSTEM } from "../checks/shapes.js";
import { type Configuration, NONE } from "../systems/configuration.js";
import { ExhaustiveOracle } from "../systems/oracles/exhaustive.js";
import { checkGold, GoldTree } from "../systems/oracles/gold-tree.js";
import { LabelledOracle } from "../systems/oracles/labelled-oracle.js";
import type { DynamicOracle, NonDeterministicOracle, StaticOracle } from "../systems/oracles/oracle.js";
import { standsFor } from "../systems/oracles/stands-for.js";
import type { TransitionSystem } from "../systems/system.js";
import { systemTraining } from "./training.js";

/**
 * The canonical derivation: arcs first, nearest first, SHIFT last.
 * @param system the transition system
 */
export function staticOracle(system: TransitionSystem): StaticOracle {
  check("system", system, SYSTEM);
  return systemTraining(system.name).oracles.static(system);
}

/**
 * All transitions that keep the gold tree reachable; undefined where none is known.
 * @param system the transition system
 */
export function nonDeterministicOracle(system: TransitionSystem): NonDeterministicOracle | undefined {
  check("system", system, SYSTEM);
  return systemTraining(system.name).oracles.nonDeterministic(system);
}

/**
 * Loss and costs in any configuration; undefined where none is known. Trees that the system cannot build are dealt with
 * exactly up to `exactWords` words (in arc-eager and arc-hybrid always); beyond, and where a search reaches its limit,
 * the oracle's `exact` is false.
 *
 * @param system the transition system
 * @param exactWords up to how many words costs are exact
 * @example
 * ```ts
 * import { Configuration, createSystem, dynamicOracle, GoldTree } from "@stemma/core/systems";
 *
 * const system = createSystem("arc-eager");
 * const oracle = dynamicOracle(system);
 * oracle?.bind(new GoldTree([-1, 2, 0, 2]));
 * const c = new Configuration();
 * system.initialize(c, 3);
 * system.apply(c, system.moveOf("SHIFT"));
 * console.log(oracle?.cost(c, system.moveOf("RIGHT-ARC")));
 * ```
 */
export function dynamicOracle(system: TransitionSystem, exactWords?: number): DynamicOracle | undefined {
  check("system", system, SYSTEM);
  if (exactWords !== undefined) check("exactWords", exactWords, number(0));
  return systemTraining(system.name).oracles.dynamic(system, exactWords);
}

/**
 * The oracle for dynamic training: the dynamic oracle or, where none is known, one whose losses are upper bounds (swap,
 * unless it is lazy); undefined where there is neither.
 */
export function trainingOracle(system: TransitionSystem): DynamicOracle | undefined {
  check("system", system, SYSTEM);
  const { oracles } = systemTraining(system.name);
  return oracles.dynamic(system) ?? oracles.approximate?.(system);
}

/**
 * Exact loss and costs by searching all continuations, for systems without a dynamic oracle; `limit` is in
 * configurations times nodes.
 * @param system the transition system
 * @param limit the most configurations times nodes to look at
 */
export function exhaustiveOracle(system: TransitionSystem, limit?: number): ExhaustiveOracle {
  check("system", system, SYSTEM);
  if (limit !== undefined) check("limit", limit, number(0));
  return new ExhaustiveOracle(system, systemTraining(system.name).oracles.bounds?.(system), limit);
}

/**
 * Loss and costs in which a gold arc counts only with its gold label; where there is no dynamic oracle, by a search
 * with the `limit` of `exhaustiveOracle`.
 * @param system the transition system
 * @param limit the most configurations times nodes to look at
 */
export function labelledOracle(system: TransitionSystem, limit?: number): LabelledOracle {
  if (limit !== undefined) check("limit", limit, number(0));
  return new LabelledOracle(system, dynamicOracle(system) ?? exhaustiveOracle(system, limit));
}

/**
 * A sentence with its tree, for oracles: where words may be left out, its labels tell which are. `labels`: the
 * same as numbers, for a labelled tree.
 */
export function goldTreeOf(
  system: TransitionSystem,
  sentence: { readonly length: number; readonly heads: ArrayLike<number>; deprel(i: number): string },
  labels?: ArrayLike<number>,
): GoldTree {
  check("system", system, SYSTEM);
  check("sentence", sentence, having("a sentence", "deprel"));
  const { wordsLeftOut } = systemTraining(system.name);
  if (!wordsLeftOut) return new GoldTree(sentence.heads, labels);
  const names = [""];
  for (let i = 1; i <= sentence.length; i++) names.push(sentence.deprel(i));
  return new GoldTree(sentence.heads, labels, wordsLeftOut(sentence.heads, names));
}

/**
 * The words that a configuration has with another head than the gold tree, or leaves out although the tree does not, or
 * the other way round.
 */
export function wrongWords(system: TransitionSystem, gold: GoldTree, c: Configuration): number[] {
  const leftOut = system.description.leftOut?.(c);
  const wrong: number[] = [];
  for (let d = 1; d <= c.length; d++) if (!gold.agrees(d, c.heads[d]!, leftOut?.[d] ?? NONE)) wrong.push(d);
  return wrong;
}

/**
 * Can the system build this tree? The static oracle builds every tree that can be built, so it is asked to. Arcs from 0
 * must be built by transitions where 0 is there (see `standsFor`).
 */
export function canBuild(
  system: TransitionSystem,
  gold: GoldTree,
  c: Configuration,
  oracle = staticOracle(system),
): boolean {
  check("system", system, SYSTEM);
  checkGold(gold);
  check("configuration", c, having("a Configuration", "copyFrom"));
  check("oracle", oracle, having("a static oracle", "next"));
  oracle.bind(gold);
  system.initialize(c, gold.length);
  while (!system.isTerminal(c)) {
    const move = oracle.next(c);
    if (move < 0) return false;
    system.apply(c, move);
  }
  return standsFor(system, c, gold);
}
