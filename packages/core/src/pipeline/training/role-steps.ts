// Adds semantic roles to a pipeline: trees as it would predict them, then the epochs of the labeller.
import { check, checkOptions, type Expectation, SENTENCES, WHOLE_NUMBER, wholeNumber } from "../../checks/options.js";
import { checkedList, holding } from "../../checks/shapes.js";
import { RoleScores } from "../../evaluation/joint/role-scores.js";
import { TREEBANK_SENTENCE } from "../../learning/option-checks.js";
import { type RoleExample, RoleTraining } from "../../learning/roles/role-training.js";
import { RoleLabeller } from "../../parser/roles/role-labeller.js";
import type { RolesModel } from "../../parser/roles/roles-model.js";
import type { PredicateData } from "../../treebank/sentence/semantics/predicate-data.js";
import type { Sentence } from "../../treebank/sentence/sentence.js";
import { Pipeline } from "../pipeline.js";
import { PipelineModel } from "../pipeline-model.js";
import { jackknifeTrees } from "./predicted-trees.js";

/** How roles are added to a model. */
export interface RoleOptions {
  /** Sentences to test each epoch on; the best is kept. */
  dev?: readonly Sentence[] | undefined;
  seed?: number | undefined;
  epochs?: number | undefined;
  /** Folds for predicting the trees of the training data. */
  folds?: number | undefined;
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
  const { dev, seed = 1, epochs = EPOCHS, folds = FOLDS } = options;
  needPredicates(given);
  if (given.length < folds) {
    throw new RangeError(`invalid training data: ${given.length} sentences (expected at least ${folds}, one a fold)`);
  }
  return steps(model, given, { dev, seed, epochs, folds });
}

/** Throws a RangeError if there is nothing to learn roles from. */
export function needPredicates(sentences: readonly Sentence[]): void {
  if (sentences.some(({ predicates }) => predicates.length > 0)) return;
  throw new RangeError(
    "invalid training data: no predicate (expected Pred and Args in MISC; stemma convert --from conll09 writes them)",
  );
}

function* steps(
  model: PipelineModel,
  sentences: readonly Sentence[],
  { dev, seed, epochs, folds }: RoleOptions & { seed: number; epochs: number; folds: number },
): Generator<RoleStep, ModelWithRoles, void> {
  const tags = model.tagger !== undefined;
  const folding = jackknifeTrees(sentences, { folds, seed, tags });
  let fold = folding.next();
  for (; !fold.done; fold = folding.next()) yield { name: `trees, fold ${fold.value} of ${folds}` };
  const dataOf = ({ predicates }: Sentence) => predicates.map((predicate) => predicate.toJSON());
  const examples = fold.value.map((predicted, k): RoleExample => ({ ...predicted, predicates: dataOf(sentences[k]!) }));
  // Without the roles that the model may have already.
  const pipeline = new Pipeline(new PipelineModel({ ...model, roles: undefined }));
  const test = dev && [...dev].map((sentence) => ({ gold: dataOf(sentence), ...predictedTree(pipeline, sentence) }));
  const training = new RoleTraining(examples, { seed, epochs });
  const done: RoleEpoch[] = [];
  let best: RoleEpoch | undefined;
  let roles: RolesModel | undefined;
  while (!training.isOver) {
    const name = `roles, epoch ${training.epoch + 1} of ${epochs}`;
    for (const _ of training.epochSteps()) yield { name };
    const score: RoleEpoch = { epoch: training.epoch };
    done.push(score);
    if (test || training.isOver) {
      const found = training.model();
      if (test) Object.assign(score, scoresOf(found, test));
      if (!best || (score.labelled ?? 0) >= (best.labelled ?? 0)) {
        best = score;
        roles = found;
      }
    }
    yield { name, score };
  }
  Object.assign(roles!.header.origin, { treebank: training.data, ...(test ? { dev: best } : { epoch: best!.epoch }) });
  return { model: new PipelineModel({ ...model, roles: roles! }), best: best!, epochs: done };
}

interface TestSentence extends Omit<RoleExample, "predicates"> {
  readonly gold: readonly PredicateData[];
}

function scoresOf(model: RolesModel, test: readonly TestSentence[]): Omit<RoleEpoch, "epoch"> {
  const labeller = new RoleLabeller(model);
  const scores = new RoleScores();
  for (const { gold, words, tree } of test) {
    const { length } = words;
    scores.add([{ length, predicates: gold }], [{ length, predicates: labeller.label(words, tree) }]);
  }
  const percent = (share: number) => Math.round(10_000 * share) / 100;
  return {
    labelled: percent(scores.labelled.f1),
    unlabelled: percent(scores.unlabelled.f1),
    senses: percent(scores.senseAccuracy),
  };
}

/** The words with the tags and the tree that a model gives them; its own tags if the model has no tagger. */
function predictedTree(pipeline: Pipeline, sentence: Sentence): Omit<RoleExample, "predicates"> {
  if (!pipeline.model.tagger) {
    const { heads, labels } = pipeline.parser.parse(sentence);
    return { words: sentence, tree: { heads, labels } };
  }
  const words = pipeline.parseTokens(Array.from({ length: sentence.length }, (_, k) => sentence.form(k + 1)));
  const labels = Array.from({ length: words.length + 1 }, (_, i) => (i === 0 ? "" : words.deprel(i)));
  return { words, tree: { heads: words.heads, labels } };
}
