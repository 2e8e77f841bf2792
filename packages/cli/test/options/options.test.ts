// Options that would have no effect are refused, and by all commands alike.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TRAINING } from "@stemma/core/training";
import { Command } from "commander";
import { beforeAll, expect, it } from "vitest";
import { makeUp } from "../../../core/test/made-up-language.js";
import { parseSpec } from "../../src/experiment/spec.js";
import { addTrainingOptions, completeOptions, givenOptions } from "../../src/training/options.js";
import { commandSchema } from "../../src/training/schema.js";
import { stemma } from "../stemma.js";

let treebank: string;
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "stemma-options-"));
  treebank = join(folder, "treebank.conllu");
  writeFileSync(treebank, makeUp(5, 1).join(""));
});

/** A line of options as `stemma train` reads it. */
function complete(line: string) {
  const command = addTrainingOptions(new Command("train")).exitOverride();
  command.parse(`--model x ${line}`.trim().split(" "), { from: "user" });
  return completeOptions(givenOptions(command), command);
}

it.each([
  "--vectors v.txt",
  "--layers 3",
  "--threads 2",
  "--folds 3",
  "--joint tags",
  "--degree 3",
  "--lazy",
  "--global-epochs 2",
  "--beam 4 --update early",
  "--beam 4 --lowest-loss",
  "--beam 4 --single-steps",
  "--beam 4 --global-epochs 10 --explore-from 3",
  "--beam 4 --global-epochs 10 --after-error random",
  "--beam 4 --global-epochs 10 --after-update early",
  "--beam 4 --global-epochs 2 --learner logistic",
  "--beam 4 --global-epochs 2 --pipeline --joint tags",
  "--beam 4 --oracle static --loss-bound 3",
  "--beam 4 --learner passive-aggressive",
  "--oracle static --after-error random",
  "--aggressiveness 0.1",
  "--cost-sensitive max-loss",
  "--learner passive-aggressive --oracle static --cost-sensitive max-loss",
  "--learner passive-aggressive --margin 1",
  "--network --averaging plain",
  "--network --features zhang-nivre",
  "--network --features huang-sagae",
  "--merge stack-graph",
  "--network --beam 4 --merge stack-graph",
  "--beam 1 --merge stack-graph",
  "--beam 4 --merge stack-graph --system arc-eager",
  "--beam 4 --merge stack-graph --update early",
  "--beam 4 --merge stack-graph --lowest-loss",
  "--merge exact",
  "--beam 4 --global-epochs 1 --merge exact --system arc-standard",
  "--beam 4 --global-epochs 1 --merge exact --system arc-eager --root first",
  "--beam 4 --global-epochs 1 --merge exact --system arc-eager --no-monotonic",
  "--beam 4 --global-epochs 1 --merge exact --system arc-hybrid --update early",
  "--features chen-manning",
  "--activation cube",
  "--network --train-vectors",
  "--network --features default+none",
  "--oracle static --loss-bound 3",
  "--oracle static --explore-probability 0.5",
  "--explore-probability 0 --loss-bound 2",
  "--explore-from 11 --loss-bound 2",
  "--system swap --explore-from 2",
  "--learner logistic --margin 1",
  "--rate 0.1",
  "--network --margin 1",
  "--network --prune 2",
  "--network --members 2",
  "--network --joint tags",
  "--joint morphology",
  "--network --beam 4 --pipeline --joint morphology --global-epochs 2",
  "--joint disfluencies --tags-per-word 2",
  "--network --layers 0 --width 64",
  "--network --vector-words 5",
  "--pipeline --tag-margin 2",
  "--system swap --partial",
])("train refuses %s", (line) => {
  expect(() => complete(line)).toThrow(/^invalid --[a-z-]+( \S+)?: it would have no effect \(--[a-z-]+ needs /);
});

it.each([
  "--beam 4 --loss-bound 3",
  "--beam 4 --explore-from 3 --after-error random",
  "--beam 4 --after-update early",
  "--beam 4 --learner logistic",
  "--beam 4 --global-epochs 2 --explore-from 3 --single-steps --lowest-loss",
  "--beam 4 --global-epochs 10 --pipeline --joint tags",
  "--beam 4 --global-epochs 10 --update early --loss-bound 20% --averaging plain",
  "--learner passive-aggressive --cost-sensitive prediction-based --aggressiveness 0.1",
  "--oracle non-deterministic --after-error random",
  "--network --features view.txt",
  "--network --features chen-manning --activation cube --layers 0",
  "--network --vectors v.txt --train-vectors",
  "--beam 4 --global-epochs 10 --update early --margin 1",
  "--loss-bound 3",
  "--network --beam 4 --explore-from 3",
  "--network --pipeline --members 2",
  "--network --layers 0",
  "--system attardi --degree 3",
  "--system swap --lazy",
  "--preset best",
  "--pipeline --joint tags --tags-per-word 2",
  "--network --joint tags --pipeline",
  "--network --joint morphology --pipeline --tag-margin 2 --beam 4",
  "--learner logistic --rate 0.2",
])("train takes %s", (line) => {
  expect(complete(line).model).toBe("x");
});

it("takes the static oracle by itself where there is no dynamic one", () => {
  expect(complete("--system swap").settings.oracle).toBe("static");
  expect(complete("--system arc-eager").settings.oracle).toBe("dynamic");
});

it("experiments refuse what has an effect in none of their runs", () => {
  const spec =
    (options: object, systems: unknown[], oracles = ["static"]) =>
    () =>
      parseSpec(
        JSON.stringify({ treebanks: [{ name: "t", train: "t", dev: "d" }], oracles, systems, options }),
        "spec.json",
      );
  expect(spec({ lossBound: 3 }, ["arc-eager"])).toThrow(
    "spec.json: invalid options.lossBound: 3 (expected an option that has an effect: as in stemma train, --loss-bound needs",
  );
  expect(spec({ lossBound: 3 }, ["arc-eager"], ["static", "dynamic"])).not.toThrow();
  expect(spec({ degree: 3 }, ["arc-eager"])).toThrow("invalid options.degree: 3");
  expect(spec({ degree: 3 }, ["arc-eager", "attardi"])).not.toThrow();
  expect(spec({}, [{ system: "arc-eager", degree: 3 }, "attardi"])).toThrow("invalid systems[0].degree: 3");
  expect(spec({}, [{ system: "arc-eager", learner: "logistic", margin: 1 }])).toThrow("systems[0].margin: 1");
});

it("parse, trace, derivations and instances refuse theirs", () => {
  for (const [args, flag] of [
    [["parse", "--retag", "--from", "text", "He sleeps."], "--retag"],
    [["parse", "--keep", "--from", "text", "He sleeps."], "--keep"],
    [["parse", "--offsets", treebank], "--offsets"],
    [["parse", "--offsets", "--to", "svg", "He sleeps."], "--offsets"],
    [["trace", "--system", "swap", "--degree", "3", treebank], "--degree"],
    [["trace", "--system", "arc-hybrid", "--lazy", treebank], "--lazy"],
    [["trace", "--system", "swap", "--no-monotonic", treebank], "--no-monotonic"],
    [["derivations", "--system", "swap", "--degree", "3", treebank], "--degree"],
    [["instances", "--lazy", treebank], "--lazy"],
  ] as const) {
    const { status, err, out } = stemma(args);
    expect({ args, status, out }).toEqual({ args, status: 2, out: "" });
    expect(err).toContain(`invalid ${flag}`);
    expect(err).toContain("it would have no effect");
  }
});

it("settings of a system that exclude each other are refused as they were given", () => {
  const { status, err } = stemma([
    "trace",
    "--system",
    "arc-eager",
    "--no-monotonic",
    "--no-tree-constraint",
    treebank,
  ]);
  expect(status).toBe(2);
  expect(err).toContain("invalid --no-tree-constraint (expected true with --no-monotonic");
});

it("what settings need is said in names of settings that there are", () => {
  const known = Object.keys(commandSchema().settings);
  const named = (words: string) => [...words.matchAll(/\{(\w+)/g)].map(([, name]) => name!);
  for (const { settings, rules = [] } of commandSchema().groups) {
    for (const { settings: about, needs } of rules) {
      for (const name of [...about, ...named(needs)]) expect(known).toContain(name);
    }
    for (const { help, byDefault = "", needs = [] } of Object.values(settings)) {
      const words = [help, byDefault, ...[needs].flat().map((need) => need.needs)];
      for (const name of words.flatMap(named)) expect(known).toContain(name);
    }
  }
});

it("every setting of a training has an option of its name", () => {
  const options = addTrainingOptions(new Command()).options.map((option) => option.attributeName());
  for (const [name, { kind }] of Object.entries(TRAINING.settings)) {
    if (kind !== "object") expect(options).toContain(name);
  }
});
