import { dirname, resolve } from "node:path";
import { DECODERS, type DecoderName, GRAPH } from "@stemma/core/graph";
import {
  createSystem,
  nonDeterministicOracle,
  ORACLES,
  type OracleName,
  ownSettings,
  ROOT_POSITIONS,
  type RootPosition,
  type SystemSettings,
  systemNames,
  systemSettings,
  trainingOracle,
} from "@stemma/core/systems";
import {
  AFTER_ERROR,
  AFTER_UPDATE,
  type AfterError,
  type AfterUpdate,
  AVERAGING,
  type Averaging,
  COST_SENSITIVE,
  type CostSensitive,
  flagOf,
  GRAPH_LEARNERS,
  type GraphTrainOptions,
  isPercentage,
  type LossBound,
  MOST_WEIGHT,
  OTHER_PARSERS,
  REGULARIZATION,
  TRAINING_RULES,
  type TrainingChoice,
} from "@stemma/core/training";
import { SCHEMES, type Scheme } from "@stemma/core/treebank";
import { FileError } from "../files/io.js";
import { featuresFrom } from "../options/features-option.js";
import { settingRules } from "../options/system-options.js";

type LearnerName = keyof typeof REGULARIZATION;

/** A treebank of an experiment, and what it is tested on: a development set, folds, or every n-th sentence. */
export interface TreebankSpec {
  name: string;
  train: string;
  /** What a parser has annotated, to be trained on as well. */
  silver?: string;
  dev?: string;
  folds?: number;
  holdOut?: number;
}

/** Options of the training that all oracles and seeds of a system share. */
export interface Settings {
  system: string;
  systemSettings?: SystemSettings;
  root: RootPosition;
  /** A file of templates or the name of a set; the default set for the system if not given. */
  features?: string;
  epochs: number;
  exploreFrom: number;
  exploreProbability: number;
  lossBound?: LossBound;
  afterUpdate: AfterUpdate;
  afterError?: AfterError;
  learner: LearnerName;
  margin?: number;
  rate?: number;
  aggressiveness?: number;
  costSensitive?: CostSensitive;
  averaging?: Averaging;
  minUpdates: number;
  wordDropout: number;
  featureDropout: number;
  projectivize?: Scheme;
  prune: number;
  silverWeight?: number;
  silverConfidence?: number;
}

/** Options of the training of a graph-based parser. */
export type GraphSettings = Omit<GraphTrainOptions, "seed"> & { system: typeof GRAPH };

/** An oracle, or "none" for graph-based parsers. */
export type OracleChoice = OracleName | "none";

export interface SystemSpec {
  name: string;
  oracles: OracleChoice[];
  settings: Settings | GraphSettings;
}

/** Whether a training is that of a graph-based parser. */
export function isGraphBased<Other extends { system: string }>(
  settings: Other | GraphSettings,
): settings is GraphSettings {
  return settings.system === GRAPH;
}

/** Which epoch of a run is reported. */
export const REPORTED = ["last", "best"] as const;
export type Reported = (typeof REPORTED)[number];

/** A grid of experiments; paths are absolute. */
export interface Spec {
  title: string;
  report: Reported;
  treebanks: TreebankSpec[];
  systems: SystemSpec[];
  seeds: number[];
}

const LEARNERS = [...new Set([...(Object.keys(REGULARIZATION) as LearnerName[]), ...GRAPH_LEARNERS])];

const optionFields = () =>
  [
    "root",
    ...systemSettings().map(({ name }) => name),
    "decoder",
    "order",
    "features",
    "epochs",
    "exploreFrom",
    "exploreProbability",
    "lossBound",
    "afterUpdate",
    "afterError",
    "learner",
    "margin",
    "rate",
    "aggressiveness",
    "costSensitive",
    "averaging",
    "minUpdates",
    "wordDropout",
    "featureDropout",
    "projectivize",
    "prune",
    "silverWeight",
    "silverConfidence",
  ] as const;

/** Options of one learner. */
const OF_LEARNERS = {
  margin: "perceptron",
  rate: "logistic",
  aggressiveness: "passive-aggressive",
  costSensitive: "passive-aggressive",
} as const;

