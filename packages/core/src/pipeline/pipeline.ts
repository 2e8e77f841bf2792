import { INSPECT, type Inspecting, inspected } from "../checks/inspection.js";
import { check, STRING } from "../checks/options.js";
import { having, holding } from "../checks/shapes.js";
import type { Words } from "../features/columns.js";
import type { TreeParser, TreeStep } from "../parser/tree-parser.js";
import type { PartialTree } from "../search/constraints/tree-constraints.js";
import { TreebankError } from "../treebank/errors.js";
import { formatAttributes } from "../treebank/sentence/attributes.js";
import { partComments, rankComments } from "../treebank/sentence/comments.js";
import type { Annotation, ParsedTree } from "../treebank/sentence/parsed-tree.js";
import type { ParsedSentence, Sentence } from "../treebank/sentence/sentence.js";
import { CutSentence } from "./cut-sentence.js";
import { EventLoopPauses } from "./event-loop-pauses.js";
import {
  type GivenToken,
  type GivenWord,
  givenTree,
  type KnownWord,
  type KnownWords,
  sentenceOfWords,
} from "./given-word.js";
import { Lemmatizer } from "./lemmatizer/lemmatizer.js";
import {
  type AnnotateOptions,
  checkAnnotateOptions,
  checkParseOptions,
  checkWords,
  MAX_WORDS,
  type ParseOptions,
  SentenceTooLong,
  throwIfAborted,
} from "./parse-options.js";
import type { PipelineModel } from "./pipeline-model.js";
import { checkPipelineOptions, type PipelineOptions } from "./pipeline-options.js";
import { rawSentences, rawSentencesOfPieces } from "./raw-sentences.js";
import { type RawSentence, Segmenter } from "./segmenter/segmenter.js";
import { splitSentence, wordsIn } from "./split-sentence.js";
import { TaggedWords, type TaggingParserModel } from "./tagged-words.js";
import { givenColumns, TAG_COLUMNS } from "./tagger/given-columns.js";
import { Tagger } from "./tagger/tagger.js";
import { checkTextSource, type TextSource, textOf } from "./text-stream.js";
import { setTree, treeToKeep, wholeTree } from "./tree-to-keep.js";
import { attachEmoji, EMOJI_LABEL, EMOJI_TAG, withEmojiTags } from "./typography/emoji.js";
import { plainForm, plainWords } from "./typography/plain-typography.js";

/**
 * Turns text into trees, one sentence at a time. Several pipelines can share one model.
 *
 * @example
 * ```ts
 * import { load } from "@stemma/core";
 * import model from "@stemma/model-en";
 *
 * const pipeline = await load(model);
 * for (const sentence of pipeline.parse("The old mill stands. Nobody uses it.")) console.log(sentence.toConllu());
 * ```
 */
export class Pipeline {
  private readonly segmenter: Segmenter | undefined;
  private readonly lemmatizer: Lemmatizer | undefined;
  /** @internal */
  readonly parser: TreeParser;
  /** The steps after the parser. @internal */
  readonly steps: readonly TreeStep[];
  private readonly words: TaggedWords;

  private readonly afterTagging: PipelineOptions["afterTagging"];

  /**
   * @param model the model, which several pipelines can share
   * @param options how the parser searches, tokens that are known, a function between tagger and parser
   */
  constructor(
    /** Its models: segmenter, tagger, lemmatizer, parser. */
    readonly model: PipelineModel,
    options: PipelineOptions = {},
  ) {
    check("model", model, holding("a PipelineModel", "parser", "origin"));
    checkPipelineOptions(options);
    const { tokens, tokenPatterns, afterTagging, ...search } = options;
    this.afterTagging = afterTagging;
    this.segmenter = model.segmenter && new Segmenter(model.segmenter, { tokens, tokenPatterns });
    this.lemmatizer = model.lemmatizer && new Lemmatizer(model.lemmatizer);
    this.parser = model.parser.createParser(search);
    this.steps = model.steps.map((part) => part.createStep(this.parser));
    const own = model.parser as Partial<TaggingParserModel>;
    this.words =
      (model.tagger && own.createWords?.(model.tagger, this.lemmatizer, this.parser)) ??
      new TaggedWords(model.tagger && new Tagger(model.tagger), this.lemmatizer);
  }

