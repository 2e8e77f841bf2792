import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/evaluation/evaluation.js";
import { Calibration } from "../../src/evaluation/measures/calibration.js";
import { evaluationPlots } from "../../src/evaluation/plots.js";
import { fitConfidence } from "../../src/learning/fit-confidence.js";
import { ParserModel } from "../../src/parser/parser.js";
import { describeSystem } from "../../src/registry/systems.js";
import { BeamParser } from "../../src/search/beam/beam-parser.js";
import { ArcDoubts } from "../../src/search/confidence/arc-doubts.js";
import { arcProbability, isConfidence } from "../../src/search/confidence/confidence.js";
import { GreedyParser } from "../../src/search/greedy-parser.js";
import { Configuration, NONE } from "../../src/systems/configuration.js";
import { keyOf } from "../../src/systems/oracles/searched-oracle.js";
import type { TransitionSystem } from "../../src/systems/system.js";
import type { Move } from "../../src/systems/transition.js";
import { sentencesFromJson } from "../../src/treebank/formats/json.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { EVERY_SYSTEM, type NoiseOptions, nameOf, noiseModel, noiseWords } from "../scoring/noise-model.js";
import { TAGGED, toyModel } from "../toy-model.js";

const TEMPERATURE = 20;

describe("doubts", () => {
  // Demands on other words by one root, or by 0 at the end of the buffer, are not counted.
  const isExact = ({ system, root, singleRoot }: NoiseOptions) =>
    ["arc-standard", "attardi", "swap"].includes(system)
      ? singleRoot || root !== "last"
      : !singleRoot &&
        (system === "arc-eager" || system === "covington" || (system === "lr-spines" && root !== "last"));
  // Where words can leave the sentence, arcs have no scores.
  it.each(
    EVERY_SYSTEM.filter(({ system }) => !describeSystem(system).leftOut).map(
      (options) => [nameOf(options), options] as const,
    ),
  )("are what the permitted transitions could have taken away: %s", (_, options) => {
    for (let k = 0; k < 12; k++) {
      const n =
        { swap: 3, "arc-hybrid-swap": 3, "two-planar": 2, "attardi-auxiliary": 2 }[options.system as string] ?? 4;
      const words = noiseWords(n, k);
      const { decider } = noiseModel({ ...options, seed: k });
      const doubts = new ArcDoubts(decider, [2 * TEMPERATURE, TEMPERATURE]);
      const tree = new GreedyParser(decider).parse(words, 0, doubts);
      const expected = doubtsBySearch({ ...options, seed: k }, words, tree);
      for (let d = 1; d <= n; d++) {
        if (isExact(options)) expect(doubts.of(d, 1)).toBeCloseTo(expected[d]!, 9);
        else expect(doubts.of(d, 1)).toBeLessThan(expected[d]! + 1e-9);
      }
    }
  });

  it("are the same after a beam that found the same derivation", () => {
    const options = { system: "arc-standard", root: "last", singleRoot: true, range: 20 } as const;
    const { decider } = noiseModel(options);
    const beam = new BeamParser(noiseModel(options).decider, 1);
    const [ours, theirs] = [decider, beam.search.decider].map((one) => new ArcDoubts(one, [5, 50])) as [
      ArcDoubts,
      ArcDoubts,
    ];
    for (let k = 0; k < 20; k++) {
      const words = noiseWords(1 + k, k);
      new GreedyParser(decider).parse(words, 0, ours);
      beam.parse(words, 0, theirs);
      for (let d = 1; d <= words.length; d++) {
        expect(theirs.of(d)).toBe(ours.of(d));
        expect(ours.of(d)).toBeGreaterThanOrEqual(0);
      }
    }
  });
});

/** The definition of a doubt, where continuations are searched for one that builds the arc. */
function doubtsBySearch(options: NoiseOptions, words: ReturnType<typeof noiseWords>, tree: Configuration): number[] {
  const { system, classes, decider, scorer } = noiseModel(options);
  const n = words.length;
  const doubts = new Array<number>(n + 1).fill(0);
  const heads = tree.heads.slice(0, n + 1);
  const labels = tree.labels.slice(0, n + 1);
  const c = new Configuration();
  decider.bind(words);
  system.initialize(c, n);
  while (!system.isTerminal(c)) {
    const best = decider.decide(c);
    const chosen = { move: decider.moves[best]!, label: classes.labels[decider.bestClass[best]!]! };
    if (!classes.perMove) scorer.score(c, 0);
    const lost = new Array<number>(n + 1).fill(0);
    let sum = 0;
    for (let m = 0; m < decider.count; m++) {
      const move = decider.moves[m]!;
      if (classes.perMove) scorer.score(c, move);
      const group = classes.groupOf(move);
      const after = copyOf(c);
      system.apply(after, move, 0);
      const reachable = arcsAfter(system, after);
      for (let k = classes.from[group]!; k < classes.from[group + 1]!; k++) {
        const weight = Math.exp(decider.scores[k]! / TEMPERATURE);
        sum += weight;
        for (let d = 1; d <= n; d++) {
          const built = system.dependent(c, move) === d && system.head(c, move) === heads[d];
          const isSame =
            c.heads[d] !== NONE || (built ? classes.labels[k] === labels[d] : reachable.has(heads[d]! * 100 + d));
          if (!isSame) lost[d]! += weight;
        }
      }
    }
    for (let d = 1; d <= n; d++) doubts[d]! -= Math.log1p(-lost[d]! / sum);
    system.apply(c, chosen.move, chosen.label);
  }
  return doubts;
}

