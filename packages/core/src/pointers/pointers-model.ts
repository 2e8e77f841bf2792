import { arcConfidence } from "../graph/scoring/arc-confidence.js";
import type { GraphScorer } from "../graph/scoring/graph-scorer.js";
import { graphView } from "../graph/scoring/graph-view.js";
import { LinearGraphScorer } from "../graph/scoring/linear-graph-scorer.js";
import { NetworkGraphScorer } from "../graph/scoring/network-graph-scorer.js";
import { contentOf, openWeights, type ParserWeights } from "../parser/parser-weights.js";
import type { ParserOptions, TreeParserModel } from "../parser/tree-parser.js";
import { WeightedModel } from "../parser/weighted-model.js";
import type { Confidence } from "../search/confidence/confidence.js";
import type { Codec } from "../storage/part.js";
import { checkPointersHeader, type PointersHeader } from "./pointers-header.js";
import { POINTERS_LIMITS, PointersParser } from "./pointers-parser.js";

/** A trained parser with pointers; its weights are those of graph-based parsers. */
export class PointersModel extends WeightedModel<PointersHeader> implements TreeParserModel {
  readonly limits = POINTERS_LIMITS;

  get codec(): Codec {
    return pointersCodec;
  }

  get classCount(): number {
    return this.header.labels.length + 1;
  }

  get confidence(): Confidence {
    return arcConfidence(this);
  }

  get description(): Readonly<Record<string, unknown>> {
    const { system, labels } = this.header;
    return { system, labels: labels.length };
  }

  /** The scorer of arcs for one parser. */
  createScorer(): GraphScorer {
    const { network, header } = this;
    return network ? new NetworkGraphScorer(network) : new LinearGraphScorer(this.linear, header.labels.length, 2);
  }

  /** A parser with its own working memory; several can share one model. */
  createParser(options: ParserOptions = {}): PointersParser {
    return new PointersParser(this.header, this.createScorer(), this.confidence, options);
  }
}

export const pointersCodec: Codec = {
  part: "parser",
  program: "pointers",
  take({ header: { system: _, ...header }, weights, classCount }: PointersModel) {
    return { header, content: contentOf(weights, classCount) };
  },
  open(value, before) {
    const header = checkPointersHeader(value);
    const { network, labels } = header;
    const make = (weights: ParserWeights) => new PointersModel(header, weights);
    return openWeights(network, graphView, labels.length + (network ? 0 : 1), before, make);
  },
};
