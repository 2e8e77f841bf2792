import { check, oneOf } from "../checks/options.js";
import { SYSTEM } from "../checks/shapes.js";
import { Configuration, NONE } from "../systems/configuration.js";
import { spine } from "../systems/losses/spines.js";
import { checkGold, type GoldTree } from "../systems/oracles/gold-tree.js";
import { ORACLES, type OracleName } from "../systems/oracles/oracle.js";
import type { TransitionSystem } from "../systems/system.js";
import type { Move } from "../systems/transition.js";
import {
  canBuild,
  dynamicOracle,
  exhaustiveOracle,
  nonDeterministicOracle,
  staticOracle,
  trainingOracle,
  wrongWords,
} from "./oracles.js";

/**
 * Stack and buffer, from the bottom and from the front; in LR-spines also both spines of each tree, from its root down,
 * and what else the configurations of a system have.
 */
export interface Snapshot {
  stack: number[];
  buffer: number[];
  spines?: { left: number[]; right: number[] }[];
  lists?: Record<string, number[]>;
}

/** One transition, with the configuration it leads to. */
export interface TraceStep extends Snapshot {
  transition: string;
  /** The arc that it builds, [head, dependent]. */
  arc: [head: number, dependent: number] | undefined;
  /** A sense or a role, for transitions that have one; "" for none, and absent where the tree has the label. */
  label?: string;
  /** Non-deterministic oracle: the transitions that were correct. */
  correct?: string[];
  /** Dynamic oracle: the cost of each transition that was permitted. */
  costs?: Record<string, number>;
  /** False if a limit was reached or only bounds are known, so that costs may be off. */
  exact?: false;
}

/** The derivation that an oracle follows. */
export interface Trace {
  /** The configuration before the first move. */
  initial: Snapshot;
  /** The moves with what they lead to. */
  steps: TraceStep[];
  /** Words without a head at the end: they are attached to 0. */
  headless: number[];
  /** Words whose head is another one in the end than in the gold tree, or that only one of the two leaves out. */
  wrong: number[];
}

/**
 * Follow an oracle from the initial to a terminal configuration. The static and the non-deterministic oracle need a
 * tree that the system can build, and undefined is returned if it is not; the dynamic oracle goes where least is lost.
 * @param system the transition system
 * @param gold the gold tree
 * @param oracleName the oracle that says which transitions to take
 */
export function traceDerivation(
  system: TransitionSystem,
  gold: GoldTree,
  oracleName: OracleName = "static",
): Trace | undefined {
  check("system", system, SYSTEM);
  checkGold(gold);
  check("oracle", oracleName, oneOf(...ORACLES));
  const c = new Configuration(gold.length);
  if (oracleName !== "dynamic" && !canBuild(system, gold, c)) return undefined;
  const choose = chooser(system, gold, oracleName);
  system.initialize(c, gold.length);
  const initial = snapshot(system, c);
  const steps: TraceStep[] = [];
  while (!system.isTerminal(c)) {
    const { move, ...remarks } = choose(c);
    const dependent = system.dependent(c, move);
    const arc: TraceStep["arc"] = dependent === NONE ? undefined : [system.head(c, move), dependent];
    system.apply(c, move);
    steps.push({ transition: system.nameOf(move), arc, ...snapshot(system, c), ...remarks });
  }
  const leftOut = system.description.leftOut?.(c);
  const headless: number[] = [];
  for (let d = 1; d <= c.length; d++) if (c.heads[d] === NONE && !(leftOut && leftOut[d]! > 0)) headless.push(d);
  system.finish(c);
  return { initial, steps, headless, wrong: wrongWords(system, gold, c) };
}

/** How long a cost is searched for that no bounds tell, in configurations times nodes. */
const SEARCH_LIMIT = 20_000;

type Choice = Pick<TraceStep, "correct" | "costs" | "exact"> & { move: Move };

function chooser(system: TransitionSystem, gold: GoldTree, oracleName: OracleName): (c: Configuration) => Choice {
  const moves: Move[] = [];
  if (oracleName === "static") {
    const oracle = staticOracle(system);
    oracle.bind(gold);
    return (c) => ({ move: oracle.next(c) });
  }
  if (oracleName === "non-deterministic") {
    const oracle = nonDeterministicOracle(system);
    if (!oracle) throw new RangeError(withoutOracle(system, oracleName));
    oracle.bind(gold);
    return (c) => {
      const count = oracle.correct(c, moves);
      return { move: moves[0]!, correct: moves.slice(0, count).map((move) => system.nameOf(move)) };
    };
  }
  const oracle = trainingOracle(system);
  if (!oracle) throw new RangeError(withoutOracle(system, oracleName));
  oracle.bind(gold);
  // Where there is only an oracle for training, whose costs are bounds, the costs that are known come from elsewhere.
  const known = dynamicOracle(system) ? undefined : exhaustiveOracle(system, SEARCH_LIMIT);
  known?.bind(gold);
  return (c) => {
    const count = system.permitted(c, moves);
    const costs: Record<string, number> = {};
    let exact = true;
    for (let i = 0; i < count; i++) {
      const cost = known?.cost(c, moves[i]!);
      costs[system.nameOf(moves[i]!)] = cost ?? oracle.cost(c, moves[i]!);
      exact &&= cost !== undefined || (!known && oracle.exact);
    }
    const move = oracle.optimal(c);
    return { move, costs, ...(exact && (known || oracle.exact) ? {} : { exact: false }) };
  };
}

function withoutOracle(system: TransitionSystem, oracleName: OracleName): string {
  const oracles = oraclesOf(system).join(", ");
  return `invalid oracle: ${oracleName} (none is known for ${system.name}; expected one of ${oracles})`;
}

/** The kinds of oracles that a system has. */
export function oraclesOf(system: TransitionSystem): OracleName[] {
  const known = { static: true, "non-deterministic": nonDeterministicOracle(system), dynamic: dynamicOracle(system) };
  return ORACLES.filter((name) => known[name]);
}

function snapshot(system: TransitionSystem, c: Configuration): Snapshot {
  const stack = Array.from(c.stack.subarray(0, c.stackSize));
  const buffer = Array.from(c.buffer.subarray(c.front, c.end));
  const { attachesToSpines, lists } = system.description;
  const spines = stack.map((root) => ({ left: spine(root, c.leftmost), right: spine(root, c.rightmost) }));
  return { stack, buffer, ...(attachesToSpines ? { spines } : {}), ...(lists ? { lists: lists(c) } : {}) };
}
