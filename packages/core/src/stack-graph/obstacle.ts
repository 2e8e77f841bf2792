import type { Step, TemplateSet } from "../features/templates.js";
import { describeSystem, systemNames } from "../registry/system-registry.js";
import type { SystemDescription } from "../systems/system.js";

const isBeside = (step: Step) => step === "p" || step === "n";

/**
 * Why a linear parser with these templates cannot have a graph-structured stack, with what would do; undefined if it
 * can.
 */
export function obstacleOf(
  { name, leftArcFrom }: SystemDescription,
  { atoms, positions }: TemplateSet,
): string | undefined {
  if (!leftArcFrom) {
    const others = systemNames().filter((other) => describeSystem(other).leftArcFrom);
    return `the system ${name} (expected ${others.join(" or ")})`;
  }
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
