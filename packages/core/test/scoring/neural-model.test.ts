import { afterEach, describe, expect, it, vi } from "vitest";
import { ABSENT, ROOT_VALUE, type Words } from "../../src/features/columns.js";
import { Extractor } from "../../src/features/extractor.js";
import { parseTemplates } from "../../src/features/templates.js";
import { Random } from "../../src/math/random.js";
import { writeModel } from "../../src/model-file/model-file.js";
import { ParserModel } from "../../src/parser/parser.js";
import { PipelineModel } from "../../src/pipeline/pipeline-model.js";
import { describeSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { type InputKind, InputTable, MOST_KEYS } from "../../src/scoring/network/inputs.js";
import type { TrainedNetwork } from "../../src/scoring/network/network-data.js";
import { neuralModel } from "../../src/scoring/network/neural-model.js";
import { atomRow, tensorsOf } from "../../src/scoring/network/shape.js";
import type { ConfigurationScorer } from "../../src/scoring/scorer.js";
import { Configuration, ROOT_POSITIONS } from "../../src/systems/configuration.js";
import type { Move } from "../../src/systems/transition.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { findCycle } from "../../src/treebank/tree.js";
import { attachModel, shareModel } from "../../src/workers/shared-model.js";
import { TAGGED, toyModel } from "../toy-model.js";
import { type RandomNetwork, randomNetwork } from "./random-network.js";

const sentences = readTreebank(TAGGED);
const random = new Random(11);
const below = (n: number) => Math.floor(random.next() * n);

/** A sentence of words that are partly known, partly not. */
function madeUp(length: number): Words {
  const known = sentences.flatMap((s) => Array.from({ length: s.length }, (_, i) => [s, i + 1] as const));
  const words = Array.from({ length: length + 1 }, () => {
    const [s, i] = known[below(known.length)]!;
    const isNew = below(4) === 0;
    return {
      form: isNew ? `Wort${below(1000)}` : s.form(i),
      lemma: s.lemma(i),
      upos: s.upos(i),
      xpos: s.xpos(i),
      feats: isNew ? "_" : ["Case=Nom|Number=Sing", "Number=Sing", "_"][below(3)]!,
    };
  });
  return {
    length,
    form: (i) => words[i]!.form,
    lemma: (i) => words[i]!.lemma,
    upos: (i) => words[i]!.upos,
    xpos: (i) => words[i]!.xpos,
    feats: (i) => words[i]!.feats,
  };
}

/** Visits the configurations of random derivations: for LR-spines with a permitted move. */
function walk({ system, classes }: ParserModel, words: Words, visit: (c: Configuration, move: Move) => void): void {
  const c = new Configuration();
  const moves: Move[] = [];
  system.initialize(c, words.length);
  while (!system.isTerminal(c)) {
    const move = moves[below(system.permitted(c, moves))]!;
    visit(c, move);
    const group = classes.groupOf(move);
    const cls = classes.from[group]! + below(classes.from[group + 1]! - classes.from[group]!);
    system.apply(c, move, classes.labels[cls]!);
  }
}

const SHAPES: [string, RandomNetwork][] = [
  ["no recurrent layer", { layers: 0 }],
  ["no recurrent layer, odd sizes", { layers: 0, dim: 3, hidden: 24, kinds: ["xpos", "word"] }],
  ["one layer", { layers: 1 }],
  [
    "one layer, all inputs",
    { kinds: ["word", "lemma", "upos", "xpos", "feats", "affixes", "vector"], width: 24, hidden: 40 },
  ],
  ["85 classes", { labels: 43, hidden: 64, width: 32 }],
  ["cubes in the hidden layer", { layers: 0, activation: "cube", hidden: 24 }],
  ["two layers", { layers: 2, width: 16, hidden: 8, dim: 9 }],
];

/**
 * The logarithms of the probabilities of the classes straight from the definition, in double precision and without
 * rounding of weights.
 */
function defined(trained: TrainedNetwork, model: ParserModel, words: Words) {
  const { header, tensors, keys } = trained;
  const { view, classes } = model.network!;
  const named = new Map(
    tensorsOf(header, view, classes).map((tensor, t) => [tensor.name, { ...tensor, values: tensors[t]! }]),
  );
  const times = (x: number[], name: string) => {
    const { columns, values } = named.get(name)!;
    return Array.from({ length: columns }, (_, c) => x.reduce((sum, v, r) => sum + v * values[r * columns + c]!, 0));
  };
  const row = (name: string, r: number) => {
    const { columns, values } = named.get(name)!;
    return [...values.subarray(r * columns, (r + 1) * columns)];
  };
  const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
  const out = new Int32Array(MOST_KEYS);
  let x = Array.from({ length: words.length + 1 }, (_, i) =>
    header.inputs.flatMap(({ kind, dim }, k) => {
      const count = new InputTable(kind as InputKind, keys[k]!).rowsOf(words, i, out);
      const sum = new Array<number>(dim).fill(0);
      for (let j = 0; j < count; j++)
        row(`input ${kind}`, out[j]!).forEach((v, d) => {
          sum[d]! += v;
        });
      return sum;
    }),
  );
  for (let layer = 0; layer < header.layers; layer++) {
    const u = x.map((vector) => times(vector, `layer ${layer}`));
    const W = header.width;
    const h = x.map(() => new Array<number>(2 * W).fill(0));
    for (const direction of [0, 1]) {
      const gates = row(`gates ${layer}`, direction);
      const c = new Array<number>(W).fill(0);
      const order = x.map((_, i) => (direction === 0 ? i : x.length - 1 - i));
      for (const i of order) {
        for (let j = 0; j < W; j++) {
          const [z, uf, ur, p] = [0, 1, 2, 3].map((g) => u[i]![direction * 4 * W + g * W + j]!) as [
            number,
            number,
            number,
            number,
          ];
          const f = sigmoid(uf + gates[j]! * c[j]! + gates[2 * W + j]!);
          const r = sigmoid(ur + gates[W + j]! * c[j]! + gates[3 * W + j]!);
          c[j] = f * c[j]! + (1 - f) * z;
          h[i]![direction * W + j] = r * c[j]! + (1 - r) * p;
        }
      }
    }
    x = h;
  }
  const positions = x.map((vector) => times(vector, "positions"));
  return (values: Int32Array): number[] => {
    const hidden = row("hidden bias", 0);
    const add = (vector: number[]) =>
      vector.forEach((v, j) => {
        hidden[j]! += v;
      });
    view.nodes.forEach((place, p) => {
      const value = values[place]!;
      if (value === ABSENT) add(row("absent", p));
      else {
        const node = value === ROOT_VALUE ? 0 : value;
        add(positions[node]!.slice(p * header.hidden, (p + 1) * header.hidden));
      }
    });
    view.atoms.forEach((atom, a) => {
      add(row(`atom ${a}`, atomRow(values[atom.place]!, atom)));
    });
    const logits = times(
      hidden.map((v) => (header.activation === "cube" ? v ** 3 : Math.max(0, v))),
      "output",
    ).map((v, k) => v + row("output bias", 0)[k]!);
    // In LR-spines every move has a context of its own: scores must be comparable between them.
    if (model.classes.perMove) return logits;
    const top = Math.max(...logits);
    const norm = top + Math.log(logits.reduce((sum, v) => sum + Math.exp(v - top), 0));
    return logits.map((v) => v - norm);
  };
}

describe.each(SHAPES)("a network: %s", (_, shape) => {
  it.each(SYSTEM_NAMES)("scores as defined, with and without WebAssembly the same: %s", (system) => {
    const { model, trained } = randomNetwork(shape, { system });
    const templates = parseTemplates(model.header.templates, "t", describeSystem(system).context);
    const fast = model.network!.scorer(templates);
    const plain = model.network!.scorer(templates, true);
    const extractor = new Extractor(templates);
    let configurations = 0;
    let error = 0;
    let largest = 0;
    let count = 0;
    for (let length = 1; length <= 70; length += length < 12 ? 1 : 19) {
      const words = madeUp(length);
      fast.bind(words);
      plain.bind(words);
      extractor.bind(words);
      const expected = length < 12 ? defined(trained, model, words) : undefined;
      walk(model, words, (c, move) => {
        configurations++;
        fast.score(c, move);
        plain.score(c, move);
        expect(fast.scores).toEqual(plain.scores);
        if (!expected) return;
        extractor.extract(c, move);
        expected(extractor.values).forEach((value, k) => {
          const difference = Math.abs(value - fast.scores[k]! / 65536);
          error += difference;
          largest = Math.max(largest, difference);
          count++;
        });
      });
    }
    // Where several words can leave the sentence at once, there are fewer steps.
    expect(configurations).toBeGreaterThan(describeSystem(system).leftOut ? 60 : 300);
    expect(largest).toBeLessThan(0.3);
    expect(error / count).toBeLessThan(0.03);
  });
});

/** The scores of all configurations of a derivation that always takes the first permitted move. */
function scoresOf(model: ParserModel, scorer: ConfigurationScorer, words: Words): number[] {
  const { system, classes } = model;
  const c = new Configuration();
  const moves: Move[] = [];
  const scores: number[] = [];
  scorer.bind(words);
  system.initialize(c, words.length);
  while (!system.isTerminal(c)) {
    system.permitted(c, moves);
    scorer.score(c, moves[0]!);
    scores.push(...scorer.scores);
    system.apply(c, moves[0]!, classes.labels[classes.from[classes.groupOf(moves[0]!)]!]!);
  }
  return scores;
}

describe("scores beyond all", () => {
  it.each([1e3, 1e5])("are the same with and without WebAssembly, and have a bound: %s", (size) => {
    const { model } = randomNetwork({ size });
    const templates = parseTemplates(model.header.templates);
    const words = madeUp(20);
    const scores = scoresOf(model, model.network!.scorer(templates), words);
    expect(scores).toEqual(scoresOf(model, model.network!.scorer(templates, true), words));
    expect(Math.max(...scores)).toBeLessThanOrEqual(0);
    expect(Math.min(...scores)).toBeLessThan(-(2 ** 22));
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(-(2 ** 30));
  });
});

describe("the working memory of a network", () => {
  const { model } = randomNetwork({ layers: 1 });
  const templates = parseTemplates(model.header.templates);
  const scorer = (plain = false) => model.network!.scorer(templates, plain);

  it.each([false, true])("grows with long sentences and forgets nothing; plain: %s", (plain) => {
    const used = scorer(plain);
    for (const length of [3, 700, 5, 64, 63, 1500, 1]) {
      const words = madeUp(length);
      expect(scoresOf(model, used, words)).toEqual(scoresOf(model, scorer(!plain), words));
    }
  });

  it("is the same when products are computed again, because others took their places", () => {
    const used = scorer();
    const words = madeUp(9);
    const before = scoresOf(model, used, words);
    const many = madeUp(6000);
    let number = 0;
    used.bind({ ...many, form: () => `word${number++}` });
    expect(scoresOf(model, used, words)).toEqual(before);
  });

  it("belongs to one parser: parsers of one model do not disturb each other", () => {
    const [a, b] = [scorer(), scorer()];
    const [first, second] = [madeUp(8), madeUp(80)];
    const expected = scoresOf(model, a, first);
    const c = new Configuration();
    model.system.initialize(c, first.length);
    a.bind(first);
    b.bind(second);
    a.score(c, 0);
    expect([...a.scores]).toEqual(expected.slice(0, a.scores.length));
  });
});

describe("a parser with a network", () => {
  afterEach(() => void vi.unstubAllGlobals());

  it.each(SYSTEM_NAMES.flatMap((system) => ROOT_POSITIONS.map((root) => [system, root] as const)))(
    "gives trees with one root: %s, root %s",
    (system, root) => {
      const { model } = randomNetwork({}, { system, root });
      for (const beam of [1, 4]) {
        const parser = model.createParser({ beam });
        for (const words of [...sentences, madeUp(40)]) {
          const { heads } = parser.parse(words);
          expect(heads.filter((head) => head === 0)).toHaveLength(1);
          expect(findCycle(heads)).toBeNull();
        }
      }
    },
  );

  class Refused {
    constructor() {
      throw new Error("refused");
    }
  }

  const wasm = (globalThis as unknown as { WebAssembly: { Memory: unknown } }).WebAssembly;
  it.each([
    ["is forbidden", undefined],
    ["has memory, but runs nothing", { ...wasm, Memory: wasm.Memory, Module: Refused, Instance: Refused }],
  ])("gives the same trees where WebAssembly %s", (_, given) => {
    const { model } = randomNetwork({ layers: 2 });
    const long = madeUp(100);
    const parses = () => {
      const parser = model.createParser();
      return [...sentences, long].map((words) => parser.parse(words));
    };
    const expected = parses();
    vi.stubGlobal("WebAssembly", given);
    expect(parses()).toEqual(expected);
  });

  it("gives the same trees in another thread, which shares the weights", async () => {
    const { model } = randomNetwork();
    const { parser: other } = await attachModel(shareModel(new PipelineModel({ parser: model }), 1), 0);
    expect(other.network!.numbers.integers.buffer).toBeInstanceOf(SharedArrayBuffer);
    const words = madeUp(30);
    expect(other.createParser().parse(words)).toEqual(model.createParser().parse(words));
    expect(writeModel(other)).toEqual(writeModel(model));
  });

  it("has no linear weights", () => {
    const { model } = randomNetwork();
    expect(() => model.linear).toThrow("invalid weights: a network (expected a linear model)");
    expect(toyModel().network).toBeUndefined();
  });
});

describe("rounding a network", () => {
  const { trained, model } = randomNetwork();
  const { view, classes } = model.network!;
  const changed = (change: Partial<TrainedNetwork>) => () => neuralModel({ ...trained, ...change }, view, classes);

  it("refuses what a model file could not hold", () => {
    const { header, tensors, keys } = trained;
    expect(changed({ header: { ...header, hidden: 12 } })).toThrow("network.hidden: 12 (expected a multiple of 8");
    expect(changed({ tensors: tensors.slice(1) })).toThrow("input word: ");
    const bad = tensors.map((values, t) => (t === 2 ? values.map(() => Number.NaN) : values));
    expect(changed({ tensors: bad })).toThrow("input feats: not all numbers are from");
    expect(changed({ keys: [keys[0]!.slice().reverse(), ...keys.slice(1)] })).toThrow("keys of word: ");
  });

  it("keeps rows and columns of zeros", () => {
    const zeros = trained.tensors.map((values) => new Float32Array(values.length));
    const { network } = new ParserModel(model.header, changed({ tensors: zeros })());
    const scorer = network!.scorer(parseTemplates(model.header.templates));
    const scores = scoresOf(model, scorer, madeUp(5));
    expect(new Set(scores)).toEqual(new Set([Math.round(-65536 * Math.log(classes))]));
  });
});
