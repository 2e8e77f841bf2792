// The feature sets that ship: Zhang & Nivre's templates as their paper lists them, what can be added to a set, and what
// templates that look at earlier transitions, at what is not there and at the ends of spines see.
import { describe, expect, test } from "vitest";
import { NONE_VALUE } from "../../src/features/columns.js";
import { Extractor } from "../../src/features/extractor.js";
import { parseTemplates } from "../../src/features/templates.js";
import { attachment, Training, type TrainOptions } from "../../src/learning/training.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { dynamicOracle } from "../../src/registry/oracles.js";
import { createSystem, describeSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { featureTemplates, isFeatureSet, zhangNivreTemplates } from "../../src/registry/templates/feature-sets.js";
import { ZHANG_NIVRE_GROUPS } from "../../src/registry/templates/zhang-nivre.js";
import { defaultTemplates } from "../../src/registry/training.js";
import { FeatureScorer } from "../../src/scoring/feature-scorer.js";
import { networkView } from "../../src/scoring/network/shape.js";
import { Configuration } from "../../src/systems/configuration.js";
import { makeUp } from "../made-up-language.js";

/** Tables 1 and 2 of Zhang & Nivre (2011), with a colon between a position and what is looked at there. */
const PAPER = {
  baseline: `S0:wp S0:w S0:p N0:wp N0:w N0:p N1:wp N1:w N1:p N2:wp N2:w N2:p
    S0:wp,N0:wp S0:wp,N0:w S0:w,N0:wp S0:wp,N0:p S0:p,N0:wp S0:w,N0:w S0:p,N0:p N0:p,N1:p
    N0:p,N1:p,N2:p S0:p,N0:p,N1:p S0h:p,S0:p,N0:p S0:p,S0l:p,N0:p S0:p,S0r:p,N0:p S0:p,N0:p,N0l:p`,
  distance: "S0:w,d S0:p,d N0:w,d N0:p,d S0:w,N0:w,d S0:p,N0:p,d",
  valency: "S0:w,S0:R S0:p,S0:R S0:w,S0:L S0:p,S0:L N0:w,N0:L N0:p,N0:L",
  unigrams: "S0h:w S0h:p S0:l S0l:w S0l:p S0l:l S0r:w S0r:p S0r:l N0l:w N0l:p N0l:l",
  "third-order": `S0h2:w S0h2:p S0h:l S0l2:w S0l2:p S0l2:l S0r2:w S0r2:p S0r2:l N0l2:w N0l2:p N0l2:l
    S0:p,S0l:p,S0l2:p S0:p,S0r:p,S0r2:p S0:p,S0h:p,S0h2:p N0:p,N0l:p,N0l2:p`,
  "label-sets": "S0:w,S0:> S0:p,S0:> S0:w,S0:< S0:p,S0:< N0:w,N0:< N0:p,N0:<",
};
const LETTERS: Record<string, string> = {
  w: "form",
  p: "tag",
  l: "label",
  R: "rval",
  L: "lval",
  ">": "rset",
  "<": "lset",
};

/** The paper's notation in ours, for positions of a system. */
function ours(text: string, names: Record<string, string>): string[] {
  const at = (position: string) => {
    const [, base, path] = /^([SN]\d)(.*)$/.exec(position)!;
    return names[position] ?? names[base!]! + path!.replace("h2", "hh");
  };
  return text
    .trim()
    .split(/\s+/)
    .map((template) =>
      template
        .split(",")
        .flatMap((part) => {
          if (part === "d") return [`dist(${names.S0},${names.N0})`];
          const [position, letters] = part.split(":") as [string, string];
          return Array.from(letters, (letter) => `${at(position)}.${LETTERS[letter]}`);
        })
        .join(" "),
    );
}

/** The templates of a text, each with its values in order. */
function sorted(text: string): string[] {
  return text
    .replace(/#.*/g, "")
    .split(/[;\n]/)
    .map((template) => template.trim().split(/\s+/).sort().join(" "))
    .filter(Boolean)
    .sort();
}

const EAGER = { S0: "s0", N0: "b0", N1: "b1", N2: "b2" };
const STANDARD = { S0: "s1", N0: "s0", N1: "b0", N2: "b1" };
const SPINES = { S0: "s2", N0: "s1", N1: "q1", N2: "q2", S0h: "gp", S0h2: "gg" };

describe("the templates of Zhang & Nivre", () => {
  test.each([
    ["arc-eager", EAGER],
    ["covington", EAGER],
    ["arc-swift", EAGER],
    ["arc-standard", STANDARD],
    ["swap", STANDARD],
  ] as const)("%s has the 72 of the paper, in its six groups", (system, names) => {
    const sizes = ZHANG_NIVRE_GROUPS.map((group) => {
      const expected = ours(PAPER[group], names);
      expect(sorted(zhangNivreTemplates(system, [group]))).toEqual(sorted(expected.join("\n")));
      return expected.length;
    });
    expect(sizes).toEqual([26, 6, 6, 12, 16, 6]);
    const all = ours(Object.values(PAPER).join(" "), names);
    expect(all).toHaveLength(72);
    expect(sorted(featureTemplates(system, "zhang-nivre"))).toEqual(sorted(all.join("\n")));
  });

  test("LR-spines has them in the context of a move, and what dependents have on their right", () => {
    const all = sorted(ours(Object.values(PAPER).join(" "), SPINES).join("\n"));
    const there = sorted(featureTemplates("lr-spines", "zhang-nivre"));
    expect(all).toHaveLength(72);
    expect(there.filter((template) => all.includes(template))).toEqual(all);
    const added = there.filter((template) => !all.includes(template));
    expect(added).toHaveLength(12);
    expect(added.every((template) => /\bs1(?:r|\.rval|\.rset)/.test(template))).toBe(true);
  });

  test.each([
    ["arc-hybrid", EAGER, STANDARD],
    ["arc-hybrid-swap", EAGER, STANDARD],
    ["attardi", STANDARD, { ...STANDARD, S0: "s2" }],
    ["attardi-auxiliary", STANDARD, { ...STANDARD, S0: "s2" }],
    ["two-planar", EAGER, { ...EAGER, S0: "t0" }],
  ] as const)("%s has those of both pairs between which it builds arcs, each once", (system, one, other) => {
    const both = [one, other].flatMap((names) => ours(Object.values(PAPER).join(" "), names));
    const there = sorted(featureTemplates(system, "zhang-nivre"));
    expect(there).toEqual([...new Set(sorted(both.join("\n")))]);
  });

  test.each([
    ["arc-eager", EAGER, 7],
    ["arc-standard", STANDARD, 36],
    ["lr-spines", SPINES, 32],
  ] as const)("the default set of %s lacks some of them", (system, names, missing) => {
    const there = new Set(sorted(defaultTemplates(system)));
    const all = sorted(ours(Object.values(PAPER).join(" "), names).join("\n"));
    expect(all.filter((template) => !there.has(template))).toHaveLength(missing);
  });
});

/** Table 1 of Huang & Sagae (2010), in its five groups, with a colon between a position and what is looked at there. */
const HUANG_SAGAE = `S0:w S0:t S0:wt S1:w S1:t S1:wt Q0:w Q0:t Q0:wt
  S0:w,S1:w S0:t,S1:t S0:t,Q0:t S0:wt,S1:t S0:t,S1:wt S0:w,S1:wt S0:wt,S1:w S0:wt,S1:wt
  S0:t,Q0:t,Q1:t S1:t,S0:t,Q0:t S0:w,Q0:t,Q1:t S1:t,S0:w,Q0:t
  S1:t,S1l:t,S0:t S1:t,S1r:t,S0:t S1:t,S0:t,S0r:t S1:t,S1l:t,S0:w S1:t,S1r:t,S0:w S1:t,S0:w,S0l:t
  S2:t,S1:t,S0:t`;

describe("the templates of Huang & Sagae", () => {
  const placed = (names: Record<string, string>) =>
    sorted(
      HUANG_SAGAE.trim()
        .split(/\s+/)
        .map((template) =>
          template
            .split(",")
            .flatMap((part) => {
              const [, base, path, letters] = /^([SQ]\d)([lr]?):(w?t?)$/.exec(part)!;
              return Array.from(letters!, (letter) => `${names[base!]}${path}.${letter === "w" ? "form" : "tag"}`);
            })
            .join(" "),
        )
        .join("\n"),
    );
  const stack = placed({ S2: "s2", S1: "s1", S0: "s0", Q0: "b0", Q1: "b1" });
  const front = placed({ S2: "s1", S1: "s0", S0: "b0", Q0: "b1", Q1: "b2" });

  test("arc-standard has the 28 of the paper, arc-hybrid those of both pairs between which it builds arcs", () => {
    expect(stack).toHaveLength(28);
    expect(sorted(featureTemplates("arc-standard", "huang-sagae"))).toEqual(stack);
    expect(sorted(featureTemplates("arc-hybrid", "huang-sagae"))).toEqual([...new Set([...stack, ...front])].sort());
  });

  test("other systems have none", () => {
    for (const system of SYSTEM_NAMES) {
      if (system === "arc-standard" || system === "arc-hybrid") continue;
      expect(() => featureTemplates(system, "huang-sagae")).toThrow(`invalid features: huang-sagae (expected default`);
    }
  });
});

describe("names of feature sets", () => {
  test.each(SYSTEM_NAMES)("%s: every set, with everything that can be added, is read", (system) => {
    const { context } = describeSystem(system);
    const added = system === "lr-spines" ? "+none+history+shift" : "+none+history";
    for (const name of ["default", "zhang-nivre", `default${added}`, `zhang-nivre${added}`]) {
      expect(isFeatureSet(name)).toBe(true);
      const { templates, noneValues } = parseTemplates(featureTemplates(system, name), name, context);
      expect(templates.length).toBeGreaterThanOrEqual(72);
      expect(noneValues).toBe(name.includes("+none"));
    }
    expect(featureTemplates(system, "default")).toBe(defaultTemplates(system));
  });

  test.each(["best", "default+", "default+shift", "zhang-nivre+history+history", "none", "default+none+more"])(
    "%s is none of arc-eager",
    (name) => {
      expect(() => featureTemplates("arc-eager", name)).toThrow(
        `invalid features: ${name} (expected default, zhang-nivre or two-words, and after it any of +none, +history for arc-eager`,
      );
    },
  );

  test("a path is no name", () => {
    for (const path of ["templates.txt", "./default", "default.txt", "zhang-nivre/x"])
      expect(isFeatureSet(path)).toBe(false);
  });
});

/** The values of a configuration that these transitions lead to. */
function valuesOf(system: string, text: string, derivation: string): number[] {
  const made = createSystem(system);
  const set = parseTemplates(text, "templates", made.description.context);
  const [sentence] = makeUp(1, 3);
  const extractor = new Extractor(set);
  extractor.bind(sentence!);
  const c = new Configuration();
  made.initialize(c, sentence!.length);
  for (const step of derivation.split(" ").filter(Boolean)) {
    const [name, label] = step.split(":");
    made.take(c, made.moveOf(name!), label === undefined ? -1 : Number(label));
  }
  extractor.extract(c, made.moveOf("SHIFT"));
  return Array.from(extractor.values.subarray(0, set.atoms.length));
}

describe("history", () => {
  test("t0 is the last transition, t1 the one before; what was not yet is not there", () => {
    const { LEFT, SHIFT } = { LEFT: createSystem("arc-standard").moveOf("LEFT-ARC"), SHIFT: 0 };
    const text = "t0.move; t0.label; t1.move; t1.label; t3.move\nuse NONE";
    const move = createSystem("arc-standard").moveOf("SHIFT");
    expect(SHIFT).toBe(move);
    expect(valuesOf("arc-standard", text, "")).toEqual(Array(5).fill(NONE_VALUE));
    expect(valuesOf("arc-standard", text, "SHIFT SHIFT LEFT-ARC:4")).toEqual([LEFT, 4, move, NONE_VALUE, NONE_VALUE]);
    expect(valuesOf("arc-standard", text, "SHIFT SHIFT LEFT-ARC:4 SHIFT SHIFT")).toEqual([
      move,
      NONE_VALUE,
      move,
      NONE_VALUE,
      move,
    ]);
    expect(valuesOf("arc-standard", text, "SHIFT SHIFT LEFT-ARC:4 SHIFT").slice(2, 4)).toEqual([LEFT, 4]);
  });

  test("a copy remembers it, a new sentence does not", () => {
    const system = createSystem("arc-standard");
    const c = new Configuration();
    system.initialize(c, 3);
    system.take(c, system.moveOf("SHIFT"), -1);
    system.take(c, system.moveOf("SHIFT"), -1);
    system.take(c, system.moveOf("LEFT-ARC"), 2);
    const copy = new Configuration();
    copy.copyFrom(c);
    expect([copy.lastMove(0), copy.lastLabel(0), copy.lastMove(2), copy.lastMove(3), copy.lastMove(9)]).toEqual([
      system.moveOf("LEFT-ARC"),
      2,
      system.moveOf("SHIFT"),
      -1,
      -1,
    ]);
    system.initialize(c, 3);
    expect([c.lastMove(0), c.lastLabel(0)]).toEqual([-1, -1]);
  });

  test("in 2-planar t0.label is that of the word on the inactive stack", () => {
    const { context } = describeSystem("two-planar");
    const { atoms } = parseTemplates("t0.move t0.label", "templates", context);
    expect(atoms.map(({ kind }) => kind)).toEqual(["history", "tree"]);
  });

  test("there are four", () => {
    expect(() => parseTemplates("s0.tag t4.move")).toThrow("templates:1: invalid position: t4 (expected s0");
    expect(() => parseTemplates("s0.tag t0.form")).toThrow("templates:1: invalid position: t0");
  });
});

describe("what is not there", () => {
  const [sentence] = makeUp(1, 3);
  const featuresOf = (text: string) => {
    const extractor = new Extractor(parseTemplates(text));
    extractor.bind(sentence!);
    const c = new Configuration();
    createSystem("arc-standard").initialize(c, sentence!.length);
    extractor.extract(c, 0);
    return Array.from(extractor.hash());
  };

  test("gives no feature by default, and one with use NONE, wherever that stands", () => {
    const text = "b0.form; s0.form; s0.form b0.form; s0.lval; dist(s0,b0)";
    expect(featuresOf(text).map((feature) => feature !== 0)).toEqual([true, false, false, false, false]);
    for (const used of [`${text}\nuse NONE`, `use NONE\n${text}`, `${text}; use NONE # all of them`]) {
      const features = featuresOf(used);
      expect(features.every((feature) => feature !== 0)).toBe(true);
      expect(features[0]).toBe(featuresOf(text)[0]);
    }
  });

  test("use of anything else is an error with its line", () => {
    expect(() => parseTemplates("s0.tag\nuse none")).toThrow("templates:2: invalid line: use none (expected use NONE)");
    expect(() => parseTemplates("use NONE")).toThrow("templates:1: invalid templates: none");
  });

  test("WebAssembly and JavaScript see the same, and the model file keeps it", () => {
    const templates = featureTemplates("lr-spines", "default+none+history+shift");
    const model = trained("lr-spines", templates);
    const again = readModel(writeModel(model));
    expect(again.parser.header).toMatchObject({ templates });
    const set = parseTemplates(templates, "templates", describeSystem("lr-spines").context);
    const system = createSystem("lr-spines", { root: "last" });
    const [fast, plain] = [false, true].map((isPlain) => {
      const scorer = model.linear.scorer(new Extractor(set).program, isPlain);
      return new FeatureScorer(set, scorer.scores, () => scorer.score(), scorer.values);
    }) as [FeatureScorer, FeatureScorer];
    const c = new Configuration();
    let different = 0;
    for (const words of makeUp(5, 9)) {
      fast.bind(words);
      plain.bind(words);
      system.initialize(c, words.length);
      const moves: number[] = [];
      for (let k = 0; !system.isTerminal(c); k++) {
        const count = system.permitted(c, moves);
        for (const move of moves.slice(0, count)) {
          fast.score(c, move);
          plain.score(c, move);
          const size = model.linear.layout.classes;
          expect(Array.from(fast.scores.subarray(0, size))).toEqual(Array.from(plain.scores.subarray(0, size)));
          if (fast.scores.subarray(0, size).some((score) => score !== 0)) different++;
        }
        const move = moves[(7 * k) % count]!;
        system.take(c, move, move === system.moveOf("SHIFT") ? -1 : 0);
      }
    }
    expect(different).toBeGreaterThan(20);
  });

  test("networks see it anyway", () => {
    expect(() => networkView(parseTemplates("s0.vector; use NONE"), 2)).toThrow("leave out use NONE");
    expect(() => networkView(parseTemplates("s0.vector; t0.move"), 2)).toThrow("a network has no table for t0.move");
  });
});

test("rs1 and rs2 are the lowest nodes of the right spines, and there for SHIFT alone", () => {
  const system = createSystem("lr-spines", { root: "last" });
  const { context } = system.description;
  const c = new Configuration();
  system.initialize(c, 7);
  const steps = ["SHIFT", "SHIFT", "RIGHT-ARC-1", "SHIFT", "RIGHT-ARC-2", "SHIFT", "SHIFT", "RIGHT-ARC-1", "SHIFT"];
  // 1 → 2 → 3, 4 → 5, 6
  for (const step of steps) system.take(c, system.moveOf(step), 0);
  const out = new Int32Array(context!.names.length);
  const at = (name: string) => out[context!.names.indexOf(name)];
  context!.fill(c, system.moveOf("SHIFT"), out);
  expect([at("s1"), at("s2"), at("s3"), at("rs1"), at("rs2")]).toEqual([6, 4, 1, 6, 5]);
  context!.fill(c, system.moveOf("LEFT-ARC-1"), out);
  expect([at("rs1"), at("rs2")]).toEqual([-1, -1]);
  system.take(c, system.moveOf("LEFT-ARC-1"), 0);
  context!.fill(c, system.moveOf("SHIFT"), out);
  expect([at("s1"), at("s2"), at("rs1"), at("rs2")]).toEqual([6, 1, 6, 3]);
});

const OPTIONS: Omit<TrainOptions, "system" | "oracle" | "templates"> = {
  root: "last",
  exploreFrom: 2,
  exploreProbability: 1,
  lossBound: Number.POSITIVE_INFINITY,
  afterUpdate: "go-on",
  epochs: 4,
  seed: 3,
  prune: 0,
};

function trained(system: string, templates: string, beam?: number) {
  const oracle = dynamicOracle(createSystem(system)) ? "dynamic" : "static";
  const training = new Training(makeUp(80, 1), { ...OPTIONS, system, oracle, templates, beam });
  while (training.epoch < 4) training.runEpoch();
  return training.model();
}

describe.each(SYSTEM_NAMES)("%s learns the made-up language", (system) => {
  test.each(["zhang-nivre", "default+none+history", "zhang-nivre+none"])("with %s", (name) => {
    expect(attachment(trained(system, featureTemplates(system, name)), makeUp(60, 2)).las).toBeGreaterThan(0.93);
  });
});

test("a beam is trained with history and with the ends of spines", () => {
  const templates = featureTemplates("lr-spines", "default+history+shift");
  expect(attachment(trained("lr-spines", templates, 4), makeUp(60, 2)).las).toBeGreaterThan(0.93);
});
