// The statements of the lessons about their derivations.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readTreebank } from "@stemma/core";
import { Configuration, canBuild, createSystem, GoldTree } from "@stemma/core/systems";
import { nonProjectiveArcs } from "@stemma/core/treebank";
import { describe, expect, test } from "vitest";
import type { Branch, SystemChoice } from "../../../src/protocol/derivation.js";
import { readAddress } from "../../../src/state/address/address.js";
import { conllu } from "../../../src/state/address/examples.js";
import { LESSONS, type LessonId, LIKED_THE_TRUTH, lessonOf } from "../../../src/state/address/lesson-plans.js";
import { treeOf } from "../../../src/state/lessons/tree-of.js";
import { ShownSentence } from "../../../src/state/shown/sentence.js";
import { searchTrace } from "../../../src/worker/beam/beam-trace.js";
import { twoReadings } from "../../../src/worker/beam/two-readings.js";
import { derivationGraph } from "../../../src/worker/derivation/derivation-graph.js";
import { derive } from "../../../src/worker/derivation/derive.js";
import { lostArcs } from "../../../src/worker/derivation/lost-arcs.js";
import { parse } from "../../../src/worker/parsing/parse.js";

const TREEBANKS = fileURLToPath(new URL("../../../../../../shared/treebanks/", import.meta.url));
if (!existsSync(TREEBANKS)) console.log("../shared/treebanks is missing: what lessons say of treebanks is not tested");

const sentenceOf = (text: string) => new ShownSentence(parse(text, undefined).sentences[0]!);

function systemOf(id: LessonId, change: Partial<SystemChoice> = {}): SystemChoice {
  const rest = { singleRoot: true, settings: {} };
  return { name: "arc-standard", root: "last", ...rest, ...lessonOf(id).system, ...change } as SystemChoice;
}

function derived(id: LessonId, change: Partial<SystemChoice> = {}, branch?: Branch) {
  const { policy, conllu } = lessonOf(id);
  const words = sentenceOf(conllu);
  const { prefix, after } = branch ?? { prefix: [], after: policy };
  const derivation = derive(
    { sentence: words.json, system: systemOf(id, change), target: words.gold, policy: after, prefix },
    undefined,
  );
  const { configurations, since } = derivation;
  const costs = (step: number) =>
    Object.fromEntries(configurations[step]!.choices.map(({ move, cost }) => [move, cost]));
  const taken = configurations.flatMap(({ choices, taken }) => choices[taken]?.move ?? []);
  const arcAt = (form: string) => since[words.forms.indexOf(form)];
  const written = (nodes: readonly number[]) =>
    nodes.map((node) => (node === 0 ? "ROOT" : words.forms[node])).join(" ");
  return { ...derivation, words, costs, taken, arcAt, stack: (k: number) => written(configurations[k]!.stack) };
}

