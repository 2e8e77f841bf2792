import type { Configuration } from "../../systems/configuration.js";

/** Whether a word of a tree has two subjects or two objects, by the relations of Universal Dependencies. */
export function doubledArguments(labels: readonly string[]): (tree: Configuration) => boolean {
  // Outer subjects do not count.
  const kinds = labels.map((label) => (/^obj(:|$)/.test(label) ? 1 : /^[nc]subj(?!.*:outer)/.test(label) ? 2 : 0));
  return (tree) => {
    const seen = new Set<number>();
    for (let d = 1; d <= tree.length; d++) {
      const kind = kinds[tree.labels[d]!];
      if (!kind) continue;
      const argument = tree.heads[d]! * 3 + kind;
      if (seen.has(argument)) return true;
      seen.add(argument);
    }
    return false;
  };
}
