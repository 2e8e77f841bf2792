import { dirname, resolve } from "node:path";
import { createSystem, nonDeterministicOracle, ORACLES, type OracleName, trainingOracle } from "@stemma/core/systems";
import {
  type CompleteSettings,
  completeSettings,
  type Given,
  OTHER_PARSERS,
  PRESETS,
  type Preset,
  REGULARIZATION,
} from "@stemma/core/training";
import { FileError } from "../files/io.js";
import { flagOf, inFlags } from "../options/option-rules.js";
import { fieldValue } from "../training/config.js";
import { settingsOf } from "../training/options.js";
import { commandSchema, commandSettings } from "../training/schema.js";
import { Field } from "./field.js";
import { METRICS, type Metric } from "./scores.js";

/** Whether it is no transition system: a parser that is trained without an oracle and without templates. */
export function hasNoOracle(system: string): boolean {
  return OTHER_PARSERS.includes(system);
}

/** A treebank of an experiment, and what it is tested on: files, folds, every n-th sentence, or each group in turn. */
export interface TreebankSpec {
  name: string;
  train: string;
  /** Sentences that a parser has annotated, to be trained on as well. */
  silver?: string;
  /** Several have names. */
  tests?: { name?: string; file: string }[];
  folds?: number;
  holdOut?: number;
  leaveOut?: true;
  /** A pattern for sent_id: scores are given for each group of sentences. */
  groups?: string;
}

/** Scores in percent that others have published, to stand beside those of the experiment. */
export interface Published {
  source: string;
  metric: Metric;
  /** The treebank beside whose scores they stand; the mean of all by default. */
  treebank?: string;
  /** By system and oracle, as they are called here. */
  scores: Record<string, Record<string, number>>;
}

/** An oracle, or "none" for parsers without one. */
export type OracleChoice = OracleName | "none";

/** One training with one oracle; without the seed. */
export interface TrainingSpec {
  oracle: OracleChoice;
  settings: CompleteSettings;
  /** Files that are read, and how much of them. */
  inputs: Inputs;
}

export interface Inputs {
  vectors?: string;
  vectorWords?: number;
  encoder?: string;
  encoderLayers?: number;
}

export interface SystemSpec {
  name: string;
  runs: TrainingSpec[];
}

/** Which epoch of a run is reported. */
const REPORTED = ["last", "best"] as const;
export type Reported = (typeof REPORTED)[number];

/** A grid of experiments; paths are absolute. */
export interface Spec {
  path: string;
  title: string;
  /** Paragraphs before the tables. */
  about?: string;
  verdict?: string;
  published: Published[];
  /** The folder of the results. */
  results?: string;
  /** The system with which all others are compared; all pairs are by default. */
  baseline?: string;
  report: Reported;
  treebanks: TreebankSpec[];
  systems: SystemSpec[];
  seeds: number[];
}

/** Settings that have places of their own in a specification, or none because they are about a single run. */
const NOT_FIELDS = [
  ...["model", "config", "dev", "silver", "system", "oracle", "seed"],
  ...["threads", "partial", "addTo", "licence", "resume", "json", "strict"],
];

/** The settings that a specification may have, for all systems or for one. */
export function settingFields(): string[] {
  return commandSettings().flatMap(([name]) => (NOT_FIELDS.includes(name) ? [] : [name]));
}

/** Fewer weights are left out than by `stemma train`: here the size of models does not matter. */
const DEFAULTS: Given = {
  epochs: ({ network }: Given) => (network ? undefined : 12),
  prune: ({ system, learner }: Given) =>
    hasNoOracle(system) ? undefined : (REGULARIZATION as Given)[learner]?.prune / 3 || undefined,
};

