import type { TreebankSentence } from "../learning/examples.js";
import type { JointTagging } from "../parser/model-header.js";
import type { Sentence } from "../treebank/sentence.js";
import { jackknife, predictTags } from "./jackknife.js";
import type { LemmatizerModel } from "./lemmatizer/lemmatizer.js";
import { trainLemmatizer } from "./lemmatizer/lemmatizer-training.js";
import type { SegmenterModel } from "./segmenter/segmenter.js";
import { trainSegmenter } from "./segmenter/segmenter-training.js";
import type { JointOptions } from "./tagger/joint.js";
import type { TaggerModel } from "./tagger/tagger-model.js";
import { trainTagger } from "./tagger/tagger-training.js";

/**
 * Folds for predicting the tags of the training data. More make the tags more like those of new text, and take longer.
 */
export const FOLDS = 5;

export interface PrepareOptions {
  seed: number;
  /** Folds for predicting the tags of the training data. */
  folds: number;
  /** Taggers with different seeds whose weights are averaged; 1 if not given. */
  members?: number | undefined;
  /** Let the parser choose tags. */
  joint?: JointOptions | undefined;
  /** Told what is being done: a name, and how much of it is done, 0 to 1. */
  onStep?: ((step: string, done: number) => void) | undefined;
}

/**
 * Everything before the parser, trained, and the parser's training data: with tags like those that it will see, and
 * with gold tags.
 */
export interface PreparedPipeline {
  segmenter: SegmenterModel;
  tagger: TaggerModel;
  lemmatizer: LemmatizerModel;
  sentences: TreebankSentence[];
  /** Joint tagging: what the parser's training needs as its option of that name. */
  joint?: JointTagging | undefined;
  /** Sentences that were not trained on, with predicted tags. */
  predicted(sentences: Iterable<TreebankSentence>): TreebankSentence[];
}

/** Trains what a pipeline has before its parser. */
export function preparePipeline(sentences: readonly Sentence[], options: PrepareOptions): PreparedPipeline {
  const { seed, onStep } = options;
  onStep?.("segmenter", 0);
  const segmenter = trainSegmenter(sentences, { seed });
  onStep?.("tagger", 0);
  const tagger = trainTagger(sentences, { seed, members: options.members });
  onStep?.("lemmatizer", 0);
  const lemmatizer = trainLemmatizer(sentences, { seed });
  const joint = options.joint && { ...options.joint, tagger };
  const folds = Math.min(options.folds, sentences.length);
  onStep?.("tags of the training data", 0);
  const tagged =
    folds > 1
      ? jackknife(sentences, folds, {
          seed,
          joint,
          onFold: (fold) => onStep?.("tags of the training data", (fold + 1) / folds),
        })
      : predictTags(sentences, tagger, lemmatizer, joint);
  return {
    segmenter,
    tagger,
    lemmatizer,
    // With gold tags as well: the parser learns more from words whose tags are right, and loses nothing on the others.
    sentences: joint ? tagged : [...tagged, ...sentences],
    joint: options.joint && { tags: tagger.analyses.tags, ...options.joint },
    predicted: (others) => predictTags(others, tagger, lemmatizer, joint),
  };
}