/** Fewer weights are left out than by `stemma train`: here the size of models does not matter. */
function defaultsOf(learner: LearnerName) {
  return {
    root: "last",
    epochs: 12,
    exploreFrom: 2,
    exploreProbability: 1,
    afterUpdate: "go-on",
    learner,
    ...REGULARIZATION[learner],
    prune: REGULARIZATION[learner].prune / 3,
  } as const;
}

/** A value of the specification with its place, for errors. */
class Field {
  constructor(
    private readonly source: string,
    readonly place: string,
    readonly value: unknown,
  ) {}

  fail(expected: string): never {
    const shown = this.value === undefined ? "nothing" : JSON.stringify(this.value);
    const short = shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
    throw new FileError(`${this.source}: invalid ${this.place || "specification"}: ${short} (expected ${expected})`);
  }

  at(name: string): Field {
    const place = this.place ? `${this.place}.${name}` : name;
    return new Field(this.source, place, (this.value as Record<string, unknown>)[name]);
  }

  object(fields: readonly string[]): this {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) this.fail("an object");
    for (const name of Object.keys(value as object)) {
      if (fields.includes(name)) continue;
      const place = this.place ? `${this.place}.${name}` : name;
      throw new FileError(`${this.source}: unknown field: ${place} (expected ${fields.join(", ")})`);
    }
    return this;
  }

  list(): Field[] {
    if (!Array.isArray(this.value) || this.value.length === 0) this.fail("a list that is not empty");
    return (this.value as unknown[]).map((item, i) => new Field(this.source, `${this.place}[${i}]`, item));
  }

  text(): string {
    if (typeof this.value !== "string" || this.value === "") this.fail("text");
    return this.value as string;
  }

  /** Used in names of files and in tables. */
  name(): string {
    if (typeof this.value !== "string" || !/^[\p{L}\p{N}][\p{L}\p{N}._+-]*$/u.test(this.value)) {
      this.fail("a name of letters, digits, and . _ + -");
    }
    return this.value as string;
  }

  oneOf<T extends string>(values: readonly T[]): T {
    if (!values.includes(this.value as T)) this.fail(`one of ${values.join(", ")}`);
    return this.value as T;
  }

  number(accepts: (n: number) => boolean, expected: string): number {
    if (typeof this.value !== "number" || !accepts(this.value)) this.fail(expected);
    return this.value as number;
  }

  whole(least: number): number {
    return this.number((n) => Number.isSafeInteger(n) && n >= least, `a whole number from ${least}`);
  }

  boolean(): boolean {
    if (typeof this.value !== "boolean") this.fail("true or false");
    return this.value as boolean;
  }
}

/** Reads a specification; `path` is its file, from which the paths in it start. */
export function parseSpec(text: string, path: string): Spec {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FileError(`${path}: not JSON: ${(error as Error).message}`);
  }
  const top = new Field(path, "", value).object([
    "title",
    "report",
    "treebanks",
    "systems",
    "oracles",
    "seeds",
    "options",
  ]);
  const folder = dirname(path);
  const options = top.at("options");
  const shared = options.value === undefined ? {} : optionsOf(options.object(optionFields()), folder);
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
    title: title.value === undefined ? "Experiment" : title.text(),
    report: report.value === undefined ? "last" : report.oneOf(REPORTED),
    treebanks,
    systems: systems.map((field) => systemOf(field, shared, sharedOracles, folder, silver)),
    seeds: seedsOf(top.at("seeds")),
  };
  checkEffects(options, shared, spec.systems, silver);
  for (const list of ["treebanks", "systems"] as const) {
    const names = spec[list].map(({ name }) => name);
    const twice = names.findIndex((name, i) => names.indexOf(name) < i);
    if (twice >= 0) top.at(list).list()[twice]!.at("name").fail(`a unique name: "${names[twice]}" is taken`);
  }
  return spec;
}

