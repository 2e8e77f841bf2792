import { check } from "../../checks/options.js";
import { having } from "../../checks/shapes.js";
import { parseTemplates, type Step, type TemplateSet } from "../../features/templates.js";
import { LinearModel } from "../../scoring/linear/linear-model.js";
import { StackParser } from "../../search/stack-graph/stack-parser.js";
import type { SystemDescription } from "../../systems/system.js";
import { systemOf, type TrainedParser } from "../model-header.js";
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

const isBeside = (step: Step) => step === "p" || step === "n";

function obstacle(
  { header, weights }: TrainedParser,
  { name, leftArcFrom }: SystemDescription,
  { atoms, positions }: TemplateSet,
): string | undefined {
  if (!leftArcFrom) return `the system ${name} (expected arc-standard or arc-hybrid)`;
  if (header.joint) return "joint tagging (expected a model that chooses no tags)";
  if (!(weights instanceof LinearModel)) return "a network (expected a linear model)";
  for (const atom of atoms) {
    const expected = "(expected templates that see only words and trees on the stack)";
    if (atom.kind === "history") return `the template value t${atom.index}.${atom.attribute} ${expected}`;
    const places = atom.kind === "word" || atom.kind === "tree" ? [atom.position] : [atom.from, atom.to];
    for (const place of places) {
      const { path, name: position } = positions[place]!;
      const beside = path.findIndex(isBeside);
      // A neighbour may be within any tree. Nodes on the stack have no heads, dependents have.
      const isInTree = beside >= 0 && (atom.kind === "tree" || !path.slice(beside).every(isBeside));
      if (isInTree || path.indexOf("h") > 0) return `the template position ${position} ${expected}`;
    }
  }
  return undefined;
}
