import type { Words } from "../../features/columns.js";
import type { ArcScores } from "../../math/edmonds.js";
import type { LinearModel } from "../../scoring/linear/linear-model.js";
import { sumOfOneClass } from "../../scoring/linear/one-class.js";
import { GraphFeatures, MOST_FEATURES } from "../graph-features.js";
import type { GraphScorer } from "./graph-scorer.js";

/** The sum of the weights of features. */
export type Sum = (features: Int32Array) => number;

/** Arcs have the first class of a linear model, and each label one of the others. */
export class LinearGraphScorer implements GraphScorer {
  readonly siblings: GraphScorer["siblings"];
  readonly labelRatio: number;
  private readonly arcs: LinearArcs;
  private readonly scores: Int32Array;

  constructor(
    private readonly linear: LinearModel,
    readonly labelCount: number,
    order: 1 | 2,
  ) {
    this.arcs = new LinearArcs(sumOfOneClass(linear, MOST_FEATURES));
    this.siblings = order === 2 ? this.arcs.sibling : undefined;
    this.scores = new Int32Array(labelCount + 1);
    const { arc, label } = typicalWeights(linear);
    this.labelRatio = label / arc;
  }

  bind(words: Words): void {
    this.arcs.features.bind(words);
  }

  scoreArcs(scores: ArcScores): void {
    this.arcs.score(scores);
  }

  scoreLabels(heads: ArrayLike<number>, visit: (dependent: number, scores: ArrayLike<number>) => void): void {
    const { scores, linear } = this;
    const ofLabels = scores.subarray(1);
    describeArcs(this.arcs.features, heads, (d, features) => {
      scores.fill(0);
      linear.score(features, scores);
      visit(d, ofLabels);
    });
  }
}

/** The scores of the arcs of a sentence by sums that come from a finished model, or from one that still learns. */
export class LinearArcs {
  readonly features = new GraphFeatures();

  constructor(private readonly sum: Sum) {}

  /** Writes the score of each arc; `extra`, in training, is added to it. */
  score(scores: ArcScores, extra?: (head: number, dependent: number) => number): void {
    const { features, sum } = this;
    const n = features.length;
    for (let h = 0; h <= n; h++) {
      for (let d = 1; d <= n; d++) {
        if (d !== h) scores[h * (n + 1) + d] = sum(features.arc(h, d)) + (extra ? extra(h, d) : 0);
      }
    }
  }

  readonly arc = (head: number, dependent: number) => this.sum(this.features.arc(head, dependent));

  readonly sibling = (head: number, sibling: number, dependent: number) =>
    this.sum(this.features.siblings(head, sibling, dependent));
}

/** The size of a typical weight (root of the mean square) of arcs, and of labels. */
export function typicalWeights(linear: LinearModel): { arc: number; label: number } {
  const squares = [0, 0];
  const counts = [0, 0];
  linear.forEach((_feature, cls, weight) => {
    const of = cls === 0 ? 0 : 1;
    squares[of]! += weight * weight;
    counts[of]!++;
  });
  const [arc, label] = squares.map((sum, of) => Math.sqrt(sum / Math.max(1, counts[of]!)) || 1) as [number, number];
  return { arc, label };
}

/** Visits the arcs of a tree with what their labels depend on. */
export function describeArcs(
  features: GraphFeatures,
  heads: ArrayLike<number>,
  visit: (dependent: number, features: Int32Array) => void,
): void {
  const n = heads.length - 1;
  const first = new Int32Array(n + 1);
  const last = new Int32Array(n + 1);
  const count = new Int32Array(n + 1);
  for (let d = 1; d <= n; d++) {
    const h = heads[d]!;
    if (first[h] === 0) first[h] = d;
    last[h] = d;
    count[h]!++;
  }
  for (let d = 1; d <= n; d++) {
    visit(d, features.label(heads, d, first[d]!, last[d]!, Math.min(4, count[heads[d]!]!)));
  }
}
