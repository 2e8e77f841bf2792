import { check } from "../../checks/options.js";
import { OBJECT } from "../../checks/shapes.js";
import { type AfterUpdate, type LearnerName, REGULARIZATION } from "../../learning/linear/online.js";
import { STRUCTURED, UPDATES, type UpdateStrategy } from "../../learning/linear/structured.js";
import { SILVER_DEFAULTS } from "../../learning/silver.js";
import type { TrainOptions } from "../../learning/training.js";
import type { RootPosition } from "../../systems/configuration.js";
import { createSystem, describeSystem, givenSettings } from "../../systems/index.js";
import type { OracleName } from "../../systems/oracles/oracle.js";
import { dynamicOracle } from "../../systems/oracles/oracles.js";
import type { SystemSettings } from "../../systems/system.js";
import { defaultTemplates, defaultView } from "../../systems/teaching/teaching.js";
import type { Scheme } from "../../treebank/pseudo-projective.js";
import { FOLDS } from "../prepare.js";
import { JOINT_DEFAULTS } from "../tagger/joint.js";
import { NETWORK_DEFAULTS } from "./network-settings.js";

/** The settings of a training run; `stemma train --help` and docs/training.md explain each. */
export interface TrainingSettings extends SystemSettings {
  system?: string | undefined;
  /** Dynamic if not given, static where there is none. */
  oracle?: OracleName | undefined;
  learner?: LearnerName | undefined;
  root?: RootPosition | undefined;
  epochs?: number | undefined;
  seed?: number | undefined;
  members?: number | undefined;
  network?: boolean | undefined;
  beam?: number | undefined;
  update?: UpdateStrategy | undefined;
  lowestLoss?: boolean | undefined;
  /** A segmenter, a tagger and a lemmatizer as well: from text to trees. */
  pipeline?: boolean | undefined;
  folds?: number | undefined;
  /** Of a pipeline: how many weights segmenter, tagger and lemmatizer have at most; no limit if not given. */
  partWeights?: number | undefined;
  joint?: boolean | undefined;
  tagsPerWord?: number | undefined;
  tagMargin?: number | undefined;
  exploreFrom?: number | undefined;
  exploreProbability?: number | undefined;
  lossBound?: number | undefined;
  afterUpdate?: AfterUpdate | undefined;
  margin?: number | undefined;
  rate?: number | undefined;
  minUpdates?: number | undefined;
  wordDropout?: number | undefined;
  featureDropout?: number | undefined;
  projectivize?: Scheme | undefined;
  prune?: number | undefined;
  layers?: number | undefined;
  width?: number | undefined;
  hidden?: number | undefined;
  dropout?: number | undefined;
  /** Of a network: words, lemmas and affixes with embeddings of their own, the most frequent; all if not given. */
  vocabulary?: number | undefined;
  /** With silver data: how much of it counts, 0.5 for every second sentence, 2 for each twice. */
  silverWeight?: number | undefined;
  /** With silver data: the lowest score of what is learnt from, 0 for everything. */
  silverConfidence?: number | undefined;
}

/** The default settings. */
export const TRAINING_DEFAULTS = {
  system: "arc-standard",
  learner: "perceptron",
  root: "last",
  seed: 1,
  members: 1,
  folds: FOLDS,
  tagsPerWord: JOINT_DEFAULTS.perWord,
  tagMargin: JOINT_DEFAULTS.margin,
  exploreFrom: 2,
  exploreProbability: 1,
  afterUpdate: "go-on",
  layers: NETWORK_DEFAULTS.layers,
  width: NETWORK_DEFAULTS.width,
  hidden: NETWORK_DEFAULTS.hidden,
  dropout: NETWORK_DEFAULTS.dropout,
  ...SILVER_DEFAULTS,
} as const;

/** Epochs of a linear model. */
export const EPOCHS = 10;

/** Settings of which those named are given. */
export type Complete<Name extends keyof TrainingSettings> = Omit<TrainingSettings, Name> & {
  [K in Name]: NonNullable<TrainingSettings[K]>;
};

/** Settings in which nothing is left open. */
export type CompleteSettings = Complete<keyof typeof TRAINING_DEFAULTS | "oracle" | "epochs">;

/** The settings, completed with the values that depend on other settings. */
export function completeSettings<Given extends Complete<keyof typeof TRAINING_DEFAULTS>>(
  given: Given,
): Given & CompleteSettings {
  check("settings", given, OBJECT);
  const { system, network, oracle, epochs } = given;
  return {
    ...given,
    oracle: oracle ?? (dynamicOracle(createSystem(system)) ? "dynamic" : "static"),
    epochs: epochs ?? (network ? NETWORK_DEFAULTS.epochs : EPOCHS),
  };
}

/** Your own feature templates. */
export interface GivenTemplates {
  text: string;
  /** What errors call them. */
  source: string;
}

/** The settings of a system that are given, without switches that are as they are anyway. */
function ownSettings(system: string, given: SystemSettings): SystemSettings {
  const isSwitched = (name: string, value: boolean) =>
    describeSystem(system).settings.some((setting) => setting.name === name && setting.values[0] !== value);
  return Object.fromEntries(
    Object.entries(givenSettings(given)).filter(
      ([name, value]) => typeof value !== "boolean" || isSwitched(name, value),
    ),
  );
}

/** The options for a learner. */
export function trainOptionsOf(settings: CompleteSettings, templates?: GivenTemplates): TrainOptions {
  const { learner, network, system } = settings;
  const structured = settings.beam !== undefined && !network;
  const { prune: _, ...regularization } = network ? { prune: 0 } : REGULARIZATION[learner];
  const given = <Name extends keyof TrainingSettings>(name: Name) =>
    settings[name] === undefined ? {} : { [name]: settings[name] };
  return {
    system,
    root: settings.root,
    regime: settings.oracle,
    ...ownSettings(system, settings),
    templates: templates?.text ?? (network ? defaultView(system) : defaultTemplates(system)),
    ...(templates === undefined ? {} : { templatesSource: templates.source }),
    epochs: settings.epochs,
    seed: settings.seed,
    members: settings.members,
    exploreFrom: settings.exploreFrom,
    exploreProbability: settings.exploreProbability,
    lossBound: settings.lossBound ?? Number.POSITIVE_INFINITY,
    afterUpdate: settings.afterUpdate,
    ...(network ? {} : { learner }),
    ...(structured ? STRUCTURED : regularization),
    ...given("beam"),
    ...(structured ? { update: settings.update ?? UPDATES[0] } : {}),
    ...(settings.lowestLoss ? { lowestLoss: true } : {}),
    ...given("margin"),
    ...given("rate"),
    ...given("minUpdates"),
    ...given("wordDropout"),
    ...given("featureDropout"),
    ...given("projectivize"),
    ...given("prune"),
  };
}
