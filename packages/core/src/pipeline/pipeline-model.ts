import { type Ability, type Limits, refusal } from "../checks/abilities.js";
import { checkRequired } from "../checks/options.js";
import { arrayOf, having, holding } from "../checks/shapes.js";
import type { LaterPart, TreeParserModel } from "../parser/tree-parser.js";
import type { Part, Parts } from "../storage/part.js";
import type { LemmatizerModel } from "./lemmatizer/lemmatizer.js";
import type { SegmenterModel } from "./segmenter/segmenter-model.js";
import type { TaggingParserModel } from "./tagged-words.js";
import type { TaggerModel } from "./tagger/tagger-model.js";

/** The parts of a pipeline up to the tree, in the order in which they work. */
export const PARTS = ["segmenter", "tagger", "lemmatizer", "parser"] as const;

/** The models of a pipeline. */
export interface PipelineParts {
  /** Finds sentences and tokens. */
  segmenter?: SegmenterModel | undefined;
  /** Finds tags and features. */
  tagger?: TaggerModel | undefined;
  /** Finds lemmas. */
  lemmatizer?: LemmatizerModel | undefined;
  /** Finds trees. */
  parser: TreeParserModel;
  /** The steps after the parser. */
  steps?: readonly LaterPart[] | undefined;
}

const TRAIN = "train one with stemma train --pipeline";
const PART = holding("the model of this part", "linear", "header");
const EXPECTED = {
  ...{ segmenter: PART, tagger: PART, lemmatizer: PART },
  steps: arrayOf("a list of parts", having("a part", "createStep")),
  parser: having("the model of a parser", "createParser"),
};

/** All that a model file holds: a parser, and what prepares its input if it was trained to do that as well. */
export class PipelineModel {
  /** Finds sentences and tokens. */
  readonly segmenter: SegmenterModel | undefined;
  /** Finds tags and features. */
  readonly tagger: TaggerModel | undefined;
  /** Finds lemmas. */
  readonly lemmatizer: LemmatizerModel | undefined;
  /** Finds trees. */
  readonly parser: TreeParserModel;
  /** Further parts, which come after the parser. */
  readonly steps: readonly LaterPart[];

  /** @param parts the model of the parser, and of what comes before and after it */
  constructor(parts: PipelineParts) {
    checkRequired("a PipelineModel", parts, EXPECTED, ["parser"]);
    const { segmenter, tagger, lemmatizer, parser, steps = [] } = parts;
    this.segmenter = segmenter;
    this.tagger = tagger;
    this.lemmatizer = lemmatizer;
    this.parser = parser;
    this.steps = steps;
    for (const part of [segmenter?.guesser, tagger?.guesser, ...steps])
      if (part?.contextual && part.contextual !== parser.network?.contextual)
        throw new RangeError("other contextual vectors than the parser's");
    if (tagger) (parser as Partial<TaggingParserModel>).checkTagger?.(tagger);
  }

  /** The model of the parts of a file. @internal */
  static of({ segmenter, tagger, lemmatizer, parser, ...others }: Parts): PipelineModel {
    const steps = Object.values(others).filter((part) => "createStep" in Object(part));
    return new PipelineModel({ segmenter, tagger, lemmatizer, parser, steps } as object as PipelineParts);
  }

  /** All parts, each after those that it is made of. @internal */
  get parts(): readonly Part[] {
    const { segmenter, tagger, lemmatizer, parser, steps } = this;
    const vectors = parser.network?.contextual as Part | undefined;
    const all = [vectors, segmenter?.guesser, segmenter, tagger?.guesser, tagger, lemmatizer, parser, ...steps];
    return all.filter((part) => part !== undefined);
  }

  /** Its limits. @internal */
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
   * @internal
   */
  refusal(ability: Ability, name?: string): string | undefined {
    return refusal(this.limits, ability, name);
  }

  /** Where the model comes from: training data with its hash, options, scores, licence. */
  get origin(): Readonly<Record<string, unknown>> {
    return this.parser.header.origin;
  }
}
