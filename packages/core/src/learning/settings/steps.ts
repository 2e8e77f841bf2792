// Settings of learning step by step, and those that all ways of learning share.
import { aboveZero, check, type Expectation, number, STRING, WHOLE_NUMBER, wholeNumber } from "../../checks/options.js";
import { between, choice, type Given, numeric, text, whole } from "../../checks/settings.js";
import { dynamicOracle } from "../../registry/oracles.js";
import { createSystem, systemNames } from "../../registry/systems.js";
import { isFeatureSet, NETWORK_VIEWS } from "../../registry/templates/feature-sets.js";
import { ROOT_POSITIONS } from "../../systems/configuration.js";
import { ORACLES } from "../../systems/oracles/oracle.js";
import { SCHEMES } from "../../treebank/pseudo-projective.js";
import { AFTER_ERROR, AFTER_UPDATE, type LearnerName, type LossBound, REGULARIZATION } from "../linear/online.js";
import { COST_SENSITIVE } from "../linear/passive-aggressive.js";
import { AVERAGING } from "../linear/weights.js";

/** The structured perceptron: a linear model that learns from whole derivations, … */
export const isStructured = ({ beam, network, globalEpochs = 0 }: Given): boolean =>
  beam !== undefined && !network && globalEpochs > 0;
/** … and one that learns from nothing else. */
const isAllStructured = (given: Given): boolean => isStructured(given) && given.globalEpochs === given.epochs;

const follows = (given: Given) => given.oracle === "dynamic" && (!isAllStructured(given) || given.singleSteps === true);
const explores = (given: Given) => follows(given) && given.exploreFrom <= given.epochs;
const LINEAR = { works: ({ network }: Given) => !network, needs: "a linear model, without {network}" };

const learns = (learner: LearnerName) => ({
  works: (given: Given) => LINEAR.works(given) && given.learner === learner,
  needs: `{learner ${learner}}, without {network}`,
});

/** The defaults of a learner. */
const ofLearner = (name: string) => (given: Given) =>
  (REGULARIZATION[given.learner as LearnerName] as Record<string, number> | undefined)?.[name];

/** The same in words: of each learner, or of all if they are alike. */
function inWords(name: string): string {
  const values = Object.values(REGULARIZATION).map((values) => (values as Record<string, number>)[name]);
  return [...new Set(values)].filter((value) => value !== undefined).join(" or ");
}

/** Is this a percentage above 0%, up to 100%? */
export function isPercentage(text: string): boolean {
  check("percentage", text, STRING);
  return /^\d+(?:\.\d+)?%$/.test(text) && Number.parseFloat(text) > 0 && Number.parseFloat(text) <= 100;
}

/** A number of arcs, or a share of the words. */
export function lossBoundOf(arcs: Expectation): Expectation {
  return {
    expected: `${arcs.expected}, or a percentage such as "20%"`,
    accepts: (value) => (typeof value === "string" ? isPercentage(value) : arcs.accepts(value)),
  };
}

/** Settings that come before those of searching and of networks, which depend on them. */
export const SHARED_SETTINGS = {
  root: choice(ROOT_POSITIONS, {
    help: "position of the root node",
    topic: "system",
    default: "last",
    placeholder: "position",
  }),
  features: text({
    help: "feature templates: a file, or default, zhang-nivre, huang-sagae or two-words, which can be added to, as in default+history; with {network} chen-manning",
    topic: "system",
    placeholder: "set",
    needs: {
      works: ({ network, features }) =>
        features === undefined ||
        !isFeatureSet(features) ||
        NETWORK_VIEWS.includes(features as never) === (network === true),
      needs: "a linear model for zhang-nivre, huang-sagae, two-words and additions, {network} for chen-manning",
    },
  }),
  projectivize: choice(SCHEMES, {
    help: "make training trees projective, undo it after parsing",
    topic: "system",
    placeholder: "scheme",
  }),
  oracle: choice(ORACLES, {
    help: "oracle to train with",
    topic: "system",
    default: ({ system }) =>
      systemNames().includes(system) && dynamicOracle(createSystem(system)) ? "dynamic" : "static",
    byDefault: "dynamic, or static for systems that have none that is exact",
  }),
  epochs: whole(1, {
    help: "number of passes over the training data",
    topic: "learning",
    isCommon: true,
    default: ({ network }) => (network ? 12 : 10),
    byDefault: "10, with {network} 12",
  }),
  seed: numeric(WHOLE_NUMBER, {
    help: "seed for the order of sentences and for exploration",
    topic: "learning",
    default: 1,
  }),
};

