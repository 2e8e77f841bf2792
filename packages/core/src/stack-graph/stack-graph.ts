import { check } from "../checks/options.js";
import { having } from "../checks/shapes.js";
import { parseTemplates, type TemplateSet } from "../features/templates.js";
import { jointOf } from "../joint-tagging/joint-header.js";
import type { Merging } from "../parser/merging.js";
import { systemOf, type TrainedParser } from "../parser/model-header.js";
import { LinearModel } from "../scoring/linear/linear-model.js";
import type { SystemDescription } from "../systems/system.js";
import { STACK_GRAPH } from "./name.js";
import { obstacleOf } from "./obstacle.js";
import { StackParser } from "./stack-parser.js";

/**
 * Merges hypotheses that have the same words on top of their stacks, whatever is below, in a graph-structured stack
 * (Huang & Sagae 2010): for linear models of arc-standard and arc-hybrid, and for the best tree only.
 */
export const stackGraph: Merging = {
  name: STACK_GRAPH,
  obstacle(model) {
    check("model", model, having("a ParserModel", "createParser"));
    const { description } = systemOf(model.header);
    return obstacle(model, description, parseTemplates(model.header.templates, "model", description.context));
  },
  createSearch(model, decider, beam, templates, columns) {
    const { description } = decider.system;
    const found = beam === 1 ? "a beam of 1 (expected at least 2)" : obstacle(model, description, templates);
    if (found) throw new RangeError(`invalid merge: ${STACK_GRAPH}, with ${found}`);
    return new StackParser(decider, beam, templates, columns);
  },
};

// The name by which `load` knows all searches.
export { stackGraph as merging };

function obstacle(
  { header, weights }: TrainedParser,
  description: SystemDescription,
  templates: TemplateSet,
): string | undefined {
  if (description.leftArcFrom && !(weights instanceof LinearModel)) return "a network (expected a linear model)";
  if (description.leftArcFrom && jointOf(header)) return "joint tagging (expected a model that chooses no tags)";
  return obstacleOf(description, templates);
}
