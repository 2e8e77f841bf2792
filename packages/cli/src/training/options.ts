import { DECODERS, type DecoderName } from "@stemma/core/graph";
import { ORACLES, ROOT_POSITIONS, type SystemSettings, systemNames } from "@stemma/core/systems";
import {
  ACTIVATIONS,
  type Activation,
  AFTER_ERROR,
  AFTER_UPDATE,
  type AfterError,
  AVERAGING,
  type Averaging,
  COST_SENSITIVE,
  type CostSensitive,
  EPOCHS,
  GRAPH_LEARNERS,
  type GraphLearner,
  type Joint,
  type LearnerName,
  type LossBound,
  MOST_WEIGHT,
  NETWORK_DEFAULTS,
  OTHER_PARSERS,
  PRESETS,
  type Preset,
  REGULARIZATION,
  TRAINING_DEFAULTS,
  type TrainOptions,
  UPDATES,
  type UpdateStrategy,
} from "@stemma/core/training";
import { SCHEMES, type Scheme } from "@stemma/core/treebank";
import { type Command, InvalidArgumentError, Option } from "commander";
import { addFeaturesOption } from "../options/features-option.js";
import {
  aboveZero,
  aboveZeroTo,
  lossBound,
  multipleOf8,
  nonNegative,
  positive,
  probability,
  share,
  whole,
  wholeNonNegative,
} from "../options/numbers.js";
import { addSettingOptions } from "../options/system-options.js";
import { type ThreadCount, threadCount } from "../options/threads.js";

const LEARNERS = Object.keys(REGULARIZATION) as LearnerName[];
const ALL_LEARNERS = [...new Set([...LEARNERS, ...GRAPH_LEARNERS])];

/** The options of `stemma train`, with defaults, preset and configuration put in. */
export interface TrainingOptions {
  systemSettings?: SystemSettings;
  layers: number;
  width: number;
  hidden: number;
  dropout: number;
  activation?: Activation;
  vocabulary?: number;
  vectors?: string;
  trainVectors?: boolean;
  encoder?: string;
  encoderLayers?: number;
  vectorWords: number;
  threads?: ThreadCount;
  dev?: string;
  silver?: string;
  silverWeight: number;
  silverConfidence: number;
  model: string;
  system: string;
  oracle: TrainOptions["oracle"];
  learner: LearnerName | GraphLearner;
  decoder?: DecoderName;
  order?: 1 | 2;
  root: TrainOptions["root"];
  features?: string;
  epochs: number;
  seed: number;
  members: number;
  network?: boolean;
  beam?: number;
  update?: UpdateStrategy;
  lowestLoss?: boolean;
  merge?: "states" | "stack-graph";
  singleSteps?: boolean;
  globalEpochs?: number;
  pipeline?: boolean;
  folds: number;
  roles?: boolean;
  addTo?: string;
  partWeights?: number;
  joint?: Joint;
  tagsPerWord: number;
  tagMargin: number;
  exploreFrom: number;
  exploreProbability: number;
  lossBound?: LossBound;
  afterUpdate: TrainOptions["afterUpdate"];
  afterError?: AfterError;
  aggressiveness?: number;
  costSensitive?: CostSensitive;
  averaging?: Averaging;
  margin?: number;
  rate?: number;
  minUpdates?: number;
  wordDropout?: number;
  featureDropout?: number;
  projectivize?: Scheme;
  partial?: boolean;
  prune?: number;
  licence?: string;
  resume?: boolean;
  json?: boolean;
  strict?: boolean;
}

/** The options as commander gives them. */
export type GivenTrainingOptions = Omit<TrainingOptions, "model" | "epochs" | "oracle" | "learner"> & {
  model?: string;
  epochs?: number;
  learner?: TrainingOptions["learner"];
  oracle?: TrainOptions["oracle"];
  preset?: Preset;
  config?: string;
};

