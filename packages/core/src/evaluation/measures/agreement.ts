import { check, STRING, TRUE_OR_FALSE } from "../../checks/options.js";
import type { Alignment } from "../alignment.js";
import type { AdditionalScores } from "../evaluation.js";
import type { JoinedWords } from "../joined-words.js";
import { ATTACHED, ratio } from "../scores.js";

/** How far two annotators agree on a relation. */
export interface RelationAgreement {
  /** Words that the first annotator, the second, and both gave the relation. */
  first: number;
  second: number;
  both: number;
  /** Words that both gave the relation, with the same head. */
  sameArc: number;
  /** Of the decision for or against the relation at each word; null if chance alone would always agree. */
  kappa: number | null;
}

/** The agreement of two annotators. */
export interface AgreementSummary {
  /** The number of words. */
  words: number;
  /** Shares of the words with the same head, and with the same head and label. */
  uas: number;
  /** The share of words with the same head and label. */
  las: number;
  /** Share of the words with the same label, and Cohen's κ of the labels. */
  labels: number;
  /** Cohen's kappa of the labels. */
  kappa: number | null;
  /** By relation, those that either used most first. */
  relations: Record<string, RelationAgreement>;
}

/**
 * The agreement of two annotations of the same words, of which neither is gold: attachment, and Cohen's κ (Cohen 1960)
 * of the labels, in all and for each relation against all others. Heads have no κ: the choice is among other words in
 * every sentence, so that chance is not the same for all.
 */
export class Agreement implements AdditionalScores {
  /** Its name. */
  readonly name = "agreement";
  private words = 0;
  private sameHead = 0;
  private sameArc = 0;
  private readonly relations = new Map<string, Omit<RelationAgreement, "kappa">>();

  /**
   * Adds a word with the labels that the two gave it.
   * @param first the label that the first gave it
   * @param second the label that the second gave it
   * @param hasSameHead whether both gave it the same head
   */
  add(first: string, second: string, hasSameHead: boolean): void {
    check("first", first, STRING);
    check("second", second, STRING);
    check("hasSameHead", hasSameHead, TRUE_OR_FALSE);
    this.words++;
    const [one, two] = [this.relation(first), this.relation(second)];
    one.first++;
    two.second++;
    if (hasSameHead) this.sameHead++;
    if (first !== second) return;
    one.both++;
    if (!hasSameHead) return;
    one.sameArc++;
    this.sameArc++;
  }

  /** @internal */
  addWords(gold: JoinedWords, system: JoinedWords, { goldOf }: Alignment, verdicts: Uint8Array): void {
    for (let s = 1; s <= system.length; s++) {
      const g = goldOf[s]!;
      if (g < 0) continue;
      const verdict = verdicts[s]!;
      this.add(gold.labels[g]!.name, system.labels[s]!.name, verdict >= ATTACHED);
    }
  }

  private relation(label: string): Omit<RelationAgreement, "kappa"> {
    let relation = this.relations.get(label);
    if (!relation) {
      relation = { first: 0, second: 0, both: 0, sameArc: 0 };
      this.relations.set(label, relation);
    }
    return relation;
  }

  /** As plain data. */
  toJSON(): AgreementSummary {
    const { words } = this;
    const all = [...this.relations.values()];
    const same = all.reduce((sum, { both }) => sum + both, 0);
    const byChance = all.reduce((sum, { first, second }) => sum + first * second, 0);
    const relations = [...this.relations].sort(
      ([a, x], [b, y]) => y.first + y.second - x.first - x.second || (a < b ? -1 : 1),
    );
    return {
      words,
      uas: ratio(this.sameHead, words),
      las: ratio(this.sameArc, words),
      labels: ratio(same, words),
      kappa: kappa(same, byChance, words),
      relations: Object.fromEntries(
        relations.map(([label, relation]) => {
          const { first, second, both } = relation;
          const neither = words - first - second + both;
          const chance = first * second + (words - first) * (words - second);
          return [label, { ...relation, kappa: kappa(both + neither, chance, words) }];
        }),
      ),
    };
  }
}

/** Cohen's κ of counts: `chance` is the number of agreements expected by chance, times the number of words. */
function kappa(agreed: number, chance: number, words: number): number | null {
  const rest = words * words - chance;
  return rest === 0 ? null : (agreed * words - chance) / rest;
}
