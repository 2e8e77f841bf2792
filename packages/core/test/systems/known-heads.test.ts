// Which moves keep a partial tree within known, against the brute force: every partial tree, every configuration that
// is reached by kept moves alone. A tree is what a terminal configuration stands for, so a word without a head counts
// as one on 0.
import { expect, test } from "vitest";
import { Configuration, NONE } from "../../src/systems/configuration.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import { findCycle } from "../../src/treebank/tree.js";
import * as brute from "./brute-force.js";
import { permittedNames, step, systemOf } from "./walk.js";

const WORDS = Number(process.env.WORDS ?? 4);

/** Every partial tree over n words that has no cycle, and at most one word on 0 if the system builds one root. */
function* partialTrees(n: number, oneRoot: boolean): Generator<number[]> {
  const heads = new Array<number>(n + 1).fill(NONE);
  const choose = function* (d: number): Generator<number[]> {
    if (d > n) {
      const roots = heads.filter((h) => h === 0).length;
      if (findCycle(Int32Array.from(heads)) === null && (roots <= 1 || !oneRoot)) yield heads.slice();
      return;
    }
    for (let h = NONE; h <= n; h++) {
      if (h === d) continue;
      heads[d] = h;
      yield* choose(d + 1);
    }
  };
  yield* choose(1);
}

/** All configurations, those that follow first, with their transitions. */
class Graph {
  readonly states: brute.State[] = [];
  readonly edges: [name: string, to: number][][] = [];
  /** The trees of terminal configurations, and undefined for the others. */
  readonly trees: ({ heads: number[]; name: string } | undefined)[] = [];
  private readonly byKey = new Map<string, number>();

  constructor(
    readonly options: brute.Options,
    readonly n: number,
  ) {
    this.visit(brute.initial(options, n));
  }

  private visit(state: brute.State): number {
    const key = brute.key(state);
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    const edges = brute
      .successors(this.options, state)
      .map(([name, next]): [string, number] => [name, this.visit(next)]);
    this.byKey.set(key, this.states.length);
    this.edges.push(edges);
    const heads = brute.finalTree(state);
    this.trees.push(edges.length === 0 ? { heads, name: heads.join() } : undefined);
    return this.states.push(state) - 1;
  }

  /** For each configuration whether it can become a tree with these heads. */
  feasible(heads: readonly number[]): Uint8Array {
    const feasible = new Uint8Array(this.states.length);
    for (let id = 0; id < feasible.length; id++) {
      const tree = this.trees[id];
      if (tree) feasible[id] = agrees(tree.heads, heads) ? 1 : 0;
      else for (const edge of this.edges[id]!) feasible[id]! |= feasible[edge[1]]!;
    }
    return feasible;
  }
}

function agrees(tree: readonly number[], heads: readonly number[]): boolean {
  for (let d = 1; d < heads.length; d++) if (heads[d]! >= 0 && heads[d] !== tree[d]) return false;
  return true;
}

interface Comparison {
  /** Moves that could be kept, and those among them that were not. */
  feasible: number;
  refused: number;
  /** Trees with the heads of a partial tree, and those among them that no sequence of kept moves leads to. */
  trees: number;
  unreachable: number;
}

