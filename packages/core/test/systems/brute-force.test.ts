// The brute force is the truth that the oracles are held to, so it is checked here against cases worked out by hand and
// against counts that are known in closed form.

import { describe, expect, test } from "vitest";
import {
  allTrees,
  arcDifference,
  BruteForce,
  countDerivations,
  finalTree,
  initial,
  isProjective,
  isTerminal,
  key,
  lossFrom,
  type Options,
  projectiveTrees,
  ROOTS,
  reachable,
  type State,
  SYSTEMS,
  type SystemName,
  successors,
} from "./brute-force.js";
import { EXHAUSTIVE } from "./exhaustive.js";
import { systemOf } from "./walk.js";

const VARIANTS: Options[] = SYSTEMS.flatMap((system) =>
  ROOTS.flatMap((root): Options[] =>
    system === "attardi"
      ? [
          { system, root, degree: 2 },
          { system, root, degree: 3 },
        ]
      : [{ system, root }],
  ),
);
/** All trees of 4 words; for 2-planar, there are others only from 5 words on. */
const BUILDS_ALL: SystemName[] = ["swap", "arc-hybrid-swap", "covington", "two-planar", "attardi-auxiliary"];
const title = (o: Options): string => `${o.system}${o.degree ? ` degree ${o.degree}` : ""}, root ${o.root}`;

function run(options: Options, n: number, names: string[]): State {
  let state = initial(options, n);
  for (const name of names) {
    const step = successors(options, state).find(([candidate]) => candidate === name);
    if (step === undefined) throw new Error(`invalid transition: ${name} (in ${key(state)})`);
    state = step[1];
  }
  return state;
}

const names = (options: Options, state: State): string[] => successors(options, state).map(([name]) => name);

/** The definition word for word: the terminal configurations below a state, of which the smallest difference counts. */
function endings(options: Options, state: State): State[] {
  const seen = new Set<string>();
  const ends: State[] = [];
  const visit = (s: State): void => {
    const k = key(s);
    if (seen.has(k)) return;
    seen.add(k);
    if (isTerminal(options, s)) ends.push(s);
    for (const [, next] of successors(options, s)) visit(next);
  };
  visit(state);
  return ends;
}

describe("trees", () => {
  test.each([1, 2, 3, 4, 5])("n = %i: (n + 1)^(n - 1) trees, C(3n, n) / (2n + 1) projective ones", (n) => {
    const all = allTrees(n);
    expect(all.length).toBe((n + 1) ** (n - 1));
    expect(projectiveTrees(n).length).toBe([1, 3, 12, 55, 273][n - 1]);
    const one = projectiveTrees(n).filter((heads) => heads.filter((h) => h === 0).length === 1);
    expect(one.length).toBe([1, 2, 7, 30, 143][n - 1]);
    expect(all.filter((t) => isProjective(t, "left"))).toEqual(all.filter((t) => isProjective(t, "right")));
  });
});

