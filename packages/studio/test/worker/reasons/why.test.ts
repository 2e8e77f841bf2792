import { existsSync, readFileSync } from "node:fs";
import { load, type Parser } from "@stemma/core";
import { Training } from "@stemma/core/training";
import { describe, expect, test } from "vitest";
import { toyTreebank } from "../../../../core/test/toy-pipeline.js";
import type { SystemChoice } from "../../../src/protocol/derivation.js";
import { conllu } from "../../../src/state/address/examples.js";
import { ShownSentence } from "../../../src/state/shown/sentence.js";
import { beamTrace } from "../../../src/worker/beam/beam-trace.js";
import { derive } from "../../../src/worker/derivation/derive.js";
import { parse } from "../../../src/worker/parsing/parse.js";
import { why } from "../../../src/worker/reasons/why.js";

const MODEL = new URL("../../../../model-en/en.stemma", import.meta.url);

/** In the system of the model. */
function choice({ system, root }: { system: SystemChoice["name"]; root: SystemChoice["root"] }): SystemChoice {
  return { name: system, root, singleRoot: true, settings: {} };
}

/** A linear model of a made-up bit of English. */
function linearParser() {
  const training = new Training(toyTreebank(100, 1), {
    system: "arc-standard",
    root: "last",
    templates: "s0.upos s1.upos; s0.upos b0.upos; s0.form; s1.form; s0l.label s1.upos s0.upos; dist(s0,b0) s0.rval",
    epochs: 3,
    seed: 1,
    prune: 0,
    oracle: "dynamic",
    exploreFrom: 2,
    exploreProbability: 0.9,
    lossBound: Number.POSITIVE_INFINITY,
    afterUpdate: "go-on",
  });
  for (let epoch = 0; epoch < 3; epoch++) training.runEpoch();
  return training.model().createParser();
}

test("of a linear model, the features add up to the difference of the scores", () => {
  const parser = linearParser();
  const words = new ShownSentence(
    parse(conllu("Mina Mina PROPN 2 nsubj", "sells sell VERB 0 root", "maps map NOUN 2 obj"), undefined).sentences[0]!,
  );
  const system = choice(parser.model.header);
  const { configurations } = derive(
    { sentence: words.json, system, target: undefined, policy: "model", prefix: [] },
    parser,
  );
  const taken = configurations.flatMap(({ choices, taken }) => choices[taken] ?? []);
  let compared = 0;
  taken.forEach((choice, k) => {
    const request = { sentence: words.json, system, before: taken.slice(0, k), taken: choice, rival: undefined };
    if (configurations[k]!.choices.length < 2) return;
    const { kind, first, margin, reasons, others } = why(request, parser);
    expect(kind).toBe("features");
    expect(others).toBe(0);
    expect(first).toEqual({ move: choice.move, label: choice.label });
    expect(reasons.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(margin, 6);
    for (const { first, second, amount } of reasons) expect(first - second).toBeCloseTo(amount, 6);
    compared++;
  });
  expect(compared).toBeGreaterThan(1);
  // The words that a feature saw are shown: "sells" is below the top of the stack.
  const at = taken.findIndex(({ move }) => move === "RIGHT-ARC");
  const { reasons } = why(
    { sentence: words.json, system, before: taken.slice(0, at), taken: taken[at]!, rival: undefined },
    parser,
  );
  const seen = Object.fromEntries(reasons.map(({ name, value }) => [name, value]));
  expect(Object.entries(seen)).toContainEqual(["s1.form", "sells"]);
});

test("the beam that is shown is the parser's", () => {
  const parser = linearParser();
  const words = new ShownSentence(
    parse(conllu("Mina Mina PROPN 2 nsubj", "sells sell VERB 0 root", "maps map NOUN 2 obj"), undefined).sentences[0]!,
  );
  for (const width of [1, 3]) {
    const { tree, wrong } = beamTrace(words.json, parser, words.gold, width);
    const { heads, labels } = parser.model.createParser({ beam: width, merge: false }).parse(words.given);
    expect([tree.heads.slice(1), tree.labels.slice(1)]).toEqual([Array.from(heads).slice(1), labels.slice(1)]);
    expect(wrong).toBe(0);
  }
});

describe.skipIf(!existsSync(MODEL))("the English model", () => {
  test("of a network, the words that a transition rests on are told, and the beam is the parser's", async () => {
    const parser = (await load(readFileSync(MODEL))).parser as Parser;
    const words = new ShownSentence(
      parse(
        conllu(
          "She she PRON 2 nsubj",
          "told tell VERB 0 root",
          "the the DET 4 det",
          "truth truth NOUN 2 obj",
          ". . PUNCT 2 punct",
        ),
        undefined,
      ).sentences[0]!,
    );
    const system = choice(parser.model.header);
    const { configurations } = derive(
      { sentence: words.json, system, target: words.gold, policy: "model", prefix: [] },
      parser,
    );
    const taken = configurations.flatMap(({ choices, taken }) => choices[taken] ?? []);
    const k = taken.findIndex(({ label }) => label === "det");
    const found = why(
      { sentence: words.json, system, before: taken.slice(0, k), taken: taken[k]!, rival: undefined },
      parser,
    );
    expect(found.kind).toBe("words");
    expect(found.margin).toBeGreaterThan(0);
    // The determiner itself counts more than anything else.
    expect(found.reasons[0]).toMatchObject({ name: "3", value: "the" });
    // Asked again, the words are all there.
    expect(
      why({ sentence: words.json, system, before: taken.slice(0, k), taken: taken[k]!, rival: undefined }, parser),
    ).toEqual(found);
    const trace = beamTrace(words.json, parser, words.gold, 4);
    const { heads } = parser.model.createParser({ beam: 4, merge: false }).parse(words.given);
    expect(trace.tree.heads.slice(1)).toEqual(Array.from(heads).slice(1));
    expect(trace.steps.every((all) => all.filter(({ kept }) => kept).length <= 4)).toBe(true);
  });
});
