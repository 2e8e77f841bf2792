import type { TreeParser } from "../parser/tree-parser.js";
import { ImpossibleConstraints } from "../search/constraints/impossible-constraints.js";
import type { PartialTree } from "../search/constraints/tree-constraints.js";
import { TreebankError } from "../treebank/errors.js";
import { columnName } from "../treebank/formats/layout.js";
import type { Sentence } from "../treebank/sentence/sentence.js";

/**
 * The heads and labels that a sentence has (not "_") as constraints; a TreebankError if the parser has no tree with
 * them.
 */
export function treeToKeep(sentence: Sentence, parser: TreeParser, source: string): PartialTree {
  const { heads, layout, length } = sentence;
  const labels = heads.map((_, i) => (i > 0 && sentence.deprel(i) !== "_" ? sentence.deprel(i) : undefined));
  const constraints = { heads, labels };
  try {
    parser.check(constraints, length);
  } catch (error) {
    if (!(error instanceof ImpossibleConstraints)) throw error;
    const { word, head, expected } = error;
    const what = columnName(layout, layout.head);
    const line = sentence.lineOf(word);
    throw new TreebankError(source, { what, value: String(head), expected, line, column: layout.head + 1 });
  }
  return constraints;
}
