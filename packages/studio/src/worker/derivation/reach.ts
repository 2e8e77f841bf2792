import {
  Configuration,
  canBuild,
  type DynamicOracle,
  dynamicOracle,
  type GoldTree,
  goldTreeOf,
  type Move,
  type StaticOracle,
  staticOracle,
} from "@stemma/core/systems";
import type { Reached, SystemChoice } from "../../protocol/derivation.js";
import type { Tree } from "../../protocol/sentence.js";
import { MOST_STEPS, makeSystem, sentenceOf } from "./system.js";

/**
 * The tree that a system's oracle reaches and the number of steps to it: the gold tree, or the nearest that the system
 * can build.
 */
export function reach(choice: SystemChoice, target: Tree): Reached {
  const system = makeSystem(choice);
  const n = target.heads.length - 1;
  const gold = goldTreeOf(system, sentenceOf(target));
  const c = new Configuration(n);
  const exact = dynamicOracle(system);
  const builds = canBuild(system, gold, c);
  if (!builds && !exact) {
    return {
      reason: `${system.description.title} cannot build this tree, and no oracle finds the nearest tree that it can build.`,
    };
  }
  const next = builds ? nextOf(staticOracle(system), gold) : optimalOf(exact!, gold);
  system.initialize(c, n);
  let steps = 0;
  for (; !system.isTerminal(c) && steps < MOST_STEPS; steps++) {
    const move = next(c);
    if (move < 0) break;
    system.apply(c, move);
  }
  system.finish(c);
  const removed = system.description.leftOut?.(c).subarray(0, n + 1);
  const removedAs = (word: number) => Math.max(0, removed?.[word] ?? 0);
  const heads = Array.from(c.heads.subarray(0, n + 1));
  return {
    tree: { heads, labels: target.labels.map((label, d) => (heads[d] === 0 ? "root" : heads[d]! < 0 ? "" : label)) },
    steps,
    lost: heads.filter((head, d) => d > 0 && !gold.agrees(d, head, removedAs(d))).length,
    removed: heads.map((_, d) => removedAs(d)),
  };
}

function nextOf(oracle: StaticOracle, gold: GoldTree): (c: Configuration) => Move {
  oracle.bind(gold);
  return (c) => oracle.next(c);
}

function optimalOf(oracle: DynamicOracle, gold: GoldTree): (c: Configuration) => Move {
  oracle.bind(gold);
  return (c) => oracle.optimal(c);
}
