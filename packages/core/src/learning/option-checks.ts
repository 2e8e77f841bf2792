// Options of those who train, for all of them.
import { type Expectation, number, oneOf, STRING, TRUE_OR_FALSE, wholeNumber } from "../checks/options.js";
import { having, OBJECT } from "../checks/shapes.js";
import { INPUT_KINDS } from "../scoring/network/inputs.js";
import { REGULARIZATION } from "./linear/online.js";
import type { Dropout } from "./network/dropout-masks.js";
import { BEAM_SETTINGS } from "./settings/beam.js";
import { NETWORK_SETTINGS, SIZE } from "./settings/network.js";
import { lossBoundOf, SHARED_SETTINGS, STEP_SETTINGS } from "./settings/steps.js";

/** A probability, but not certainty. */
const SHARE = number(0, 0.99);

const INPUTS: Expectation = {
  expected: `numbers of units, multiples of 8, by kinds: ${INPUT_KINDS.join(", ")}`,
  accepts: (value) =>
    OBJECT.accepts(value) &&
    Object.keys(value as object).length > 0 &&
    Object.entries(value as object).every(
      ([kind, dim]) => (INPUT_KINDS as readonly string[]).includes(kind) && (dim === 0 || SIZE.accepts(dim)),
    ),
};

const DROPOUT: Expectation = {
  expected: "probabilities as {words, inputs, layers, hidden}",
  accepts: (value) => {
    if (!OBJECT.accepts(value)) return false;
    const { words, inputs, layers, hidden } = value as Dropout;
    return number(0).accepts(words) && [inputs, layers, hidden].every(SHARE.accepts);
  },
};

/** The common part of linear models and networks. */
const { features: _, ...SETTINGS } = SHARED_SETTINGS;
const SHARED = {
  ...SETTINGS,
  system: STRING,
  singleRoot: TRUE_OR_FALSE,
  systemSettings: OBJECT,
  templates: STRING,
  templatesSource: STRING,
  exploreFrom: STEP_SETTINGS.exploreFrom,
  exploreProbability: STEP_SETTINGS.exploreProbability,
  rate: STEP_SETTINGS.rate,
  beam: BEAM_SETTINGS.beam,
  globalEpochs: BEAM_SETTINGS.globalEpochs,
};

/** The options of `Training`. */
export const LINEAR_OPTIONS = {
  ...SHARED,
  ...STEP_SETTINGS,
  ...BEAM_SETTINGS,
  oneRootInTraining: TRUE_OR_FALSE,
  learner: oneOf(...Object.keys(REGULARIZATION)),
  // Infinity for none.
  lossBound: lossBoundOf(number(0)),
} satisfies Record<string, Expectation>;

/** The options of `NeuralTraining`. */
export const NETWORK_OPTIONS = {
  ...SHARED,
  ...NETWORK_SETTINGS,
  inputs: INPUTS,
  dropout: DROPOUT,
  contextual: having("an EncodedTreebank", "nodes"),
  threads: wholeNumber(1),
} satisfies Record<string, Expectation>;

/** The required fields. */
export const REQUIRED = [
  "system",
  "root",
  "templates",
  "oracle",
  "exploreFrom",
  "exploreProbability",
  "epochs",
  "seed",
];

/** The methods that a sentence of a treebank has. */
export const TREEBANK_SENTENCE = ["form", "lemma", "upos", "xpos", "feats", "deprel"] as const;
