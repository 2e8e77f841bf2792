import { test, expect } from "vitest";
import * as brute from "/work/main/packages/core/test/brute-force.js";
import { reachablePairs, systemOf, stateOf, permittedNames } from "/work/main/packages/core/test/walk.js";
import { GoldTree } from "/work/main/packages/core/src/systems/gold.js";
const systems = (process.env.SYS ?? "arc-eager,arc-hybrid,arc-standard,attardi").split(",") as brute.SystemName[];
const N = Number(process.env.N ?? 4);
const ALL = process.env.ALL === "1";
const SR = process.env.SR === "1";
const DEG = process.env.DEG ? Number(process.env.DEG) as 2|3 : undefined;
for (const system of systems) for (const root of brute.ROOTS) test(`${system} ${root}`, () => {
  let pairs = 0, wrong = 0, wrongPerm = 0; const examples: string[] = [];
  for (let n = 1; n <= N; n++) {
    const options: brute.Options = { system, root, singleRoot: SR, ...(DEG ? {degree: DEG} : {}) };
    const sys = systemOf(options);
    const bf = new brute.BruteForce(options, n);
    const all = [...reachablePairs(options, n)];
    for (const { state, c } of all) {
      const names = brute.successors(options, state).map(([x]) => x).sort();
      const mine = permittedNames(sys, c);
      if (JSON.stringify(names) !== JSON.stringify(mine) || brute.key(state) !== brute.key(stateOf(sys, c))) { wrongPerm++; if (examples.length<5) examples.push(`perm ${JSON.stringify(state)} ${names} vs ${mine}`); }
      expect(sys.isTerminal(c)).toBe(brute.isTerminal(options, state));
    }
    const oracle = sys.dynamicOracle(); if (!oracle) continue;
    const trees = (ALL ? brute.allTrees(n) : system === "attardi" ? brute.allTrees(n).filter(t => brute.countDerivations(options, t) > 0n) : brute.projectiveTrees(n)).filter(t => !SR || t.filter(h => h===0).length===1);
    for (const tree of trees) {
      const gold = new GoldTree(tree);
      oracle.bind(gold);
      for (const { state, c } of all) {
        const loss = bf.loss(state, tree); const costs = bf.costs(state, tree);
        const myLoss = oracle.loss(c); const my: Record<string, number> = {};
        for (const name of Object.keys(costs)) my[name] = oracle.cost(c, sys.moveOf(name));
        let bad = loss !== myLoss || Object.keys(costs).some(k => costs[k] !== my[k]);
        if (!sys.isTerminal(c)) { const o = oracle.optimal(c); if (my[sys.nameOf(o)] !== Math.min(...Object.values(my))) bad = true; }
        pairs++;
        if (bad) { wrong++; if (examples.length < 6) examples.push(`gold ${tree.slice(1)} ${JSON.stringify(state)} loss ${loss}/${myLoss} costs ${JSON.stringify(costs)} / ${JSON.stringify(my)}`); }
      }
    }
  }
  console.log(system, root, "pairs", pairs, "wrong", wrong, "wrongPerm", wrongPerm, "\n" + examples.join("\n"));
});
