import { check, WHOLE_NUMBER } from "../../checks/options.js";
import { holding } from "../../checks/shapes.js";
import { PipelineModel } from "../../pipeline/pipeline-model.js";
import type { Sentence } from "../../treebank/sentence/sentence.js";
import { EnhancedModel } from "../enhanced-model.js";
import { trainEnhanced } from "./enhanced-training.js";

/**
 * Teaches a model enhanced dependencies: the same model, which then gives each word its arcs in DEPS. The sentences
 * have DEPS; it takes seconds.
 * @param model the model
 * @param sentences sentences with DEPS
 * @param seed of the random numbers
 */
export function addEnhanced(model: PipelineModel, sentences: readonly Sentence[], seed = 1): PipelineModel {
  check("model", model, holding("a PipelineModel", "parser", "origin"));
  check("seed", seed, WHOLE_NUMBER);
  const { segmenter, tagger, lemmatizer, parser } = model;
  const others = model.steps.filter((step) => !(step instanceof EnhancedModel));
  const steps = [...others, new EnhancedModel(trainEnhanced(sentences, seed))];
  return new PipelineModel({ segmenter, tagger, lemmatizer, parser, steps });
}
