// Silver data: sentences that a parser has annotated, to be learned from beside those of a treebank.
import {
  aboveZero,
  check,
  checkRequired,
  type Expectation,
  number,
  TRUE_OR_FALSE,
  wholeNumber,
} from "../checks/options.js";
import { checkedList } from "../checks/shapes.js";
import { NONE } from "../systems/configuration.js";
import type { Sentence } from "../treebank/sentence/sentence.js";
import { scoreOf } from "../treebank/sentence/token-misc.js";
import type { TreebankSentence } from "./examples.js";
import { TREEBANK_SENTENCE } from "./option-checks.js";

/** The highest weight of a treebank. */
export const MOST_WEIGHT = 1000;
/** How often the sentences of a treebank are learned from. */
export const TREEBANK_WEIGHT = aboveZero(MOST_WEIGHT);

/**
 * How often sentence k, from 0, of a treebank with a weight is learned from: with a weight of 0.5 every second sentence
 * is, with 2 each one twice.
 */
export function copiesOf(k: number, weight: number): number {
  check("k", k, wholeNumber(0));
  check("weight", weight, TREEBANK_WEIGHT);
  return Math.round(weight * (k + 1)) - Math.round(weight * k);
}

/** How silver data is weighed. */
export interface SilverOptions {
  /** How often each sentence counts: see `copiesOf`. */
  weight: number;
  /** The lowest score of what is learned from. */
  confidence: number;
  /** Whether words may lack a head; a dynamic oracle permits that. */
  partial: boolean;
}

const EXPECTED: Readonly<Record<keyof SilverOptions, Expectation>> = {
  weight: TREEBANK_WEIGHT,
  confidence: number(0, 1),
  partial: TRUE_OR_FALSE,
};

/** The silver data that is learned from. */
export interface Silver {
  /** Each as often as it counts; copies stand together. */
  readonly sentences: readonly Sentence[];
  /** The same for the parser: words of whose heads the parser that gave them was not sure have none. */
  readonly trees: readonly TreebankSentence[];
  /** Sentences that were left out. */
  readonly doubtful: number;
}

/**
 * Weighs silver data by its scores (in MISC, unless the sentences come from `parse`), the probabilities that head and
 * label of a word are right: sentences with a mean below `confidence` are left out, and with `partial` the heads of
 * words with a lower score as well. A word without a score is sure.
 */
export function weighSilver(silver: Iterable<Sentence>, options: SilverOptions): Silver {
  const given = checkedList("silver", silver, ...TREEBANK_SENTENCE, "misc", "score");
  checkRequired("weighSilver", options, EXPECTED, ["weight", "confidence", "partial"]);
  const { weight, confidence, partial } = options;
  const sentences: Sentence[] = [];
  const trees: TreebankSentence[] = [];
  let kept = 0;
  for (const sentence of given) {
    const scores = new Float64Array(sentence.length + 1);
    let sum = 0;
    for (let i = 1; i <= sentence.length; i++) {
      scores[i] = sentence.score(i) ?? scoreOf(sentence.misc(i)) ?? 1;
      sum += scores[i]!;
    }
    if (sum < confidence * sentence.length) continue;
    const tree = partial ? new SureTree(sentence, scores, confidence) : sentence;
    for (let k = copiesOf(kept++, weight); k > 0; k--) {
      sentences.push(sentence);
      trees.push(tree);
    }
  }
  if (sentences.length === 0) {
    throw new RangeError(
      `no silver data is left of ${given.length} sentences: ${given.length - kept} have a mean score below ` +
        `${confidence} (expected a lower silver confidence, or a higher silver weight than ${weight})`,
    );
  }
  return { sentences, trees, doubtful: given.length - kept };
}

/** A sentence of which only the heads with a score that is high enough are known. */
class SureTree implements TreebankSentence {
  readonly length: number;
  readonly heads: Int32Array;

  constructor(
    private readonly whole: Sentence,
    scores: Float64Array,
    least: number,
  ) {
    this.length = whole.length;
    this.heads = Int32Array.from(whole.heads, (head, i) => (i > 0 && scores[i]! < least ? NONE : head));
  }

  form(i: number): string {
    return this.whole.form(i);
  }
  lemma(i: number): string {
    return this.whole.lemma(i);
  }
  upos(i: number): string {
    return this.whole.upos(i);
  }
  xpos(i: number): string {
    return this.whole.xpos(i);
  }
  feats(i: number): string {
    return this.whole.feats(i);
  }
  deprel(i: number): string {
    return this.heads[i] === NONE ? "_" : this.whole.deprel(i);
  }
}
