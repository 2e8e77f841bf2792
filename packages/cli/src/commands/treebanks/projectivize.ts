import { hasMark, projectivize, TreebankError } from "@stemma/core/treebank";
import type { Command } from "commander";
import { addRewriting, labelsOf, type RewriteOptions, rewriteTrees, setTree } from "./rewrite.js";

const HELP = `
Non-projective arcs are lifted to the head of their head, shortest first, until every tree is projective (Nivre & Nilsson 2005).
Labels record what was lifted, so that deprojectivize can undo it in most cases:

  baseline    d      p     nothing is recorded
  head        d↑h    p     h is the label of the word's original head
  path        d↑     p↓    p is the label of a word that d was lifted past
  head+path   d↑h    p↓

Only HEAD and DEPREL are changed; projective sentences are copied byte for byte.

Examples:
  $ stemma projectivize train.conllu > projective.conllu
  $ stemma projectivize --scheme path --output projective.conllu train.conllu.gz
  $ stemma projectivize train.conllu | stemma deprojectivize | diff - train.conllu

A sentence that is not a tree, or has ↑ or ↓ in a label, is skipped, and the error is printed.
Exit status: 0 if all sentences were written, 1 if some were skipped (or --strict stopped), 2 for wrong usage or a file that
cannot be opened, read or written.`;

/** Adds `stemma projectivize`. */
export function register(program: Command): void {
  addRewriting(program, "projectivize", "make trees projective, with labels that record how to undo it", HELP, run);
}

async function run(file: string, options: RewriteOptions): Promise<void> {
  await rewriteTrees(file, options, (sentence, source) => {
    const labels = labelsOf(sentence);
    const marked = labels.findIndex(hasMark);
    if (marked > 0) {
      const { line, column } = { line: sentence.lineOf(marked), column: sentence.layout.deprel + 1 };
      const expected = "a label without ↑ and ↓, which mark lifted arcs";
      throw new TreebankError(source, { what: "DEPREL", value: labels[marked]!, expected, line, column });
    }
    const projective = projectivize(sentence.heads, labels, options.scheme);
    setTree(sentence, projective.heads, projective.labels);
  });
}
