// Training of a linear graph-based parser. Wrong arcs get something for being wrong while the best tree is looked for,
// so that the right tree must win by as much.
import { check, checkRequired, type Expectation } from "../../checks/options.js";
import { checkedList, OBJECT } from "../../checks/shapes.js";
import type { TreebankSentence } from "../../learning/examples.js";
import { LINEAR_OPTIONS, TREEBANK_SENTENCE } from "../../learning/option-checks.js";
import type { ArcScores } from "../../math/edmonds.js";
import type { Scheme } from "../../treebank/pseudo-projective.js";
import { GRAPH, type GraphHeader } from "../graph-header.js";
import { GraphModel } from "../graph-model.js";
import { type DecoderName, GraphDecoder, MOST_WITH_SIBLINGS } from "../search/graph-decoder.js";
import { ARC_OPTIONS, ArcTraining, type ArcTrainOptions, Difference } from "./arc-training.js";
import { readTrees } from "./graph-examples.js";
import { GRAPH_SETTINGS } from "./settings.js";

/** Options of `GraphTraining`. */
export interface GraphTrainOptions extends ArcTrainOptions {
  decoder: DecoderName;
  /** 1 for scores of arcs alone, 2 for scores of neighbouring siblings besides (eisner only). */
  order: 1 | 2;
  /** Make non-projective training trees projective, and undo it after parsing. */
  projectivize?: Scheme | undefined;
}

const EXPECTED: Readonly<Record<keyof GraphTrainOptions, Expectation>> = {
  ...GRAPH_SETTINGS,
  ...ARC_OPTIONS,
  projectivize: LINEAR_OPTIONS.projectivize,
};

/** Training of a linear graph-based parser, epoch by epoch. */
export class GraphTraining extends ArcTraining<GraphTrainOptions> {
  private readonly decoder: GraphDecoder;
  private scores: ArcScores = new Float64Array(0);

  constructor(sentences: Iterable<TreebankSentence>, options: GraphTrainOptions) {
    checkRequired(new.target.name, options, EXPECTED, ["decoder", "order", "learner", "epochs", "seed"]);
    const { order, decoder, projectivize } = options;
    if (order === 2 && decoder !== "eisner")
      throw new RangeError(`invalid order of GraphTraining: 2 (expected 1 with ${decoder}, or decoder eisner)`);
    const given = checkedList("sentences", sentences, ...TREEBANK_SENTENCE);
    super(options, readTrees(given, decoder === "eisner", projectivize));
    this.decoder = new GraphDecoder(decoder, this.singleRoot.singleRoot ?? true);
  }

  protected learnHeads(gold: Int32Array): void {
    const { decoder, options, parts, margin } = this;
    const n = gold.length - 1;
    if (this.scores.length < (n + 1) * (n + 1)) this.scores = new Float64Array((n + 1) * (n + 1));
    parts.score(this.scores, (h, d) => (gold[d] === h ? 0 : margin));
    const predicted = decoder.decode(n, this.scores, options.order === 2 ? parts.sibling : undefined);
    this.time++;
    const { features } = this.parts;
    let wrong = 0;
    for (let d = 1; d < gold.length; d++) if (gold[d] !== predicted[d]) wrong++;
    if (wrong === 0) return;
    // The features of both trees that the other does not have.
    const difference = new Difference();
    for (let d = 1; d < gold.length; d++) {
      if (gold[d] === predicted[d]) continue;
      difference.count(features.arc(gold[d]!, d), 1);
      difference.count(features.arc(predicted[d]!, d), -1);
    }
    if (this.options.order === 2 && gold.length - 1 <= MOST_WITH_SIBLINGS) {
      const [right, found] = [siblingsOf(gold), siblingsOf(predicted)];
      for (const [key, [h, s, d]] of right) if (!found.has(key)) difference.count(features.siblings(h, s, d), 1);
      for (const [key, [h, s, d]] of found) if (!right.has(key)) difference.count(features.siblings(h, s, d), -1);
    }
    this.update(difference, wrong);
  }

  /** The model with the averaged weights of now. */
  model(origin: Record<string, unknown> = {}): GraphModel {
    check("origin", origin, OBJECT);
    const { decoder, order, projectivize } = this.options;
    const header: GraphHeader = {
      ...{ system: GRAPH, decoder, order, ...this.singleRoot },
      labels: [...this.labels],
      ...(projectivize === undefined ? {} : { projectivized: projectivize }),
      origin,
    };
    return new GraphModel(header, this.weights());
  }
}

/** The neighbouring siblings of a tree: head, the one nearer to it (or the head itself), and the next. */
function siblingsOf(heads: Int32Array): Map<number, readonly [h: number, s: number, d: number]> {
  const n = heads.length;
  const parts = new Map<number, readonly [number, number, number]>();
  const last = new Int32Array(n);
  const visit = (d: number) => {
    const h = heads[d]!;
    if (h === d) return;
    const s = last[h]! === 0 ? h : last[h]!;
    parts.set((h * n + s) * n + d, [h, s, d]);
    last[h] = d;
  };
  for (let d = 1; d < n; d++) if (heads[d]! < d) visit(d);
  last.fill(0);
  for (let d = n - 1; d >= 1; d--) if (heads[d]! > d) visit(d);
  return parts;
}
