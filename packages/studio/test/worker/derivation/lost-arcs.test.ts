// The arcs that a transition is said to lose are lost, and those that are not named are not.

import {
  Configuration,
  createSystem,
  describeSystem,
  GoldTree,
  labelledOracle,
  NONE,
  systemNames,
} from "@stemma/core/systems";
import { describe, expect, test } from "vitest";
import type { SystemChoice, Taken } from "../../../src/protocol/derivation.js";
import { lessonOf } from "../../../src/state/address/lesson-plans.js";
import { ShownSentence } from "../../../src/state/shown/sentence.js";
import { derive } from "../../../src/worker/derivation/derive.js";
import { lostArcs } from "../../../src/worker/derivation/lost-arcs.js";
import { parse } from "../../../src/worker/parsing/parse.js";

const sentenceOf = (text: string) => new ShownSentence(parse(text, undefined).sentences[0]!);
const systemOf = (name: string): SystemChoice => ({ name, root: "first", singleRoot: false, settings: {} });

/** In 2-planar few costs of nine words are found in time. */
const SEARCHED_QUICKLY = systemNames().filter((name) => name !== "two-planar" && !describeSystem(name).leftOut);

/** For each transition that costs something, on the way of the oracle: its words, its cost. */
function all(name: string, text: string) {
  const words = sentenceOf(text);
  const system = systemOf(name);
  const { configurations } = derive(
    { sentence: words.json, system, target: words.gold, policy: "static", prefix: [] },
    undefined,
  );
  const before: Taken[] = [];
  return configurations.flatMap(({ choices, taken }) => {
    const costly = choices.filter(({ cost }) => cost !== undefined && cost > 0);
    const questions = costly.map(({ move, label }) => ({ before: [...before], taken: { move, label } }));
    const answers = lostArcs({ system, target: words.gold!, questions }, Number.POSITIVE_INFINITY);
    const chosen = choices[taken];
    if (chosen) before.push({ move: chosen.move, label: chosen.label });
    return costly.map((choice, i) => ({ ...choice, before: questions[i]!.before, words: answers[i] }));
  });
}

describe("lost arcs", () => {
  const letter = lessonOf("oracles").conllu;
  const storm = lessonOf("projectivity").conllu;

  test("in arc-eager all arcs that a transition costs are named, and no other", () => {
    const found = all("arc-eager", letter);
    expect(found.length).toBeGreaterThan(10);
    for (const { cost, words, move } of found) expect(words, move).toHaveLength(cost!);
    // RIGHT-ARC from “the” to “mayor”: neither gets its head.
    const early = found.find(({ move, dependent }) => move === "RIGHT-ARC" && dependent === 4)!;
    expect(early.words).toEqual([3, 4]);
  });

  test("a wrong label loses the arc itself", () => {
    const words = sentenceOf(letter);
    const question = { before: [{ move: "SHIFT", label: undefined }], taken: { move: "LEFT-ARC", label: "obj" } };
    const request = { system: systemOf("arc-eager"), target: words.gold!, questions: [question] };
    expect(lostArcs(request)).toEqual([[1]]);
  });

  test.each(SEARCHED_QUICKLY)(
    "%s: freeing as many of the named words as a transition costs brings the loss back",
    (name) => {
      const words = sentenceOf(storm);
      const gold = words.gold!;
      const labels = [...new Set(gold.labels)];
      const tree = new GoldTree(
        gold.heads,
        gold.labels.map((label) => labels.indexOf(label)),
      );
      const system = createSystem(name, { root: "first", singleRoot: false });
      const oracle = labelledOracle(system, 20_000);
      const found = all(name, storm).filter((one) => one.words !== undefined);
      expect(found.length).toBeGreaterThan(0);
      for (const { before, move, label, words, cost } of found.slice(0, 30)) {
        expect(words!.length, move).toBeGreaterThanOrEqual(cost!);
        const c = new Configuration(gold.heads.length - 1);
        system.initialize(c, gold.heads.length - 1);
        for (const one of [...before, { move, label }]) {
          system.apply(c, system.moveOf(one.move), one.label === undefined ? NONE : labels.indexOf(one.label));
        }
        oracle.bind(tree);
        const loss = oracle.loss(c)!;
        oracle.bind(tree.without([words![0]!]));
        expect(oracle.loss(c), `${move} ${label} after ${before.length}`).toBe(loss - 1);
      }
    },
  );

  test("2-planar: what a search finds is named", () => {
    const words = sentenceOf(lessonOf("spurious-ambiguity").conllu);
    const system = systemOf("two-planar");
    const { configurations } = derive(
      { sentence: words.json, system, target: words.gold, policy: "static", prefix: [] },
      undefined,
    );
    // “mice” waits for “hunt”, which SHIFT would bring below it.
    const at = configurations.findIndex(({ choices, taken }) => choices[taken]?.dependent === 3);
    const before = configurations.slice(0, at).map(({ choices, taken }) => {
      const { move, label } = choices[taken]!;
      return { move, label };
    });
    const questions = [{ before, taken: { move: "SHIFT", label: undefined } }];
    expect(lostArcs({ system, target: words.gold!, questions }, Number.POSITIVE_INFINITY)).toEqual([[3]]);
  });
});
