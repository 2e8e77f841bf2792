import { ABSENT, ROOT_VALUE } from "../../features/columns.js";
import { parseTemplates, type TemplateSet } from "../../features/templates.js";
import { type NetworkView, networkView } from "../../scoring/network/shape.js";

/**
 * The view of a network on an arc, in the words of templates: the head and the dependent for the score of the arc,
 * the two again for its label, and how far it goes to the right or to the left.
 */
const TEMPLATES = "s0.vector; b0.vector; s1.vector; b1.vector; dist(s0,b0); dist(s1,b1)";

export function graphTemplates(): TemplateSet {
  return parseTemplates(TEMPLATES, "templates");
}

/** The view of the network of a graph-based parser. */
export function graphView(): NetworkView {
  return { ...networkView(graphTemplates(), 0), arcs: true };
}

/** The class of a distance, which its table has a row for. */
const MOST_DISTANCE = 7;

/** Fills in what the label of an arc depends on: the values of the atoms of the templates. */
export function describeArc({ nodes, atoms }: NetworkView, head: number, dependent: number, values: Int32Array): void {
  values[nodes[0]!] = values[nodes[1]!] = ABSENT;
  values[nodes[2]!] = head === 0 ? ROOT_VALUE : head;
  values[nodes[3]!] = dependent;
  const distance = Math.min(MOST_DISTANCE, Math.abs(head - dependent));
  values[atoms[0]!.place] = head < dependent ? distance : ABSENT;
  values[atoms[1]!.place] = head < dependent ? ABSENT : distance;
}
