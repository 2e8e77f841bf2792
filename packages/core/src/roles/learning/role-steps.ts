// Adds semantic roles to a pipeline: the trees and vectors that it gives them, then the epochs of the labeller.
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
import { TREEBANK_SENTENCE } from "../../learning/option-checks.js";
import { Pipeline } from "../../pipeline/pipeline.js";
import { PipelineModel } from "../../pipeline/pipeline-model.js";
import { encodedSize } from "../../scoring/network/shape.js";
import type { Sentence } from "../../treebank/sentence/sentence.js";
import type { RoleTree } from "../features/role-features.js";
import { JointRolesModel } from "../joint/joint-model.js";
import { RoleLabeller } from "../role-labeller.js";
import { RoleScores } from "../role-scores.js";
import type { RolesModel } from "../roles-model.js";
import { type RoleExample, RoleTraining, type RoleVectors } from "./role-training.js";

/** How roles are added to a model. */
export interface RoleOptions {
  /** Sentences to test each epoch on; the best is kept. */
  dev?: readonly Sentence[] | undefined;
  /** Where random numbers begin; the same seed gives the same result. */
  seed?: number | undefined;
  /** How often all sentences are gone through. */
  epochs?: number | undefined;
  /**
   * Whether a network learns beside the linear model. It needs an encoder or a parser with recurrent layers; models
   * that have one get it.
   */
  network?: boolean | undefined;
  /** The linear model keeps at most this many weights. */
  partWeights?: number | undefined;
  /** The width of the beam that the labeller searches with, now and in parsing; greedily if not given, or 1. */
  beam?: number | undefined;
}

/** The result of an epoch, in percent; without development data there are no scores. */
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
  /** "trees for roles", "roles, epoch 1 of 5", … */
  readonly name: string;
  /** Given when an epoch is over. */
  readonly score?: RoleEpoch;
}

/** A model with roles, and how it came about. */
export interface ModelWithRoles {
  /** The model, which now finds roles, too. */
  model: PipelineModel;
  /** The epoch whose weights it has. */
  best: RoleEpoch;
  /** All epochs. */
  epochs: RoleEpoch[];
}

const EPOCHS = 6;

const EXPECTED: Readonly<Record<keyof RoleOptions, Expectation>> = {
  dev: SENTENCES,
  seed: WHOLE_NUMBER,
  epochs: wholeNumber(1),
  network: TRUE_OR_FALSE,
  partWeights: wholeNumber(1),
  beam: wholeNumber(1),
};

/**
 * Teaches a model predicates and semantic roles, step by step: the result is the same model with roles. The sentences
 * have predicates; roles are learned from the tags and trees that the model gives them.
 * @param model the model
 * @param sentences sentences with predicates
 * @param options epochs, seed and others
 */
export function roleSteps(
  model: PipelineModel,
  sentences: readonly Sentence[],
  options: RoleOptions = {},
): Generator<RoleStep, ModelWithRoles, void> {
  check("model", model, holding("a PipelineModel", "parser", "origin"));
  if (model.parser instanceof JointRolesModel) {
    throw new RangeError("invalid model: its parser decides roles along with the tree (expected one without roles)");
  }
  const given = checkedList("sentences", sentences, ...TREEBANK_SENTENCE);
  checkOptions("roleSteps", options, EXPECTED);
  if (options.dev !== undefined) checkedList("dev", options.dev, ...TREEBANK_SENTENCE);
  const vectors = roleVectors(model);
  const { dev, seed = 1, epochs = EPOCHS, network = vectors !== undefined, partWeights } = options;
  if (network && !vectors) {
    throw new RangeError(
      "invalid network of roleSteps: true (expected an encoder, or a parser with recurrent layers; without them, false)",
    );
  }
  needPredicates(given);
  return steps(model, given, {
    dev,
    seed,
    epochs,
    partWeights,
    beam: options.beam,
    vectors: network ? vectors : undefined,
  });
}

/** Sources of the vectors of words for a network of roles: the model's encoder, or the layers of its parser. */
export function roleVectors({ parser: { network } }: PipelineModel): RoleVectors | undefined {
  if (network?.contextual) return { size: network.contextual.size, contextual: network.contextual };
  return network && network.header.layers > 0 ? { size: encodedSize(network.header) } : undefined;
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
  readonly partWeights: number | undefined;
  readonly beam: number | undefined;
  /** Those of the network, if there is to be one. */
  readonly vectors: RoleVectors | undefined;
}

/** Sentences with the tags, the trees and the vectors of words that a model gives them. */
export function* roleExamples(
  model: PipelineModel,
  sentences: readonly Sentence[],
  vectors: RoleVectors | undefined,
): Generator<RoleStep, RoleExample[], void> {
  // Without the roles that the model may have already.
  const pipeline = new Pipeline(new PipelineModel({ ...model, steps: [] }));
  const contextual = vectors?.contextual;
  const examples: RoleExample[] = [];
  for (const sentence of sentences) {
    const forms = Array.from({ length: sentence.length }, (_, k) => sentence.form(k + 1));
    const predicates = sentence.predicates.map((predicate) => predicate.toJSON());
    // A model without a tagger works with the tags of the treebank.
    const words = model.tagger ? pipeline.parseTokens(forms) : sentence;
    const tree = model.tagger ? treeOf(words as Sentence) : pipeline.parser.parse(sentence);
    const own = vectors && (contextual ? contextual.means(forms) : pipeline.parser.vectors(sentence.length));
    examples.push({ words, tree, predicates, vectors: own });
    yield { name: "trees for roles" };
  }
  return examples;
}

function* steps(
  model: PipelineModel,
  sentences: readonly Sentence[],
  { dev, seed, epochs, partWeights, beam, vectors }: Plan,
): Generator<RoleStep, ModelWithRoles, void> {
  const test = yield* roleExamples(model, dev ?? [], vectors);
  const examples = yield* roleExamples(model, sentences, vectors);
  const training = new RoleTraining(examples, { seed, epochs, mostWeights: partWeights, beam }, vectors);
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
  Object.assign(roles!.header.origin, { treebank: training.data, ...scores });
  return { model: new PipelineModel({ ...model, steps: [roles!] }), best: best!, epochs: done };
}

function scoresOf(model: RolesModel, test: readonly RoleExample[]): Omit<RoleEpoch, "epoch"> {
  const labeller = new RoleLabeller(model);
  const scores = new RoleScores({ strict: true });
  for (const { predicates, words, tree, vectors } of test) {
    const { length } = words;
    scores.add([{ length, predicates }], [{ length, predicates: labeller.label(words, tree, vectors) }]);
  }
  return percentages(scores);
}

/** Scores in percent. */
export function percentages(scores: RoleScores): Required<Omit<RoleEpoch, "epoch">> {
  const percent = (share: number) => Math.round(10_000 * share) / 100;
  return {
    labelled: percent(scores.labelled.f1),
    unlabelled: percent(scores.unlabelled.f1),
    senses: percent(scores.senseAccuracy),
  };
}

function treeOf(sentence: Sentence): RoleTree {
  const labels = Array.from({ length: sentence.length + 1 }, (_, i) => (i === 0 ? "" : sentence.deprel(i)));
  return { heads: sentence.heads, labels };
}
