import type { Tree } from "../../protocol/sentence.js";

/** The heads and labels of a sentence of a lesson, whose CoNLL-U is known to be good. */
export function treeOf(conllu: string): Tree {
  const rows = conllu
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  return { heads: [-1, ...rows.map((row) => Number(row[6]))], labels: ["", ...rows.map((row) => row[7]!)] };
}
