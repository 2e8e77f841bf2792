// The static oracle of every system on every tree of the training files.

import { existsSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { canBuild, staticOracle } from "../../src/registry/oracles.js";
import { createSystem } from "../../src/registry/systems.js";
import { Configuration } from "../../src/systems/configuration.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import type { SystemOptions } from "../../src/systems/settings.js";
import { TreebankReader } from "../../src/treebank/formats/reader.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { isProjective } from "../../src/treebank/tree.js";
import { EXHAUSTIVE } from "../systems/exhaustive.js";

const NAMES = ["en_ewt", "eu_bdt", "el_gdt", "tr_imst", "zh_gsd", "nl_lassysmall", "af_afribooms", "sl_sst"];
/** Sentences that are no trees: three words of the Dutch file are their own heads. */
const NOT_TREES: Readonly<Record<string, number>> = { nl_lassysmall: 3 };
const fileOf = (name: string) => new URL(`../../../../../shared/treebanks/${name}-ud-train.conllu`, import.meta.url);
const missing = NAMES.some((name) => !existsSync(fileOf(name)));
if (missing) console.log("skipped: static oracles on the training files, ../shared/treebanks is not there");

const PROJECTIVE = ["arc-standard", "arc-eager", "arc-hybrid", "lr-spines"];
const coverage: string[] = [];
afterAll(() => {
  if (coverage.length > 0) console.log(["Attardi builds, of the training trees:", ...coverage].join("\n  "));
});

describe.skipIf(missing)("on the training files", () => {
  test.each(NAMES)("%s: each system builds the trees of its class, and no others", (name) => {
    const reader = new TreebankReader({ requireTree: true });
    const results = [...reader.push(readFileSync(fileOf(name))), ...reader.end()];
    const trees = results.filter((result) => result instanceof Sentence).map(({ heads }) => heads);
    expect(results.length - trees.length).toBe(NOT_TREES[name] ?? 0);

    const projective = trees.map(isProjective);
    // Where the root is changes little: a fifth of the trees for the other positions.
    const some = EXHAUSTIVE ? trees : trees.filter((_, i) => i % 5 === 0);
    for (const root of ["first", "last", "none"] as const) {
      const own = root === "last" ? trees : some;
      const expected = root === "last" ? projective : some.map(isProjective);
      for (const system of PROJECTIVE) {
        const wrong = built(system, { root }, own).findIndex((is, i) => is !== expected[i]);
        expect(own[wrong], `${system}, ${root}`).toBeUndefined();
      }
      for (const lazy of [false, true]) {
        expect(built("swap", { root, lazy }, own).indexOf(false), `swap, ${root}, lazy: ${lazy}`).toBe(-1);
      }
    }
    const attardi = [2, 3].map((degree) => built("attardi", { degree }, trees));
    projective.forEach((is, i) => {
      if (is && !attardi[0]![i]) expect.fail(`sentence ${i} is projective, and Attardi does not build it`);
      if (attardi[0]![i] && !attardi[1]![i]) expect.fail(`sentence ${i} is built with degree 2, but not with degree 3`);
    });
    const share = (all: boolean[]) => `${((100 * all.filter(Boolean).length) / all.length).toFixed(2)} %`;
    coverage.push(`${name}: degree 2 ${share(attardi[0]!)}, degree 3 ${share(attardi[1]!)}`);
  });
});

function built(name: string, options: SystemOptions, trees: readonly (readonly number[])[]): boolean[] {
  const system = createSystem(name, options);
  const oracle = staticOracle(system);
  const c = new Configuration();
  const gold = new GoldTree();
  return trees.map((heads) => {
    gold.bind(heads);
    return canBuild(system, gold, c, oracle);
  });
}
