import type { Parser } from "@stemma/core";
import { Configuration, createSystem, type SystemName, type TransitionSystem } from "@stemma/core/systems";
import { Training } from "@stemma/core/training";
import { describe, expect, test } from "vitest";
import { toyTreebank } from "../../../../core/test/toy-pipeline.js";
import { conllu } from "../../../src/state/address/examples.js";
import { ShownSentence } from "../../../src/state/shown/sentence.js";
import { derive } from "../../../src/worker/derivation/derive.js";
import { parse } from "../../../src/worker/parsing/parse.js";
import { cause } from "../../../src/worker/reasons/cause.js";

function parserIn(system: SystemName): Parser {
  const training = new Training(toyTreebank(60, 1), {
    system,
    root: "last",
    templates: "s0.upos s1.upos; s0.upos b0.upos; s0.form; b0.form; dist(s0,b0) s0.rval",
    epochs: 2,
    seed: 1,
    prune: 0,
    oracle: "dynamic",
    exploreFrom: 2,
    exploreProbability: 0.9,
    lossBound: Number.POSITIVE_INFINITY,
    afterUpdate: "go-on",
  });
  for (let epoch = 0; epoch < 2; epoch++) training.runEpoch();
  return training.model().createParser() as Parser;
}

/** Can the arc be built, by any transitions whatever? Every derivation from here is tried. */
function canStillBuild(system: TransitionSystem, c: Configuration, head: number, word: number): boolean {
  if (system.isTerminal(c)) {
    const end = new Configuration(c.length);
    end.copyFrom(c);
    system.finish(end, 0);
    return end.heads[word] === head;
  }
  const moves: number[] = [];
  moves.length = system.permitted(c, moves);
  return moves.some((move) => {
    const next = new Configuration(c.length);
    next.copyFrom(c);
    system.apply(next, move, 0);
    return canStillBuild(system, next, head, word);
  });
}

// A tree that nobody would expect, so that nearly every arc of the parser is wrong.
const TEXT = conllu(
  "Mina Mina PROPN 3 obl",
  "sells sell VERB 1 amod",
  "maps map NOUN 0 root",
  "of of ADP 5 det",
  "harbours harbour NOUN 3 case",
);

describe.each(["arc-standard", "arc-hybrid", "arc-eager"] as const)("the cause of a wrong arc in %s", (name) => {
  const parser = parserIn(name);
  const shown = new ShownSentence(parse(TEXT, undefined).sentences[0]!);
  const target = shown.gold!;
  const system = createSystem(name, { root: "last", singleRoot: true });
  const choice = { name, root: "last" as const, singleRoot: true, settings: {} };
  const derivation = derive({ sentence: shown.json, system: choice, target, policy: "model", prefix: [] }, parser);
  const { tree } = derivation;
  const wrong = [1, 2, 3, 4, 5].filter((d) => tree.heads[d] !== target.heads[d]);

  test("is the transition after which no derivation has the arc, and the alternative keeps it", () => {
    expect(wrong.length).toBeGreaterThan(2);
    for (const word of wrong) {
      const found = cause({ sentence: shown.json, target, word }, parser);
      const c = new Configuration(5);
      system.initialize(c, 5);
      for (const { choices, taken } of derivation.configurations.slice(0, found.step)) {
        system.apply(c, system.moveOf(choices[taken]!.move), 0);
      }
      const after = (move: string) => {
        const next = new Configuration(5);
        next.copyFrom(c);
        system.apply(next, system.moveOf(move), 0);
        return canStillBuild(system, next, target.heads[word]!, word);
      };
      expect(found.kind).toBe("head");
      expect(canStillBuild(system, c, target.heads[word]!, word), `word ${word} before`).toBe(true);
      expect(after(found.taken.move), `word ${word} after`).toBe(false);
      if (found.alternative) {
        expect(after(found.alternative.move), `word ${word}, ${found.alternative.move}`).toBe(true);
        expect(found.why?.second.move).toBe(found.alternative.move);
        // The features add up to the difference of the scores.
        expect(found.why!.margin).toBeCloseTo(found.taken.score! - found.alternative.score!, 3);
      }
    }
  });

  test("of a wrong label is the transition that built the arc", () => {
    const word = tree.heads.findIndex((head, d) => d > 0 && head > 0);
    const labels = tree.labels.map((label, d) => (d === word ? "nummod" : label));
    const found = cause({ sentence: shown.json, target: { heads: tree.heads, labels }, word }, parser);
    expect(found).toMatchObject({ kind: "label", step: derivation.since[word]! - 1, alternative: { label: "nummod" } });
    expect(found.taken.dependent).toBe(word);
    expect(() => cause({ sentence: shown.json, target: tree, word }, parser)).toThrow(/build the right arc/);
  });
});
