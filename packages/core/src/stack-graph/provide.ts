import { check } from "../checks/options.js";
import { having } from "../checks/shapes.js";
import { parseTemplates, type TemplateSet } from "../features/templates.js";
import { systemOf, type TrainedParser } from "../parser/model-header.js";
import { LinearModel } from "../scoring/linear/linear-model.js";
import type { SystemDescription } from "../systems/system.js";
import { obstacleOf } from "./obstacle.js";
import { StackParser } from "./stack-parser.js";
import { provideTops } from "./tops.js";

provideTops((model, decider, beam, templates, columns) => {
  const found =
    beam === 1 ? "a beam of 1 (expected at least 2)" : obstacle(model, decider.system.description, templates);
  if (found) throw new RangeError(`invalid merge: tops, with ${found}`);
  return new StackParser(decider, beam, templates, columns);
});

/** Why a parser cannot merge hypotheses by the tops of their stacks, with what would do; undefined if it can. */
export function obstacleToTops(model: TrainedParser): string | undefined {
  check("model", model, having("a ParserModel", "createParser"));
  const { description } = systemOf(model.header);
  return obstacle(model, description, parseTemplates(model.header.templates, "model", description.context));
}

function obstacle(
  { header, weights }: TrainedParser,
  description: SystemDescription,
  templates: TemplateSet,
): string | undefined {
  if (description.leftArcFrom && !(weights instanceof LinearModel)) return "a network (expected a linear model)";
  return obstacleOf(description, templates, header.joint);
}