/** Refuses options that have an effect in none of the systems, with none of their oracles. */
function checkEffects(
  field: Field,
  given: Options,
  systems: readonly Pick<SystemSpec, "oracles" | "settings">[],
  silver: string | undefined,
): void {
  const runs: TrainingChoice[] = systems.flatMap(({ oracles, settings }) =>
    oracles.map((oracle) => ({ ...settings, oracle, silver })),
  );
  const flat: Record<string, unknown> = { ...given, ...given.systemSettings };
  for (const { option, works, needs } of [...settingRules(), ...TRAINING_RULES]) {
    const value = option === "systemSettings" ? undefined : flat[option];
    if (value === undefined || runs.some((run) => works({ ...run, [option]: value }))) continue;
    field.at(option).fail(`an option that has an effect: as in stemma train, ${flagOf(option)} needs ${needs}`);
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
  field.object(["name", "train", "silver", "dev", "folds", "holdOut"]);
  const given = (["dev", "folds", "holdOut"] as const).filter((name) => field.at(name).value !== undefined);
  if (given.length !== 1) field.fail("exactly one of dev, folds and holdOut");
  const name = field.at("name").name();
  if (name === "all") field.at("name").fail('another name: "all" stands for all treebanks together');
  return {
    name,
    train: resolve(folder, field.at("train").text()),
    ...(field.at("silver").value === undefined ? {} : { silver: resolve(folder, field.at("silver").text()) }),
    ...(given[0] === "dev" ? { dev: resolve(folder, field.at("dev").text()) } : {}),
    ...(given[0] === "folds" ? { folds: field.at("folds").whole(2) } : {}),
    ...(given[0] === "holdOut" ? { holdOut: field.at("holdOut").whole(2) } : {}),
  };
}

function systemOf(
  field: Field,
  shared: Options,
  sharedOracles: OracleName[] | undefined,
  folder: string,
  silver: string | undefined,
): SystemSpec {
  const isName = typeof field.value === "string";
  if (!isName) field.object(["name", "system", "oracles", ...optionFields()]);
  const system = (isName ? field : field.at("system")).oneOf([...systemNames(), ...OTHER_PARSERS]);
  const own = isName ? {} : optionsOf(field, folder);
  const name = isName || field.at("name").value === undefined ? system : field.at("name").name();
  if (system === GRAPH) return graphOf(field, name, shared, own, silver);
  const ownOracles = isName ? undefined : field.at("oracles");
  const oracles = ownOracles?.value === undefined ? sharedOracles : oraclesOf(ownOracles);
  if (oracles === undefined) field.fail('oracles, here or for all systems: "oracles": ["static", …]');
  const learner = learnerOf(own, shared, Object.keys(REGULARIZATION) as LearnerName[]) ?? "perceptron";
  const { decoder: _, order: __, ...sharedHere } = shared;
  const settings: Settings = { ...defaultsOf(learner), ...sharedHere, ...own, learner, system };
  checkEffects(field, own, [{ oracles: oracles!, settings }], silver);
  // Settings of other systems that share options.
  const ofSystem = ownSettings(system, { ...shared.systemSettings, ...own.systemSettings });
  delete settings.systemSettings;
  if (Object.keys(ofSystem).length > 0) settings.systemSettings = ofSystem;
  // Of other learners, for systems that share options.
  for (const [name, owner] of Object.entries(OF_LEARNERS)) {
    if (owner !== learner) delete settings[name as keyof typeof OF_LEARNERS];
  }
  const made = createSystem(system, { root: settings.root, ...settings.systemSettings });
  for (const oracle of oracles) {
    const known =
      oracle === "static" || (oracle === "dynamic" ? trainingOracle(made) : nonDeterministicOracle(made)) !== undefined;
    if (!known) field.fail(`a system with a ${oracle} oracle; or give ${system} "oracles": ["static"]`);
  }
  return { name, oracles, settings };
}

/** A graph-based parser: of the shared options those that it has. */
function graphOf(field: Field, name: string, shared: Options, own: Options, silver: string | undefined): SystemSpec {
  if (silver !== undefined) field.fail('a transition system where a treebank has "silver" data');
  if (!(typeof field.value === "string") && field.at("oracles").value !== undefined)
    field.at("oracles").fail("none: a graph-based parser is trained without an oracle");
  const learner = learnerOf(own, shared, GRAPH_LEARNERS) ?? GRAPH_LEARNERS[0];
  const { decoder = "eisner", order, epochs = 12, projectivize, margin, minUpdates, prune } = { ...shared, ...own };
  const settings: GraphSettings = {
    ...{ system: GRAPH, decoder, order: order ?? (decoder === "eisner" ? 2 : 1), learner, epochs },
    ...(projectivize === undefined || decoder === "edmonds" ? {} : { projectivize }),
    ...(margin === undefined ? {} : { margin }),
    ...(minUpdates === undefined ? {} : { minUpdates }),
    ...(prune === undefined ? {} : { prune }),
  };
  checkEffects(field, own, [{ oracles: ["none"], settings: { ...settings, ...own } as GraphSettings }], silver);
  return { name, oracles: ["none"], settings };
}

/** The learner of a system: its own, or the shared one if it is one for such systems. */
function learnerOf<Name extends string>(own: Options, shared: Options, known: readonly Name[]): Name | undefined {
  const isKnown = (name: string | undefined): name is Name => (known as readonly string[]).includes(name ?? "");
  return (own.learner as Name | undefined) ?? (isKnown(shared.learner) ? shared.learner : undefined);
}

type Options = Partial<Omit<Settings, "system" | "learner">> & {
  learner?: LearnerName | GraphTrainOptions["learner"];
  decoder?: DecoderName;
  order?: 1 | 2;
};

function optionsOf(field: Field, folder: string): Options {
  const options: Options = {};
  const read = <K extends keyof Options>(name: K, value: (field: Field) => Options[K]) => {
    const given = field.at(name);
    if (given.value !== undefined) options[name] = value(given);
  };
  read("root", (root) => root.oneOf(ROOT_POSITIONS));
  const given: Record<string, number | boolean> = {};
  for (const { name, values, accepts, expected } of systemSettings()) {
    const setting = field.at(name);
    if (setting.value === undefined) continue;
    given[name] = typeof values[0] === "number" ? setting.number(accepts, expected) : setting.boolean();
  }
  if (Object.keys(given).length > 0) options.systemSettings = given;
  read("decoder", (decoder) => decoder.oneOf(DECODERS));
  read("order", (order) => order.number((n) => n === 1 || n === 2, "1 or 2") as 1 | 2);
  read("features", (features) => featuresFrom(folder, features.text()));
  read("epochs", (epochs) => epochs.whole(1));
  read("exploreFrom", (epoch) => epoch.whole(1));
  const probability = (field: Field) => field.number((n) => n >= 0 && n <= 1, "a number from 0 to 1");
  const nonNegative = (field: Field) => field.number((n) => n >= 0, "0 or more");
  read("exploreProbability", probability);
  read("lossBound", (bound) =>
    typeof bound.value === "string" && isPercentage(bound.value) ? (bound.value as LossBound) : bound.whole(1),
  );
  read("afterUpdate", (what) => what.oneOf(AFTER_UPDATE));
  read("afterError", (which) => which.oneOf(AFTER_ERROR));
  read("learner", (name) => name.oneOf(LEARNERS));
  read("margin", nonNegative);
  const aboveZero = (field: Field) => field.number((n) => n > 0, "a number above 0");
  read("rate", aboveZero);
  read("aggressiveness", aboveZero);
  read("costSensitive", (how) => how.oneOf(COST_SENSITIVE));
  read("averaging", (how) => how.oneOf(AVERAGING));
  read("minUpdates", (updates) => updates.whole(0));
  read("wordDropout", nonNegative);
  read("featureDropout", probability);
  read("projectivize", (scheme) => scheme.oneOf(SCHEMES));
  read("prune", nonNegative);
  read("silverWeight", (weight) => {
    return weight.number((n) => n > 0 && n <= MOST_WEIGHT, `a number above 0, at most ${MOST_WEIGHT}`);
  });
  read("silverConfidence", probability);
  return options;
}
