import { type Ability, type Limits, refusal } from "../checks/abilities.js";
import { checkRequired } from "../checks/options.js";
import { having, holding } from "../checks/shapes.js";
import type { TreeParserModel } from "../parser/tree-parser.js";
import type { RolesModel } from "../roles/roles-model.js";
import type { Part, Parts } from "../storage/part.js";
import type { LemmatizerModel } from "./lemmatizer/lemmatizer.js";
import type { SegmenterModel } from "./segmenter/segmenter-model.js";
import type { TaggingParserModel } from "./tagged-words.js";
import type { TaggerModel } from "./tagger/tagger-model.js";

/** The parts of a pipeline in the order of the model file, which is the order in which they work. */
export const PARTS = ["segmenter", "tagger", "lemmatizer", "parser", "roles"] as const;
/** One of `PARTS`. */
export type PartName = (typeof PARTS)[number];

/** The models of a pipeline. */
export interface PipelineParts {
  segmenter?: SegmenterModel | undefined;
  tagger?: TaggerModel | undefined;
  lemmatizer?: LemmatizerModel | undefined;
  parser: TreeParserModel;
  /** Finds predicates and semantic roles in the trees. */
  roles?: RolesModel | undefined;
}

const TRAIN = "train one with stemma train --pipeline";
const PART = holding("the model of this part", "linear", "header");
const EXPECTED = {
  ...{ segmenter: PART, tagger: PART, lemmatizer: PART, roles: PART },
  parser: having("a ParserModel or a GraphModel", "createParser"),
};

/** All that a model file holds: a parser, and what prepares its input if it was trained to do that as well. */
export class PipelineModel {
  readonly segmenter: SegmenterModel | undefined;
  readonly tagger: TaggerModel | undefined;
  readonly lemmatizer: LemmatizerModel | undefined;
  readonly parser: TreeParserModel;
  readonly roles: RolesModel | undefined;

  constructor(parts: PipelineParts) {
    checkRequired("a PipelineModel", parts, EXPECTED, ["parser"]);
    const { segmenter, tagger, lemmatizer, parser, roles } = parts;
    this.segmenter = segmenter;
    this.tagger = tagger;
    this.lemmatizer = lemmatizer;
    this.parser = parser;
    this.roles = roles;
    for (const part of [segmenter?.guesser, tagger?.guesser, roles])
      if (part?.contextual && part.contextual !== parser.network?.contextual)
        throw new RangeError("contextual vectors of another encoder than the parser's");
    if (parser.header.roles && !roles) throw new RangeError("roles: none (expected them, as the parser does)");
    if (tagger) (parser as Partial<TaggingParserModel>).checkTagger?.(tagger);
  }

  /** The model of the parts of a file. */
  static of({ segmenter, tagger, lemmatizer, parser, roles }: Parts): PipelineModel {
    return new PipelineModel({ segmenter, tagger, lemmatizer, parser, roles } as PipelineParts);
  }

  /** All parts, each after those that it is made of. */
  get parts(): readonly Part[] {
    const { segmenter, tagger, lemmatizer, parser, roles } = this;
    const vectors = parser.network?.contextual as Part | undefined;
    const all = [vectors, segmenter?.guesser, segmenter, tagger?.guesser, tagger, lemmatizer, parser, roles];
    return all.filter((part) => part !== undefined);
  }

  /** What cannot be asked of it. */
  get limits(): Limits {
    return {
      ...this.parser.limits,
      ...(this.segmenter ? {} : { text: `it has no segmenter (${TRAIN}, or pass tokens)` }),
      ...(this.tagger ? {} : { tags: `it has no tagger (${TRAIN})` }),
    };
  }

  /**
   * Why something cannot be asked of the model, and what would work, in words that name it; undefined if it can be
   * asked.
   */
  refusal(ability: Ability, name?: string): string | undefined {
    return refusal(this.limits, ability, name);
  }

  /** Where the model comes from: training data with its hash, options, scores, licence. */
  get origin(): Readonly<Record<string, unknown>> {
    return this.parser.header.origin;
  }
}
