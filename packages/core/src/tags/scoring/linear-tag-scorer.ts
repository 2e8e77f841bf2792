import type { Words } from "../../features/columns.js";
import { GraphFeatures } from "../../graph/graph-features.js";
import { describeArcs } from "../../graph/scoring/linear-graph-scorer.js";
import type { LinearModel, Scorer } from "../../scoring/linear/linear-model.js";
import { TagFeatures } from "../tag-features.js";
import type { TagScorer } from "./tag-scorer.js";

/** Tags have the first classes of a linear model, labels those after them. */
export class LinearTagScorer implements TagScorer {
  /** Labels are chosen as a graph-based parser does. */
  private readonly arcs = new GraphFeatures();
  private readonly features = new TagFeatures(this.arcs.columns);
  private readonly scorer: Scorer;
  private readonly ofLabels: Int32Array;

  constructor(linear: LinearModel, tags: number, labels: number) {
    this.scorer = linear.scorer();
    this.ofLabels = this.scorer.scores.subarray(tags, tags + labels);
  }

  bind(words: Words): void {
    this.arcs.bind(words);
    this.features.bind(words);
  }

  scoreTags(i: number): Int32Array {
    const { scorer, features } = this;
    scorer.scoreFeatures(features.write(i, scorer.features));
    return scorer.scores;
  }

  scoreLabels(heads: ArrayLike<number>, visit: (dependent: number, scores: ArrayLike<number>) => void): void {
    const { scorer, ofLabels } = this;
    describeArcs(this.arcs, heads, (d, features) => {
      scorer.features.set(features);
      scorer.scoreFeatures(features.length);
      visit(d, ofLabels);
    });
  }
}