  /**
   * The sentences of a text with their trees; with `{ parse: false }` with tags and lemmas only.
   *
   * @param text of any length; sentences are found one after the other as they are asked for
   * @param options the kind of text, scores, several trees, limits
   */
  parse(text: string, options?: ParseOptions & { parse?: true | undefined }): Generator<ParsedSentence>;
  parse(text: string, options: ParseOptions): Generator<Sentence>;
  parse(text: string, options: ParseOptions = {}): Generator<Sentence> {
    check("text", text, STRING);
    checkParseOptions("parse", options);
    this.checkTrees(options.trees);
    return this.parseText(text, options);
  }

  /**
   * The sentences of a text that comes in pieces (strings, or bytes of UTF-8), in bounded memory; they are the same as
   * for the whole text. The event loop runs in between.
   *
   * @param chunks the pieces, in a list or as they arrive
   * @param options as for `parse`
   */
  parseStream(
    chunks: TextSource,
    options?: ParseOptions & { parse?: true | undefined },
  ): AsyncGenerator<ParsedSentence>;
  parseStream(chunks: TextSource, options: ParseOptions): AsyncGenerator<Sentence>;
  parseStream(chunks: TextSource, options: ParseOptions = {}): AsyncGenerator<Sentence> {
    checkTextSource(chunks);
    checkParseOptions("parseStream", options);
    this.checkTrees(options.trees);
    return this.parseChunks(chunks, options);
  }

  /**
   * Parses a sentence whose tokens are known; its text is the tokens separated by spaces, unless `spaceAfter` or
   * `start` of a token says otherwise. Tags, heads and labels that are given with a token are kept:
   * `parseTokens(["They", { form: "duck", upos: "VERB", head: 0 }])`. Throws ImpossibleConstraints if no tree has the
   * heads.
   *
   * @param words the tokens, as text or with what is known of them
   * @param options as for `parse`
   */
  parseTokens(
    words: readonly (string | GivenToken)[],
    options?: ParseOptions & { parse?: true | undefined },
  ): ParsedSentence;
  parseTokens(words: readonly (string | GivenToken)[], options: ParseOptions): Sentence;
  parseTokens(words: readonly (string | GivenToken)[], options: ParseOptions = {}): Sentence {
    checkWords(words);
    checkParseOptions("parseTokens", options);
    return this.analyzeTokens(words, { ...options, trees: undefined })[0]!;
  }

  /**
   * The best trees of a sentence whose tokens are known, best first, at most `trees`; the beam must be at least as
   * wide.
   *
   * @param words as for `parseTokens`
   * @param trees how many trees
   * @param options as for `parse`
   */
  parseTokensBest(
    words: readonly (string | GivenToken)[],
    trees: number,
    options: ParseOptions = {},
  ): ParsedSentence[] {
    checkWords(words);
    checkParseOptions("parseTokensBest", options);
    this.parser.checkCount(trees);
    return this.analyzeTokens(words, { ...options, trees }) as ParsedSentence[];
  }

  /** Sentences of a text that has been cut already. @internal */
  *parseCut(sentences: Iterable<RawSentence>, options: ParseOptions): Generator<Sentence> {
    for (const sentence of sentences) yield* this.analyzeParts(sentence, options);
  }

