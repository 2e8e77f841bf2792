// Adds semantic roles to a pipeline: trees as it would predict them, then the epochs of the labeller.
import {
  check,
  checkOptions,
  type Expectation,
  SENTENCES,
  TRUE_OR_FALSE,
  WHOLE_NUMBER,
  wholeNumber,
} from "../../checks/options.js";
import { checkedList, holding } from "../../checks/shapes.js";
import { RoleScores } from "../../evaluation/joint/role-scores.js";
import type { RoleTree } from "../../features/roles/role-features.js";
import { TREEBANK_SENTENCE } from "../../learning/option-checks.js";
import { type RoleExample, RoleTraining } from "../../learning/roles/role-training.js";
import { formsOf, RoleLabeller } from "../../parser/roles/role-labeller.js";
import "../../parser/roles/provide-beam.js";
import type { RolesModel } from "../../parser/roles/roles-model.js";
import type { EncoderData } from "../../scoring/encoder/encoder-data.js";
import { encoderProgram } from "../../scoring/encoder/encoders.js";
import type { Sentence } from "../../treebank/sentence/sentence.js";
import { Pipeline } from "../pipeline.js";
import { PipelineModel } from "../pipeline-model.js";
import { jackknifeTrees, type PredictedTree } from "./predicted-trees.js";

/** How roles are added to a model. */
export interface RoleOptions {
  /** Sentences to test each epoch on; the best is kept. */
  dev?: readonly Sentence[] | undefined;
  seed?: number | undefined;
  epochs?: number | undefined;
  /** Folds for predicting the trees of the training data. */
  folds?: number | undefined;
  /** Whether a network learns beside the linear model; it needs an encoder, and models that have one get it. */
  network?: boolean | undefined;
  /** The width of the beam that the labeller searches with, now and in parsing; greedily if not given, or 1. */
  beam?: number | undefined;
}

/** What became of an epoch, in percent; without development data there are no scores. */
export interface RoleEpoch {
  epoch: number;
  /** F1 of all semantic dependencies, senses included: as in the CoNLL-2009 shared task. */
  labelled?: number;
  unlabelled?: number;
  /** Share of the predicates found whose sense is right. */
  senses?: number;
}

/** Where the training of roles is. */
export interface RoleStep {
  /** "trees, fold 2 of 3", "roles, epoch 1 of 5", … */
  readonly name: string;
  /** Given when an epoch is over. */
  readonly score?: RoleEpoch;
}

/** A model with roles, and how it came about. */
export interface ModelWithRoles {
  model: PipelineModel;
  best: RoleEpoch;
  epochs: RoleEpoch[];
}

/** More make trees more like those of new text, and take longer. */
const FOLDS = 3;
const EPOCHS = 5;

const EXPECTED: Readonly<Record<keyof RoleOptions, Expectation>> = {
  dev: SENTENCES,
  seed: WHOLE_NUMBER,
  epochs: wholeNumber(1),
  folds: wholeNumber(2),
  network: TRUE_OR_FALSE,
  beam: wholeNumber(1),
};

/**
 * Teaches a model predicates and semantic roles, step by step: the result is the same model with roles. The sentences
 * have predicates; the trees that roles are learned from are predicted by parsers that did not see the sentence.
 */
export function roleSteps(
  model: PipelineModel,
  sentences: readonly Sentence[],
  options: RoleOptions = {},
): Generator<RoleStep, ModelWithRoles, void> {
  check("model", model, holding("a PipelineModel", "parser", "origin"));
  const given = checkedList("sentences", sentences, ...TREEBANK_SENTENCE);
  checkOptions("roleSteps", options, EXPECTED);
  if (options.dev !== undefined) checkedList("dev", options.dev, ...TREEBANK_SENTENCE);
  const encoder = model.parser.network?.encoder;
  const { dev, seed = 1, epochs = EPOCHS, folds = FOLDS, network = encoder !== undefined } = options;
  if (network && !encoder) {
    throw new RangeError("invalid network of roleSteps: true (expected a model with an encoder; without one, false)");
  }
  needPredicates(given);
  if (given.length < folds) {
    throw new RangeError(`invalid training data: ${given.length} sentences (expected at least ${folds}, one a fold)`);
  }
  const plan = { dev, seed, epochs, folds, encoder: network ? encoder : undefined };
  return steps(model, given, plan, options.beam);
}

/** Throws a RangeError if there is nothing to learn roles from. */
export function needPredicates(sentences: readonly Sentence[]): void {
  if (sentences.some(({ predicates }) => predicates.length > 0)) return;
  throw new RangeError(
    "invalid training data: no predicate (expected Pred and Args in MISC; stemma convert --from conll09 writes them)",
  );
}

interface Plan {
  readonly dev: readonly Sentence[] | undefined;
  readonly seed: number;
  readonly epochs: number;
  readonly folds: number;
  /** That of the network, if there is to be one. */
  readonly encoder: EncoderData | undefined;
}

/** What a labeller learns from and is tested on. */
export interface RoleData {
  readonly examples: readonly RoleExample[];
  /** The development data, as the model sees it; empty without any. */
  readonly test: readonly RoleExample[];
  /** The share of the examples with a predicted tree. */
  readonly predicted: number;
}

