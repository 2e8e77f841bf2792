import { ABSENT, ROOT_VALUE } from "../../features/columns.js";
import { parseTemplates, type TemplateSet } from "../../features/templates.js";
import { type NetworkView, networkView } from "../../scoring/network/shape.js";

/**
 * The view of a network, in the words of templates: for a tag the word and its neighbours, for a label the head and the
 * dependent, and how far the arc goes to the right or to the left.
 */
const TEMPLATES = "s0.vector; b0.vector; b1.vector; s1.vector; b2.vector; dist(s0,b0); dist(s1,b1)";

export function tagsTemplates(): TemplateSet {
  return parseTemplates(TEMPLATES, "templates");
}

/** The view of the network of a parser by tags. */
export function tagsView(): NetworkView {
  return networkView(tagsTemplates(), 0);
}

/** The class of a distance, which its table has a row for. */
const MOST_DISTANCE = 7;

/** Fills in what the tag of word i of n depends on: the values of the atoms of the templates. */
export function describeWord({ nodes, atoms }: NetworkView, i: number, n: number, values: Int32Array): void {
  values[nodes[0]!] = i === 1 ? ROOT_VALUE : i - 1;
  values[nodes[1]!] = i;
  values[nodes[2]!] = i === n ? ABSENT : i + 1;
  values[nodes[3]!] = values[nodes[4]!] = ABSENT;
  values[atoms[0]!.place] = values[atoms[1]!.place] = ABSENT;
}

/** Fills in what the label of an arc depends on. */
export function describeArc({ nodes, atoms }: NetworkView, head: number, dependent: number, values: Int32Array): void {
  values[nodes[0]!] = values[nodes[1]!] = values[nodes[2]!] = ABSENT;
  values[nodes[3]!] = head === 0 ? ROOT_VALUE : head;
  values[nodes[4]!] = dependent;
  const distance = Math.min(MOST_DISTANCE, Math.abs(head - dependent));
  values[atoms[0]!.place] = head < dependent ? distance : ABSENT;
  values[atoms[1]!.place] = head < dependent ? ABSENT : distance;
}
