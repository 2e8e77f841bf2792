import { describe, expect, it } from "vitest";
import { countDerivations } from "../src/systems/derivations.js";
import { GoldTree } from "../src/systems/gold.js";
import * as brute from "./brute-force.js";
import { systemOf } from "./walk.js";

const MOST_WORDS: Record<brute.SystemName, number> = {
  "arc-standard": 5,
  "arc-eager": 5,
  "arc-hybrid": 5,
  attardi: 5,
  swap: 4,
  "lr-spines": 5,
};

const CASES: brute.Options[] = brute.SYSTEMS.flatMap((system) =>
  brute.ROOTS.flatMap((root) => [
    { system, root },
    { system, root, singleRoot: true },
    ...(system === "attardi" ? [{ system, root, degree: 3 as const }] : []),
  ]),
);

describe.each(CASES)("$system $root $degree $singleRoot", (options) => {
  it("counts as the brute force does, for all trees", () => {
    const system = systemOf(options);
    for (let n = 1; n <= MOST_WORDS[options.system]; n++) {
      const wrong: string[] = [];
      for (const heads of brute.allTrees(n)) {
        const counted = countDerivations(system, new GoldTree(heads));
        const truth = brute.countDerivations(options, heads, false);
        if (counted !== truth) wrong.push(`${heads.slice(1)}: ${counted} instead of ${truth}`);
      }
      expect(wrong).toEqual([]);
    }
  });
});
