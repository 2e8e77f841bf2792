import { check } from "../checks/options.js";
import { having } from "../checks/shapes.js";
import { parseTemplates, type TemplateSet } from "../features/templates.js";
import { jointOf } from "../joint-tagging/joint-header.js";
import type { Merging } from "../parser/merging.js";
import { systemOf, type TrainedParser } from "../parser/model-header.js";
import { LinearModel } from "../scoring/linear/linear-model.js";
import type { TransitionSystem } from "../systems/system.js";
import { ExactParser } from "./exact-parser.js";
import { EXACT } from "./name.js";
import { obstacleOf } from "./two-words.js";

/**
 * Exact search (Shi, Huang & Lee 2017): hypotheses with the same words on top of the stack and at the front of the
 * buffer are merged, and none is given up. For linear models of arc-hybrid and arc-eager whose templates see these two
 * words and their neighbours alone, trained on whole derivations.
 */
export const exact: Merging = {
  name: EXACT,
  obstacle(model) {
    check("model", model, having("a ParserModel", "createParser"));
    const system = systemOf(model.header);
    return obstacle(model, system, parseTemplates(model.header.templates, "model", system.description.context));
  },
  createSearch(model, decider, beam, templates) {
    const found = obstacle(model, decider.system, templates);
    if (found) throw new RangeError(`invalid merge: ${EXACT}, with ${found}`);
    return new ExactParser(decider, beam);
  },
};

// The name by which `load` knows all searches.
export { exact as merging };

function obstacle(
  { header, weights }: TrainedParser,
  system: TransitionSystem,
  templates: TemplateSet,
): string | undefined {
  if (!(weights instanceof LinearModel)) return "a network (expected a linear model)";
  if (jointOf(header)) return "joint tagging (expected a model that chooses no tags)";
  // Probabilities would depend on which moves are permitted, and so on the whole stack.
  if (header.logUnit !== undefined)
    return "a model that was trained step by step (expected one trained on whole derivations)";
  return obstacleOf(system, templates);
}