  /**
   * A copy of a sentence, of a treebank for example, with a tree of this model, and with tags and lemmas where it has
   * none; its tokens stay as they are. With `trees` several copies, best first. A sentence of a format without a place
   * for scores, if they are requested, becomes one of CoNLL-U. Throws a TreebankError if no tree has the heads to keep.
   *
   * @example
   * ```ts
   * import { load, readTreebank } from "@stemma/core";
   * import model from "@stemma/model-en";
   *
   * const pipeline = await load(model);
   * const line = (id: number, form: string) => `${id}\t${form}${"\t_".repeat(8)}\n`;
   * for (const sentence of readTreebank(`${line(1, "Birds")}${line(2, "sing")}\n`))
   *   console.log(pipeline.annotate(sentence).toConllu());
   * ```
   *
   * @param sentence is not changed
   * @param options what to keep, what to find, how many trees
   */
  annotate(sentence: Sentence, options: AnnotateOptions & { trees: number }): ParsedSentence[];
  annotate(
    sentence: Sentence,
    options?: AnnotateOptions & { trees?: undefined; parse?: true | undefined },
  ): ParsedSentence;
  annotate(sentence: Sentence, options: AnnotateOptions & { trees?: undefined }): Sentence;
  annotate(sentence: Sentence, options: AnnotateOptions = {}): Sentence | Sentence[] {
    check("sentence", sentence, having("a Sentence", "copy"));
    checkAnnotateOptions(options);
    const { keep = false, retag = false, trees, scores = false, parse = true, source = "sentence" } = options;
    this.checkTrees(trees);
    const { parser } = this;
    checkLength(sentence, parser.mostWords, source);
    const isRoomy = !scores || sentence.layout.misc >= 0;
    const target = sentence.copy(isRoomy ? undefined : "conllu");
    // A whole tree needs no parser, which might be unable to build it, unless the parser finds more than the tree.
    const isWhole = keep === true && trees === undefined && !scores && this.findsTreesOnly;
    const whole = isWhole ? wholeTree(target) : undefined;
    const kept = keep === false ? undefined : (whole ?? treeToKeep(target, keep, parser, source));
    this.fillTags(target, retag, kept);
    if (!parse) return target;
    const words = plainWords(target);
    const forms = formsOf(target);
    const withTree = (into: Sentence, tree: ParsedTree) => {
      this.completeTree(words, forms, tree, kept);
      const found = this.annotations(words, tree);
      setTree(into, tree, kept);
      for (const annotation of found) if (keep === false || !annotation.isIn(into)) annotation.writeTo(into);
      return into;
    };
    if (whole !== undefined) return withTree(target, whole);
    if (trees !== undefined) {
      const best = [...parser.parseBest(words, trees, { constraints: kept })];
      return best.map((tree, i) => {
        const ranked = withTree(target.copy(), tree);
        ranked.setScores(undefined);
        ranked.setComment("tree", `${i + 1} of ${best.length}`);
        ranked.setComment("score", String(tree.score));
        return ranked;
      });
    }
    const found = scores ? new Float64Array(target.length + 1) : undefined;
    withTree(target, parser.parse(words, { scores: found, constraints: kept })).setScores(found);
    return target;
  }

  /** Whether heads can be kept, and neither tags nor annotations are found along with a tree. */
  private get findsTreesOnly(): boolean {
    return this.model.parser.limits.heads === undefined && !this.words.needsTree && !this.parser.annotates;
  }

  /**
   * Changes a tree of this pipeline's parser to the one that is given out: what the steps after it complete, and, if
   * the model has their label, the emoji among the forms (from index 1) by their rule, where nothing is `kept`.
   */
  private completeTree(words: Words, forms: readonly string[], tree: ParsedTree, kept?: PartialTree | undefined): void {
    for (const step of this.steps) step.complete?.(words, tree);
    if (this.model.parser.header.labels.includes(EMOJI_LABEL)) attachEmoji(forms, tree, kept);
  }

  /** The annotations found along with a tree of this pipeline's parser, and what the steps after it find. */
  private annotations(words: Words, tree: ParsedTree): Annotation[] {
    const found = this.steps.flatMap((step) => step.annotate?.(words, tree) ?? []);
    return [...(tree.annotations ?? []), ...found];
  }

