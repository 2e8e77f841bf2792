import { deprojectivize } from "@stemma/core/treebank";
import type { Command } from "commander";
import { warn } from "../../terminal/messages.js";
import { addRewriting, labelsOf, type RewriteOptions, rewriteTrees, setTree } from "./rewrite.js";

const HELP = `
Words with a label d↑h or d↑ are moved back down to the head that the label and the ↓ marks point to, and all marks are removed
from the labels. Use the scheme that the trees were projectivized with. If a label cannot be decoded (by this scheme) or a head is
not found, the word stays where it is, so the result is always a tree. The number of such words is printed at the end.

Examples:
  $ stemma deprojectivize parsed.conllu > nonprojective.conllu
  $ stemma deprojectivize --scheme path --output nonprojective.conllu parsed.conllu

Exit status: 0 if all sentences were written, 1 if some were skipped (or --strict stopped), 2 for wrong usage or a file that
cannot be opened, read or written.`;

/** Adds `stemma deprojectivize`. */
export function register(program: Command): void {
  addRewriting(program, "deprojectivize", "undo projectivize in the output of a parser or in a treebank", HELP, run);
}

async function run(file: string, options: RewriteOptions): Promise<void> {
  let unresolved = 0;
  await rewriteTrees(file, options, (sentence) => {
    const tree = deprojectivize(sentence.heads, labelsOf(sentence), options.scheme);
    setTree(sentence, tree.heads, tree.labels);
    unresolved += tree.unresolved.length;
  });
  if (unresolved > 0) {
    warn(
      `stemma: ${unresolved} lifted ${unresolved === 1 ? "word stays" : "words stay"} in place: no head was found, or the label belongs to another --scheme`,
    );
  }
}
