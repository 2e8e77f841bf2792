import type { Snapshot, Trace, TraceStep } from "../../registry/trace.js";
import { NONE } from "../../systems/configuration.js";
import { checkGold, type GoldTree } from "../../systems/oracles/gold-tree.js";
import type { TransitionSystem } from "../../systems/system.js";
import { checkPredicates, type PredicateData } from "../../treebank/sentence/semantics/predicate-data.js";
import { Inventory, semanticGraph } from "./semantic-oracle.js";
import { SEM_LEFT_ARC, SEM_RIGHT_ARC } from "./semantic-system.js";
import { TwoStackConfiguration, TwoStackOracle, TwoStacks } from "./two-stacks.js";

/** A derivation with two stacks, and the arguments that it could not build. */
export interface RoleTrace extends Trace {
  /** Predicate and argument of each. */
  lost: [predicate: number, argument: number][];
}

/**
 * Follows the static oracles of a syntactic system and of the semantic half from the initial to the terminal
 * configuration; undefined if the system cannot build the tree.
 */
export function traceRoles(
  system: TransitionSystem,
  gold: GoldTree,
  predicates: readonly PredicateData[],
): RoleTrace | undefined {
  const stacks = new TwoStacks(system);
  checkGold(gold);
  checkPredicates(predicates, gold.length, (what, value, expected) => {
    throw new RangeError(`invalid ${what}: ${value} (expected ${expected})`);
  });
  const oracle = new TwoStackOracle(stacks);
  const c = new TwoStackConfiguration();
  const { syntax, semantics } = c;
  const senses = new Inventory();
  const roles = new Inventory();
  const graph = semanticGraph(gold.length, predicates, senses, roles);
  oracle.bind(gold, graph);
  stacks.initialize(c, gold.length);
  const initial = snapshot(c);
  const steps: TraceStep[] = [];
  while (!stacks.isTerminal(c)) {
    const next = oracle.next(c);
    if (next === undefined) return undefined;
    const { label } = oracle;
    let arc: TraceStep["arc"];
    let name: string | undefined;
    if (next.half === "syntax") {
      const dependent = system.dependent(syntax, next.move);
      if (dependent !== NONE) arc = [system.head(syntax, next.move), dependent];
    } else if (next.move === SEM_LEFT_ARC || next.move === SEM_RIGHT_ARC) {
      const [b, s] = [semantics.b, semantics.s(0)];
      arc = next.move === SEM_LEFT_ARC ? [b, s] : [s, b];
      name = roles.names[label];
    } else name = next.move === 0 ? senses.names[label] : "";
    stacks.apply(c, next, label);
    steps.push({
      transition: stacks.nameOf(next),
      arc,
      ...(name === undefined ? {} : { label: name }),
      ...snapshot(c),
    });
  }
  const headless: number[] = [];
  for (let d = 1; d <= syntax.length; d++) if (syntax.heads[d] === NONE) headless.push(d);
  system.finish(syntax);
  const wrong: number[] = [];
  for (let d = 1; d <= syntax.length; d++) if (syntax.heads[d] !== gold.heads[d]) wrong.push(d);
  const lost = graph.arcs.filter(([p, a]) => semantics.role(p, a) === NONE).map(([p, a]): [number, number] => [p, a]);
  return wrong.length > 0 ? undefined : { initial, steps, headless, wrong, lost };
}

function snapshot({ syntax, semantics }: TwoStackConfiguration): Snapshot {
  return {
    stack: Array.from(syntax.stack.subarray(0, syntax.stackSize)),
    lists: { "semantic stack": Array.from(semantics.stack.subarray(0, semantics.stackSize)) },
    buffer: Array.from(syntax.buffer.subarray(syntax.front, syntax.end)),
  };
}