  /** How it looks in a console. @internal */
  [INSPECT](_depth?: unknown, ...how: Inspecting): string {
    const { model, parser } = this;
    const { system, labels } = model.parser.header;
    return inspected("Pipeline", { system, beam: parser.beam, labels: labels.length }, ...how);
  }

  private checkTrees(trees: number | undefined): void {
    if (trees !== undefined) this.parser.checkCount(trees);
  }

  private *parseText(text: string, options: ParseOptions): Generator<Sentence> {
    const { input = "text" } = options;
    for (const sentence of rawSentences(text, input, this.needSegmenter)) yield* this.analyzeParts(sentence, options);
  }

  private async *parseChunks(chunks: TextSource, options: ParseOptions): AsyncGenerator<Sentence> {
    const pauses = new EventLoopPauses();
    const { input = "text", signal } = options;
    for await (const sentences of rawSentencesOfPieces(textOf(chunks, signal), input, this.needSegmenter)) {
      await pauses.next();
      for (const raw of sentences) {
        for (const sentence of this.analyzeParts(raw, options)) {
          yield sentence;
          await pauses.next();
        }
      }
    }
  }

  /** The sentence, or the parts of one that is too long. */
  private *analyzeParts(sentence: RawSentence, options: ParseOptions): Generator<Sentence> {
    const { maxWords = MAX_WORDS, tooLong, signal } = options;
    throwIfAborted(signal);
    const words = wordsIn(sentence);
    if (words <= maxWords) return yield* this.analyze(sentence, options);
    if (tooLong === "throw") throw new SentenceTooLong(words, maxWords);
    const parts = splitSentence(sentence, maxWords);
    for (const [i, part] of parts.entries()) {
      throwIfAborted(signal);
      yield* this.analyze(part, options, undefined, partComments({ number: i + 1, of: parts.length }));
    }
  }

  private analyzeTokens(words: readonly (string | GivenToken)[], options: ParseOptions): Sentence[] {
    const { maxWords = Number.POSITIVE_INFINITY, signal } = options;
    throwIfAborted(signal);
    if (words.length > maxWords) throw new SentenceTooLong(words.length, maxWords);
    const { raw, known } = sentenceOfWords(words);
    return this.analyze(raw, options, known);
  }

  /**
   * Tags the words of a treebank sentence that lack UPOS or XPOS, and fills in their lemmas and features; with `retag`,
   * all words again. The new tags are chosen to agree with the given ones. `constraints` are those of the tree, for
   * parsers that choose tags.
   */
  private fillTags(sentence: Sentence, retag: boolean, constraints: PartialTree | undefined): void {
    const { words } = this;
    const { tagger } = this.model;
    const known = tagger && givenColumns(sentence, tagger.header, retag);
    if (!known) return;
    this.tag(formsOf(sentence), known);
    if (words.needsTree) {
      this.parser.parse(words, { constraints });
      words.settle();
    }
    for (const column of TAG_COLUMNS) {
      if (sentence.layout[column] < 0 || (column === "lemma" && !this.lemmatizer)) continue;
      for (let i = 1; i <= sentence.length; i++) {
        if (known[i - 1]![column] === undefined) sentence.set(column, i, words[column](i));
      }
    }
  }

  private tag(forms: readonly string[], known?: KnownWords): void {
    const knowsSymbols = this.model.tagger?.header.upos.includes(EMOJI_TAG);
    this.words.tag(forms.map(plainForm), knowsSymbols ? withEmojiTags(forms, known) : known);
  }

