// One suite over every system and root position: what must hold of any transition system and its oracles.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canBuild, dynamicOracle, nonDeterministicOracle, staticOracle } from "../../src/registry/oracles.js";
import { createSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { Configuration } from "../../src/systems/configuration.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import type { SystemOptions } from "../../src/systems/settings.js";
import type { TransitionSystem } from "../../src/systems/system.js";
import * as brute from "./brute-force.js";
import { EXHAUSTIVE } from "./exhaustive.js";
import { permittedNames, reachablePairs, stateOf, step, systemOf } from "./walk.js";

const SEED = Number(process.env.SEED ?? 20261);
const RUNS = Number(process.env.RUNS ?? (EXHAUSTIVE ? 150 : 60));
const WORDS = Number(process.env.WORDS ?? 4);
console.log(
  `systems.test.ts: seed ${SEED}, ${RUNS} random runs each (SEED=… RUNS=… for others), n ≤ ${WORDS} (WORDS=…)`,
);

/** Every system, setting and root position, with and without the constraint to one root. */
const VARIANTS: brute.Options[] = brute.SYSTEMS_AND_SETTINGS.flatMap((options) =>
  brute.ROOTS.flatMap((root) => [
    { ...options, root },
    { ...options, root, singleRoot: true },
  ]),
);

const permitted = (system: TransitionSystem, c: Configuration): number[] => {
  const moves: number[] = [];
  const count = system.permitted(c, moves);
  return moves.slice(0, count);
};

/** A random tree: each word hangs on a word chosen before it in a random order, or on 0. */
const trees = (length: fc.Arbitrary<number>) =>
  length.chain((n) =>
    fc
      .tuple(
        fc.shuffledSubarray(
          Array.from({ length: n }, (_, i) => i + 1),
          { minLength: n, maxLength: n },
        ),
        fc.array(fc.nat(), { minLength: n, maxLength: n }),
      )
      .map(([order, choices]) => {
        const heads = new Int32Array(n + 1).fill(-1);
        order.forEach((word, i) => {
          heads[word] = i === 0 ? 0 : (order[choices[i]! % i] ?? 0);
        });
        return heads;
      }),
  );

describe.each(VARIANTS.map((options) => [brute.nameOf(options), options] as const))("%s", (_, options) => {
  const system = systemOf(options);

  test("every derivation ends in a tree, with one root if that is required; a copy equals a replay", () => {
    fc.assert(
      fc.property(fc.nat(12), fc.array(fc.nat(), { minLength: 400, maxLength: 400 }), (n, choices) => {
        const c = new Configuration();
        const copy = new Configuration();
        system.initialize(c, n);
        const history: string[] = [];
        for (let i = 0; !system.isTerminal(c); i++) {
          const moves = permitted(system, c);
          if (moves.length === 0) expect.fail(`no move after ${history}`);
          const move = moves[choices[i % choices.length]! % moves.length]!;
          if (!system.permits(c, move)) expect.fail(`${system.nameOf(move)} is not permitted after ${history}`);
          history.push(system.nameOf(move));
          copy.copyFrom(c);
          system.apply(copy, move, i);
          system.apply(c, move, i);
          if (brute.key(stateOf(system, copy)) !== brute.key(stateOf(system, c))) {
            expect(stateOf(system, copy), `${history}`).toEqual(stateOf(system, c));
          }
          const most = options.system === "attardi-auxiliary" ? 5 * (n + 1) ** 2 : n * n + 4 * n + 4;
          if (i >= most) expect.fail(`no end after ${history}`);
        }
        expect(permitted(system, c)).toEqual([]);
        let replay = new Configuration();
        system.initialize(replay, n);
        for (const name of history) replay = step(system, replay, name);
        expect(stateOf(system, replay)).toEqual(stateOf(system, c));
        system.finish(c);
        const heads = Array.from(c.heads.subarray(0, n + 1));
        for (let d = 1; d <= n; d++) if (!reachesRoot(heads, d)) expect.fail(`no tree: ${heads}`);
        if (options.singleRoot && n > 0) expect(heads.filter((h) => h === 0)).toHaveLength(1);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  test(`the static oracle builds every tree that can be built, and says so of the others (n ≤ ${WORDS + 1})`, () => {
    const c = new Configuration();
    const gold = new GoldTree();
    const oracle = staticOracle(system);
    const most = { swap: WORDS, "arc-hybrid-swap": WORDS, "two-planar": WORDS, "attardi-auxiliary": WORDS }[
      options.system as string
    ];
    for (let n = 1; n <= (most ?? WORDS + 1); n++) {
      for (const tree of brute.allTrees(n)) {
        gold.bind(tree);
        if (canBuild(system, gold, c, oracle) !== buildable(options, tree)) {
          expect.fail(`${tree}: can be built: ${buildable(options, tree)}, and the oracle says otherwise`);
        }
      }
    }
  });

  test("the static oracle gives moves that are permitted, and none where it is stuck", () => {
    const c = new Configuration();
    const oracle = staticOracle(system);
    for (let n = 1; n <= WORDS; n++) {
      for (const tree of brute.allTrees(n)) {
        oracle.bind(new GoldTree(tree));
        system.initialize(c, n);
        while (!system.isTerminal(c)) {
          const move = oracle.next(c);
          if (move < 0) break;
          if (!system.permits(c, move)) expect.fail(`${tree}: ${system.nameOf(move)} is not permitted`);
          system.apply(c, move);
        }
        if (buildable(options, tree) && !system.isTerminal(c)) expect.fail(`${tree}: stuck`);
      }
    }
  });

  test("non-deterministic oracle: the moves of cost 0, and the static oracle's move among them", () => {
    const nonDeterministic = nonDeterministicOracle(system);
    if (!nonDeterministic) {
      if (!options.singleRoot || options.monotonic !== false)
        expect(["swap", "arc-hybrid-swap", "two-planar"]).toContain(options.system);
      return;
    }
    const gold = new GoldTree();
    const fixed = staticOracle(system);
    const dynamic = dynamicOracle(system)!;
    for (let n = 1; n <= (options.system === "attardi-auxiliary" ? WORDS - 1 : WORDS); n++) {
      for (const tree of brute.allTrees(n).filter((t) => buildable(options, t))) {
        gold.bind(tree);
        for (const oracle of [nonDeterministic, fixed, dynamic]) oracle.bind(gold);
        const agenda = [new Configuration()];
        system.initialize(agenda[0]!, n);
        // A root that is reduced before its time has its head by convention only, and its arc is lost.
        const seen = new Set<string>();
        for (let c = agenda.pop(); c; c = agenda.pop()) {
          const state = brute.key(stateOf(system, c));
          if (system.isTerminal(c) || seen.has(state)) continue;
          seen.add(state);
          const moves: number[] = [];
          const count = nonDeterministic.correct(c, moves);
          const correct = moves.slice(0, count);
          const costsNothing = permitted(system, c).filter((move) => dynamic.cost(c, move) === 0);
          // Where words can change places for ever: those that lead on.
          const free = costsNothing.filter((move) => dynamic.leadsOn?.(c, move) ?? true);
          // Compared by hand, because so many calls of expect() take longer than all the rest.
          if (`${[...correct].sort()}` !== `${[...free].sort()}`) {
            expect(correct.map((m) => system.nameOf(m)).sort(), `${tree} ${state}`).toEqual(
              free.map((m) => system.nameOf(m)).sort(),
            );
          }
          if (!correct.includes(fixed.next(c))) expect.fail(`${tree} ${state}: not the static oracle's move`);
          for (const move of correct) agenda.push(step(system, c, system.nameOf(move)));
        }
      }
    }
  });

  test("following the dynamic oracle loses exactly the loss, from wherever it begins", () => {
    if (!dynamicOracle(system)) return;
    fc.assert(
      fc.property(
        trees(fc.integer({ min: 1, max: 24 })),
        fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
        (heads, choices) => {
          const gold = new GoldTree(heads);
          const oracle = dynamicOracle(system)!;
          oracle.bind(gold);
          const c = new Configuration();
          system.initialize(c, gold.length);
          const wander = choices[0]! % 30;
          for (let i = 1; i < wander && !system.isTerminal(c); i++) {
            const moves = permitted(system, c);
            const before = oracle.loss(c);
            const costs = moves.map((move) => oracle.cost(c, move));
            if (Math.min(...costs) !== 0) expect.fail(`step ${i}: costs ${costs}`);
            moves.forEach((move, k) => {
              if (oracle.isOptimal(c, move) !== (costs[k] === 0)) {
                expect.fail(`step ${i}: ${system.nameOf(move)} costs ${costs[k]}, and isOptimal says otherwise`);
              }
            });
            const k = choices[i]! % moves.length;
            oracle.cost(c, moves[k]!);
            const isExact = oracle.exact;
            system.apply(c, moves[k]!);
            // Bounds of losses may fall where heads can be replaced.
            if (oracle.loss(c) !== before + costs[k]! && (isExact || options.monotonic !== false)) {
              expect.fail(`step ${i}: loss ${oracle.loss(c)} after a move that costs ${costs[k]}, before it ${before}`);
            }
          }
          const loss = oracle.loss(c);
          const { exact } = oracle;
          while (!system.isTerminal(c)) system.apply(c, oracle.optimal(c));
          let lost = 0;
          for (let d = 1; d <= gold.length; d++) {
            if (!(gold.heads[d] === 0 && options.root === "none") && c.heads[d] !== gold.heads[d]) lost++;
          }
          // For long trees outside the system's class the loss is an upper bound, and may be undercut by luck.
          if (exact && (gold.projective || gold.length <= 12)) expect(lost).toBe(loss);
          else expect(lost).toBeLessThanOrEqual(loss);
        },
      ),
      { seed: SEED, numRuns: RUNS },
    );
  });
});

test("what 2-planar permits, with one root required, is neither too much nor too little (n ≤ 4)", () => {
  for (const root of brute.ROOTS) {
    const options: brute.Options = { system: "two-planar", root, singleRoot: true };
    const system = systemOf(options);
    for (let n = 1; n <= (root === "none" ? 4 : 3); n++) {
      for (const { state, c } of reachablePairs(options, n)) {
        const names = brute.successors(options, state).map(([name]) => name);
        if (permittedNames(system, c).join() !== names.sort().join()) {
          expect.fail(`${JSON.stringify(state)}: ${permittedNames(system, c)} instead of ${names}`);
        }
      }
    }
  }
});

test("names of moves lead back to the moves, and foreign names to none", () => {
  for (const name of SYSTEM_NAMES) {
    const system = createSystem(name);
    const c = new Configuration();
    system.initialize(c, 3);
    while (!system.isTerminal(c)) {
      const moves = permitted(system, c);
      for (const move of moves) expect(system.moveOf(system.nameOf(move))).toBe(move);
      system.apply(c, moves[0]!);
    }
    for (const wrong of ["", "shift", "SHIFT-1", "LEFT-ARC-0", "LEFT-ARC-01", "ARC"])
      expect(system.moveOf(wrong)).toBe(-1);
  }
  expect(createSystem("arc-standard").moveOf("LEFT-ARC-2")).toBe(-1);
  expect(createSystem("attardi").moveOf("LEFT-ARC-3")).toBe(-1);
  expect(createSystem("lr-spines").moveOf("LEFT-ARC")).toBe(-1);
});

test("unknown systems and degrees are refused with what is valid", () => {
  expect(() => createSystem("arc-fast")).toThrow("unknown transition system: arc-fast (expected one of arc-eager, ");
  for (const degree of [1, 33]) {
    expect(() => createSystem("attardi", { degree })).toThrow(
      `invalid degree of attardi: ${degree} (expected a whole number from 2 to 32)`,
    );
  }
  expect(createSystem("attardi", { degree: 4 }).moveOf("LEFT-ARC-4")).toBeGreaterThan(0);
  expect(() => createSystem("arc-eager", { monotonic: false, treeConstraint: false })).toThrow(
    "invalid treeConstraint: false (expected true with monotonic: false",
  );
});

test("lazy arc-eager: REDUCE only for an arc with a node further down, and every tree that eager builds (n = 5)", () => {
  for (const root of brute.ROOTS) {
    const system = createSystem("arc-eager", { root, lazy: true });
    const eager = createSystem("arc-eager", { root });
    const oracle = staticOracle(system);
    const c = new Configuration();
    for (const tree of brute.allTrees(5)) {
      const gold = new GoldTree(tree);
      expect(canBuild(system, gold, c, oracle)).toBe(canBuild(eager, gold, c));
      oracle.bind(gold);
      system.initialize(c, 5);
      for (let move = oracle.next(c); move >= 0 && !system.isTerminal(c); move = oracle.next(c)) {
        const below = Array.from(c.stack.subarray(0, c.stackSize - 1));
        const isAwaited = below.some((k) => tree[k] === c.b(0) || tree[c.b(0)] === k);
        if (system.nameOf(move) === "REDUCE" && !isAwaited) expect.fail(`${tree}: REDUCE of ${c.s(0)}`);
        system.apply(c, move);
        if (system.isTerminal(c)) break;
      }
    }
  }
});

test("lazy swaps less than eager, and both build every tree (n = 5)", () => {
  const swaps = { eager: 0, lazy: 0 };
  for (const root of brute.ROOTS) {
    for (const lazy of [false, true]) {
      const options: SystemOptions = { root, lazy };
      const system = createSystem("swap", options);
      const oracle = staticOracle(system);
      const c = new Configuration();
      for (const tree of brute.allTrees(5)) {
        const gold = new GoldTree(tree);
        const roots = tree.filter((h) => h === 0).length;
        expect(canBuild(system, gold, c, oracle)).toBe(root !== "none" || roots === 1);
        if (root !== "first") continue;
        oracle.bind(gold);
        system.initialize(c, 5);
        while (!system.isTerminal(c)) {
          const move = oracle.next(c);
          if (system.nameOf(move) === "SWAP") swaps[lazy ? "lazy" : "eager"]++;
          system.apply(c, move);
        }
      }
    }
  }
  expect(swaps.lazy).toBeLessThan(swaps.eager);
});

test("lazy swaps what eager does, unless the top and the next word belong to the same part that arc-standard can build (n = 5)", () => {
  for (const root of brute.ROOTS) {
    const system = createSystem("swap", { root });
    const eager = staticOracle(system);
    const lazy = staticOracle(createSystem("swap", { root, lazy: true }));
    const c = new Configuration();
    for (const tree of brute.allTrees(5)) {
      const parts = projectiveParts(tree);
      for (const oracle of [eager, lazy]) oracle.bind(new GoldTree(tree));
      system.initialize(c, 5);
      while (!system.isTerminal(c) && eager.next(c) >= 0) {
        const waits = system.nameOf(eager.next(c)) === "SWAP" && c.b(0) > 0 && parts[c.s(0)] === parts[c.b(0)];
        const expected = waits ? "SHIFT" : system.nameOf(eager.next(c));
        if (system.nameOf(lazy.next(c)) !== expected) expect.fail(`${tree}, ${JSON.stringify(stateOf(system, c))}`);
        system.apply(c, lazy.next(c));
      }
    }
  }
});

/** For each node its part: arcs are joined as soon as they can be, by the plainest of arc-standard parsers. */
function projectiveParts(heads: readonly number[]): number[] {
  const parts = heads.map((_, node) => node);
  const isDone = (node: number) => heads.every((head, d) => head !== node || parts[d] === parts[node]);
  const stack = [0];
  for (let word = 1; word < heads.length; word++) {
    stack.push(word);
    for (;;) {
      const [t, s] = stack.slice(-2);
      if (s === undefined || t === undefined) break;
      const dependent = heads[t] === s && isDone(t) ? t : heads[s] === t && isDone(s) ? s : undefined;
      if (dependent === undefined) break;
      const [from, to] = [parts[dependent], parts[dependent === s ? t : s]!];
      parts.forEach((part, node) => {
        if (part === from) parts[node] = to;
      });
      stack.splice(stack.indexOf(dependent), 1);
    }
  }
  return parts;
}

test("permitted names are in no particular order but complete", () => {
  const system = createSystem("lr-spines", { root: "first" });
  const c = new Configuration();
  system.initialize(c, 3);
  for (const name of ["SHIFT", "RIGHT-ARC-1", "SHIFT"]) system.apply(c, system.moveOf(name));
  expect(permittedNames(system, c)).toEqual(["RIGHT-ARC-1", "RIGHT-ARC-2", "SHIFT"]);
});

const buildableCache = new Map<string, boolean>();

function buildable(options: brute.Options, tree: number[]): boolean {
  const key = `${brute.nameOf(options)} ${tree}`;
  let known = buildableCache.get(key);
  if (known === undefined) buildableCache.set(key, (known = brute.isDerivable(options, tree)));
  return known;
}

function reachesRoot(heads: number[], d: number): boolean {
  let node = d;
  for (let i = 0; i < heads.length && node > 0; i++) node = heads[node]!;
  return node === 0;
}
