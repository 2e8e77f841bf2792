// What comes out for a sentence of a treebank.
import {
  type Drawable,
  type Format,
  formatSentence,
  type ParsedTree,
  type PartialTree,
  rankComments,
  readTreebank,
  type Sentence,
  sentenceObject,
  type TreeRank,
  textOf,
  toSVG,
} from "@stemma/core";
import { membersOf } from "./json-members.js";
import type { AnnotationOptions } from "./piece.js";
import { unbroken } from "./udpipe-output.js";

/** What is known of the tree that a sentence has: how sure each word is, from index 1, or which of several it is. */
interface TreeNotes {
  scores?: Float64Array | undefined;
  tree?: TreeRank | undefined;
}

export function treebankOutput(sentence: Sentence, options: AnnotationOptions, notes: TreeNotes): string {
  const { to, udpipe } = options;
  switch (to) {
    case "json":
      return membersOf(objectOf(sentence, options, notes));
    case "plaintext":
      return udpipe?.normalizedSpaces ? `${textOf([sentence]).trim()}\n` : textOf([sentence]);
    case "vertical":
      return `${formsOf(sentence).join("\n")}\n\n`;
    case "horizontal":
      return `${formsOf(sentence).map(unbroken).join(" ")}\n`;
    default: {
      const text = formatted(sentence, to as Format, notes);
      return options.standalone ? standalone(text) : text;
    }
  }
}

function formsOf(sentence: Sentence): string[] {
  return Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1));
}

function objectOf(sentence: Sentence, { svg }: AnnotationOptions, { scores, tree }: TreeNotes): object {
  const object = sentenceObject(sentence);
  return {
    ...object,
    ...(scores && { words: object.words.map((word) => ({ ...word, score: Number(rounded(scores[word.id]!)) })) }),
    ...(tree && { tree }),
    ...(svg && { svg: toSVG(drawable(sentence)) }),
  };
}

function drawable(sentence: Sentence): Drawable {
  const { length, heads, text } = sentence;
  const column = (name: "form" | "deprel" | "upos") =>
    Array.from({ length: length + 1 }, (_, i) => (i === 0 ? "" : sentence[name](i)));
  return {
    forms: column("form"),
    heads: Array.from(heads),
    labels: column("deprel"),
    tags: column("upos"),
    title: text,
  };
}

function rounded(score: number): string {
  return score.toFixed(3);
}

function formatted(sentence: Sentence, to: Format, { scores, tree }: TreeNotes): string {
  if (tree) return ranked(formatSentence(sentence, to), tree);
  if (!scores) return formatSentence(sentence, to);
  // CoNLL-X and CoNLL-2009 have no MISC; CoNLL-U, to which they are turned, has.
  const target = sentence.layout.misc < 0 ? readTreebank(formatSentence(sentence, "conllu"))[0]! : sentence;
  for (let i = 1; i <= target.length; i++) target.set("misc", i, withScore(target.misc(i), rounded(scores[i]!)));
  return formatSentence(target, to);
}

/** A sentence that says which of its trees it has. */
function ranked(text: string, tree: TreeRank): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const comments = rankComments(tree).map((comment) => comment + end);
  // Behind the comments that are there; a byte order mark may come before them.
  return text.replace(/^\ufeff?\s*(?:#[^\n]*\n)*/, (before) => before + comments.join(""));
}

function withScore(misc: string, score: string): string {
  const others = misc === "_" ? [] : misc.split("|").filter((item) => !item.startsWith("Score="));
  return [...others, `Score=${score}`].join("|");
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
 * Sets HEAD and DEPREL. The enhanced dependencies belong to the tree that was there before, so they go, but for those
 * of words whose head and label are kept.
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
