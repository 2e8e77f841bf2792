import type { Limits } from "../checks/abilities.js";
import { list, record, shownField } from "../checks/header-fields.js";
import { disfluencies } from "../disfluencies/attachment/program.js";
import { encoder } from "../encoder/program.js";
import { enhanced } from "../enhanced/program.js";
import { graph } from "../graph/program.js";
import { jointTagging } from "../joint-tagging/program.js";
import { codecOf } from "../model-file/assemble.js";
import { readModel, writeModel } from "../model-file/model-file.js";
import { ModelFileError } from "../model-file/open-model.js";
import { storedHeader } from "../model-file/writing.js";
import type { CommonHeader } from "../parser/model-header.js";
import type { ParserOptions, TreeParser, TreeParserModel } from "../parser/tree-parser.js";
import { Lemmatizer } from "../pipeline/lemmatizer/lemmatizer.js";
import { PipelineModel } from "../pipeline/pipeline-model.js";
import { TaggedWords, type TaggingParserModel } from "../pipeline/tagged-words.js";
import { Tagger } from "../pipeline/tagger/tagger.js";
import type { TaggerModel } from "../pipeline/tagger/tagger-model.js";
import { pointers } from "../pointers/program.js";
import { addShippedSystems } from "../registry/systems.js";
import { roles } from "../roles/program.js";
import type { LinearModel } from "../scoring/linear/linear-model.js";
import type { NeuralModel } from "../scoring/network/neural-model.js";
import type { Confidence } from "../search/confidence/confidence.js";
import type { Codec, Program } from "../storage/part.js";
import { type Store, stored } from "../storage/store.js";
import { tags } from "../tags/program.js";
import { attachedModel, type SharedModel, shareModel } from "../workers/shared-model.js";
import { COMBINATION_LIMITS, CombinedParser } from "./combined-parser.js";
import { CombinedWords } from "./combined-words.js";

/** The name of the program, and the stand-in for the name of a transition system. */
export const COMBINATION = "combination";

/** Several parsers that vote on every tree. The first is that of the pipeline; the others may have taggers. */
export class CombinedModel implements TreeParserModel, TaggingParserModel {
  readonly header: CommonHeader;
  /** The other members: their parsers, with the parts that tag words for them. */
  readonly others: readonly PipelineModel[];

  constructor(
    readonly first: TreeParserModel,
    others: readonly PipelineModel[],
    readonly weights: readonly number[],
  ) {
    this.others = others.map(({ tagger, lemmatizer, parser }) => new PipelineModel({ tagger, lemmatizer, parser }));
    const headers = this.parsers.map(({ header }) => header);
    this.header = {
      system: COMBINATION,
      ...(headers.every(({ singleRoot }) => singleRoot === false) ? { singleRoot: false } : {}),
      labels: [...new Set(headers.flatMap(({ labels }) => labels))],
      origin: { members: headers.map(({ origin }) => origin), weights },
    };
  }

  private get parsers(): readonly TreeParserModel[] {
    return [this.first, ...this.others.map(({ parser }) => parser)];
  }

  get codec(): Codec {
    return combinationCodec;
  }

  /** Throws a TypeError: a combination has no weights of its own. */
  get linear(): LinearModel {
    throw new TypeError("invalid weights: a combination of models (expected a linear model)");
  }

  /** The network of the first member, whose vectors steps after the parser may use. */
  get network(): NeuralModel | undefined {
    return this.first.network;
  }

  get classCount(): number {
    return this.header.labels.length;
  }

  /** The share of the votes as it is. */
  get confidence(): Confidence {
    return { offset: 0, low: 1, high: 1, temperature: 1 };
  }

  get limits(): Limits {
    const heads = this.parsers.map(({ limits }) => limits.heads).find((limit) => limit !== undefined);
    return { ...COMBINATION_LIMITS, ...(heads === undefined ? {} : { heads }) };
  }

  get description(): Readonly<Record<string, unknown>> {
    const { header, weights, parsers } = this;
    const members = parsers.map((parser) => parser.header.system);
    return { system: header.system, members: members.join(" + "), weights: weights.join(" + ") };
  }

  createParser(options: ParserOptions = {}): CombinedParser {
    return new CombinedParser(
      this.parsers.map((parser) => parser.createParser()),
      this.weights,
      options,
    );
  }

  checkTagger(tagger: TaggerModel): void {
    (this.first as Partial<TaggingParserModel>).checkTagger?.(tagger);
  }

  createWords(tagger: TaggerModel, lemmatizer: Lemmatizer | undefined, parser: TreeParser): TaggedWords {
    const combined = parser as CombinedParser;
    const [first, ...parsers] = combined.parsers;
    const own = wordsOf(this.first, tagger, lemmatizer, first!);
    const members = this.others.map((other, m) => {
      const lemmas = other.lemmatizer && new Lemmatizer(other.lemmatizer);
      return other.tagger ? wordsOf(other.parser, other.tagger, lemmas, parsers[m]!) : own;
    });
    combined.words = new CombinedWords([own, ...members]);
    return combined.words;
  }
}

function wordsOf(
  model: TreeParserModel,
  tagger: TaggerModel,
  lemmatizer: Lemmatizer | undefined,
  parser: TreeParser,
): TaggedWords {
  const own = model as Partial<TaggingParserModel>;
  return own.createWords?.(tagger, lemmatizer, parser) ?? new TaggedWords(new Tagger(tagger), lemmatizer);
}

/** Any member may be of any kind. */
function programs(): readonly Program[] {
  const own: Program = { name: COMBINATION, codecs: [combinationCodec] };
  return [disfluencies, encoder, enhanced, graph, jointTagging, pointers, roles, tags, own];
}

/** A member is kept as a model of its own: in a file, or in memory that threads share. */
const memberStore: Store<PipelineModel> = {
  sections: ["member"],
  pack: (member) => [writeModel(member)],
  unpack([bytes], bad) {
    try {
      return readModel(bytes!, { source: "member", programs: programs() });
    } catch (error) {
      // The file that it is in is named by whoever reads that.
      if (error instanceof ModelFileError) bad(error.message);
      throw error;
    }
  },
  share: (member, threads) => shareModel(member, threads),
  attach(shared: SharedModel, thread) {
    addShippedSystems();
    return attachedModel(shared, programs(), thread);
  },
};

export const combinationCodec: Codec = {
  part: "parser",
  program: COMBINATION,
  take({ first, others, weights }: CombinedModel) {
    const { header, content } = first.codec.take(first as never);
    return {
      header: { weights, first: storedHeader(first, header) },
      content: [...content, ...others.map((member) => stored(memberStore, member))],
    };
  },
  open(value, before) {
    // The one that the first member needs is named where nobody has looked.
    addShippedSystems();
    const header = record(value, "parser");
    const { program, ...own } = record(header.first, "parser.first");
    const weights = list(header.weights, "parser.weights") as number[];
    if (weights.length < 2 || !weights.every((weight) => Number.isFinite(weight) && weight > 0))
      throw new RangeError(`parser.weights: ${shownField(weights)} (expected two or more numbers above 0)`);
    const { stores, make } = codecOf("parser", program, programs()).open(own, before);
    return {
      stores: [...stores, ...weights.slice(1).map(() => memberStore)],
      make(...values: never[]) {
        const first = make(...values.slice(0, stores.length)) as TreeParserModel;
        return new CombinedModel(first, values.slice(stores.length), weights);
      },
    };
  },
};