/** Adds the options of `stemma train` to a command. */
export function addTrainingOptions(command: Command): Command {
  command
    .option("--model <file>", "where to write the model")
    .option("--dev <file>", "development set; the epoch that parses it best is kept")
    .option(
      "--silver <file>",
      "sentences that a parser has annotated, written by stemma parse --scores, to be learned from as well (see below)",
    )
    .option(
      "--silver-weight <w>",
      "with --silver: how often each sentence is used; 0.5 takes every second one",
      aboveZeroTo(MOST_WEIGHT),
      TRAINING_DEFAULTS.silverWeight,
    )
    .option(
      "--silver-confidence <p>",
      "with --silver: lowest score to learn from, of a word and on average of a sentence; 0 for all",
      probability,
      TRAINING_DEFAULTS.silverConfidence,
    )
    .option("--config <file>", "read options from a JSON file (see below); options on the command line override them")
    .option("--pipeline", "also train a segmenter, a tagger and a lemmatizer, for a model that parses raw text")
    .option(
      "--folds <n>",
      "with --pipeline: number of folds for tagging the training data of the parser",
      positive,
      TRAINING_DEFAULTS.folds,
    )
    .option(
      "--roles",
      "also learn predicates and semantic roles, from the Pred and Args in MISC of the treebanks (see below)",
    )
    .option("--add-to <file>", "with --roles: add the roles to this model instead of training a parser")
    .option(
      "--part-weights <n>",
      "with --pipeline or --roles: maximum number of weights in the segmenter, in the tagger, in the lemmatizer and in the labeller of roles, the largest ones (default: no limit)",
      positive,
    )
    .addOption(
      new Option(
        "--joint <what>",
        "what the parser decides along with the tree: tags or morphology (with --pipeline, where the tagger leaves several tags, or several analyses, open), disfluencies, or roles (with --roles)",
      ).choices(["tags", "morphology", "disfluencies", "roles"]),
    )
    .option(
      "--tags-per-word <n>",
      "with --joint tags or morphology: maximum number of candidates for a word",
      positive,
      TRAINING_DEFAULTS.tagsPerWord,
    )
    .option(
      "--tag-margin <m>",
      "with --joint tags or morphology: how far below the tagger's best score a candidate may be, in units of a typical score",
      nonNegative,
      TRAINING_DEFAULTS.tagMargin,
    )
    .addOption(
      new Option("--system <name>", "transition system, or graph for a graph-based parser (see below)")
        .choices([...systemNames(), ...OTHER_PARSERS])
        .default(TRAINING_DEFAULTS.system),
    )
    .addOption(
      new Option(
        "--oracle <name>",
        "oracle to train with (default: dynamic, or static for systems that have none that is exact)",
      ).choices(ORACLES),
    )
    .addOption(
      new Option("--learner <name>", "learning algorithm (default: perceptron, --system graph mira)").choices(
        ALL_LEARNERS,
      ),
    )
    .addOption(
      new Option("--root <position>", "position of the root node")
        .choices(ROOT_POSITIONS)
        .default(TRAINING_DEFAULTS.root),
    );
  return addFeaturesOption(addSettingOptions(command))
    .addOption(
      new Option(
        "--decoder <name>",
        "graph: eisner for projective trees, edmonds for crossing arcs (default: eisner)",
      ).choices(DECODERS),
    )
    .addOption(
      new Option("--order <n>", "graph: 1 scores arcs, 2 also neighbouring siblings (default: 2, edmonds 1)").argParser(
        orderOf,
      ),
    )
    .option("--beam <width>", "parse with a beam of this width", positive)
    .addOption(
      new Option(
        "--update <strategy>",
        `linear, with --global-epochs: where derivations are compared (default: "${UPDATES[0]}")`,
      ).choices(UPDATES),
    )
    .option(
      "--lowest-loss",
      "linear, with --global-epochs: when no correct hypothesis is left, learn from the one with the lowest loss",
    )
    .addOption(
      new Option(
        "--merge <what>",
        'linear, with --global-epochs: what hypotheses that are merged have in common (default: "states")',
      ).choices(["states", "stack-graph"]),
    )
    .option("--single-steps", "linear, with --global-epochs: learn from every step as well in these epochs")
    .option(
      "--global-epochs <n>",
      "with --beam: in how many epochs, the last ones, whole derivations are learned from " +
        "(default: 0, --network a third)",
      wholeNonNegative,
    )
    .option(
      "--epochs <n>",
      `number of passes over the training data (default: ${EPOCHS}, --network ${NETWORK_DEFAULTS.epochs})`,
      positive,
    )
    .option("--seed <n>", "seed for the order of sentences and for exploration", whole, TRAINING_DEFAULTS.seed)
    .option(
      "--members <n>",
      "number of models to train with different seeds; their weights are averaged",
      positive,
      TRAINING_DEFAULTS.members,
    )
    .option(
      "--explore-from <epoch>",
      "dynamic: first epoch in which predictions are followed, right or wrong",
      positive,
      TRAINING_DEFAULTS.exploreFrom,
    )
    .option(
      "--explore-probability <p>",
      "dynamic: probability of following a prediction",
      probability,
      TRAINING_DEFAULTS.exploreProbability,
    )
    .option(
      "--loss-bound <n>",
      "dynamic: stop following predictions once this many arcs are lost, or this share of the words, as in 20%; " +
        "with --global-epochs: stop once all hypotheses have lost as much",
      lossBound,
    )
    .addOption(
      new Option(
        "--after-error <which>",
        `the correct transition to follow after a wrong prediction that is not followed (default: "${AFTER_ERROR[0]}")`,
      ).choices(AFTER_ERROR),
    )
    .addOption(
      new Option("--after-update <what>", "after an update: continue, skip the rest of the sentence, or repeat")
        .choices(AFTER_UPDATE)
        .default(TRAINING_DEFAULTS.afterUpdate),
    )
    .option(
      "--margin <m>",
      `also update when a wrong class comes within this margin, per template ${defaultOf("margin")}`,
      nonNegative,
    )
    .option(
      "--aggressiveness <c>",
      `passive-aggressive: the largest change of a weight ${defaultOf("aggressiveness")}`,
      aboveZero,
    )
    .addOption(
      new Option(
        "--cost-sensitive <how>",
        "passive-aggressive, dynamic: let the margin grow with the cost of a class, of the predicted one or of the worst",
      ).choices(COST_SENSITIVE),
    )
    .addOption(
      new Option(
        "--averaging <how>",
        `whether later weights count for more in the average (default: "${AVERAGING[0]}")`,
      ).choices(AVERAGING),
    )
    .option("--rate <r>", `learning rate ${defaultOf("rate")}`, aboveZero)
    .option("--min-updates <n>", `ignore features seen in fewer updates ${defaultOf("minUpdates")}`, wholeNonNegative)
    .option(
      "--word-dropout <a>",
      `hide a word that occurs f times with probability a / (a + f) ${defaultOf("wordDropout")}`,
      nonNegative,
    )
    .option(
      "--feature-dropout <p>",
      `leave out each feature with this probability ${defaultOf("featureDropout")}`,
      probability,
    )
    .addOption(
      new Option("--projectivize <scheme>", "make training trees projective, undo it after parsing").choices(SCHEMES),
    )
    .option("--partial", "accept words without a head (_), for which any head is right; dynamic oracle only")
    .option("--prune <weight>", `leave out averaged weights below this ${defaultOf("prune")}`, nonNegative)
    .option("--network", "train a neural network instead of a linear model (see below)")
    .option(
      "--layers <n>",
      "network: number of bidirectional recurrent layers",
      wholeNonNegative,
      NETWORK_DEFAULTS.layers,
    )
    .option(
      "--width <n>",
      "network: size of a recurrent layer in each direction, a multiple of 8",
      multipleOf8,
      NETWORK_DEFAULTS.width,
    )
    .option("--hidden <n>", "network: hidden layer size, a multiple of 8", multipleOf8, NETWORK_DEFAULTS.hidden)
    .addOption(
      new Option(
        "--activation <name>",
        `network: what the hidden layer makes of its sums (default: "${ACTIVATIONS[0]}")`,
      ).choices(ACTIVATIONS),
    )
    .option("--dropout <p>", "network: probability of leaving out a unit in training", share, NETWORK_DEFAULTS.dropout)
    .option(
      "--vocabulary <n>",
      "network: maximum number of words, of lemmas and of affixes with their own embeddings, the most frequent ones (default: no limit)",
      positive,
    )
    .option("--vectors <file>", "network: pre-trained word vectors (word2vec text format, may be gzipped)")
    .option(
      "--vector-words <n>",
      "network: number of vectors to keep in addition to those of words in the training data",
      wholeNonNegative,
      NETWORK_DEFAULTS.vectorWords,
    )
    .option("--train-vectors", "network: let the pre-trained vectors change in training")
    .option(
      "--encoder <path>",
      "network: a BERT-like encoder as input, its folder or its .onnx or .safetensors file (see below)",
    )
    .option("--encoder-layers <n>", "network: use only the first layers of the encoder (default: all)", positive)
    .option(
      "--threads <n>",
      "network: number of training threads, 0 for all cores; the model is the same for any number (default: 1)",
      threadCount,
    )
    .addOption(new Option("--preset <name>", "named set of options (see below)").choices(Object.keys(PRESETS)))
    .option("--licence <text>", "licence of the training data, to be recorded in the model")
    .option("--resume", "continue an interrupted run from its last checkpoint")
    .option("--json", "print the result as JSON")
    .option("--strict", "stop at the first error in a treebank");
}

/** What help says of a default that depends on the learner. */
function defaultOf(name: string): string {
  const values = LEARNERS.map((learner) => (REGULARIZATION[learner] as Record<string, number>)[name]);
  return `(default: ${[...new Set(values)].filter((value) => value !== undefined).join(" or ")})`;
}

function orderOf(text: string): 1 | 2 {
  if (text !== "1" && text !== "2") throw new InvalidArgumentError("expected 1 or 2");
  return text === "1" ? 1 : 2;
}
