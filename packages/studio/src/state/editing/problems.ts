import { readTreebank } from "@stemma/core";
import { validate } from "@stemma/core/treebank";
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
const OF_TREES = new Set(["head", "one-root", "root-label", "cycle"]);

/** Violations of the rules for trees: one root, and only it has the label root; no cycles, no word without a head. */
export function problemsOf(sentence: ShownSentence, tree: Tree): string[] {
  const [checked] = readTreebank(toConllu(sentence, tree, false), { allowNonTrees: true });
  if (!checked) return [];
  return validate(checked).flatMap(({ rule, message }) => (OF_TREES.has(rule) ? [message] : []));
}
