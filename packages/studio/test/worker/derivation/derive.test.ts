import { existsSync, readFileSync } from "node:fs";
import { load, type Parser, readTreebank, Sentence, type SentenceJSON } from "@stemma/core";
import {
  countDerivations,
  createSystem,
  describeSystem,
  dynamicOracle,
  GoldTree,
  ROOT_POSITIONS,
  type RootPosition,
  SYSTEM_NAMES,
  type SystemName,
} from "@stemma/core/systems";
import { describe, expect, test } from "vitest";
import type { DeriveRequest, Policy, Reached, SystemChoice } from "../../../src/protocol/derivation.js";
import type { Tree } from "../../../src/protocol/sentence.js";
import { EXAMPLES } from "../../../src/state/address/examples.js";
import { LESSONS } from "../../../src/state/address/lesson-plans.js";
import { arcsAt } from "../../../src/state/derivation/arcs-at.js";
import { derivationGraph } from "../../../src/worker/derivation/derivation-graph.js";
import { derive } from "../../../src/worker/derivation/derive.js";
import { reach } from "../../../src/worker/derivation/reach.js";
import { makeSystem } from "../../../src/worker/derivation/system.js";

const MODEL = new URL("../../../../model-en/en.stemma", import.meta.url);

const PROJECTIVE: Tree = {
  heads: [-1, 2, 3, 0, 3, 6, 4, 3],
  labels: ["", "det", "nsubj", "root", "obl", "case", "nmod", "punct"],
};
const SHORT: Tree = { heads: [-1, 2, 0, 2], labels: ["", "det", "root", "punct"] };
/** The arc 2 → 5 crosses 3 → 4. */
const CROSSING: Tree = {
  heads: [-1, 2, 3, 0, 3, 2, 3],
  labels: ["", "det", "nsubj", "root", "advmod", "acl", "punct"],
};

function sentenceOf({ heads }: Tree): SentenceJSON {
  const words = heads.slice(1).map((_, k) => {
    const i = k + 1;
    return { form: `w${i}`, lemma: `l${i}`, upos: `U${i}`, xpos: `X${i}`, feats: `F=${i}` };
  });
  return Sentence.from({ words }).toJSON();
}

function choice(name: SystemName, root: RootPosition, more: Partial<SystemChoice> = {}): SystemChoice {
  return { name, root, singleRoot: true, settings: {}, ...more };
}

function request(
  tree: Tree,
  system: SystemChoice,
  policy: Policy,
  prefix: DeriveRequest["prefix"] = [],
): DeriveRequest {
  return { sentence: sentenceOf(tree), system, target: tree, policy, prefix };
}

function treeOf(reached: Reached): Tree {
  if ("reason" in reached) throw new Error(reached.reason);
  return reached.tree;
}

const combinations = SYSTEM_NAMES.flatMap((name) => ROOT_POSITIONS.map((root) => [name, root] as const));

describe.each(combinations)("%s, root %s", (name, root) => {
  const system = choice(name, root);

  test.each(["static", "dynamic"] as const)("the %s oracle derives a projective tree without a loss", (policy) => {
    const derivation = derive(request(PROJECTIVE, system, policy), undefined);
    expect(derivation.complete).toBe(true);
    expect(derivation.tree).toEqual(PROJECTIVE);
    expect(derivation.firstMistake).toBeUndefined();
    expect(derivation.configurations.at(-1)!.loss).toBe(0);
    expect(derivation.configurations.at(-1)!.taken).toBe(-1);
    derivation.since.forEach((since, d) => {
      if (d > 0) expect(since).toBeLessThan(derivation.configurations.length);
    });
  });

  test("the loss grows by what each transition costs", () => {
    const { configurations } = derive(request(CROSSING, system, "dynamic"), undefined);
    for (let i = 1; i < configurations.length; i++) {
      const before = configurations[i - 1]!;
      expect(configurations[i]!.loss).toBe(before.loss! + before.choices[before.taken]!.cost!);
    }
  });

  test("after a bad transition by hand the oracle ends with the loss that it cost", () => {
    // Where costs are searched for in all that can be built, few words have too many configurations.
    const made = makeSystem(system);
    const tree = made.looksAtAllArcs && !dynamicOracle(made) ? SHORT : PROJECTIVE;
    const first = derive(request(tree, system, "static"), undefined);
    const at = first.configurations.findIndex(({ choices }) => choices.some(({ cost }) => cost! > 0));
    expect(at).toBeGreaterThanOrEqual(0);
    const prefix = first.configurations.slice(0, at).map(({ choices, taken }) => choices[taken]!);
    const bad = first.configurations[at]!.choices.find(({ cost }) => cost! > 0)!;
    const open = derive(request(tree, system, "hand", [...prefix, bad]), undefined);
    expect(open.configurations.length).toBe(at + 2);
    const finished = derive(request(tree, system, "dynamic", [...prefix, bad]), undefined);
    expect(finished.complete).toBe(true);
    expect(finished.firstMistake).toBe(at);
    expect(finished.configurations.at(-1)!.loss).toBe(bad.cost);
  });

  test("reach has an answer for a tree with two roots", () => {
    const heads = PROJECTIVE.heads.map((head, d) => (d === 4 ? 0 : head));
    const answer = reach(system, { ...PROJECTIVE, heads });
    if ("reason" in answer) expect(answer.reason).toContain("cannot build this tree");
    else {
      // With the root last its arcs cross others, and the oracle of disfluencies gives an upper bound then.
      const isBound = createSystem(name).description.leftOut !== undefined && root === "last";
      expect(answer.tree.heads.filter((head, d) => head !== heads[d]).length).toBe(isBound ? 2 : 1);
    }
  });

  test("reach finds the tree, or the nearest", () => {
    expect(treeOf(reach(system, PROJECTIVE)).heads).toEqual(PROJECTIVE.heads);
    const tree = treeOf(reach(system, CROSSING));
    const lost = tree.heads.filter((head, d) => d > 0 && head !== CROSSING.heads[d]).length;
    expect(lost).toBeLessThanOrEqual(1);
    if (name === "swap") expect(lost).toBe(0);
  });
});