/** Reads a specification; `path` is its file, from which the paths in it start. */
export function parseSpec(text: string, path: string): Spec {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FileError(`${path}: not JSON: ${(error as Error).message}`);
  }
  const fields = [
    ...["title", "about", "verdict", "published", "results", "baseline", "report"],
    ...["treebanks", "systems", "oracles", "seeds", "options"],
  ];
  const top = new Field(path, "", value).object(fields);
  const folder = dirname(path);
  const options = top.at("options");
  const shared = options.value === undefined ? {} : settingsIn(options.object(settingFields()), folder);
  const oracles = top.at("oracles");
  const sharedOracles = oracles.value === undefined ? undefined : oraclesOf(oracles);
  const systems = top.at("systems").list();
  const title = top.at("title");
  const report = top.at("report");
  const treebanks = top
    .at("treebanks")
    .list()
    .map((field) => treebankOf(field, folder));
  const silver = treebanks.find((treebank) => treebank.silver !== undefined)?.silver;
  const spec: Spec = {
    path,
    title: title.value === undefined ? "Experiment" : title.text(),
    ...textIn(top, "about"),
    ...textIn(top, "verdict"),
    ...(top.at("results").value === undefined ? {} : { results: resolve(folder, top.at("results").text()) }),
    published: [],
    report: report.value === undefined ? "last" : report.oneOf(REPORTED),
    treebanks,
    systems: systems.map((field) => systemOf(field, shared, sharedOracles, folder, silver)),
    seeds: seedsOf(top.at("seeds")),
  };
  checkEffects(
    options,
    shared,
    spec.systems.flatMap(({ runs }) => runs),
    silver,
  );
  for (const list of ["treebanks", "systems"] as const) {
    const names = spec[list].map(({ name }) => name);
    const twice = names.findIndex((name, i) => names.indexOf(name) < i);
    if (twice >= 0) top.at(list).list()[twice]!.at("name").fail(`a unique name: "${names[twice]}" is taken`);
  }
  const baseline = top.at("baseline");
  if (baseline.value !== undefined) spec.baseline = baseline.oneOf(spec.systems.map(({ name }) => name));
  const published = top.at("published");
  if (published.value !== undefined) spec.published = published.list().map((field) => publishedOf(field, spec));
  return spec;
}

/** A text that may be given as a list of its paragraphs. */
function textIn<Name extends string>(top: Field, name: Name): { [name in Name]?: string } {
  const field = top.at(name);
  if (field.value === undefined) return {};
  const text = Array.isArray(field.value)
    ? field
        .list()
        .map((paragraph) => paragraph.text())
        .join("\n\n")
    : field.text();
  return { [name]: text } as { [name in Name]?: string };
}

function publishedOf(field: Field, { systems, treebanks }: Spec): Published {
  field.object(["source", "metric", "treebank", "scores"]);
  const treebank = field.at("treebank");
  const scores = field.at("scores").object(systems.map(({ name }) => name));
  for (const { name, runs } of systems) {
    const own = scores.at(name);
    if (own.value === undefined) continue;
    const oracles = runs.map(({ oracle }) => oracle);
    for (const oracle of oracles.filter((oracle) => own.object(oracles).at(oracle).value !== undefined)) {
      own.at(oracle).number((n) => n >= 0 && n <= 100, "a score in percent");
    }
  }
  return {
    source: field.at("source").text(),
    metric: field.at("metric").oneOf(METRICS),
    ...(treebank.value === undefined ? {} : { treebank: treebank.oneOf(treebanks.map(({ name }) => name)) }),
    scores: scores.value as Published["scores"],
  };
}

/** Refuses settings that have an effect in none of the runs. */
function checkEffects(field: Field, given: Given, runs: readonly TrainingSpec[], silver: string | undefined): void {
  const schema = commandSchema();
  for (const [name, value] of Object.entries(given)) {
    if (name === "preset") continue;
    const lacks = runs.map(({ settings, inputs }) =>
      schema.lack(name, { ...settings, ...settings.systemSettings, ...inputs, silver, [name]: value }),
    );
    if (lacks.some((lack) => lack === undefined)) continue;
    const words = `as in stemma train, ${flagOf(name, value)} needs ${inFlags(lacks[0]!.needs)}`;
    field.at(name).fail(`an option that has an effect: ${words}`);
  }
}

function seedsOf(field: Field): number[] {
  if (field.value === undefined) return [1];
  const seeds = field.list().map((seed) => seed.whole(0));
  if (new Set(seeds).size < seeds.length) field.fail("each seed once");
  return seeds;
}

function oraclesOf(field: Field): OracleName[] {
  const oracles = field.list().map((oracle) => oracle.oneOf(ORACLES));
  if (new Set(oracles).size < oracles.length) field.fail("each oracle once");
  return oracles;
}

function treebankOf(field: Field, folder: string): TreebankSpec {
  const ways = ["dev", "folds", "holdOut", "leaveOut"] as const;
  field.object(["name", "train", "silver", ...ways, "groups"]);
  const given = ways.filter((name) => field.at(name).value !== undefined);
  if (given.length !== 1) field.fail("exactly one of dev, folds, holdOut and leaveOut");
  const groups = field.at("groups");
  if (given[0] === "leaveOut" && field.at("leaveOut").value !== "groups") field.at("leaveOut").fail('"groups"');
  if (given[0] === "leaveOut" && groups.value === undefined) groups.fail("what to look for in a sent_id");
  const name = field.at("name").name();
  if (name === "all") field.at("name").fail('another name: "all" stands for all treebanks together');
  return {
    name,
    train: resolve(folder, field.at("train").text()),
    ...(field.at("silver").value === undefined ? {} : { silver: resolve(folder, field.at("silver").text()) }),
    ...(given[0] === "dev" ? { tests: testsOf(field.at("dev"), groups, folder) } : {}),
    ...(given[0] === "folds" ? { folds: field.at("folds").whole(2) } : {}),
    ...(given[0] === "holdOut" ? { holdOut: field.at("holdOut").whole(2) } : {}),
    ...(given[0] === "leaveOut" ? { leaveOut: true } : {}),
    ...(groups.value === undefined ? {} : { groups: patternOf(groups) }),
  };
}

