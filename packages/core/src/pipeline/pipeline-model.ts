import type { ParserModel } from "../parser/parser.js";
import type { LemmatizerModel } from "./lemmatizer/lemmatizer.js";
import type { SegmenterModel } from "./segmenter/segmenter.js";
import type { TaggerModel } from "./tagger/tagger-model.js";

/** The parts of a pipeline in the order of the model file, which is the order in which they work. */
export const PARTS = ["segmenter", "tagger", "lemmatizer", "parser"] as const;
/** One of `PARTS`. */
export type PartName = (typeof PARTS)[number];

/** The models of a pipeline. */
export interface PipelineParts {
  segmenter?: SegmenterModel | undefined;
  tagger?: TaggerModel | undefined;
  lemmatizer?: LemmatizerModel | undefined;
  parser: ParserModel;
}

/** The contents of a model file: a parser, and if trained, the parts that prepare its input. */
export class PipelineModel {
  readonly segmenter: SegmenterModel | undefined;
  readonly tagger: TaggerModel | undefined;
  readonly lemmatizer: LemmatizerModel | undefined;
  readonly parser: ParserModel;

  constructor({ segmenter, tagger, lemmatizer, parser }: PipelineParts) {
    this.segmenter = segmenter;
    this.tagger = tagger;
    this.lemmatizer = lemmatizer;
    this.parser = parser;
    const { joint } = parser.header;
    if (joint && tagger && tagger.analyses.tags !== joint.tags)
      throw new RangeError(
        `joint.tags: ${joint.tags} (expected ${tagger.analyses.tags}, the number of the tagger's tags)`,
      );
  }

  /** Where the model comes from: training data with its hash, options, scores, licence. */
  get origin(): Readonly<Record<string, unknown>> {
    return this.parser.header.origin;
  }
}