describe("transitions by hand", () => {
  test("initial configurations", () => {
    expect(initial({ system: "swap", root: "first" }, 2)).toEqual({ stack: [0], buffer: [1, 2], heads: [-1, -1, -1] });
    expect(initial({ system: "swap", root: "last" }, 2)).toEqual({ stack: [], buffer: [1, 2, 0], heads: [-1, -1, -1] });
    expect(initial({ system: "swap", root: "none" }, 2)).toEqual({ stack: [], buffer: [1, 2], heads: [-1, -1, -1] });
  });

  test("arc-standard: 0 is never a dependent", () => {
    const first: Options = { system: "arc-standard", root: "first" };
    expect(names(first, run(first, 2, ["SHIFT"]))).toEqual(["SHIFT", "RIGHT-ARC"]);
    const last: Options = { system: "arc-standard", root: "last" };
    expect(names(last, run(last, 1, ["SHIFT", "SHIFT"]))).toEqual(["LEFT-ARC"]);
  });

  test("arc-eager: REDUCE needs a head, LEFT-ARC needs none, 0 stays in the buffer", () => {
    const o: Options = { system: "arc-eager", root: "last" };
    expect(names(o, run(o, 2, ["SHIFT"]))).toEqual(["SHIFT", "LEFT-ARC", "RIGHT-ARC"]);
    const attached = run(o, 2, ["SHIFT", "RIGHT-ARC"]);
    expect(attached).toEqual({ stack: [1, 2], buffer: [0], heads: [-1, -1, 1] });
    expect(names(o, attached)).toEqual(["REDUCE"]);
    const end = run(o, 2, ["SHIFT", "RIGHT-ARC", "REDUCE", "LEFT-ARC"]);
    expect(end).toEqual({ stack: [], buffer: [0], heads: [-1, 0, 1] });
    expect(names(o, end)).toEqual([]);
  });

  test("arc-eager, root first: the end of the buffer is the end", () => {
    const o: Options = { system: "arc-eager", root: "first" };
    const end = run(o, 2, ["SHIFT", "RIGHT-ARC"]);
    expect(names(o, end)).toEqual([]);
    expect(end.heads).toEqual([-1, -1, 1]);
    expect(finalTree(end)).toEqual([-1, 0, 1]);
  });

  test("arc-hybrid: left from the buffer, right inside the stack", () => {
    const o: Options = { system: "arc-hybrid", root: "first" };
    const both = run(o, 3, ["SHIFT", "SHIFT"]);
    expect(successors(o, both)).toEqual([
      ["SHIFT", { stack: [0, 1, 2, 3], buffer: [], heads: [-1, -1, -1, -1] }],
      ["LEFT-ARC", { stack: [0, 1], buffer: [3], heads: [-1, -1, 3, -1] }],
      ["RIGHT-ARC", { stack: [0, 1], buffer: [3], heads: [-1, -1, 1, -1] }],
    ]);
  });

  test("Attardi: arcs between the top and the third and fourth", () => {
    const o: Options = { system: "attardi", root: "none", degree: 3 };
    const four = run(o, 4, ["SHIFT", "SHIFT", "SHIFT", "SHIFT"]);
    expect(successors(o, four)).toEqual([
      ["LEFT-ARC", { stack: [1, 2, 4], buffer: [], heads: [-1, -1, -1, 4, -1] }],
      ["RIGHT-ARC", { stack: [1, 2, 3], buffer: [], heads: [-1, -1, -1, -1, 3] }],
      ["LEFT-ARC-2", { stack: [1, 3, 4], buffer: [], heads: [-1, -1, 4, -1, -1] }],
      ["RIGHT-ARC-2", { stack: [1, 2, 3], buffer: [], heads: [-1, -1, -1, -1, 2] }],
      ["LEFT-ARC-3", { stack: [2, 3, 4], buffer: [], heads: [-1, 4, -1, -1, -1] }],
      ["RIGHT-ARC-3", { stack: [1, 2, 3], buffer: [], heads: [-1, -1, -1, -1, 1] }],
    ]);
    expect(names({ ...o, degree: 2 }, four)).toEqual(["LEFT-ARC", "RIGHT-ARC", "LEFT-ARC-2", "RIGHT-ARC-2"]);
  });

  test("swap: back to the buffer once, never 0, never out of order", () => {
    const o: Options = { system: "swap", root: "first" };
    expect(names(o, run(o, 2, ["SHIFT"]))).not.toContain("SWAP");
    const swapped = run(o, 2, ["SHIFT", "SHIFT", "SWAP"]);
    expect(swapped).toEqual({ stack: [0, 2], buffer: [1], heads: [-1, -1, -1] });
    expect(names(o, run(o, 2, ["SHIFT", "SHIFT", "SWAP", "SHIFT"]))).toEqual(["LEFT-ARC", "RIGHT-ARC"]);
  });

  test("LR-spines: heads along both spines, and the spines after an arc", () => {
    const o: Options = { system: "lr-spines", root: "none" };
    const right = run(o, 3, ["SHIFT", "SHIFT", "RIGHT-ARC-1", "SHIFT"]);
    expect(right.stack).toEqual([
      { left: [1], right: [1, 2] },
      { left: [3], right: [3] },
    ]);
    expect(names(o, right)).toEqual(["LEFT-ARC-1", "RIGHT-ARC-1", "RIGHT-ARC-2"]);
    // The new right spine ends in the spine of the attached tree.
    expect(run(o, 3, ["SHIFT", "SHIFT", "RIGHT-ARC-1", "SHIFT", "RIGHT-ARC-2"]).stack).toEqual([
      { left: [1], right: [1, 2, 3] },
    ]);
    const left = run(o, 3, ["SHIFT", "SHIFT", "SHIFT", "LEFT-ARC-1"]);
    expect(left.stack).toEqual([
      { left: [1], right: [1] },
      { left: [3, 2], right: [3] },
    ]);
    expect(run(o, 3, ["SHIFT", "SHIFT", "SHIFT", "LEFT-ARC-1", "LEFT-ARC-2"])).toEqual({
      stack: [{ left: [3, 2, 1], right: [3] }],
      buffer: [],
      heads: [-1, 2, 3, -1],
    });
  });
});