test("a derivation that ends in the gold tree has no loss, where costs are not known in time, too", () => {
  // Nested crossings: the search for costs in the 2-planar system does not end in time.
  const n = 40;
  const heads = Array.from({ length: n + 1 }, (_, d) => (d === 0 ? -1 : d === n ? 0 : Math.min(d + 2, n)));
  const tree: Tree = { heads, labels: heads.map((head) => (head === 0 ? "root" : "dep")) };
  const {
    configurations,
    firstMistake,
    tree: built,
    notes,
  } = derive(request(tree, choice("two-planar", "last"), "static"), undefined);
  expect(built.heads).toEqual(heads);
  expect(notes.join()).toContain("Some costs are unknown");
  expect(firstMistake).toBeUndefined();
  expect(configurations.map(({ loss }) => loss)).toEqual(configurations.map(() => 0));
  expect(configurations.slice(0, -1).every(({ choices, taken }) => choices[taken]!.cost === 0)).toBe(true);
  // Swap has bounds of the loss, which are the same here.
  const swapped = derive(request(tree, choice("swap", "last"), "static"), undefined);
  expect(swapped.tree.heads).toEqual(heads);
  expect(swapped.notes).toEqual([]);
  expect(swapped.configurations.every(({ choices }) => choices.every(({ cost }) => cost !== undefined))).toBe(true);
});

test("in 2-planar SWITCH costs nothing more often than not, and this is known", () => {
  const [sentence] = readTreebank(EXAMPLES.find(({ name }) => name.startsWith("Crossing"))!.text);
  const labels = sentence!.heads.map((_, d) => (d === 0 ? "" : sentence!.deprel(d)));
  const tree: Tree = { heads: [...sentence!.heads], labels };
  for (const root of ROOT_POSITIONS) {
    const { configurations } = derive(request(tree, choice("two-planar", root), "static"), undefined);
    const switches = configurations.flatMap(({ choices }) => choices.filter(({ move }) => move === "SWITCH"));
    expect(switches.filter(({ cost }) => cost === 0).length).toBeGreaterThan(switches.length / 2);
    if (root === "first") expect(configurations[7]!.choices.find(({ move }) => move === "SWITCH")!.cost).toBe(0);
  }
});

test("another label costs one more", () => {
  const system = choice("arc-standard", "first");
  const { configurations } = derive(request(PROJECTIVE, system, "static"), undefined);
  const at = configurations.findIndex(({ choices, taken }) => choices[taken]?.dependent === 1);
  const prefix = configurations.slice(0, at).map(({ choices, taken }) => choices[taken]!);
  const arc = configurations[at]!.choices[configurations[at]!.taken]!;
  const wrong = derive(request(PROJECTIVE, system, "dynamic", [...prefix, { ...arc, label: "obj" }]), undefined);
  expect(wrong.firstMistake).toBe(at);
  expect(wrong.configurations[at]!.choices[wrong.configurations[at]!.taken]!.cost).toBe(1);
  expect(wrong.configurations.at(-1)!.loss).toBe(1);
  expect(wrong.tree.labels[1]).toBe("obj");
});

test("a transition that is not permitted ends what was taken by hand, with a note", () => {
  const derivation = derive(
    request(PROJECTIVE, choice("arc-standard", "last"), "hand", [{ move: "LEFT-ARC", label: "det" }]),
    undefined,
  );
  expect(derivation.configurations.length).toBe(1);
  expect(derivation.notes.join()).toContain("LEFT-ARC is not permitted in step 1");
});

test("without a model and without a tree nobody can decide, and a note says so", () => {
  const { sentence } = request(PROJECTIVE, choice("arc-eager", "last"), "model");
  const derivation = derive(
    { sentence, system: choice("arc-eager", "last"), target: undefined, policy: "model", prefix: [] },
    undefined,
  );
  expect(derivation.complete).toBe(false);
  expect(derivation.notes.join(" ")).toContain("no tree for the oracle");
});

