import { type CountableSentence, type StatisticsSummary, TreebankStatistics } from "../treebank/statistics.js";
import { isTree } from "../treebank/tree.js";
import { DisfluencyStatistics } from "./disfluency-statistics.js";

/** The plain form of statistics with disfluent words, as `removedWords` finds them. */
export interface SummaryWithDisfluencies extends StatisticsSummary {
  disfluencies: ReturnType<DisfluencyStatistics["toJSON"]>;
}

/** The statistics of a treebank, with those of disfluent words. */
export class StatisticsWithDisfluencies extends TreebankStatistics {
  readonly disfluencies = new DisfluencyStatistics();

  override add(sentence: CountableSentence): void {
    super.add(sentence);
    if (sentence.length === 0 || !isTree(sentence.heads)) return;
    const labels = [""];
    for (let i = 1; i <= sentence.length; i++) labels.push(sentence.deprel(i));
    this.disfluencies.add(sentence.heads, labels);
  }

  override merge(other: StatisticsWithDisfluencies): void {
    super.merge(other);
    this.disfluencies.merge(other.disfluencies);
  }

  override toJSON(): SummaryWithDisfluencies {
    return { ...super.toJSON(), disfluencies: this.disfluencies.toJSON() };
  }
}