describe("losses by hand", () => {
  test("arc-standard: attaching 2 to 1 before 2 has its dependent 3", () => {
    const o: Options = { system: "arc-standard", root: "first" };
    const state = run(o, 3, ["SHIFT", "SHIFT"]);
    expect(new BruteForce(o, 3).costs(state, [-1, 0, 1, 2])).toEqual({ SHIFT: 0, "LEFT-ARC": 2, "RIGHT-ARC": 1 });
  });

  test("arc-eager: an arc made only by convention at the end is not built", () => {
    const gold = [-1, 0];
    const first: Options = { system: "arc-eager", root: "first" };
    expect(new BruteForce(first, 1).costs(initial(first, 1), gold)).toEqual({ SHIFT: 1, "RIGHT-ARC": 0 });
    const none: Options = { system: "arc-eager", root: "none" };
    expect(new BruteForce(none, 1).costs(initial(none, 1), gold)).toEqual({ SHIFT: 0 });
  });

  test("Attardi, gold heads 2 0 1, after SHIFT and RIGHT-ARC: 2 → 1 is lost, and 1 → 3 too", () => {
    const o: Options = { system: "attardi", root: "first" };
    const gold = [-1, 2, 0, 1];
    const state = run(o, 3, ["SHIFT", "RIGHT-ARC"]);
    expect(arcDifference(o, state.heads, gold)).toBe(3);
    expect(new BruteForce(o, 3).loss(state, gold)).toBe(2);
  });

  test("single root: a second dependent of 0 is refused while words remain", () => {
    const o: Options = { system: "arc-standard", root: "first" };
    expect(names(o, run(o, 2, ["SHIFT"]))).toEqual(["SHIFT", "RIGHT-ARC"]);
    const constrained: Options = { ...o, singleRoot: true };
    expect(names(constrained, run(constrained, 2, ["SHIFT"]))).toEqual(["SHIFT"]);
    expect(new BruteForce(o, 2).loss(initial(o, 2), [-1, 0, 0])).toBe(0);
    expect(new BruteForce(constrained, 2).loss(initial(o, 2), [-1, 0, 0])).toBe(1);
  });
});

describe("derivations", () => {
  // Read off the printed derivations of examples 4.10 and 4.11 of the thesis.
  const standardTree = [-1, 3, 3, 0, 3, 6, 4, 3];
  const eagerTree = [-1, 3, 3, 0, 3, 4, 7, 3, 3];

  test.each(ROOTS)("arc-standard builds the tree of example 4.10 in 6 ways, root %s", (root) => {
    expect(countDerivations({ system: "arc-standard", root }, standardTree)).toBe(6n);
  });

  test.each(ROOTS)("arc-eager builds the tree of example 4.11 in 3 ways, root %s", (root) => {
    expect(countDerivations({ system: "arc-eager", root }, eagerTree, false)).toBe(3n);
  });

  test("arc-eager, root first: SHIFT of the root word is a second way to the same final tree", () => {
    expect(countDerivations({ system: "arc-eager", root: "first" }, eagerTree)).toBe(6n);
    expect(countDerivations({ system: "arc-eager", root: "last" }, eagerTree)).toBe(3n);
  });

  const finite = VARIANTS.filter(({ system }) => system !== "attardi-auxiliary");
  test.each(finite)("$system $degree root $root: as many as there are paths", (options) => {
    // Paths are walked one by one, and with two planes there are by far the most of them.
    const n = options.system === "two-planar" && options.root !== "none" && !EXHAUSTIVE ? 2 : 3;
    const paths = new Map<string, bigint>();
    const walk = (state: State): void => {
      if (isTerminal(options, state)) {
        const tree = finalTree(state).join();
        paths.set(tree, (paths.get(tree) ?? 0n) + 1n);
      }
      for (const [, next] of successors(options, state)) walk(next);
    };
    walk(initial(options, n));
    for (const gold of allTrees(n)) expect(countDerivations(options, gold)).toBe(paths.get(gold.join()) ?? 0n);
  });
});