/** One file, or several with names. */
function testsOf(field: Field, groups: Field, folder: string): NonNullable<TreebankSpec["tests"]> {
  if (typeof field.value === "string") return [{ file: resolve(folder, field.text()) }];
  const names = typeof field.value === "object" ? Object.keys(field.value ?? {}) : [];
  if (Array.isArray(field.value) || names.length === 0) field.fail('a file, or several: { "NAME": "FILE", … }');
  if (groups.value !== undefined) groups.fail("nothing where dev has several files");
  return names.map((name) => ({
    name: new Field(field.source, field.place, name).name(),
    file: resolve(folder, field.at(name).text()),
  }));
}

function patternOf(field: Field): string {
  try {
    new RegExp(field.text(), "u");
  } catch (error) {
    if (error instanceof SyntaxError) field.fail(`a regular expression: ${error.message}`);
    throw error;
  }
  return field.text();
}

/** A system with its own settings; of those that all share, it has those that have an effect. */
function systemOf(
  field: Field,
  shared: Given,
  sharedOracles: OracleName[] | undefined,
  folder: string,
  silver: string | undefined,
): SystemSpec {
  const schema = commandSchema();
  const isName = typeof field.value === "string";
  if (!isName) field.object(["name", "system", "oracles", ...settingFields()]);
  const system = (isName ? field : field.at("system")).oneOf(schema.settings.system!.choices!);
  const own = isName ? {} : settingsIn(field, folder);
  const name = isName || field.at("name").value === undefined ? system : field.at("name").name();
  const ownOracles = isName || field.at("oracles").value === undefined ? undefined : field.at("oracles");
  const oracles = ownOracles ? oraclesOf(ownOracles) : sharedOracles;
  if (hasNoOracle(system)) {
    ownOracles?.fail(`none: ${system} is trained without an oracle`);
    if (silver !== undefined) field.fail('a transition system where a treebank has "silver" data');
  } else if (oracles === undefined) field.fail('oracles, here or for all systems: "oracles": ["static", …]');
  const runs = (hasNoOracle(system) ? (["none"] as const) : oracles!).map((oracle): TrainingSpec => {
    const { preset, joint, ...layer }: Given = { ...shared, ...own };
    const fixed = { system, joint, ...(oracle === "none" ? {} : { oracle }), silver };
    const refuse = (name: string, needs: string): never =>
      field.at(name).fail(`an option that has an effect: as in stemma train, ${flagOf(name)} needs ${inFlags(needs)}`);
    const defaults = { ...DEFAULTS, ...(preset === undefined ? {} : PRESETS[preset as Preset]), ...layer };
    const complete = completeSettings(fixed, refuse, schema, defaults);
    const { seed: _, ...settings } = settingsOf(complete);
    const { vectors, vectorWords, encoder, encoderLayers }: Given = complete;
    const inputs = { vectors, vectorWords, encoder, encoderLayers };
    return { oracle, settings: settings as CompleteSettings, inputs: JSON.parse(JSON.stringify(inputs)) };
  });
  checkEffects(field, own, runs, silver);
  for (const { oracle, settings } of runs) {
    if (oracle === "none" || oracle === "static") continue;
    const made = createSystem(settings.system, { root: settings.root, ...settings.systemSettings });
    if (!(oracle === "dynamic" ? trainingOracle(made) : nonDeterministicOracle(made)))
      field.fail(`a system with a ${oracle} oracle; or give ${system} "oracles": ["static"]`);
  }
  return { name, runs };
}

/** The settings that are given in a place. */
function settingsIn(field: Field, folder: string): Given {
  const given: Record<string, unknown> = {};
  const { settings } = commandSchema();
  for (const name of settingFields()) {
    const one = field.at(name);
    if (one.value === undefined) continue;
    given[name] = fieldValue(name, settings[name]!, one.value, folder, (expected) => one.fail(expected));
  }
  return given;
}
