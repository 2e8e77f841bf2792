// The settings of a training: those of all its parts, put together.
import { check, FUNCTION, oneOf, SENTENCES, shown } from "../checks/options.js";
import {
  between,
  choice,
  file,
  flag,
  type Given,
  inCode,
  numeric,
  object,
  Schema,
  type Setting,
  type Values,
  whole,
} from "../checks/settings.js";
import { holding, OBJECT } from "../checks/shapes.js";
import { DISFLUENCIES, disfluenciesSettings, removingSystem } from "../disfluencies/settings.js";
import { ENCODER_SETTINGS } from "../encoder/learning/settings.js";
import { ENHANCED_SETTINGS } from "../enhanced/learning/settings.js";
import { GRAPH, isGraph } from "../graph/graph-header.js";
import { GRAPH_LEARNERS, GRAPH_SETTINGS, graphSettings } from "../graph/learning/settings.js";
import { JOINT_TAGGING_SETTINGS, jointTaggingSettings, MORPHOLOGY, TAGS } from "../joint-tagging/learning/settings.js";
import { type LearnerName, REGULARIZATION } from "../learning/linear/online.js";
import { BEAM_SETTINGS } from "../learning/settings/beam.js";
import { NETWORK_SETTINGS } from "../learning/settings/network.js";
import { SHARED_SETTINGS, STEP_SETTINGS } from "../learning/settings/steps.js";
import { TREEBANK_WEIGHT } from "../learning/silver.js";
import { pointersSettings } from "../pointers/learning/settings.js";
import { isPointers, POINTERS } from "../pointers/pointers-header.js";
import { systemNames } from "../registry/systems.js";
import { ROLE_SETTINGS, ROLES, roleSettings } from "../roles/learning/settings.js";
import { MERGE_SETTINGS } from "../stack-graph/learning/settings.js";
import type { SystemSettings } from "../systems/settings.js";
import { TAGS_LEARNER, TAGS_SETTINGS, tagsSettings } from "../tags/learning/settings.js";
import { TAGS as BY_TAGS, isTags } from "../tags/tags-header.js";
import type { Sentence } from "../treebank/sentence/sentence.js";
import { FOLDS } from "./preparation/prepare.js";
import { PRESETS, type Preset } from "./presets.js";

/** Values of `system` besides a transition system that is known by name. */
export const OTHER_PARSERS: readonly string[] = [GRAPH, POINTERS, BY_TAGS];

const LEARNERS = Object.keys(REGULARIZATION) as LearnerName[];
const learnersOf = (given: Given): readonly string[] =>
  isGraph(given) || isPointers(given) ? GRAPH_LEARNERS : isTags(given) ? [TAGS_LEARNER] : LEARNERS;
const SILVER = { works: ({ silver }: Given) => silver !== undefined, needs: "{silver}" };
const listed = (names: readonly string[]) => names.join(" or ");

/** Settings that others depend on come first. */
const FIRST_SETTINGS = {
  dev: file<Iterable<Sentence>>(SENTENCES, {
    help: "development set; the epoch that parses it best is kept",
    topic: "data",
    isCommon: true,
  }),
  preset: choice(Object.keys(PRESETS) as Preset[], {
    help: "named set of options",
    topic: "run",
    isCommon: true,
  }),
  pipeline: flag({
    help: "also train segmenter, tagger and lemmatizer, for raw text",
    topic: "pipeline",
    isCommon: true,
  }),
  silver: file<Iterable<Sentence>>(SENTENCES, {
    help: "sentences that a parser has annotated, written by stemma parse --scores, to be learned from as well",
    topic: "data",
  }),
  joint: choice([TAGS, MORPHOLOGY, DISFLUENCIES, ROLES], {
    help: "what the parser decides along with the tree: tags or morphology (with {pipeline}, where the tagger leaves several tags, or several analyses, open), disfluencies, or roles (with {roles})",
    topic: "joint",
    placeholder: "what",
  }),
  network: flag({
    help: "train a neural network instead of a linear model",
    topic: "network",
    isCommon: true,
  }),
  system: {
    ...choice<string>([], {
      help: "transition system, or one of graph, pointers and tags, which have no transitions",
      topic: "system",
      isCommon: true,
      default: "arc-standard",
    }),
    // Systems may have been defined since.
    get choices() {
      return [...systemNames(), ...OTHER_PARSERS];
    },
    get expected() {
      return oneOf(...(this.choices ?? [])).expected;
    },
    accepts: (value: unknown) => [...systemNames(), ...OTHER_PARSERS].includes(value as string),
  } satisfies Setting<string> as Setting<string>,
  systemSettings: object<SystemSettings>(OBJECT, {
    help: "settings of the transition system, as its description has them: `{ degree: 3 }` for attardi",
    topic: "system",
  }),
  learner: choice([...LEARNERS, ...GRAPH_LEARNERS.filter((name) => !(name in REGULARIZATION))], {
    help: "learning algorithm",
    topic: "learning",
    default: "perceptron",
    byDefault: "perceptron, with {system graph} and {system pointers} mira",
    needs: [
      { works: ({ network }) => !network, needs: "a linear model, without {network}" },
      {
        works: (given) => learnersOf(given).includes(given.learner),
        needs: `${listed(GRAPH_LEARNERS)} with {system graph} and {system pointers}, ${TAGS_LEARNER} with {system tags}, ${listed(LEARNERS)} with transition systems`,
      },
    ],
  }),
};