describe.skipIf(!existsSync(MODEL))("with the model", () => {
  async function parsed() {
    const pipeline = await load(readFileSync(MODEL));
    const [sentence] = pipeline.parse("The gardener watched the children with the telescope.");
    const list = (column: "form" | "lemma" | "upos" | "xpos" | "feats" | "deprel") =>
      sentence!.heads.map((_, i) => (i === 0 ? "" : sentence![column](i)));
    const parser = pipeline.parser as Parser;
    const { header } = parser.model;
    const own = choice(header.system as SystemName, header.root, { settings: header.systemSettings ?? {} });
    const tree: Tree = { heads: [...sentence!.heads], labels: list("deprel") };
    return { parser, sentence: sentence!.toJSON(), own, tree };
  }

  test("it has every label of the English examples with a tree", async () => {
    const { parser } = await parsed();
    const plans = [...EXAMPLES.map(({ text }) => text), ...LESSONS.map(({ conllu }) => conllu)];
    const used = plans
      .filter((text) => text.startsWith("1\t"))
      .flatMap((text) => readTreebank(text))
      .flatMap((sentence) => sentence.heads.map((_, d) => (d === 0 ? "root" : sentence.deprel(d))));
    expect([...new Set(used)].filter((label) => !parser.model.header.labels.includes(label))).toEqual([]);
  });

  test("its derivation takes the best transition in each configuration and ends in its tree", async () => {
    const { parser, sentence, own, tree } = await parsed();
    const derivation = derive({ sentence, system: own, target: tree, policy: "model", prefix: [] }, parser);
    expect(derivation.complete).toBe(true);
    if (!parser.model.header.projectivized) expect(derivation.tree).toEqual(tree);
    for (const { choices, taken } of derivation.configurations.slice(0, -1)) {
      expect(choices[taken]!.score).toBe(Math.max(...choices.map(({ score }) => score!)));
    }
  });

  test("an oracle gives gold arcs their gold labels, whatever the model likes, with the scores of these", async () => {
    const { parser, sentence, own, tree } = await parsed();
    const other: Tree = { heads: tree.heads, labels: tree.labels.map((label) => (label === "det" ? "amod" : label)) };
    const policy = own.name === "swap" ? "static" : "dynamic";
    const derivation = derive({ sentence, system: own, target: other, policy, prefix: [] }, parser);
    expect(derivation.tree.labels).toEqual(other.labels);
    expect(derivation.firstMistake).toBeUndefined();
    for (const { choices, taken } of derivation.configurations.slice(0, -1)) {
      expect(choices[taken]!.score).toBeTypeOf("number");
    }
    const model = derive({ sentence, system: own, target: other, policy: "model", prefix: [] }, parser);
    expect(model.configurations.at(-1)!.loss).toBe(tree.labels.filter((label) => label === "det").length);
  });

  test("in another system the oracle decides, and a note says so", async () => {
    const { parser, sentence, own, tree } = await parsed();
    const system = choice(own.name === "arc-eager" ? "arc-hybrid" : "arc-eager", "last");
    const derivation = derive({ sentence, system, target: tree, policy: "model", prefix: [] }, parser);
    expect(derivation.complete).toBe(true);
    expect(derivation.notes.join()).toContain("not trained for");
    expect(derivation.configurations[0]!.choices[0]!.score).toBeUndefined();
  });
});

/** Every setting of every system, one at a time. */
const ALL_SYSTEMS = SYSTEM_NAMES.flatMap((name) => [
  choice(name, "first"),
  choice(name, "last"),
  ...describeSystem(name).settings.map((setting) =>
    choice(name, "first", { settings: { [setting.name]: (setting.values[1] ?? setting.upTo)! } }),
  ),
]);

test.each(ALL_SYSTEMS)("the graph of all derivations has as many as the analysis counts: %o", (system) => {
  for (const tree of [SHORT, CROSSING]) {
    const counted = countDerivations(makeSystem(system), new GoldTree(tree.heads)).count;
    const { count, tooMany, nodes } = derivationGraph(system, tree);
    expect(count).toBe(counted?.toLocaleString("en-US"));
    if (!tooMany && count !== "0") expect(nodes[0]!.derivations).toBe(count);
  }
});

test("arcs that another takes the place of are there until then", () => {
  const system = choice("arc-eager", "first", { settings: { monotonic: false } });
  const taken = ["RIGHT-ARC", "RIGHT-ARC", "LEFT-ARC", "LEFT-ARC", "RIGHT-ARC"];
  const prefix = taken.map((move, i) => ({ move, label: `l${i + 1}` }));
  const derivation = derive({ ...request(SHORT, system, "hand"), prefix }, undefined);
  expect(derivation.replaced).toEqual([
    { head: 1, dependent: 2, label: "l2", since: 2, until: 3 },
    { head: 0, dependent: 1, label: "l1", since: 1, until: 4 },
  ]);
  const arcs = (step: number) => arcsAt(derivation, step).map(({ head, dependent }) => `${head} → ${dependent}`);
  expect(arcs(2)).toEqual(["1 → 2", "0 → 1"]);
  expect(arcs(3)).toEqual(["3 → 2", "0 → 1"]);
  expect(arcs(4)).toEqual(["3 → 1", "3 → 2"]);
});
