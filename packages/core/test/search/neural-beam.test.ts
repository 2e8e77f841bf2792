import { describe, expect, test } from "vitest";
import { parseTemplates } from "../../src/features/templates.js";
import { exp, log } from "../../src/math/exp.js";
import { describeSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { LOG_UNIT } from "../../src/scoring/log-scores.js";
import { BeamParser } from "../../src/search/beam/beam-parser.js";
import { Decider } from "../../src/search/decider.js";
import { GreedyParser } from "../../src/search/greedy-parser.js";
import type { Configuration } from "../../src/systems/configuration.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { randomNetwork } from "../scoring/random-network.js";
import { TAGGED } from "../toy-model.js";

const SENTENCES = readTreebank(TAGGED);
/** The first words of a sentence. */
const few = (words: number) => {
  const [sentence] = SENTENCES.filter(({ length }) => length >= words);
  return readTreebank(
    `${Array.from({ length: words }, (_, i) => `${i + 1}\t${sentence!.form(i + 1)}\t_\t${sentence!.upos(i + 1)}\t_\t_\t0\troot\t_\t_`).join("\n")}\n\n`,
    { allowNonTrees: true },
  )[0]!;
};

describe.each(SYSTEM_NAMES)("%s with a network", (system) => {
  const { model } = randomNetwork({ layers: 1, seed: 4 }, { system });

  // With transitions that stand for several, neither law holds for the search itself; without that, both do.
  const plain = Object.create(model.system, {
    description: { value: { ...model.system.description, transitionsFor: undefined } },
  });
  const evenly = (decider: Decider): Decider => Object.create(decider, { system: { value: plain } });

  test("a beam of 1 is the greedy parser", () => {
    const greedy = new GreedyParser(model.createParser().decider);
    const search = new BeamParser(evenly(model.createParser().decider), 1);
    for (const sentence of SENTENCES) {
      const heads = ({ heads }: Configuration) => Array.from(heads.subarray(0, sentence.length + 1));
      expect(heads(search.parse(sentence, 0))).toEqual(heads(greedy.parse(sentence, 0)));
    }
  });

  test("the probabilities of all derivations add up to 1", () => {
    const templates = parseTemplates(model.header.templates, "model", describeSystem(system).context);
    const decider = new Decider(model.system, model.classes, model.network!.scorer(templates));
    let sum = 0;
    for (const { score } of new BeamParser(evenly(decider), 200_000).parseAll(few(2), 0))
      sum += Math.exp(score / LOG_UNIT);
    expect(sum).toBeGreaterThan(0.999);
    expect(sum).toBeLessThan(1.001);
  });
});

test("logarithms are those of exponentials", () => {
  for (let x = 1; x < 500; x *= 1.01) {
    expect(log(x)).toBeCloseTo(Math.log(x), 14);
    expect(exp(log(x))).toBeCloseTo(x, 10);
  }
});
