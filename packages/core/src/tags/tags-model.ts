import { contentOf, openWeights, type ParserWeights } from "../parser/parser-weights.js";
import type { ParserOptions, TreeParserModel } from "../parser/tree-parser.js";
import { WeightedModel } from "../parser/weighted-model.js";
import { LOG_UNIT } from "../scoring/log-scores.js";
import { type Confidence, rounded } from "../search/confidence/confidence.js";
import type { Codec } from "../storage/part.js";
import { LinearTagScorer } from "./scoring/linear-tag-scorer.js";
import { NetworkTagScorer } from "./scoring/network-tag-scorer.js";
import type { TagScorer } from "./scoring/tag-scorer.js";
import { tagsView } from "./scoring/tags-view.js";
import { checkTagsHeader, type TagsHeader } from "./tags-header.js";
import { TAGS_LIMITS, TagsParser } from "./tags-parser.js";

/** Features of a word that typically speak for or against a tag. */
const TYPICAL_FEATURES = 50;

/** A trained parser that tags: every word gets a tag, the tags are a tree, and its arcs get labels. */
export class TagsModel extends WeightedModel<TagsHeader> implements TreeParserModel {
  readonly limits = TAGS_LIMITS;

  get codec(): Codec {
    return tagsCodec;
  }

  get classCount(): number {
    return this.header.tags.length + this.header.labels.length;
  }

  get confidence(): Confidence {
    const { confidence } = this.header;
    if (confidence) return confidence;
    if (this.network) return { offset: 0.9, low: 1.2, high: 0.65, temperature: LOG_UNIT };
    let squares = 0;
    let count = 0;
    this.linear.forEach((_feature, _cls, weight) => {
      squares += weight * weight;
      count++;
    });
    const typical = Math.sqrt(squares / Math.max(1, count));
    return {
      offset: -0.3,
      low: 0.6,
      high: 0.5,
      temperature: rounded((typical * Math.sqrt(TYPICAL_FEATURES)) / 2) || 1,
    };
  }

  get description(): Readonly<Record<string, unknown>> {
    const { system, encoding, projectivized, tags, labels } = this.header;
    return {
      ...{ system, encoding },
      ...(projectivized === undefined ? {} : { projectivized }),
      ...{ tags: tags.length, labels: labels.length },
    };
  }

  /** The scorer of tags and labels for one parser. */
  createScorer(): TagScorer {
    const { network, header } = this;
    return network
      ? new NetworkTagScorer(network, header.tags.length)
      : new LinearTagScorer(this.linear, header.tags.length, header.labels.length);
  }

  /** A parser with its own working memory; several can share one model. */
  createParser(options: ParserOptions = {}): TagsParser {
    return new TagsParser(this.header, this.createScorer(), this.confidence, options);
  }
}

export const tagsCodec: Codec = {
  part: "parser",
  program: "tags",
  take({ header: { system: _, ...header }, weights, classCount }: TagsModel) {
    return { header, content: contentOf(weights, classCount) };
  },
  open(value, before) {
    const header = checkTagsHeader(value);
    const { network, tags, labels } = header;
    const make = (weights: ParserWeights) => new TagsModel(header, weights);
    return openWeights(network, tagsView, tags.length + labels.length, before, make);
  },
};