/** Compares on up to n words. */
function compare(options: brute.Options, upTo: number): Comparison {
  const system = systemOf(options);
  const known = system.description.knownHeads!(system);
  const tree = new GoldTree();
  const count = { feasible: 0, refused: 0, trees: 0, unreachable: 0 };
  // Configurations that were looked at are used again: to make one takes longer than to compare it.
  const spare: Configuration[] = [];
  for (let n = 1; n <= upTo; n++) {
    const graph = new Graph(options, n);
    for (const heads of partialTrees(n, system.buildsOneRoot)) {
      const feasible = graph.feasible(heads);
      tree.bind(heads);
      known.bind(tree);
      const start = graph.states.length - 1;
      const place = (id: number) => `heads ${heads.slice(1)}, ${JSON.stringify(graph.states[id])}`;
      if (known.isPossible() !== (feasible[start] === 1))
        expect.fail(`${place(start)}: possible ${known.isPossible()}`);
      if (!feasible[start]) continue;
      const c = spare.pop() ?? new Configuration();
      system.initialize(c, n);
      const seen = new Set<number>([start]);
      const built = new Set<string>();
      const agenda: [number, Configuration][] = [[start, c]];
      for (let at = agenda.pop(); at; at = agenda.pop()) {
        const [id, c] = at;
        const edges = graph.edges[id]!;
        if (edges.length === 0) built.add(graph.trees[id]!.name);
        let kept = 0;
        for (const [name, to] of edges) {
          const keeps = known.keeps(c, system.moveOf(name));
          if (keeps && !feasible[to]) expect.fail(`${place(id)}: ${name} kept, but nothing follows`);
          count.feasible += feasible[to]!;
          if (!keeps) {
            if (feasible[to]) {
              count.refused++;
              if (process.env.SHOW) console.log(`${place(id)}: ${name} refused (${permittedNames(system, c)})`);
            }
            continue;
          }
          kept++;
          if (seen.has(to)) continue;
          seen.add(to);
          agenda.push([to, step(system, c, name, spare.pop())]);
        }
        if (edges.length > 0 && kept === 0) expect.fail(`${place(id)}: no move kept`);
        spare.push(c);
      }
      const all = new Set<string>();
      graph.trees.forEach((tree, id) => {
        if (tree && feasible[id]) all.add(tree.name);
      });
      count.trees += all.size;
      for (const tree of all) if (!built.has(tree)) count.unreachable++;
    }
  }
  return count;
}

const EXACT: Omit<brute.Options, "root">[] = [
  { system: "arc-eager" },
  { system: "arc-hybrid" },
  { system: "arc-swift" },
  { system: "arc-standard" },
  { system: "attardi" },
  { system: "attardi", degree: 3 },
  { system: "attardi", degree: 4 },
  { system: "lr-spines" },
  { system: "covington" },
];
const SINGLE = [true, false];
const NAMED = EXACT.flatMap((options) =>
  brute.ROOTS.flatMap((root) =>
    SINGLE.map((singleRoot) => {
      const name = `${options.system}${options.degree ?? ""}, root ${root}, ${singleRoot ? "one root" : "any number of roots"}`;
      return [name, { ...options, root, singleRoot }] as const;
    }),
  ),
);

test.each(NAMED)(`%s: exact, n ≤ ${WORDS}`, (_, options) => {
  const { feasible, refused, trees, unreachable } = compare(options, WORDS);
  expect(feasible).toBeGreaterThan(trees);
  expect([refused, unreachable]).toEqual([0, 0]);
});

/** Systems in which not all ways are found, and the greatest share of moves that are refused in vain. */
const SOUND: [Omit<brute.Options, "root">, number][] = [
  [{ system: "swap" }, 0.02],
  [{ system: "arc-hybrid-swap" }, 0.02],
  [{ system: "arc-eager", monotonic: false }, 0.5],
  [{ system: "covington", monotonic: false }, 0.6],
];
const SOUND_NAMED = SOUND.flatMap(([options, share]) =>
  brute.ROOTS.flatMap((root) =>
    SINGLE.map((singleRoot) => {
      const whole = { ...options, root, singleRoot };
      return [brute.nameOf(whole), whole, share] as const;
    }),
  ),
);

test.each(SOUND_NAMED)(`%s: sound; all trees, but not by all ways, n ≤ ${WORDS}`, (name, options, share) => {
  const { feasible, refused, trees, unreachable } = compare(options, WORDS);
  console.log(`${name}: ${refused} of ${feasible} feasible moves refused, ${unreachable} of ${trees} trees lost`);
  expect(refused / feasible).toBeLessThan(share);
  expect(unreachable).toBe(0);
});
