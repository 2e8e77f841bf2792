import type { Sentence } from "@stemma/core";

/** Values of a word that two annotators may have otherwise; HEAD and DEPREL are one, and DEPS goes with them. */
const COLUMNS = ["lemma", "upos", "xpos", "feats", "deps", "misc"] as const;
export type DecidedColumn = (typeof COLUMNS)[number] | "arc";

export interface AnnotationDifference {
  word: number;
  column: DecidedColumn;
}

/** Where two annotations of the same words differ, word by word. */
export function annotationDifferences(first: Sentence, second: Sentence): AnnotationDifference[] {
  const found: AnnotationDifference[] = [];
  for (let word = 1; word <= first.length; word++) {
    const isOtherArc = first.head(word) !== second.head(word) || first.deprel(word) !== second.deprel(word);
    if (isOtherArc) found.push({ word, column: "arc" });
    for (const column of COLUMNS) {
      if (column === "deps" && isOtherArc) continue;
      if (first[column](word) !== second[column](word)) found.push({ word, column });
    }
  }
  return found;
}
