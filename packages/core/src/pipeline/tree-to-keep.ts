import type { TreeParser } from "../parser/tree-parser.js";
import { ImpossibleConstraints } from "../search/constraints/impossible-constraints.js";
import type { PartialTree } from "../search/constraints/tree-constraints.js";
import { NONE } from "../systems/configuration.js";
import { TreebankError } from "../treebank/errors.js";
import { columnName } from "../treebank/formats/layout.js";
import type { ParsedTree } from "../treebank/sentence/parsed-tree.js";
import type { Sentence } from "../treebank/sentence/sentence.js";
import { findCycle } from "../treebank/tree.js";

/**
 * The heads and labels that a sentence has (not "_"), of all words or of some, as constraints; a TreebankError if the
 * parser has no tree with them.
 */
export function treeToKeep(
  sentence: Sentence,
  kept: true | readonly number[],
  parser: TreeParser,
  source: string,
): PartialTree {
  const { layout, length } = sentence;
  const heads = new Int32Array(length + 1).fill(NONE);
  const labels = new Array<string | undefined>(length + 1).fill(undefined);
  for (const i of kept === true ? sentence.words.map(({ index }) => index) : kept) {
    heads[i] = sentence.head(i);
    if (sentence.deprel(i) !== "_") labels[i] = sentence.deprel(i);
  }
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

/** The tree of a sentence that has one: every head and label, one root, no cycle; undefined if something is missing. */
export function wholeTree(sentence: Sentence): ParsedTree | undefined {
  const { length } = sentence;
  const heads = new Int32Array(length + 1).fill(NONE);
  const labels = new Array<string>(length + 1).fill("");
  let roots = 0;
  for (let i = 1; i <= length; i++) {
    heads[i] = sentence.head(i);
    labels[i] = sentence.deprel(i);
    if (heads[i]! < 0 || heads[i]! > length || labels[i] === "_") return undefined;
    if (heads[i] === 0) roots++;
  }
  return roots === 1 && findCycle(heads) === null ? { heads, labels } : undefined;
}

/**
 * Sets HEAD and DEPREL. The enhanced dependencies belong to the tree that was there before, so they go, but for those
 * of words whose head and label are kept.
 */
export function setTree(sentence: Sentence, { heads, labels }: ParsedTree, kept: PartialTree | undefined): void {
  const hasDeps = sentence.layout.deps >= 0;
  for (let i = 1; i <= sentence.length; i++) {
    sentence.setHead(i, heads[i]!);
    sentence.setDeprel(i, labels[i]!);
    const isKept = kept !== undefined && kept.heads[i]! !== NONE && kept.labels?.[i] !== undefined;
    if (hasDeps && !isKept && sentence.deps(i) !== "_") sentence.set("deps", i, "_");
  }
}