describe.each(VARIANTS.map((o): [string, Options] => [title(o), o]))("%s", (_, options) => {
  test.each([false, true])("every path ends in a tree, n <= 4, single root %s", (singleRoot) => {
    const o: Options = { ...options, singleRoot };
    const isLarge = options.system === "two-planar" && options.root !== "none" && !EXHAUSTIVE;
    for (let n = 1; n <= (options.system === "attardi-auxiliary" || isLarge ? 3 : 4); n++) {
      const trees = new Set(allTrees(n).map(String));
      const bf = new BruteForce(o, n);
      expect(bf.states.length).toBe(reachable(o, n).size);
      // Compared by hand: a hundred thousand calls of expect() take minutes.
      for (const state of bf.states) {
        const ends = successors(o, state).length === 0;
        if (ends !== isTerminal(o, state)) expect.fail(`${key(state)}: ends ${ends}`);
        if (!ends) continue;
        const tree = finalTree(state);
        if (!trees.has(String(tree))) expect.fail(`${key(state)}: no tree`);
        if (singleRoot && tree.filter((h) => h === 0).length !== 1) expect.fail(`${key(state)}: not one root`);
      }
    }
  });

  test("the trees it can build", () => {
    const n = 4;
    const built = new Set(
      [...reachable(options, n).values()]
        .filter((s) => isTerminal(options, s))
        .map(finalTree)
        .map(String),
    );
    const oneRoot = systemOf(options).buildsOneRoot;
    const inClass = (trees: number[][]): Set<string> =>
      new Set(trees.filter((t) => !oneRoot || t.filter((h) => h === 0).length === 1).map(String));
    if (BUILDS_ALL.includes(options.system)) expect(built).toEqual(inClass(allTrees(n)));
    else if (options.system !== "attardi") expect(built).toEqual(inClass(projectiveTrees(n)));
    else for (const tree of inClass(projectiveTrees(n))) expect(built.has(tree)).toBe(true);
  });

  test.each([false, true])("both searches equal the definition, n = 3, single root %s", (singleRoot) => {
    const o: Options = { ...options, singleRoot };
    const bf = new BruteForce(o, 3);
    // The definition looks at all that follows, which is by far the most with two stacks: there a sample has to do.
    const states = bf.states.filter((_, i) => i % (options.system === "two-planar" ? 50 : 1) === 0);
    const trees = allTrees(3);
    for (const state of states) {
      const ends = endings(o, state);
      for (const gold of trees) {
        const loss = Math.min(...ends.map((end) => arcDifference(o, end.heads, gold)));
        const place = () => `${key(state)}, gold ${gold.slice(1)}`;
        const found = [bf.loss(state, gold), lossFrom(o, state, gold)];
        if (found[0] !== loss || found[1] !== loss) expect.fail(`${place()}: losses ${found}, truth ${loss}`);
        if (isTerminal(o, state)) {
          if (loss !== arcDifference(o, state.heads, gold)) expect.fail(`${place()}: an end with loss ${loss}`);
        } else if (Math.min(...Object.values(bf.costs(state, gold))) !== 0)
          expect.fail(`${place()}: no move of cost 0`);
      }
    }
  });
});

test("Attardi, root first, builds 9,597 of the 16,807 trees of 6 words", () => {
  const o: Options = { system: "attardi", root: "first" };
  const built = [...reachable(o, 6).values()].filter((s) => isTerminal(o, s)).map((s) => finalTree(s).join());
  expect(new Set(built).size).toBe(9597);
});

test("a configuration that was never reached is refused", () => {
  const o: Options = { system: "arc-standard", root: "first" };
  const state: State = { stack: [2, 1], buffer: [], heads: [-1, -1, -1] };
  expect(() => new BruteForce(o, 2).loss(state, [-1, 0, 1])).toThrow("not reachable");
});
