import type { Annotation } from "../treebank/sentence/parsed-tree.js";
import type { PredicateData } from "../treebank/sentence/semantics/predicate-data.js";
import type { Sentence } from "../treebank/sentence/sentence.js";

/** The predicates of a sentence with their arguments, as a model finds them. */
export class FoundPredicates implements Annotation {
  constructor(readonly predicates: readonly PredicateData[]) {}

  writeTo(sentence: Sentence): void {
    const { misc, most, fewest } = sentence.layout;
    if (misc >= 0 || most > fewest) sentence.setPredicates(this.predicates);
  }

  isIn(sentence: Sentence): boolean {
    return sentence.predicates.length > 0;
  }
}