/** Sentences with the tags, the trees and the vectors of words that a labeller gets, in steps. */
export function* roleData(
  model: PipelineModel,
  sentences: readonly Sentence[],
  { dev, seed, folds, encoder }: Omit<Plan, "epochs">,
): Generator<RoleStep, RoleData, void> {
  const tags = model.tagger !== undefined;
  const folding = jackknifeTrees(sentences, { folds, seed, tags });
  let fold = folding.next();
  for (; !fold.done; fold = folding.next()) yield { name: `trees, fold ${fold.value} of ${folds}` };
  // Without the roles that the model may have already.
  const pipeline = new Pipeline(new PipelineModel({ ...model, roles: undefined }));
  const encode = encoder && encoderProgram().means(encoder);
  const exampleOf = (sentence: Sentence, seen: PredictedTree): RoleExample => ({
    ...seen,
    predicates: sentence.predicates.map((predicate) => predicate.toJSON()),
    vectors: encode?.(formsOf(seen.words)),
  });
  const test: RoleExample[] = [];
  for (const sentence of dev ?? []) {
    test.push(exampleOf(sentence, predictedTree(pipeline, sentence)));
    yield { name: "trees of the development data" };
  }
  // Parsers that see less of the treebank make more mistakes than the model: some sentences keep their own tags and
  // trees, so that there are as many mistakes as in the development data.
  const mistakes = wrongArcs(fold.value, sentences);
  const predicted = dev?.length && mistakes > 0 ? Math.min(1, wrongArcs(test, dev) / mistakes) : 1;
  const examples: RoleExample[] = [];
  for (const [k, sentence] of sentences.entries()) {
    const isPredicted = Math.floor((k + 1) * predicted) > Math.floor(k * predicted);
    examples.push(exampleOf(sentence, isPredicted ? fold.value[k]! : { words: sentence, tree: treeOf(sentence) }));
    if (encode) yield { name: "vectors of words" };
  }
  return { examples, test, predicted };
}

function* steps(
  model: PipelineModel,
  sentences: readonly Sentence[],
  { epochs, ...plan }: Plan,
  beam: number | undefined,
): Generator<RoleStep, ModelWithRoles, void> {
  const { examples, test, predicted } = yield* roleData(model, sentences, plan);
  const { dev, seed, encoder } = plan;
  const training = new RoleTraining(examples, { seed, epochs, beam }, encoder);
  const done: RoleEpoch[] = [];
  let best: RoleEpoch | undefined;
  let roles: RolesModel | undefined;
  while (!training.isOver) {
    const name = `roles, epoch ${training.epoch + 1} of ${epochs}`;
    for (const _ of training.epochSteps()) yield { name };
    const score: RoleEpoch = { epoch: training.epoch };
    done.push(score);
    if (dev || training.isOver) {
      const found = training.model();
      if (dev) Object.assign(score, scoresOf(found, test));
      if (!best || (score.labelled ?? 0) >= (best.labelled ?? 0)) {
        best = score;
        roles = found;
      }
    }
    yield { name, score };
  }
  const scores = dev ? { dev: best } : { epoch: best!.epoch };
  Object.assign(roles!.header.origin, { treebank: training.data, predicted: Number(predicted.toFixed(4)), ...scores });
  return { model: new PipelineModel({ ...model, roles: roles! }), best: best!, epochs: done };
}

function scoresOf(model: RolesModel, test: readonly RoleExample[]): Omit<RoleEpoch, "epoch"> {
  const labeller = new RoleLabeller(model);
  const scores = new RoleScores();
  for (const { predicates, words, tree, vectors } of test) {
    const { length } = words;
    scores.add([{ length, predicates }], [{ length, predicates: labeller.label(words, tree, vectors) }]);
  }
  const percent = (share: number) => Math.round(10_000 * share) / 100;
  return {
    labelled: percent(scores.labelled.f1),
    unlabelled: percent(scores.unlabelled.f1),
    senses: percent(scores.senseAccuracy),
  };
}

/** The share of words whose head or relation is not that of the treebank. */
function wrongArcs(predicted: readonly { readonly tree: RoleTree }[], sentences: readonly Sentence[]): number {
  let [wrong, words] = [0, 0];
  sentences.forEach((sentence, k) => {
    const { heads, labels } = predicted[k]!.tree;
    for (let i = 1; i <= sentence.length; i++, words++) {
      if (heads[i] !== sentence.head(i) || labels[i] !== sentence.deprel(i)) wrong++;
    }
  });
  return wrong / words;
}

function treeOf(sentence: Sentence): RoleTree {
  const labels = Array.from({ length: sentence.length + 1 }, (_, i) => (i === 0 ? "" : sentence.deprel(i)));
  return { heads: sentence.heads, labels };
}

/** The words with the tags and the tree that a model gives them; its own tags if the model has no tagger. */
function predictedTree(pipeline: Pipeline, sentence: Sentence): PredictedTree {
  if (!pipeline.model.tagger) {
    const { heads, labels } = pipeline.parser.parse(sentence);
    return { words: sentence, tree: { heads, labels } };
  }
  const words = pipeline.parseTokens(Array.from({ length: sentence.length }, (_, k) => sentence.form(k + 1)));
  return { words, tree: treeOf(words) };
}