/** Settings of linear models, and of what is followed in training. */
export const STEP_SETTINGS = {
  members: whole(1, {
    help: "number of models to train with different seeds; their weights are averaged",
    topic: "learning",
    default: 1,
    // Of a pipeline the taggers are averaged.
    needs: {
      works: ({ pipeline, network }) => pipeline === true || !network,
      needs: "a linear model with a transition system, or {pipeline}",
    },
  }),
  exploreFrom: whole(1, {
    help: "dynamic oracle: first epoch in which predictions are followed, right or wrong",
    topic: "learning",
    placeholder: "epoch",
    default: 2,
    needs: { works: follows, needs: "{oracle dynamic}, and learning from single steps" },
  }),
  exploreProbability: between(0, 1, {
    help: "dynamic oracle: probability of following a prediction",
    topic: "learning",
    placeholder: "p",
    default: 1,
    needs: [
      { works: follows, needs: "{oracle dynamic}, and learning from single steps" },
      { works: explores, needs: "{exploreFrom} within the epochs", isOfGiven: true },
    ],
  }),
  lossBound: {
    ...numeric<LossBound>(lossBoundOf(wholeNumber(1)), {
      help: "dynamic oracle: stop following predictions once this many arcs are lost, or this share of the words, as in 20%; with {globalEpochs} stop once all hypotheses have lost as much",
      topic: "learning",
      needs: {
        works: (given) =>
          (explores(given) && !given.network && given.exploreProbability !== 0) ||
          (isStructured(given) && given.oracle === "dynamic"),
        needs: "{oracle dynamic}, a linear model, and predictions that are followed or {globalEpochs}",
      },
    }),
    read: (text: string) => (isPercentage(text) || text.trim() === "" ? text : Number(text)),
  },
  afterError: choice(AFTER_ERROR, {
    help: "the correct transition to follow after a wrong prediction that is not followed",
    topic: "learning",
    placeholder: "which",
    default: "best",
    needs: {
      works: (given) => !given.network && !isAllStructured(given) && given.oracle !== "static",
      needs: "{oracle non-deterministic} or dynamic, and a linear model that learns from single steps",
    },
  }),
  afterUpdate: choice(AFTER_UPDATE, {
    help: "after an update: continue, skip the rest of the sentence, or repeat",
    topic: "learning",
    placeholder: "what",
    default: "go-on",
    needs: {
      works: (given) => !given.network && !isAllStructured(given),
      needs: "a linear model that learns from single steps",
    },
  }),
  margin: numeric(number(0), {
    help: "also update when a wrong class comes within this margin, per template",
    topic: "learning",
    placeholder: "m",
    default: ofLearner("margin"),
    byDefault: inWords("margin"),
    needs: learns("perceptron"),
  }),
  aggressiveness: numeric(aboveZero(), {
    help: "the largest change of a weight",
    topic: "learning",
    placeholder: "c",
    default: ofLearner("aggressiveness"),
    byDefault: inWords("aggressiveness"),
    needs: learns("passive-aggressive"),
  }),
  costSensitive: choice(COST_SENSITIVE, {
    help: "let the margin grow with the cost of a class, of the predicted one or of the worst",
    topic: "learning",
    placeholder: "how",
    needs: {
      works: (given) => learns("passive-aggressive").works(given) && given.oracle === "dynamic",
      needs: "{learner passive-aggressive}, and {oracle dynamic}, which knows costs",
    },
  }),
  averaging: choice(AVERAGING, {
    help: "whether later weights count for more in the average",
    topic: "learning",
    placeholder: "how",
    default: AVERAGING[0],
    needs: LINEAR,
  }),
  rate: numeric(aboveZero(), {
    help: "learning rate",
    topic: "learning",
    placeholder: "r",
    default: (given) => (given.network ? 0.003 : ofLearner("rate")(given)),
    byDefault: `${inWords("rate")}, with {network} 0.003`,
    needs: {
      works: ({ network, learner }) => network === true || learner === "logistic",
      needs: "{learner logistic}, or {network}",
    },
  }),
  minUpdates: whole(0, {
    help: "ignore features seen in fewer updates",
    topic: "learning",
    default: ofLearner("minUpdates"),
    byDefault: inWords("minUpdates"),
    needs: LINEAR,
  }),
  wordDropout: numeric(number(0), {
    help: "hide a word that occurs f times with probability a / (a + f)",
    topic: "learning",
    placeholder: "a",
    default: 0.5,
  }),
  featureDropout: between(0, 1, {
    help: "leave out each feature with this probability",
    topic: "learning",
    placeholder: "p",
    default: ofLearner("featureDropout"),
    byDefault: inWords("featureDropout"),
    needs: LINEAR,
  }),
  prune: numeric(number(0), {
    help: "leave out averaged weights below this",
    topic: "learning",
    placeholder: "weight",
    byDefault: inWords("prune"),
    needs: LINEAR,
  }),
};
