import { readTreebank, type Sentence } from "@stemma/core";
import { type Violation, validate } from "@stemma/core/treebank";
import type { Tree } from "../../protocol/sentence.js";
import { toConllu } from "../export/export.js";
import type { ShownSentence } from "../shown/sentence.js";

export function rootsOf({ heads }: Tree): number[] {
  return heads.flatMap((head, d) => (d > 0 && head === 0 ? [d] : []));
}

/** Is it root, or a subtype of it? */
export function isRootLabel(label: string): boolean {
  return label === "root" || label.startsWith("root:");
}

/** The rules that a tree has to follow to be one; all others are for annotators. */
const OF_TREES = new Set([
  "invalid-head",
  "unknown-head",
  "head-self-loop",
  "multiple-roots",
  "non-tree",
  "0-is-not-root",
  "root-is-not-0",
]);

/** Violations of the rules for trees: one root, and only it has the label root; no cycles, no word without a head. */
export function problemsOf(sentence: ShownSentence, tree: Tree): string[] {
  const [checked] = readTreebank(toConllu(sentence, tree, false), { allowNonTrees: true });
  if (!checked) return [];
  return validate(checked).flatMap(({ rule, message }) => (OF_TREES.has(rule) ? [message] : []));
}

/** Expected of a treebank that is published, and not of one that is being made. */
const OF_RELEASES = new Set(["missing-sent-id", "missing-text"]);
const OF_TAGS = new Set(["unknown-upos", "rel-upos"]);

/** The problems of a sentence that is being annotated: while no word has a tag, none is missed. */
export function annotationProblems(sentence: Sentence): Violation[] {
  const isTagged = sentence.words.some(({ upos }) => upos !== "_");
  return validate(sentence)
    .filter(({ rule }) => isTagged || !OF_TAGS.has(rule))
    .map((violation) => (OF_RELEASES.has(violation.rule) ? { ...violation, severity: "warning" } : violation));
}
