import { check } from "../checks/options.js";
import { OBJECT } from "../checks/shapes.js";
import { GRAPH, isGraph } from "../graph/graph-header.js";
import { GRAPH_LEARNERS, type GraphLearner, type GraphTrainOptions } from "../graph/learning/graph-training.js";
import type { DecoderName } from "../graph/search/graph-decoder.js";
import { JOINT_DEFAULTS } from "../joint-tagging/candidate-finder.js";
import { UPDATES, type UpdateStrategy } from "../learning/linear/beam-violation.js";
import {
  type AfterError,
  type AfterUpdate,
  type LearnerName,
  type LossBound,
  REGULARIZATION,
} from "../learning/linear/online.js";
import type { CostSensitive } from "../learning/linear/passive-aggressive.js";
import { STRUCTURED } from "../learning/linear/structured.js";
import type { Averaging } from "../learning/linear/weights.js";
import { SILVER_DEFAULTS } from "../learning/silver.js";
import type { TrainOptions } from "../learning/training.js";
import { dynamicOracle } from "../registry/oracles.js";
import { createSystem, describeSystem, systemNames } from "../registry/systems.js";
import { featureTemplates, viewTemplates } from "../registry/templates/feature-sets.js";
import type { Activation } from "../scoring/network/shape.js";
import type { StackGraphOptions } from "../stack-graph/learning/stack-graph-training.js";
import { STACK_GRAPH } from "../stack-graph/name.js";
import type { RootPosition } from "../systems/configuration.js";
import type { OracleName } from "../systems/oracles/oracle.js";
import type { SystemSettings } from "../systems/settings.js";
import type { Scheme } from "../treebank/pseudo-projective.js";
import { globalEpochsOf, NETWORK_DEFAULTS } from "./network-settings.js";
import { FOLDS } from "./preparation/prepare.js";

/** With this as `joint` the parser removes words that are no part of the sentence. */
export const DISFLUENCIES = "disfluencies";
/** With this as `joint` the parser chooses whole analyses of words, not tags alone. */
export const MORPHOLOGY = "morphology";

/** With this as `joint` the parser decides semantic roles in the same derivation. */
export const ROLES = "roles";
/** The system that does so: whose arcs to the right are there as soon as the word is taken. */
export const ROLE_SYSTEM = "arc-eager";

/** With this as `joint` the parser chooses tags where the tagger leaves several open. */
export const TAGS = "tags";

/** What a parser may decide along with the tree. */
export type Joint = "tags" | "morphology" | "disfluencies" | "roles";

/** Whether the parser chooses what the tagger leaves open. */
export function choosesTags({ joint }: { joint?: Joint | undefined }): boolean {
  return joint === TAGS || joint === MORPHOLOGY;
}