describe("what the lessons say is so", () => {
  test("every lesson has a tree, and a link to it begins as it does", () => {
    for (const { id, conllu, system, policy, branches, step } of LESSONS) {
      expect(sentenceOf(conllu).gold, id).toBeDefined();
      expect(readAddress(`#learn?lesson=${id}`)).toMatchObject({
        view: "learn",
        lesson: id,
        system,
        policy,
        branches,
        step,
      });
    }
  });

  test("shift-reduce", () => {
    const { taken, stack, costs, arcAt, configurations } = derived("shift-reduce");
    expect(taken).toHaveLength(12);
    expect(stack(2)).toBe("ROOT The ferryman");
    expect(costs(2)["LEFT-ARC"]).toBe(0);
    expect(arcAt("The")).toBe(3);
    expect(stack(5)).toBe("ROOT rings");
    expect(configurations[12]).toMatchObject({ stack: [0], buffer: [] });
  });

  test("arc-eager against arc-standard", () => {
    const [eager, standard] = [derived("arc-eager"), derived("arc-eager", { name: "arc-standard" })];
    expect([eager.arcAt("key"), standard.arcAt("key")]).toEqual([6, 19]);
    expect(eager.stack(5)).toBe("ROOT found");
    // Arcs to the left: at most a step apart.
    for (const d of [1, 3, 5, 6, 8, 9]) expect(standard.since[d]! - eager.since[d]!).toBeLessThanOrEqual(1);
  });

  test("spurious ambiguity", () => {
    const { words, costs } = derived("spurious-ambiguity");
    const count = (name: SystemChoice["name"], { gold } = words) =>
      derivationGraph(systemOf("spurious-ambiguity", { name }), gold!).count;
    expect(count("arc-standard")).toBe("3");
    expect(count("arc-hybrid")).toBe("1");
    expect(count("arc-eager")).toBe("1");
    expect(costs(2)).toMatchObject({ "LEFT-ARC": 0, SHIFT: 0 });
    const two = sentenceOf(conllu("a a X 3 dep", "b b X 3 dep", "c c X 0 root", "d d X 3 dep", "e e X 3 dep"));
    expect(count("arc-standard", two)).toBe("6");
    expect(count("arc-eager", sentenceOf(lessonOf("oracles").conllu))).toBe("2");
  });

  test("the derivations of arc-standard are what the lesson multiplies, for every projective tree of five words", () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
    let compared = 0;
    for (let code = 0; code < 6 ** 5; code++) {
      const heads = [-1, ...Array.from({ length: 5 }, (_, d) => Math.floor(code / 6 ** d) % 6)];
      if (heads.filter((head) => head === 0).length !== 1) continue;
      const depth = (d: number, steps = 0): number => (d === 0 || steps > 5 ? steps : depth(heads[d]!, steps + 1));
      if (heads.some((_, d) => d > 0 && depth(d) > 5) || nonProjectiveArcs(heads).length > 0) continue;
      const sides = heads.map((_, h) => {
        const all = heads.flatMap((head, d) => (d > 0 && head === h ? [d] : []));
        return [all.filter((d) => d < h).length, all.length] as const;
      });
      const ways = sides.reduce((product, [left, all]) => product * choose(all, left), 1);
      const { count } = derivationGraph(systemOf("spurious-ambiguity"), { heads, labels: heads.map(() => "dep") });
      if (count !== String(ways)) expect.fail(`${heads.slice(1)}: ${count} derivations, not ${ways}`);
      compared++;
    }
    expect(compared).toBe(143);
  });

  test.skipIf(!existsSync(TREEBANKS))("what is said of treebanks", () => {
    const parts = readdirSync(TREEBANKS).filter((file) => /-dev\.conllu$|sl_sst-ud-train/.test(file));
    expect(parts).toHaveLength(9);
    const measured = new Map(parts.map((file) => [file.slice(0, 2), measure(readFileSync(TREEBANKS + file, "utf8"))]));
    expect(Math.round(1 / measured.get("en")!.arcs / 100)).toBe(7);
    expect(Math.round(1 / measured.get("eu")!.arcs / 10)).toBe(2);
    const [en, nl] = [measured.get("en")!, measured.get("nl")!];
    expect([en.attardi2, nl.attardi2, nl.attardi3].map((share) => Math.round(10 * share))).toEqual([9, 6, 8]);
    for (const [language, { crossing, planar }] of measured) {
      // Most sentences need no swap.
      expect(crossing, language).toBeLessThan(0.5);
      expect(planar, language).toBeGreaterThan(0.98);
    }
  });

  /** Shares: of arcs, and of sentences, that are not projective; of these, and of all, what systems can build. */
  function measure(treebank: string) {
    const sentences = readTreebank(treebank);
    const isCrossing = ({ heads }: (typeof sentences)[number]) => nonProjectiveArcs(heads).length > 0;
    const crossing = sentences.filter(isCrossing);
    const built = (name: "attardi" | "two-planar", settings = {}) => {
      const system = createSystem(name, { root: "first", ...settings });
      const can = ({ heads }: (typeof sentences)[number]) => canBuild(system, new GoldTree(heads), new Configuration());
      return crossing.filter(can).length;
    };
    const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
    return {
      arcs: sum(crossing.map(({ heads }) => nonProjectiveArcs(heads).length)) / sum(sentences.map((one) => one.length)),
      crossing: crossing.length / sentences.length,
      attardi2: built("attardi", { degree: 2 }) / crossing.length,
      attardi3: built("attardi", { degree: 3 }) / crossing.length,
      planar: 1 - (crossing.length - built("two-planar")) / sentences.length,
    };
  }

  test("projectivity", () => {
    const { words, configurations, tree } = derived("projectivity");
    const arcs = nonProjectiveArcs(words.gold!.heads);
    expect(Array.from(arcs)).toEqual([words.forms.indexOf("flooded")]);
    expect(configurations[0]!.loss).toBe(1);
    expect(words.forms[tree.heads[words.forms.indexOf("flooded")]!]).toBe("came");
    expect(derived("projectivity").arcAt("flooded")).toBe(10);
    const crossing = (...rows: string[]) => nonProjectiveArcs(sentenceOf(conllu(...rows)).gold!.heads).length > 0;
    const clause = (at: number, storm: number) => [
      `that that X ${at + 1} nsubj`,
      `flooded flood X ${storm} acl:relcl`,
      `the the X ${at + 3} det`,
      `cellars cellar X ${at + 1} obj`,
    ];
    expect(
      crossing("Yesterday y X 4 obl", "a a X 3 det", "storm s X 4 nsubj", "came c X 0 root", ...clause(5, 3)),
    ).toBe(true);
    expect(
      crossing("Yesterday y X 2 obl", "came c X 0 root", "a a X 4 det", "storm s X 2 nsubj", ...clause(5, 4)),
    ).toBe(false);
    expect(
      crossing("A a X 2 det", "storm s X 3 nsubj", "came c X 0 root", ...clause(4, 2), "yesterday y X 5 obl"),
    ).toBe(true);
  });

  test("swap", () => {
    const [eager, lazy] = [derived("swap"), derived("swap", { settings: { lazy: true } })];
    const swaps = (taken: readonly string[]) => taken.flatMap((move, i) => (move === "SWAP" ? [i] : []));
    expect([eager.taken.length, swaps(eager.taken).length]).toEqual([26, 4]);
    expect([lazy.taken.length, swaps(lazy.taken)]).toEqual([20, [13]]);
    expect(swaps(eager.taken)[0]).toBe(7);
    expect(eager.configurations[8]!.buffer[0]).toBe(eager.words.forms.indexOf("came"));
    expect(eager.stack(20)).toBe("ROOT storm flooded");
    expect(eager.taken[20]).toBe("RIGHT-ARC");
    expect(lazy.stack(13)).toBe("ROOT storm came flooded");
    expect(eager.configurations.at(-1)!.loss).toBe(0);
  });

  test("oracles and cost", () => {
    const { costs, stack } = derived("oracles");
    expect(stack(4)).toBe("ROOT sent the");
    expect(costs(4)).toMatchObject({ "LEFT-ARC": 0, "RIGHT-ARC": 2 });
    expect(costs(6)).toMatchObject({ REDUCE: 0, SHIFT: 0 });
  });

  test("error propagation", () => {
    const original = derived("error-propagation");
    const [mill, early] = lessonOf("error-propagation").branches.map((branch) =>
      derived("error-propagation", {}, branch),
    );
    expect(original.configurations.at(-1)!.loss).toBe(0);
    expect([mill!.firstMistake, mill!.configurations.at(-1)!.loss]).toEqual([14, 1]);
    expect(mill!.taken.slice(0, 14)).toEqual(original.taken.slice(0, 14));
    expect([early!.firstMistake, early!.configurations.at(-1)!.loss]).toEqual([1, 3]);
    expect(early!.costs(1).SHIFT).toBe(3);
    expect(original.costs(9).SHIFT).toBeGreaterThan(0);
  });

  test("heads, dependents and trees", () => {
    const { words, taken, tree } = derived("trees");
    const headOf = (form: string) => words.forms[words.gold!.heads[words.forms.indexOf(form)]!];
    expect([headOf("bread"), headOf("gulls"), headOf("the"), headOf("baker")]).toEqual([
      "stole",
      "stole",
      "baker",
      "bread",
    ]);
    expect([words.forms.length - 1, taken.length]).toEqual([8, 16]);
    expect(tree.heads.slice(1)).toEqual(words.gold!.heads.slice(1));
  });

  test("attardi", () => {
    const { taken, stack, configurations, arcAt } = derived("attardi");
    expect(stack(13)).toBe("ROOT storm came flooded");
    expect([taken[13], arcAt("flooded"), taken.length]).toEqual(["RIGHT-ARC-2", 14, 18]);
    expect(configurations[8]!.choices).toHaveLength(5);
    expect(configurations.at(-1)!.loss).toBe(0);
    expect(stack(11)).toBe("ROOT storm came flooded the cellars");
    const { choices } = configurations[11]!;
    const far = choices.filter(({ move }) => move.endsWith("-2"));
    // “cellars” and “flooded”.
    for (const { head, dependent } of far) expect([head, dependent].sort()).toEqual([6, 8]);
    expect(derived("attardi", { name: "arc-standard" }).configurations.at(-1)!.loss).toBeGreaterThan(0);
  });

  test("covington", () => {
    const { taken, configurations, costs, arcAt, words } = derived("covington");
    expect(taken.slice(11, 14)).toEqual(["NO-ARC", "NO-ARC", "RIGHT-ARC"]);
    expect([arcAt("flooded"), taken.length, configurations.at(-1)!.loss]).toEqual([14, 26, 0]);
    const last = (step: number) => words.forms[configurations[step]!.stack.at(-1)!];
    expect([last(11), last(12), last(13)]).toEqual(["yesterday", "came", "storm"]);
    expect(costs(4).SHIFT).toBe(1);
    expect([arcAt("storm"), arcAt("A"), arcAt("came")]).toEqual([4, 2, 6]);
  });

  test("two-planar", () => {
    const { taken, configurations, arcAt, words, costs } = derived("two-planar");
    const top = (step: number) => words.forms[configurations[step]!.stack.at(-1)!];
    expect([taken[4], top(4), arcAt("storm")]).toEqual(["REDUCE", "storm", 4]);
    expect([taken[12], taken[16], top(16), arcAt("flooded"), taken[19]]).toEqual([
      "SWITCH",
      "RIGHT-ARC",
      "storm",
      17,
      "SWITCH",
    ]);
    expect(taken.slice(13, 16)).toEqual(["REDUCE", "REDUCE", "REDUCE"]);
    expect(costs(19)["LEFT-ARC"]).toBe(0);
    expect(costs(13)).not.toHaveProperty("SWITCH");
    expect(configurations.at(-1)!.loss).toBe(0);
  });

  test("lr-spines", () => {
    const { arcAt, configurations, words, taken, costs } = derived("lr-spines");
    const spine = (step: number) => configurations[step]!.spines![0]!.right.map((node) => words.forms[node] || "ROOT");
    expect([arcAt("found"), arcAt("key"), arcAt("cellar"), arcAt(".")]).toEqual([4, 8, 20, 22]);
    expect(derived("lr-spines", { name: "arc-standard" }).arcAt("key")).toBe(19);
    expect([taken[7], taken[13], taken[19]]).toEqual(["RIGHT-ARC-2", "RIGHT-ARC-3", "RIGHT-ARC-4"]);
    expect(spine(13)).toEqual(["ROOT", "found", "key"]);
    expect(spine(19)).toEqual(["ROOT", "found", "key", "door"]);
    expect(Object.keys(costs(19)).filter((move) => move.startsWith("RIGHT"))).toEqual([
      "RIGHT-ARC-2",
      "RIGHT-ARC-3",
      "RIGHT-ARC-4",
    ]);
    expect(spine(22)).toEqual(["ROOT", "found", "."]);
  });

  test("dynamic oracles", () => {
    const { costs, words } = derived("dynamic-oracles");
    expect(costs(4)).toMatchObject({ "LEFT-ARC": 0, "RIGHT-ARC": 2, SHIFT: 2 });
    const before = derived("dynamic-oracles").taken.slice(0, 4);
    const { configurations } = derived("dynamic-oracles");
    const taken = configurations.slice(0, 4).map(({ choices, taken }) => choices[taken]!);
    expect(before).toEqual(taken.map(({ move }) => move));
    const questions = ["RIGHT-ARC", "SHIFT"].map((move) => {
      const { label } = configurations[4]!.choices.find((one) => one.move === move)!;
      return { before: taken.map((one) => ({ move: one.move, label: one.label })), taken: { move, label } };
    });
    const lost = lostArcs({ system: systemOf("dynamic-oracles"), target: words.gold!, questions });
    expect(lost.map((all) => all!.map((d) => words.forms[d]))).toEqual([
      ["the", "mayor"],
      ["the", "mayor"],
    ]);
  });

  test("beam search", () => {
    const target = sentenceOf(lessonOf("beam").conllu).gold!;
    const rival = treeOf(LIKED_THE_TRUTH);
    const trace = (width: number) =>
      searchTrace(9, () => twoReadings({ system: systemOf("beam"), rival, until: 1 }, target), target, width);
    const [greedy, two] = [trace(1), trace(2)];
    expect([greedy.goldLostAt, greedy.steps[11]![0]!.taken!.move]).toEqual([11, "RIGHT-ARC"]);
    expect(greedy.wrong).toBeGreaterThan(0);
    expect([two.goldLostAt, two.wrong]).toEqual([undefined, 0]);
    expect(two.steps[11]!.findIndex(({ gold }) => gold)).toBe(1);
    expect(two.steps[12]![0]!.gold).toBe(true);
  });
});