  /** The known facts of tagged words after the user's function, and the words tagged again if it changed some. */
  private corrected(forms: readonly string[], known: KnownWords | undefined): KnownWords | undefined {
    const { words, afterTagging } = this;
    if (!afterTagging) return known;
    const shown = forms.slice(1).map((form, k): GivenWord => {
      const i = k + 1;
      const tags = { lemma: words.lemma(i), upos: words.upos(i), xpos: words.xpos(i), feats: words.feats(i) };
      const { head, deprel } = known?.[k] ?? {};
      return { form, ...tags, head, deprel };
    });
    const before = shown.map((word) => ({ ...word }));
    afterTagging(shown);
    checkWords(shown);
    const changed = changes(before, shown);
    if (!changed) return known;
    const merged = changed.map((word, k) => ({ ...known?.[k], ...word }));
    this.tag(forms, merged);
    return merged;
  }

  private readonly needSegmenter = (): Segmenter => {
    if (this.segmenter) return this.segmenter;
    throw new Error(this.model.refusal("text"));
  };

  private analyze(
    raw: RawSentence,
    { scores = false, offset = 0, trees, parse = true }: ParseOptions,
    given?: KnownWords,
    remarks: readonly string[] = [],
  ): Sentence[] {
    const { words, parser } = this;
    const cut = new CutSentence(raw, offset, remarks);
    this.tag(cut.forms, given);
    const known = this.corrected(cut.forms, given);
    const constraints = known && givenTree(known);
    if (!parse) {
      if (words.needsTree) parser.parse(words, { constraints });
      words.settle();
      return [cut.withTree(words, noTree(words.length))];
    }
    const sentenceOf = (tree: ParsedTree, scores?: Float64Array): Sentence => {
      words.settle();
      this.completeTree(words, cut.forms, tree, constraints);
      const sentence = cut.withTree(words, tree, scores);
      for (const annotation of this.annotations(words, tree)) annotation.writeTo(sentence);
      return sentence;
    };
    if (trees !== undefined) {
      const found: [Sentence, number][] = [];
      parser.parseBest(words, trees, { constraints }, (tree) => {
        // Every sentence has lists of its own, and maybe tags of its own, which are those of the moment.
        words.renew();
        found.push([sentenceOf(tree), tree.score]);
      });
      return found.map(([sentence, score], i) => {
        sentence.comments = [...sentence.comments, ...rankComments({ rank: i + 1, of: found.length, score })];
        return sentence;
      });
    }
    const probabilities = scores ? new Float64Array(cut.forms.length) : undefined;
    return [sentenceOf(parser.parse(words, { scores: probabilities, constraints }), probabilities)];
  }
}

/** The changes of each word; undefined if there are none. */
function changes(before: readonly GivenWord[], after: readonly GivenWord[]): KnownWord[] | undefined {
  if (before.length !== after.length || before.some(({ form }, k) => form !== after[k]!.form)) {
    throw new RangeError("invalid words after afterTagging (expected the same words)");
  }
  let any = false;
  const changed = after.map(({ feats, ...word }, k): KnownWord => {
    const now: KnownWord = { ...word, ...(feats === undefined ? {} : { feats: formatAttributes("feats", feats) }) };
    const own: KnownWord = {};
    for (const field of ["lemma", "upos", "xpos", "feats", "head", "deprel"] as const) {
      if (now[field] === undefined || now[field] === before[k]![field]) continue;
      Object.assign(own, { [field]: now[field] });
      any = true;
    }
    return own;
  });
  return any ? changed : undefined;
}

/** A tree without arcs. */
function noTree(n: number): ParsedTree {
  return { heads: new Int32Array(n + 1).fill(-1), labels: ["", ...new Array<string>(n).fill("_")] };
}

/** The forms of a sentence, from index 1. */
function formsOf(sentence: Sentence): string[] {
  return ["", ...Array.from({ length: sentence.length }, (_, k) => sentence.form(k + 1))];
}

/** Throws a TreebankError if the parser cannot parse so many words. */
function checkLength(sentence: Sentence, most: number, source: string): void {
  if (sentence.length <= most) return;
  const expected = `at most ${most} for this model: its time and memory grow fast with the length`;
  const problem = { what: "number of words", value: String(sentence.length), expected };
  throw new TreebankError(source, { ...problem, line: sentence.lineOf(1), column: 1 });
}