/** The settings of a training run; `stemma train --help` and docs/training.md explain each. */
export interface TrainingSettings {
  /** A transition system, or "graph" for a graph-based parser. */
  system?: string | undefined;
  /** Settings of the transition system, as its description has them: `{ degree: 3 }` for attardi. */
  systemSettings?: SystemSettings | undefined;
  /** Of a graph-based parser: whether trees are projective; eisner if not given. */
  decoder?: DecoderName | undefined;
  /** Of a graph-based parser: whether siblings have scores (2) or arcs alone (1); 2 if not given and possible. */
  order?: 1 | 2 | undefined;
  /** Dynamic if not given, static where there is none. */
  oracle?: OracleName | undefined;
  /** The perceptron if not given, for graph-based parsers MIRA. */
  learner?: LearnerName | GraphLearner | undefined;
  /** A name of feature templates that ship (`featureTemplates`), if no others are given. */
  features?: string | undefined;
  root?: RootPosition | undefined;
  epochs?: number | undefined;
  seed?: number | undefined;
  members?: number | undefined;
  network?: boolean | undefined;
  beam?: number | undefined;
  update?: UpdateStrategy | undefined;
  lowestLoss?: boolean | undefined;
  /** Of a linear model that learns from whole derivations: what hypotheses that are merged have in common. */
  merge?: "states" | typeof STACK_GRAPH | undefined;
  /** Of a linear model that learns from whole derivations: learn from single steps as well. */
  singleSteps?: boolean | undefined;
  /**
   * With a beam: in how many epochs, the last ones, whole derivations are learned from; 0 for a beam that is used for
   * parsing only. If not given, a third of the epochs for a network, 0 for a linear model, all if it chooses tags.
   */
  globalEpochs?: number | undefined;
  /** A segmenter, a tagger and a lemmatizer as well: from text to trees. */
  pipeline?: boolean | undefined;
  folds?: number | undefined;
  /** Predicates and semantic roles as well, once the parser is trained, or with `joint` "roles" along with it. */
  roles?: boolean | undefined;
  /** How many weights segmenter, tagger, lemmatizer and roles have at most, each; no limit if not given. */
  partWeights?: number | undefined;
  /**
   * What the parser decides along with the tree: "tags" where the tagger leaves several open, "disfluencies"
   * for the words that are no part of the sentence, or "roles" for semantic roles.
   */
  joint?: Joint | undefined;
  tagsPerWord?: number | undefined;
  tagMargin?: number | undefined;
  exploreFrom?: number | undefined;
  exploreProbability?: number | undefined;
  lossBound?: LossBound | undefined;
  afterUpdate?: AfterUpdate | undefined;
  afterError?: AfterError | undefined;
  aggressiveness?: number | undefined;
  costSensitive?: CostSensitive | undefined;
  averaging?: Averaging | undefined;
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
  activation?: Activation | undefined;
  trainVectors?: boolean | undefined;
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

/** What `system` may be besides a transition system that is known by name. */
export const OTHER_PARSERS: readonly string[] = [GRAPH];

/** Epochs of a linear model. */
export const EPOCHS = 10;

/** Settings of which those named are given. */
export type Complete<Name extends keyof TrainingSettings> = Omit<TrainingSettings, Name> & {
  [K in Name]: NonNullable<TrainingSettings[K]>;
};

/** Settings in which nothing is left open. */
export type CompleteSettings = Complete<keyof typeof TRAINING_DEFAULTS | "oracle" | "learner" | "epochs">;

/** The settings, completed with the values that depend on other settings. */
export function completeSettings<Given extends Complete<keyof typeof TRAINING_DEFAULTS>>(
  given: Given,
): Given & CompleteSettings {
  check("settings", given, OBJECT);
  const { network, oracle, learner, beam = 1 } = given;
  const epochs = given.epochs ?? (network ? NETWORK_DEFAULTS.epochs : EPOCHS);
  const system =
    given.joint === DISFLUENCIES
      ? removing(given.system)
      : given.joint === ROLES && given.system === TRAINING_DEFAULTS.system
        ? ROLE_SYSTEM
        : given.system;
  // Graph-based parsers have no oracle; what is said here is not looked at.
  const hasDynamic = !isGraph(given) && dynamicOracle(createSystem(system)) !== undefined;
  return {
    ...given,
    system,
    oracle: oracle ?? (hasDynamic ? "dynamic" : "static"),
    learner: learner ?? (isGraph(given) ? GRAPH_LEARNERS[0] : "perceptron"),
    epochs,
    // What a network chooses along with the tree is learned step by step.
    ...(network && beam > 1 && !choosesTags(given)
      ? { globalEpochs: given.globalEpochs ?? globalEpochsOf(epochs) }
      : {}),
    ...(!network && given.beam !== undefined
      ? { globalEpochs: given.globalEpochs ?? (choosesTags(given) ? epochs : 0) }
      : {}),
  };
}

/** The system that removes words as well, if this is one that it extends, or the default. */
function removing(system: string): string {
  const found = systemNames().find((name) => describeSystem(name).leftOut);
  const isMeant = system === TRAINING_DEFAULTS.system || (found && describeSystem(found).extends === system);
  return isMeant && found ? found : system;
}

/** Your own feature templates. */
export interface GivenTemplates {
  text: string;
  /** What errors call them. */
  source: string;
}

/** The options for a learner. */
export function trainOptionsOf(
  settings: CompleteSettings,
  templates?: GivenTemplates,
): TrainOptions & Partial<StackGraphOptions> {
  const { network, system } = settings;
  const learner = settings.learner as LearnerName;
  const { globalEpochs = 0 } = settings;
  const structured = globalEpochs > 0 && !network;
  const { prune: _, ...regularization } = network ? { prune: 0 } : REGULARIZATION[learner];
  const given = <Name extends keyof TrainingSettings>(name: Name) =>
    settings[name] === undefined ? {} : { [name]: settings[name] };
  return {
    system,
    root: settings.root,
    oracle: settings.oracle,
    ...given("systemSettings"),
    templates: templates?.text ?? (network ? viewTemplates : featureTemplates)(system, settings.features ?? "default"),
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
    ...(settings.beam !== undefined && !network ? { globalEpochs } : {}),
    ...(structured ? { update: settings.update ?? UPDATES[0] } : {}),
    ...(settings.lowestLoss ? { lowestLoss: true } : {}),
    ...(settings.merge === STACK_GRAPH ? { merge: settings.merge } : {}),
    ...(settings.singleSteps ? { singleSteps: true } : {}),
    ...given("afterError"),
    ...given("margin"),
    ...given("aggressiveness"),
    ...given("costSensitive"),
    ...given("averaging"),
    ...given("rate"),
    ...given("minUpdates"),
    ...given("wordDropout"),
    ...given("featureDropout"),
    ...given("projectivize"),
    ...given("prune"),
  };
}

/** The options for training a linear graph-based parser. */
export function graphOptionsOf(settings: CompleteSettings): GraphTrainOptions {
  const { decoder = "eisner", order, learner, epochs, seed, projectivize, margin, minUpdates, prune } = settings;
  return {
    ...{ decoder, order: order ?? (decoder === "eisner" ? 2 : 1) },
    ...{ learner: learner as GraphLearner, epochs, seed },
    ...(projectivize === undefined ? {} : { projectivize }),
    ...(margin === undefined ? {} : { margin }),
    ...(minUpdates === undefined ? {} : { minUpdates }),
    ...(prune === undefined ? {} : { prune }),
  };
}
