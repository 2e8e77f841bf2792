// The output for a sentence of a treebank.

import {
  type Annotation,
  type ParsedTree,
  type PartialTree,
  readTreebank,
  type Sentence,
  type TreeRank,
  textOf,
} from "@stemma/core";
import { type Format, formatSentence, withoutScore, withScore } from "@stemma/core/treebank";
import { jsonMembers } from "./json-members.js";
import type { AnnotatedSentence, AnnotationOptions } from "./piece.js";
import { unbroken } from "./udpipe-output.js";
import { sentenceTable } from "./word-table.js";

/** The known facts of the tree of a sentence: how sure each word is, from index 1, or which of several it is. */
interface TreeNotes {
  scores?: Float64Array | undefined;
  tree?: TreeRank | undefined;
}

export function treebankOutput(
  sentence: Sentence,
  options: AnnotationOptions,
  notes: TreeNotes,
): Pick<AnnotatedSentence, "body" | "table"> {
  if (options.to === "table") return { body: "", table: sentenceTable(noted(sentence, notes)) };
  return { body: bodyOf(sentence, options, notes) };
}

function bodyOf(sentence: Sentence, options: AnnotationOptions, notes: TreeNotes): string {
  const { to, udpipe } = options;
  switch (to) {
    case "json":
      return jsonMembers(noted(sentence, notes), options.svg);
    case "plaintext":
      return udpipe?.normalizedSpaces ? `${textOf([sentence]).trim()}\n` : textOf([sentence]);
    case "vertical":
      return `${formsOf(sentence).join("\n")}\n\n`;
    case "horizontal":
      return `${formsOf(sentence).map(unbroken).join(" ")}\n`;
    default: {
      const text = formatSentence(noted(sentence, notes), to as Format);
      return options.standalone ? standalone(text) : text;
    }
  }
}

function formsOf(sentence: Sentence): string[] {
  return Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1));
}

/** The sentence with what is known of its tree in comments and MISC. */
function noted(sentence: Sentence, { scores, tree }: TreeNotes): Sentence {
  if (tree) {
    sentence.setComment("tree", `${tree.rank} of ${tree.of}`);
    sentence.setComment("score", String(tree.score));
  }
  if (!scores) return sentence;
  // CoNLL-X and CoNLL-2009 have no MISC; CoNLL-U, to which they are turned, has.
  const target = sentence.layout.misc < 0 ? readTreebank(formatSentence(sentence, "conllu"))[0]! : sentence;
  for (let i = 1; i <= target.length; i++) {
    target.set("misc", i, withScore(withoutScore(target.misc(i)), Number(scores[i]!.toFixed(3))));
  }
  return target;
}

/** Line ends as they should be, the blank line after the sentence, no byte order mark before it. */
function standalone(text: string): string {
  const lines = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  let [from, to] = [0, lines.length];
  while (lines[from] === "\n") from++;
  while (to > from && lines[to - 1] === "\n") to--;
  return `${lines.slice(from, to)}\n\n`;
}

/**
 * Sets HEAD and DEPREL. The enhanced dependencies belong to the tree that was
 * there before, so they go, but for those of words whose head and label are kept.
 */
export function setTree(sentence: Sentence, { heads, labels }: ParsedTree, known: PartialTree | undefined): void {
  const hasDeps = sentence.layout.deps >= 0;
  for (let i = 1; i <= sentence.length; i++) {
    sentence.setHead(i, heads[i]!);
    sentence.setDeprel(i, labels[i]!);
    const isKept = known !== undefined && known.heads[i]! >= 0 && known.labels?.[i] !== undefined;
    if (hasDeps && !isKept && sentence.deps(i) !== "_") sentence.set("deps", i, "_");
  }
}

/**
 * The sentence in a format that has a place for what is found besides trees: one of CoNLL-X that is written as
 * something else becomes CoNLL-U.
 */
export function withRoom(sentence: Sentence, { to }: AnnotationOptions): Sentence {
  const { layout } = sentence;
  if (layout.misc >= 0 || layout.most > layout.fewest || to === layout.name) return sentence;
  return readTreebank(formatSentence(sentence, "conllu"))[0]!;
}

/**
 * Writes what a model finds besides the tree, if there is a place for it. With --keep what a sentence has of the kind
 * stays.
 */
export function setAnnotations(sentence: Sentence, found: readonly Annotation[], { keep }: AnnotationOptions): void {
  for (const annotation of found) if (!(keep && annotation.isIn(sentence))) annotation.writeTo(sentence);
}
