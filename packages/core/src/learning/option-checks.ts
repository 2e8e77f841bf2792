// What may be said to those who train, for all of them.
import {
  type Expectation,
  number,
  oneOf,
  STRING,
  TRUE_OR_FALSE,
  WHOLE_NUMBER,
  wholeNumber,
} from "../checks/options.js";
import { OBJECT } from "../checks/shapes.js";
import { INPUT_KINDS } from "../scoring/network/inputs.js";
import { ROOT_POSITIONS } from "../systems/configuration.js";
import { ORACLES } from "../systems/oracles/oracle.js";
import { SCHEMES } from "../treebank/pseudo-projective.js";
import { EncodedTreebank } from "./encoder/encoded-treebank.js";
import { AFTER_UPDATE, REGULARIZATION } from "./linear/online.js";
import { UPDATES } from "./linear/structured.js";
import type { Dropout } from "./network/dropout-masks.js";
import type { WordVectors } from "./network/vectors.js";

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

/** What linear models and networks have in common. */
const SHARED = {
  system: STRING,
  root: oneOf(...ROOT_POSITIONS),
  singleRoot: TRUE_OR_FALSE,
  degree: wholeNumber(1),
  lazy: TRUE_OR_FALSE,
  monotonic: TRUE_OR_FALSE,
  treeConstraint: TRUE_OR_FALSE,
  templates: STRING,
  templatesSource: STRING,
  regime: oneOf(...ORACLES),
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
  lossBound: number(0),
  afterUpdate: oneOf(...AFTER_UPDATE),
  margin: number(0),
  minUpdates: wholeNumber(0),
  wordDropout: number(0),
  featureDropout: number(0, 1),
  update: oneOf(...UPDATES),
  lowestLoss: TRUE_OR_FALSE,
  members: wholeNumber(1),
  joint: OBJECT,
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
  encoded: {
    expected: "an EncodedTreebank",
    accepts: (value) => value instanceof EncodedTreebank,
  },
  threads: wholeNumber(1),
} satisfies Record<string, Expectation>;

/** What must be there. */
export const REQUIRED = [
  "system",
  "root",
  "templates",
  "regime",
  "exploreFrom",
  "exploreProbability",
  "epochs",
  "seed",
];

/** The methods that a sentence of a treebank has. */
export const TREEBANK_SENTENCE = ["form", "lemma", "upos", "xpos", "feats", "deprel"] as const;
