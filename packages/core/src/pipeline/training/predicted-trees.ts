import type { Words } from "../../features/columns.js";
import type { RoleTree } from "../../features/roles/role-features.js";
import type { TreebankSentence } from "../../learning/examples.js";
import { Training } from "../../learning/training.js";
import type { Parser } from "../../parser/parser.js";
import { foldsOf } from "../folds.js";
import { predictTags } from "../jackknife.js";
import { trainLemmatizer } from "../lemmatizer/lemmatizer-training.js";
import { trainTagger } from "../tagger/tagger-training.js";
import { completeSettings, TRAINING_DEFAULTS, trainOptionsOf } from "./settings.js";

/** A sentence as a pipeline gives it: with the tags and the tree that it predicts. */
export interface PredictedTree {
  readonly words: Words;
  readonly tree: RoleTree;
}

/** Epochs of the taggers and parsers that are not kept. */
const EPOCHS = 3;
/** Greedy, with a quick dynamic oracle. */
const SYSTEM = "arc-hybrid";

/**
 * Gives every sentence the tags and the tree of a tagger and a linear parser that were trained on the other folds, so
 * that what learns from trees learns from such as it will see. Without `tags` the sentences keep their own tags. In
 * steps, before each of which the number of the fold is given.
 */
export function* jackknifeTrees<Sentence extends TreebankSentence>(
  sentences: readonly Sentence[],
  { folds, seed, tags }: { folds: number; seed: number; tags: boolean },
): Generator<number, PredictedTree[], void> {
  const places = foldsOf(sentences.length, folds, seed);
  const predicted = new Array<PredictedTree>(sentences.length);
  const settings = completeSettings({ ...TRAINING_DEFAULTS, system: SYSTEM, epochs: EPOCHS, seed });
  for (let fold = 0; fold < folds; fold++) {
    yield fold + 1;
    const others = sentences.filter((_, i) => places[i] !== fold);
    const own = Array.from(sentences.keys()).filter((i) => places[i] === fold);
    let words: readonly Words[] = own.map((i) => sentences[i]!);
    if (tags) {
      const tagger = trainTagger(others, { epochs: EPOCHS, seed });
      words = predictTags(words as Sentence[], tagger, trainLemmatizer(others, { seed }));
    }
    const training = new Training(others, trainOptionsOf(settings));
    while (training.epoch < EPOCHS) for (const _ of training.epochSteps()) yield fold + 1;
    const parser = training.model().createParser();
    own.forEach((i, k) => {
      predicted[i] = parsed(parser, words[k]!);
    });
  }
  return predicted;
}

function parsed(parser: Parser, words: Words): PredictedTree {
  const { heads, labels } = parser.parse(words);
  return { words, tree: { heads, labels } };
}
