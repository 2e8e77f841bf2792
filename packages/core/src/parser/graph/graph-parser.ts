// A graph-based parser (McDonald et al. 2005): every arc has a score, and the tree is the one with the highest sum. The
// arcs of the tree then get their labels, one by one.
import type { Words } from "../../features/columns.js";
import { GraphFeatures, MOST_FEATURES } from "../../features/graph/graph-features.js";
import { type ArcScores, edmonds } from "../../math/edmonds.js";
import type { LinearModel } from "../../scoring/linear/linear-model.js";
import { sumOfOneClass } from "../../scoring/linear/one-class.js";
import { Eisner } from "../../search/graph/eisner.js";
import type { ParsedTree } from "../parser.js";

/** How a graph-based parser finds the best tree: projective, projective with siblings, or any. */
export const DECODERS = ["eisner", "eisner-siblings", "edmonds"] as const;
/** One of `DECODERS`. */
export type DecoderName = (typeof DECODERS)[number];

/** All of a graph-based parser but its weights. */
export interface GraphHeader {
  decoder: DecoderName;
  /** Whether every tree has exactly one root. */
  singleRoot: boolean;
  labels: string[];
}

/** The sum of the weights of features. */
export type Sum = (features: Int32Array) => number;

/** Finds the best tree by sums that may come from a finished model or from one that still learns. */
export class GraphDecoder {
  readonly features = new GraphFeatures();
  private readonly eisner = new Eisner();
  private scores: ArcScores = new Float64Array(0);

  constructor(
    private readonly header: Pick<GraphHeader, "decoder" | "singleRoot">,
    private readonly sum: Sum,
  ) {}

  /** The heads of the best tree. `extra`, in training, is added to the score of an arc. */
  decode(words: Words, extra?: (head: number, dependent: number) => number): Int32Array {
    const { features, sum, header } = this;
    const n = words.length;
    const w = n + 1;
    features.bind(words);
    if (this.scores.length < w * w) this.scores = new Float64Array(w * w);
    const { scores } = this;
    for (let h = 0; h <= n; h++) {
      for (let d = 1; d <= n; d++) {
        if (d !== h) scores[h * w + d] = sum(features.arc(h, d)) + (extra ? extra(h, d) : 0);
      }
    }
    if (header.decoder === "edmonds") return edmonds(n, scores, header.singleRoot);
    const siblings =
      header.decoder === "eisner" ? undefined : (h: number, s: number, d: number) => sum(features.siblings(h, s, d));
    return this.eisner.parse(n, scores, header.singleRoot, siblings);
  }
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

/** Parses sentences with a trained model. */
export class GraphParser {
  private readonly decoder: GraphDecoder;
  private readonly scores: Int32Array;

  constructor(
    readonly header: GraphHeader,
    private readonly linear: LinearModel,
  ) {
    this.decoder = new GraphDecoder(header, sumOfOneClass(linear, MOST_FEATURES));
    this.scores = new Int32Array(header.labels.length + 1);
  }

  parse(words: Words): ParsedTree {
    const { decoder, scores, linear, header } = this;
    const heads = decoder.decode(words);
    const labels = new Array<string>(words.length + 1).fill("");
    describeArcs(decoder.features, heads, (d, features) => {
      scores.fill(0);
      linear.score(features, scores);
      // Class 0 is that of arcs.
      let best = 1;
      for (let k = 2; k < scores.length; k++) if (scores[k]! > scores[best]!) best = k;
      labels[d] = header.labels[best - 1]!;
    });
    return { heads, labels };
  }
}