const LAST_SETTINGS = {
  folds: whole(1, {
    help: "number of folds for tagging the training data of the parser",
    topic: "pipeline",
    default: FOLDS,
    needs: { works: ({ pipeline }) => pipeline === true, needs: "{pipeline}" },
  }),
  partWeights: whole(1, {
    help: "maximum number of weights in the segmenter, in the tagger, in the lemmatizer and in the labeller of roles, the largest ones",
    topic: "pipeline",
    byDefault: "no limit",
    needs: { works: ({ pipeline, roles }) => Boolean(pipeline || roles), needs: "{pipeline} or {roles}" },
  }),
  maxLength: whole(1, {
    help: "leave out training sentences with more words than this",
    topic: "data",
    byDefault: "no limit",
  }),
  silverWeight: numeric(TREEBANK_WEIGHT, {
    help: "with {silver}: how often each sentence is used; 0.5 takes every second one",
    topic: "data",
    placeholder: "w",
    default: 1,
    needs: SILVER,
  }),
  silverConfidence: between(0, 1, {
    help: "with {silver}: lowest score to learn from, of a word and on average of a sentence; 0 for all",
    topic: "data",
    placeholder: "p",
    default: 0.5,
    needs: SILVER,
  }),
};

/** The settings, by name. */
export const SETTINGS = {
  ...FIRST_SETTINGS,
  ...SHARED_SETTINGS,
  ...BEAM_SETTINGS,
  ...MERGE_SETTINGS,
  ...STEP_SETTINGS,
  ...NETWORK_SETTINGS,
  ...ENCODER_SETTINGS,
  ...GRAPH_SETTINGS,
  ...TAGS_SETTINGS,
  ...ROLE_SETTINGS,
  ...ENHANCED_SETTINGS,
  ...JOINT_TAGGING_SETTINGS,
  ...LAST_SETTINGS,
};

/** All settings of a training, with what they need; `train` and the commands ask it. */
export const TRAINING = new Schema([
  { settings: SETTINGS },
  graphSettings,
  pointersSettings,
  tagsSettings,
  jointTaggingSettings,
  disfluenciesSettings,
  roleSettings,
]);

/** The settings of a training run; `stemma train --help all` and docs/training.md explain each. */
export type TrainingSettings = Omit<Values<typeof SETTINGS>, "dev" | "preset" | "silver" | "vectors" | "encoder">;

/** Settings in which nothing is left open: all that have an effect. */
export type CompleteSettings = Omit<TrainingSettings, "system" | "epochs" | "seed"> & {
  system: string;
  epochs: number;
  seed: number;
};

/**
 * The settings with everything put in that was not given, also of a schema that has more than `TRAINING`; one that
 * would have no effect is refused, with what it needs. `defaults` take the place of others, where they have an effect.
 */
export function completeSettings(
  given: Given,
  refuse: (name: string, needs: string, value: unknown) => never = refuseInCode,
  schema: Schema = TRAINING,
  defaults: Given = {},
): CompleteSettings & Given {
  check("settings", given, OBJECT);
  check("refuse", refuse, FUNCTION);
  check("schema", schema, holding("a Schema", "settings"));
  check("defaults", defaults, OBJECT);
  const preset: Given = given.preset === undefined ? {} : PRESETS[given.preset as Preset];
  const settings = schema.complete({ ...given, system: removingSystem(given) }, { ...defaults, ...preset });
  for (const name of Object.keys(given)) {
    const lack = settings[name] === undefined || !schema.settings[name] ? undefined : schema.lack(name, settings);
    if (lack) refuse(name, lack.needs, given[name]);
  }
  return settings as CompleteSettings & Given;
}

function refuseInCode(name: string, needs: string, value: unknown): never {
  throw new RangeError(
    `invalid ${name} of train: ${shown(value)}: it would have no effect (expected ${inCode(needs)})`,
  );
}

/** The settings of a training as a model records them: in the order of the schema, without files. */
export function trainingSettings(complete: CompleteSettings & Given): CompleteSettings {
  check("settings", complete, OBJECT);
  const own = Object.entries(TRAINING.settings).flatMap(([name, { kind }]) =>
    complete[name] === undefined || kind === "file" || name === "preset" ? [] : [[name, complete[name]]],
  );
  return Object.fromEntries(own);
}
