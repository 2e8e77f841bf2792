import type { SentenceData, Tree } from "../protocol.js";
import { isolate } from "../text/direction.js";

export function rootsOf({ heads }: Tree): number[] {
  return heads.flatMap((head, d) => (d > 0 && head === 0 ? [d] : []));
}

/** Is it root, or a subtype of it? */
export function isRootLabel(label: string): boolean {
  return label === "root" || label.startsWith("root:");
}

/** What is wrong with a tree by the rules of Universal Dependencies: one root, and only it has the label root. */
export function problemsOf({ forms }: SentenceData, tree: Tree): string[] {
  const name = (word: number) => `“${isolate(forms[word]!)}” (${word})`;
  const problems: string[] = [];
  const roots = rootsOf(tree);
  if (roots.length > 1) problems.push(`There are ${roots.length} roots: ${roots.map(name).join(", ")}.`);
  tree.labels.forEach((label, d) => {
    // Trees of other schemes, or without labels, have other names for it.
    if (d === 0 || label === "_" || label === "") return;
    if (tree.heads[d] === 0 && !isRootLabel(label)) problems.push(`${name(d)} is a root, but its label is ${label}.`);
    if (tree.heads[d]! > 0 && isRootLabel(label))
      problems.push(`${name(d)} has the label ${label}, but is not a root.`);
  });
  return problems;
}
