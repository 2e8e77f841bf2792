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
import { readTreebank, Sentence, validate } from "../../src/treebank.js";
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

/** "Ada buys books in town, and Ben pens": the verb of the second clause is left out. */
const gapping = (name: string, deps: "keep" | "move" | "none") => {
  const node = "8.1\tbuys\tbuy\tVERB\t_\tTense=Pres\t_\t_\t2:conj:and\tCopyOf=2\n";
  const [own, place, role] = {
    keep: ["2:conj:and|", "8:cc|", "8.1:"],
    move: ["", "", "8.1:"],
    none: ["2:conj:and", "8:cc", "8:"],
  }[deps];
  const text = sentence(
    `${name} ${name} PROPN 2 nsubj 2:nsubj`,
    "buys buy VERB 0 root 0:root Tense=Pres",
    "books book NOUN 2 obj 2:obj",
    "in in ADP 5 case 5:case",
    "town town NOUN 2 obl 2:obl:in",
    ", , PUNCT 8 punct 8:punct",
    `and and CCONJ 8 cc ${place}${deps === "none" ? "" : "8.1:cc"}`,
    `Ben Ben PROPN 2 conj ${own}${deps === "none" ? "" : "8.1:nsubj"}`,
    `pens pen NOUN 8 orphan ${role}${deps === "none" ? "orphan" : "obj"}`,
    "at at ADP 11 case 11:case",
    `sea sea NOUN 8 orphan ${role}${deps === "none" ? "orphan" : "obl:at"}`,
  ).toConllu();
  return [...readTreebank(deps === "none" ? text : text.replace(/^9\t/m, `${node}9\t`))][0]!;
};

test.each(["keep", "move", "none"] as const)("a verb that is left out: the treebank says %s", (deps) => {
  const learned = [...LEARNED, ...NAMES.slice(0, 4).map((name) => gapping(name, deps))];
  const header = trainEnhanced(learned);
  expect(header.gaps).toBe(deps === "none" ? undefined : deps);
  const gold = gapping("Max", deps);
  const enhancer = new Enhancer(header);
  for (const kind of ["text", "lists"]) {
    // A node of before goes.
    const bare = gold
      .toConllu()
      .replace(/^(6\t[\s\S]*)(8\.1)(\t.*\n)/m, (_, before, _id, node) => `5.1${node}${before}`);
    const given = kind === "text" ? readTreebank(bare)[0]! : Sentence.from(readTreebank(bare)[0]!.toJSON());
    enhancer.annotate(given, { heads: Int32Array.from(given.heads), labels: labelsOf(given) }).writeTo(given);
    expect(given.toConllu()).toBe(gold.toConllu());
  }
});

test("the place of a verb that is left out, roles in the order of the first clause, and its subject", () => {
  const header = trainEnhanced([...LEARNED, ...NAMES.slice(0, 4).map((name) => gapping(name, "keep"))]);
  const one = sentence(
    "she she PRON 2 nsubj _",
    "keeps keep VERB 0 root _",
    "doors door NOUN 2 obj _",
    "open open ADJ 2 xcomp _",
    "and and CCONJ 7 cc _",
    "old old ADJ 7 amod _",
    "windows window NOUN 2 conj _",
    "shut shut VERB 7 orphan _",
    "and and CCONJ 10 cc _",
    "eyes eye NOUN 2 conj _",
    "closed closed ADJ 10 orphan _",
    "today today ADV 10 orphan _",
  );
  new Enhancer(header).annotate(one, { heads: Int32Array.from(one.heads), labels: labelsOf(one) }).writeTo(one);
  expect(one.emptyNodes.map(({ id, form, deps, misc }) => [id, form, deps, misc])).toEqual([
    ["5.1", "keeps", "2:conj:and", "CopyOf=2"],
    ["9.1", "keeps", "2:conj:and", "CopyOf=2"],
  ]);
  expect(
    [1, 7, 8, 10, 11, 12].map((d) =>
      one
        .deps(d)
        .split("|")
        .filter((arc) => /^[59]\.1/.test(arc))
        .join("|"),
    ),
  ).toEqual(["5.1:nsubj|9.1:nsubj", "5.1:obj", "5.1:xcomp", "9.1:obj", "9.1:xcomp", "9.1:advmod"]);
  expect(validate(one, { level: 3 }).filter(({ rule }) => /deps|graph|eorphan/.test(rule))).toEqual([]);
});

test("what remains of a clause may be joined with an argument of the first verb", () => {
  const header = trainEnhanced([...LEARNED, ...NAMES.slice(0, 4).map((name) => gapping(name, "keep"))]);
  const one = sentence(
    "keep keep VERB 0 root _",
    "doors door NOUN 1 obj _",
    "open open ADJ 1 xcomp _",
    "and and CCONJ 5 cc _",
    "windows window NOUN 2 conj _",
    "shut shut ADJ 5 orphan _",
  );
  new Enhancer(header).annotate(one, { heads: Int32Array.from(one.heads), labels: labelsOf(one) }).writeTo(one);
  expect(one.emptyNodes.map(({ id, form, deps }) => [id, form, deps])).toEqual([["4.1", "keep", "1:conj:and"]]);
  expect([one.deps(5), one.deps(6)]).toEqual(["2:conj:and|4.1:obj", "4.1:xcomp"]);
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