function copyOf(c: Configuration): Configuration {
  const copy = new Configuration();
  copy.copyFrom(c);
  return copy;
}

/** All arcs that some continuation has. */
function arcsAfter(
  system: TransitionSystem,
  c: Configuration,
  arcs = new Set<number>(),
  seen = new Set<string>(),
): Set<number> {
  if (system.isTerminal(c)) {
    for (let d = 1; d <= c.length; d++) arcs.add(Math.max(c.heads[d]!, 0) * 100 + d);
    return arcs;
  }
  // Many ways lead to the same configuration in 2-planar.
  const key = keyOf(c);
  if (seen.has(key)) return arcs;
  seen.add(key);
  const moves: Move[] = [];
  const count = system.permitted(c, moves);
  for (let m = 0; m < count; m++) {
    const after = copyOf(c);
    system.apply(after, moves[m]!, 0);
    arcsAfter(system, after, arcs, seen);
  }
  return arcs;
}

describe("confidence", () => {
  it("falls with the doubt, from 1 towards 0", () => {
    for (const low of [0, 0.8]) {
      const confidence = { offset: 0.2, low, high: 0.6, temperature: 1 };
      const values = [0, 1e-5, 0.01, 0.5, 1, 3, 10].map((doubt) => arcProbability(doubt, confidence));
      for (let i = 1; i < values.length; i++) expect(values[i]).toBeLessThan(values[i - 1]!);
      expect(values[0]).toBeLessThanOrEqual(1);
      expect(values.at(-1)).toBeGreaterThan(0);
    }
  });

  it("is checked", () => {
    expect(isConfidence({ offset: 0, low: 0, high: 1, temperature: 9 })).toBe(true);
    expect(isConfidence({ offset: 0, low: -1, high: 1, temperature: 9 })).toBe(false);
    expect(isConfidence({ offset: 0, low: 0, high: 0, temperature: 9 })).toBe(false);
    expect(isConfidence({ offset: 0, low: 0, high: 1, temperature: 0 })).toBe(false);
  });

  it("is fitted to what is right", () => {
    const model = toyModel();
    const fitted = (isRight: boolean) => {
      const gold = readTreebank(TAGGED);
      for (const sentence of gold) {
        const { heads, labels } = model.createParser().parse(sentence);
        for (let i = 1; i <= sentence.length; i++) {
          sentence.setHead(i, heads[i]!);
          sentence.setDeprel(i, isRight ? labels[i]! : "other");
        }
      }
      const own = new ParserModel({ ...model.header, confidence: fitConfidence(model, gold) }, model.linear);
      const scores = new Float64Array(8);
      own.createParser().parse(gold[0]!, { scores });
      return scores.slice(1, gold[0]!.length + 1);
    };
    const [high, low] = [fitted(true), fitted(false)];
    for (let i = 0; i < high.length; i++) expect(high[i]).toBeGreaterThan(low[i]!);
  });

  it("leaves no doubt about what is given", () => {
    const [sentence] = readTreebank(TAGGED);
    const scores = new Float64Array(8);
    const heads = Int32Array.of(-1, 3, -1, -1, 0, -1);
    const labels = ["", "det", "", "", "root", ""].map((label) => label || undefined);
    const tree = toyModel()
      .createParser()
      .parse(sentence!, { scores, constraints: { heads, labels } as never });
    expect(tree.heads[1]).toBe(3);
    expect(scores[1]).toBe(1);
    expect(scores[4]).toBe(1);
    expect(scores[2]).toBeLessThan(1);
  });
});

