import type { Configuration } from "../../systems/configuration.js";

/** Relations of which Universal Dependencies allow a word one of each kind; outer subjects do not count. */
const KINDS = [/^[nc]subj(?!.*:outer)/, /^obj(:|$)/];

/** Whether some word of a tree has two subjects or two objects. */
export function doubledArguments(labels: readonly string[]): (tree: Configuration) => boolean {
  const kinds = labels.map((label) => KINDS.findIndex((kind) => kind.test(label)));
  return (tree) => {
    const seen = new Set<number>();
    for (let d = 1; d <= tree.length; d++) {
      const kind = kinds[tree.labels[d]!] ?? -1;
      if (kind < 0) continue;
      const argument = tree.heads[d]! * KINDS.length + kind;
      if (seen.has(argument)) return true;
      seen.add(argument);
    }
    return false;
  };
}
