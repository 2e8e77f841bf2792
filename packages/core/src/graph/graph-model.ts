import { contentOf, openWeights, type ParserWeights } from "../parser/parser-weights.js";
import type { ParserOptions, TreeParserModel } from "../parser/tree-parser.js";
import { WeightedModel } from "../parser/weighted-model.js";
import type { Confidence } from "../search/confidence/confidence.js";
import type { Codec } from "../storage/part.js";
import { checkGraphHeader, type GraphHeader } from "./graph-header.js";
import { GRAPH_LIMITS, GraphParser } from "./graph-parser.js";
import { arcConfidence } from "./scoring/arc-confidence.js";
import type { GraphScorer } from "./scoring/graph-scorer.js";
import { graphView } from "./scoring/graph-view.js";
import { LinearGraphScorer } from "./scoring/linear-graph-scorer.js";
import { NetworkGraphScorer } from "./scoring/network-graph-scorer.js";

/**
 * A trained graph-based parser (McDonald et al. 2005): every arc has a score, and the tree is the one with the highest
 * sum.
 */
export class GraphModel extends WeightedModel<GraphHeader> implements TreeParserModel {
  readonly limits = GRAPH_LIMITS;

  get codec(): Codec {
    return graphCodec;
  }

  get classCount(): number {
    return this.header.labels.length + 1;
  }

  get confidence(): Confidence {
    return arcConfidence(this);
  }

  get description(): Readonly<Record<string, unknown>> {
    const { system, decoder, order, projectivized, labels } = this.header;
    return {
      ...{ system, decoder, order },
      ...(projectivized === undefined ? {} : { projectivized }),
      labels: labels.length,
    };
  }

  /** The scorer of arcs for one parser. */
  createScorer(): GraphScorer {
    const { labels, order } = this.header;
    const { network } = this;
    return network ? new NetworkGraphScorer(network) : new LinearGraphScorer(this.linear, labels.length, order);
  }

  /** A parser with its own working memory; several can share one model. */
  createParser(options: ParserOptions = {}): GraphParser {
    return new GraphParser(this.header, this.createScorer(), this.confidence, options);
  }
}

export const graphCodec: Codec = {
  part: "parser",
  program: "graph",
  take({ header: { system: _, ...header }, weights, classCount }: GraphModel) {
    return { header, content: contentOf(weights, classCount) };
  },
  open(value, before) {
    const header = checkGraphHeader(value);
    const { network, labels } = header;
    const make = (weights: ParserWeights) => new GraphModel(header, weights);
    return openWeights(network, graphView, labels.length + (network ? 0 : 1), before, make);
  },
};
