import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Enhancer } from "../../src/enhanced/enhancer.js";
import { addEnhanced } from "../../src/enhanced/learning/add-enhanced.js";
import { graphOf, trainEnhanced } from "../../src/enhanced/learning/enhanced-training.js";
import { enhancedTree, markedLabel, markersOf } from "../../src/enhanced/marked-labels.js";
import { enhanced } from "../../src/enhanced/program.js";
import { loadModel } from "../../src/model-file/load.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import type { Sentence } from "../../src/treebank/sentence/sentence.js";
import { readTreebank } from "../../src/treebank.js";
import { toyPipeline } from "../toy-pipeline.js";

/** A sentence of lines "form lemma upos head deprel deps [feats]". */
function sentence(...lines: string[]): Sentence {
  const rows = lines.map((line, i) => {
    const [form, lemma, upos, head, deprel, deps, feats = "_"] = line.split(" ");
    return [i + 1, form, lemma, upos, "_", feats, head, deprel, deps, "_"].join("\t");
  });
  return [...readTreebank(`${rows.join("\n")}\n\n`)][0]!;
}

const labelsOf = (one: Sentence) => ["", ...Array.from({ length: one.length }, (_, i) => one.deprel(i + 1))];
const treeOf = (one: Sentence) => enhancedTree(one, one.heads, labelsOf(one));
const graphIn = (enhancer: Enhancer, one: Sentence) =>
  enhancer
    .graph(one, one.heads, labelsOf(one))
    .slice(1)
    .map((arcs) => arcs.map(({ head, label }) => `${head}:${label}`).join("|"));
const goldOf = (one: Sentence) => Array.from({ length: one.length }, (_, i) => one.deps(i + 1));

/** Each with the names exchanged, so that nothing can be learned by heart. */
const NAMES = ["Ann", "Bob", "Eve", "Kim", "Lee", "Max"];
const coordination = (name: string) =>
  sentence(
    `${name} ${name} PROPN 2 nsubj 2:nsubj|4:nsubj`,
    "sang sing VERB 0 root 0:root",
    "and and CCONJ 4 cc 4:cc",
    "danced dance VERB 2 conj 2:conj:and",
    "in in ADP 6 case 6:case",
    "town town NOUN 4 obl 4:obl:in",
  );
const control = (name: string) =>
  sentence(
    `${name} ${name} PROPN 2 nsubj 2:nsubj|4:nsubj:xsubj`,
    "wants want VERB 0 root 0:root",
    "to to PART 4 mark 4:mark",
    "leave leave VERB 2 xcomp 2:xcomp",
  );
const relative = (name: string) =>
  sentence(
    `${name} ${name} NOUN 0 root 0:root|3:nsubj`,
    "who who PRON 3 nsubj 1:ref PronType=Rel",
    "sings sing VERB 1 acl:relcl 1:acl:relcl",
  );
const CASES = { coordination, control, relative };
const LEARNED = NAMES.slice(0, 4).flatMap((name) => Object.values(CASES).map((make) => make(name)));

test.each(Object.entries(CASES))("%s is learned, and found with other words", (_, make) => {
  const enhancer = new Enhancer(trainEnhanced(LEARNED));
  for (const name of NAMES) expect(graphIn(enhancer, make(name))).toEqual(goldOf(make(name)));
});

test("a conjunct takes the conjunction of its sisters, and the adposition of the first conjunct", () => {
  const one = sentence(
    "in in ADP 2 case _",
    "towns town NOUN 0 root _",
    "villages village NOUN 2 conj _",
    "or or CCONJ 5 cc _",
    "ports port NOUN 2 conj _",
  );
  const tree = treeOf(one);
  expect(markersOf(tree, 3, "conj")).toEqual(["or"]);
  expect(markedLabel(tree, 3, "obl", "all")).toBe("obl:in");
  expect(markedLabel(tree, 5, "conj", "first")).toBe("conj:or");
  expect(markedLabel(tree, 5, "conj", "none")).toBe("conj");
});

test("markers: fixed expressions in one, verbs in their form, no symbols", () => {
  const one = sentence(
    "because because ADP 3 case _",
    "of of ADP 1 fixed _",
    "rain rain NOUN 0 root _",
    "including include VERB 5 case _",
    "hail hail NOUN 3 nmod _",
    "/ / SYM 7 cc _",
    "snow snow NOUN 5 conj _",
  );
  const tree = treeOf(one);
  expect(markersOf(tree, 3, "obl")).toEqual(["because_of"]);
  expect(markersOf(tree, 5, "nmod")).toEqual(["including"]);
  expect(markersOf(tree, 7, "conj")).toEqual([]);
});

test("a treebank without DEPS is rejected", () => {
  expect(() => trainEnhanced([sentence("a a X 0 root _")])).toThrow(/no enhanced dependencies to learn from/);
});

test("a model with enhanced dependencies is stored and loaded; parsing writes DEPS, which word.enhanced has", async () => {
  const model = addEnhanced(toyPipeline(), LEARNED);
  const bytes = writeModel(model);
  expect(() => readModel(bytes)).toThrow(/enhanced/);
  const read = readModel(bytes, { programs: [enhanced] });
  const [direct, loaded] = [model, await loadModel(bytes)].map((one) => {
    return new Pipeline(one).parseTokens(["the", "cat", "sleeps"]).toConllu();
  });
  expect(loaded).toBe(direct);
  const found = new Pipeline(read).parseTokens(["the", "cat", "sleeps"]);
  expect(found.toConllu()).toBe(direct);
  for (const word of found.words) {
    expect(word.enhanced).toContainEqual({ head: String(word.head?.index ?? 0), deprel: word.deprel });
  }
  // Once more takes the place of the first.
  expect(addEnhanced(model, LEARNED).steps).toHaveLength(1);
});

const EWT = new URL("../../../../../shared/treebanks/en_ewt-ud-dev.conllu", import.meta.url);

test.skipIf(!existsSync(EWT))("en_ewt: learned from half of the development data, ELAS of the other half", () => {
  const all = [...readTreebank(readFileSync(EWT, "utf8"))];
  const enhancer = new Enhancer(trainEnhanced(all.filter((_, i) => i % 2 === 0)));
  let [gold, system, right] = [0, 0, 0];
  for (const one of all.filter((_, i) => i % 2 === 1)) {
    const wanted = graphOf(one);
    enhancer.graph(one, one.heads, labelsOf(one)).forEach((arcs, d) => {
      if (d > 0) expect(arcs.length).toBeGreaterThan(0);
      gold += wanted[d]!.length;
      system += arcs.length;
      right += arcs.filter((arc) => wanted[d]!.some((w) => w.head === arc.head && w.label === arc.label)).length;
    });
  }
  expect((200 * right) / (gold + system)).toBeGreaterThan(97);
});
