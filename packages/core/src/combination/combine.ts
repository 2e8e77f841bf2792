import { check, checkOptions } from "../checks/options.js";
import { arrayOf, having, NUMBERS } from "../checks/shapes.js";
import { Pipeline } from "../pipeline/pipeline.js";
import { PipelineModel } from "../pipeline/pipeline-model.js";
import { PIPELINE_OPTIONS, type PipelineOptions } from "../pipeline/pipeline-options.js";
import { checkedWeights } from "./combine-trees.js";
import { CombinedModel } from "./combined-model.js";

/** Options of `combine`. */
export interface CombineOptions extends Pick<PipelineOptions, "tokens" | "tokenPatterns" | "afterTagging"> {
  /** How much the vote of each model counts, above 0; 1 by default. */
  weights?: readonly number[] | undefined;
}

const PIPELINES = arrayOf("an array of what load gives", having("", "parse", "annotate"));

const { tokens, tokenPatterns, afterTagging } = PIPELINE_OPTIONS;
const EXPECTED = { weights: NUMBERS, tokens, tokenPatterns, afterTagging };

/**
 * A pipeline whose trees several models vote on (Sagae & Lavie 2006, see `combineTrees`). The first model gives
 * sentences, tokens, tags and lemmas, and whatever comes after the tree; the others parse the same words, each with
 * the tags of its own tagger if it has one. The scores of words (`{ scores: true }`) are their shares of the votes. It
 * takes as long as all models together.
 *
 * @example
 * ```ts
 * import { load } from "@stemma/core";
 * import { combine } from "@stemma/core/combination";
 * import large from "@stemma/model-en";
 * import small from "@stemma/model-en-small";
 *
 * const parser = combine([await load(large), await load(small)], { weights: [3, 2] });
 * for (const sentence of parser.parse("The old mill stands.", { scores: true }))
 *   for (const word of sentence.words) console.log(word.form, word.head?.form, word.score);
 * ```
 *
 * @param pipelines two or more; those that leave words out or find roles along with the tree cannot vote
 * @param options how much each counts
 */
export function combine(pipelines: readonly Pipeline[], options: CombineOptions = {}): Pipeline {
  check("pipelines", pipelines, PIPELINES);
  checkOptions("combine", options, EXPECTED);
  const { weights, ...others } = options;
  return new Pipeline(
    combineModels(
      pipelines.map(({ model }) => model),
      weights,
    ),
    others,
  );
}

/** The same for models. */
export function combineModels(
  models: readonly PipelineModel[],
  weights?: readonly number[] | undefined,
): PipelineModel {
  if (models.length < 2) throw new RangeError(`invalid models: ${models.length} (expected two or more)`);
  const checked = checkedWeights(weights, models.length, "model");
  models.forEach((model, m) => {
    // Those without scores leave words out, or find something along with the tree that votes would not keep.
    const refused = model.refusal("scores", `model ${m + 1}`);
    if (refused !== undefined) throw new RangeError(`${refused}, and cannot vote`);
  });
  const [first, ...others] = models as [PipelineModel, ...PipelineModel[]];
  const { segmenter, tagger, lemmatizer, steps } = first;
  const parser = new CombinedModel(first.parser, others, checked);
  return new PipelineModel({ segmenter, tagger, lemmatizer, steps, parser });
}
