import { describe, expect, test } from "vitest";
import { BeamParser } from "../src/search/beam/beam-parser.js";
import { StackParser } from "../src/search/stack-graph/stack-parser.js";
import { StackViews } from "../src/search/stack-graph/stack-views.js";
import type { Configuration } from "../src/systems/configuration.js";
import { EVERY_SYSTEM, type NoiseOptions, nameOf, noiseModel, noiseWords } from "./noise-model.js";

const SYSTEMS = EVERY_SYSTEM.filter(({ system }) => system === "arc-standard" || system === "arc-hybrid");

function stackParser(options: NoiseOptions, width: number): StackParser {
  const { decider, templates, scorer } = noiseModel(options);
  return new StackParser(decider, width, new StackViews(templates, scorer.extractor.columns));
}

const treeOf = (c: Configuration) => `${c.heads.subarray(0, c.length + 1).join(" ")} / ${c.labels.subarray(0, c.length + 1).join(" ")}`;
const NARROW = ["s0.tag s1.tag b0.tag; s0l.label; s0r.label; s0.rval; dist(s0,s1)", undefined, "s0.tag; s1.form; b0l.tag; s2.rset", "s0n.tag; s1p.form; s3.tag; s1ll.label"];

describe.each(SYSTEMS.map((options) => [nameOf(options), options] as const))("%s", (_, options) => {
  test("with a beam that loses nothing, the best score and the scores of all trees are those without merging", () => {
    for (let k = 0; k < 8; k++) {
      const templates = NARROW[k % 4];
      const how = { ...options, labels: 1 + (k % 2), range: 1000, seed: k, ...(templates ? { templates } : {}) };
      const words = noiseWords(3 + (k % 2), k);
      const width = 20_000;
      const plain = new BeamParser(noiseModel(how).decider, width);
      const stacks = stackParser(how, width);
      const tree = treeOf(plain.parse(words, 0));
      expect(treeOf(stacks.parse(words, 0))).toBe(tree);
      expect(stacks.score).toBe(plain.score);
      const scores = (parser: BeamParser) => Array.from(parser.parseAll(words, 0), ({ c, score }) => `${score} ${treeOf(c)}`).sort();
      expect(scores(stacks)).toEqual(scores(plain));
    }
  });
});