describe("calibration", () => {
  const of = (...words: [score: number, right: boolean][]) => {
    const calibration = new Calibration();
    for (const [score, right] of words) calibration.add(score, right);
    return calibration;
  };

  it("compares the accuracy of bins with their mean score", () => {
    const calibration = of([0.7, true], [0.75, false], [0.9, true], [1, true]);
    expect(calibration.bins(10, "width")).toEqual([
      { from: 0.7, to: 0.8, words: 2, meanScore: 0.725, accuracy: 0.5 },
      { from: 0.9, to: 1, words: 2, meanScore: 0.95, accuracy: 1 },
    ]);
    expect(calibration.expectedError(10, "width")).toBeCloseTo((2 * 0.225 + 2 * 0.05) / 4);
    expect(calibration.brier).toBeCloseTo((0.09 + 0.5625 + 0.01) / 4);
    expect(calibration.auc).toBeCloseTo(2 / 3);
    expect(calibration.accuracy).toBe(0.75);
    expect(calibration.meanScore).toBeCloseTo(0.8375);
  });

  it("puts a score that is the bound of two bins into the upper one", () => {
    for (const count of [3, 5, 6, 10, 12, 15, 20, 24, 25, 30, 50, 100]) {
      for (let k = 0; k < count; k++) {
        const calibration = new Calibration();
        calibration.add(k / count, true);
        expect([count, k, calibration.bins(count, "width")[0]!.from]).toEqual([count, k, k / count]);
      }
    }
  });

  it("puts about as many words into each equal-mass bin, and equal scores into one", () => {
    const calibration = of([0.2, false], [0.4, true], [0.99, true], [0.99, true], [0.99, true], [0.99, false]);
    expect(calibration.bins(3, "mass").map(({ words, from, to }) => ({ words, from, to }))).toEqual([
      { words: 2, from: 0.2, to: 0.4 },
      { words: 4, from: 0.99, to: 0.99 },
    ]);
    expect(calibration.expectedError(3, "mass")).toBeCloseTo((2 * 0.2 + 4 * 0.24) / 6);
  });

  it("says nothing of no words, and is perfect for words that are all sure and right", () => {
    expect(of().toJSON()).toMatchObject({ words: 0, brier: 0, auc: 0.5, bins: [] });
    expect(of([1, true], [1, true]).toJSON()).toMatchObject({ brier: 0, auc: 0.5, expectedError: { mass15: 0 } });
  });

  const word = (form: string, head: number, deprel: string, misc = "_") => ({ form, head, deprel, misc, upos: "X" });
  const gold = Sentence.from({ words: [word("they", 2, "nsubj:pass"), word("left", 0, "root"), word("it", 2, "obj")] });

  it("reads scores from MISC, and compares full labels", () => {
    const system = Sentence.from({
      words: [
        word("they", 2, "nsubj", "Score=0.6"),
        word("left", 0, "root", "Gloss=x|Score=0.9"),
        word("it", 2, "obj"),
      ],
    });
    const { calibration } = evaluate([gold], [system]).toJSON();
    expect(calibration).toMatchObject({ words: 2, accuracy: 0.5, meanScore: 0.75 });
    for (const misc of ["Score=", "Score=no", "Score=1.5", "MyScore=0.5"]) {
      const words = [word("they", 2, "nsubj", misc), word("left", 0, "root"), word("it", 2, "obj")];
      expect(evaluate([gold], [Sentence.from({ words })]).toJSON().calibration).toBeNull();
    }
  });

  it("reads scores from JSON", () => {
    const words = [
      { ...word("they", 2, "nsubj:pass", "A=b"), score: 0.5 },
      { ...word("left", 0, "root"), score: 1 },
      word("it", 1, "obj", "Score=0.1"),
    ];
    const system = sentencesFromJson(JSON.stringify({ words }))[0] as Sentence;
    expect([1, 2, 3].map((i) => system.misc(i))).toEqual(["A=b|Score=0.500", "Score=1.000", "Score=0.1"]);
    expect(evaluate([gold], [system]).toJSON().calibration).toMatchObject({ words: 3, accuracy: 2 / 3 });
  });

  it("is drawn if there are scores", () => {
    const parts = (misc: string) =>
      Array.from({ length: 20 }, () => Sentence.from({ words: [word("stop", 0, "root", misc)] }));
    const [without, scored] = ["_", "Score=0.9"].map((misc) => evaluate(parts("_"), parts(misc)));
    expect(evaluationPlots([{ name: "a", evaluation: without! }]).has("reliability.svg")).toBe(false);
    const both = evaluationPlots([
      { name: "a", evaluation: without! },
      { name: "b", evaluation: scored! },
    ]);
    expect(both.get("reliability.svg")).toMatch(/Reliability of scores/);
    expect(both.get("reliability.svg")).not.toMatch(/NaN|>a</);
  });
});
