import { describe, expect, test } from "vitest";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { ParserModel } from "../../src/parser/parser.js";
import { createSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { BeamParser } from "../../src/search/beam/beam-parser.js";
import { doubledArguments } from "../../src/search/beam/doubled-arguments.js";
import { StateMerger } from "../../src/search/beam/state-merger.js";
import { Configuration } from "../../src/systems/configuration.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { isTree } from "../../src/treebank/tree.js";
import { noiseModel, noiseWords } from "../scoring/noise-model.js";
import { TAGGED, toyModel } from "../toy-model.js";

const SENTENCES = readTreebank(TAGGED);
const TEMPLATES = [
  "s0.upos b0.upos; s0.form; b0.form dist(s0,b0); s0l.label b0.xpos; s0.lemma",
  "s1.upos s2.upos; s1.form; q1.form",
];

describe.each(SYSTEM_NAMES)("the best trees with %s", (system) => {
  const model = toyModel({ system, templates: TEMPLATES[system === "lr-spines" ? 1 : 0]! });

  test("are distinct trees with one root, the others best first, and the first is that of parse", () => {
    for (const merge of [false, true]) {
      const parser = model.createParser({ beam: 16, merge });
      for (const sentence of SENTENCES) {
        const trees = [...parser.parseBest(sentence, 8)];
        const keys = trees.map(({ heads, labels }) => `${heads} ${labels}`);
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys[0]).toBe((({ heads, labels }) => `${heads} ${labels}`)(parser.parse(sentence)));
        for (const { heads } of trees) expect(isTree(heads)).toBe(true);
        const scores = trees.map(({ score }) => score);
        // Trees with two subjects of a word come after the best one without.
        scores.shift();
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      }
    }
  });

  test("do not depend on what is parsed while one looks at them", () => {
    const parser = model.createParser({ beam: 16 });
    const apart = SENTENCES.map((sentence) => JSON.stringify(parser.parseBest(sentence, 8)));
    SENTENCES.forEach((sentence, i) => {
      const seen: unknown[] = [];
      for (const tree of parser.parseBest(sentence, 8)) {
        parser.parse(SENTENCES[(i + 1) % SENTENCES.length]!);
        seen.push(tree);
      }
      expect(JSON.stringify(seen)).toBe(apart[i]);
    });
  });

  test("are found among what was merged, too", () => {
    const {
      decider,
      templates,
      scorer,
      system: made,
    } = noiseModel({ system, root: "last", singleRoot: true, range: 500 });
    const words = noiseWords(7, 3);
    const merger = new StateMerger(made, templates, scorer.extractor.columns, 8);
    const parser = new BeamParser(decider, 8, merger);
    const trees = new Set<string>();
    let derivations = 0;
    for (const { c } of parser.parseAll(words, 0)) {
      trees.add(`${c.heads.subarray(0, 8)} ${c.labels.subarray(0, 8)}`);
      if (++derivations === 200) break;
    }
    expect(parser.search.merged).toBeGreaterThan(0);
    expect(derivations).toBeGreaterThan(8);
    // Where all arcs matter for what follows, only other derivations of the same tree are merged.
    if (made.looksAtAllArcs) expect(trees.size).toBeLessThanOrEqual(8);
    else expect(trees.size).toBeGreaterThan(8);
  });
});

describe("trees with a flaw", () => {
  test("come after the best one without", () => {
    const { decider } = noiseModel({ system: "arc-standard", root: "last", singleRoot: true, range: 500 });
    const isFlawed = ({ heads }: Configuration) => heads[1] !== 2;
    const plain = new BeamParser(decider, 8);
    const parser = new BeamParser(decider, 8, undefined, undefined, isFlawed);
    let moved = 0;
    for (let seed = 0; seed < 60; seed++) {
      const words = noiseWords(5, seed);
      const treesOf = (own: BeamParser) => {
        const found: { heads: Int32Array; score: number }[] = [];
        for (const { c, score } of own.parseAll(words, 0)) found.push({ heads: c.heads.slice(0, 6), score });
        return found;
      };
      const trees = treesOf(plain);
      const sound = trees.findIndex(({ heads }) => heads[1] === 2);
      if (sound > 0) moved++;
      const [first, ...others] = trees.splice(Math.max(0, sound), 1).concat(trees);
      expect(treesOf(parser)).toEqual([first, ...others]);
      expect(parser.parse(words, 0).heads.slice(0, 6)).toEqual(first!.heads);
      expect(parser.score).toBe(first!.score);
    }
    expect(moved).toBeGreaterThan(3);
  });

  test("are two subjects or two objects of a word", () => {
    const labels = ["root", "nsubj", "nsubj:outer", "csubj:pass", "obj", "obj:agent", "iobj", "objx"];
    const isFlawed = doubledArguments(labels);
    const tree = (heads: number[], relations: string[]) => {
      const c = new Configuration();
      createSystem("arc-standard").initialize(c, heads.length);
      for (const [i, head] of heads.entries()) c.addArc(head, i + 1, labels.indexOf(relations[i]!));
      return c;
    };
    expect(isFlawed(tree([2, 0, 2], ["nsubj", "root", "obj"]))).toBe(false);
    expect(isFlawed(tree([2, 0, 2], ["nsubj", "root", "csubj:pass"]))).toBe(true);
    expect(isFlawed(tree([2, 0, 2], ["nsubj", "root", "nsubj:outer"]))).toBe(false);
    expect(isFlawed(tree([0, 1, 1], ["root", "obj", "obj:agent"]))).toBe(true);
    expect(isFlawed(tree([0, 1, 1], ["root", "iobj", "obj"]))).toBe(false);
    expect(isFlawed(tree([0, 1, 2], ["root", "obj", "obj"]))).toBe(false);
    expect(isFlawed(tree([0, 1, 1], ["root", "objx", "obj"]))).toBe(false);
  });
});

describe("parsers with a beam", () => {
  test("a beam that is too narrow for so many trees is named", () => {
    const parser = toyModel().createParser({ beam: 4 });
    expect(() => [...parser.parseBest(SENTENCES[0]!, 5)]).toThrow(
      "invalid number of trees: 5 (expected 1 to 4, the width of the beam)",
    );
  });

  test("a greedy parser gives its one tree", () => {
    const parser = toyModel().createParser();
    const [best, ...others] = parser.parseBest(SENTENCES[0]!, 1);
    const { heads, labels } = parser.parse(SENTENCES[0]!);
    expect(best).toEqual({ heads, labels, score: expect.any(Number) });
    expect(others).toEqual([]);
  });

  test("the width is in the model file, and a file with another value is refused", () => {
    const { header, linear } = toyModel();
    expect(readModel(writeModel(new ParserModel({ ...header, beam: 12 }, linear))).parser.createParser().beam).toBe(12);
    for (const beam of [0, 1.5, 1e8, "8" as never]) {
      const bytes = writeModel(new ParserModel({ ...header, beam }, linear));
      expect(() => readModel(bytes)).toThrow("invalid header: beam:");
    }
  });
});
