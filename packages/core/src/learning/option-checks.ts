// What may be said to those who train, for all of them.
import {
  check,
  type Expectation,
  number,
  oneOf,
  STRING,
  TRUE_OR_FALSE,
  WHOLE_NUMBER,
  wholeNumber,
} from "../checks/options.js";
import { OBJECT } from "../checks/shapes.js";
import { EncodedTreebank } from "../encoder/learning/encoded-treebank.js";
import { DECODERS } from "../graph/search/graph-decoder.js";
import { INPUT_KINDS } from "../scoring/network/inputs.js";
import { ACTIVATIONS } from "../scoring/network/shape.js";
import { ROOT_POSITIONS } from "../systems/configuration.js";
import { ORACLES } from "../systems/oracles/oracle.js";
import { SCHEMES } from "../treebank/pseudo-projective.js";
import { UPDATES } from "./linear/beam-violation.js";
import { AFTER_ERROR, AFTER_UPDATE, REGULARIZATION } from "./linear/online.js";
import { COST_SENSITIVE } from "./linear/passive-aggressive.js";
import { AVERAGING } from "./linear/weights.js";
import type { Dropout } from "./network/dropout-masks.js";
import type { WordVectors } from "./vectors.js";

const SIZE: Expectation = {
  expected: "a multiple of 8 from 8",
  accepts: (value) => Number.isSafeInteger(value) && (value as number) >= 8 && (value as number) % 8 === 0,
};

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

const VECTORS: Expectation = {
  expected: "vectors as VectorReader gives them: dim, ascending keys, dim values for each",
  accepts: (value) => {
    if (!OBJECT.accepts(value)) return false;
    const { dim, keys, values } = value as WordVectors;
    return (
      SIZE.accepts(dim) &&
      keys instanceof Uint32Array &&
      values instanceof Float32Array &&
      values.length === keys.length * dim &&
      keys.every((key, i) => i === 0 || key > keys[i - 1]!)
    );
  },
};

/** A number of arcs, or a share of the words. */
export function lossBoundFrom(least: number): Expectation {
  const arcs = number(least);
  return {
    expected: `${arcs.expected}, or a percentage such as "20%"`,
    accepts: (value) => (typeof value === "string" ? isPercentage(value) : arcs.accepts(value)),
  };
}

/** Is this a percentage above 0%, up to 100%? */
export function isPercentage(text: string): boolean {
  check("percentage", text, STRING);
  return /^\d+(?:\.\d+)?%$/.test(text) && Number.parseFloat(text) > 0 && Number.parseFloat(text) <= 100;
}

/** What linear models and networks have in common. */
const SHARED = {
  system: STRING,
  root: oneOf(...ROOT_POSITIONS),
  singleRoot: TRUE_OR_FALSE,
  systemSettings: OBJECT,
  templates: STRING,
  templatesSource: STRING,
  oracle: oneOf(...ORACLES),
  exploreFrom: wholeNumber(1),
  exploreProbability: number(0, 1),
  epochs: wholeNumber(1),
  seed: WHOLE_NUMBER,
  projectivize: oneOf(...SCHEMES),
  beam: wholeNumber(1),
  rate: number(Number.MIN_VALUE),
};

/** The options of `Training`. */
export const LINEAR_OPTIONS = {
  ...SHARED,
  oneRootInTraining: TRUE_OR_FALSE,
  learner: oneOf(...Object.keys(REGULARIZATION)),
  lossBound: lossBoundFrom(0),
  afterUpdate: oneOf(...AFTER_UPDATE),
  afterError: oneOf(...AFTER_ERROR),
  aggressiveness: number(Number.MIN_VALUE),
  costSensitive: oneOf(...COST_SENSITIVE),
  averaging: oneOf(...AVERAGING),
  margin: number(0),
  minUpdates: wholeNumber(0),
  wordDropout: number(0),
  featureDropout: number(0, 1),
  update: oneOf(...UPDATES),
  lowestLoss: TRUE_OR_FALSE,
  singleSteps: TRUE_OR_FALSE,
  globalEpochs: wholeNumber(0),
  members: wholeNumber(1),
  prune: number(0),
} satisfies Record<string, Expectation>;

/** The options of `NeuralTraining`. */
export const NETWORK_OPTIONS = {
  ...SHARED,
  inputs: INPUTS,
  vocabulary: wholeNumber(1),
  layers: wholeNumber(0),
  width: SIZE,
  hidden: SIZE,
  dropout: DROPOUT,
  vectors: VECTORS,
  trainVectors: TRUE_OR_FALSE,
  activation: oneOf(...ACTIVATIONS),
  globalEpochs: wholeNumber(0),
  encoded: {
    expected: "an EncodedTreebank",
    accepts: (value) => value instanceof EncodedTreebank,
  },
  threads: wholeNumber(1),
  decoder: oneOf(...DECODERS),
} satisfies Record<string, Expectation>;

/** What must be there. */
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
