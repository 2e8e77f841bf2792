import { check, STRING, TRUE_OR_FALSE } from "../checks/options.js";
import { holding, SENTENCE } from "../checks/shapes.js";
import type { Words } from "../features/columns.js";
import type { ParserOptions, TreeParser, TreeStep } from "../parser/tree-parser.js";
import { PARTIAL_TREE, type PartialTree } from "../search/constraints/tree-constraints.js";
import { partComments, rankComments } from "../treebank/sentence/comments.js";
import type { Annotation, ParsedTree } from "../treebank/sentence/parsed-tree.js";
import type { Sentence } from "../treebank/sentence/sentence.js";
import { CutSentence } from "./cut-sentence.js";
import { EventLoopPauses } from "./event-loop-pauses.js";
import { type GivenWord, givenTree, type KnownWords, sentenceOfWords } from "./given-word.js";
import { Lemmatizer } from "./lemmatizer/lemmatizer.js";
import {
  checkParseOptions,
  checkWords,
  MAX_WORDS,
  type ParseOptions,
  SentenceTooLong,
  throwIfAborted,
} from "./parse-options.js";
import type { PipelineModel } from "./pipeline-model.js";
import { rawSentences, rawSentencesOfPieces } from "./raw-sentences.js";
import { type RawSentence, Segmenter } from "./segmenter/segmenter.js";
import { splitSentence, wordsIn } from "./split-sentence.js";
import { TaggedWords, type TaggingParserModel } from "./tagged-words.js";
import { givenColumns, TAG_COLUMNS } from "./tagger/given-columns.js";
import { Tagger } from "./tagger/tagger.js";
import { checkTextSource, type TextSource, textOf } from "./text-stream.js";
import { treeToKeep } from "./tree-to-keep.js";
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

  /** `search`: how the parser searches. */
  constructor(
    readonly model: PipelineModel,
    search: ParserOptions = {},
  ) {
    check("model", model, holding("a PipelineModel", "parser", "origin"));
    this.segmenter = model.segmenter && new Segmenter(model.segmenter);
    this.lemmatizer = model.lemmatizer && new Lemmatizer(model.lemmatizer);
    this.parser = model.parser.createParser(search);
    this.steps = model.steps.map((part) => part.createStep(this.parser));
    const own = model.parser as Partial<TaggingParserModel>;
    this.words =
      (model.tagger && own.createWords?.(model.tagger, this.lemmatizer)) ??
      new TaggedWords(model.tagger && new Tagger(model.tagger), this.lemmatizer);
  }

  /** The sentences of a text with their trees. */
  parse(text: string, options: ParseOptions = {}): Generator<Sentence> {
    check("text", text, STRING);
    checkParseOptions("parse", options);
    this.checkTrees(options.trees);
    return this.parseText(text, options);
  }

  /**
   * The sentences of a text that comes in pieces (strings, or bytes of UTF-8), in bounded memory; they are the same as
   * for the whole text. The event loop runs in between.
   */
  parseStream(chunks: TextSource, options: ParseOptions = {}): AsyncGenerator<Sentence> {
    checkTextSource(chunks);
    checkParseOptions("parseStream", options);
    this.checkTrees(options.trees);
    return this.parseChunks(chunks, options);
  }

  /**
   * Parses a sentence whose tokens are known; its text is the tokens separated by spaces. Tags, heads and labels that
   * are given with a token are kept: `parseTokens(["They", { form: "duck", upos: "VERB", head: 0 }])`. Throws
   * ImpossibleConstraints if no tree has the heads.
   */
  parseTokens(words: readonly (string | GivenWord)[], options: ParseOptions = {}): Sentence {
    checkWords(words);
    checkParseOptions("parseTokens", options);
    return this.analyzeTokens(words, { ...options, trees: undefined })[0]!;
  }

  /**
   * The best trees of a sentence whose tokens are known, best first, at most `trees`; the beam must be at least as
   * wide.
   */
  parseTokensBest(words: readonly (string | GivenWord)[], trees: number, options: ParseOptions = {}): Sentence[] {
    checkWords(words);
    checkParseOptions("parseTokensBest", options);
    this.parser.checkCount(trees);
    return this.analyzeTokens(words, { ...options, trees });
  }

  /** The words of a treebank sentence as the parser reads them: in plain typography. @internal */
  wordsOf(sentence: Sentence): Words {
    return plainWords(sentence);
  }

  /**
   * Changes a tree of this pipeline's parser to the one that is given out: what the steps after it complete, and, if
   * the model has their label, the emoji among the forms (from index 1) by their rule, where nothing is `kept`.
   * @internal
   */
  completeTree(words: Words, forms: readonly string[], tree: ParsedTree, kept?: PartialTree | undefined): void {
    for (const step of this.steps) step.complete?.(words, tree);
    if (this.model.parser.header.labels.includes(EMOJI_LABEL)) attachEmoji(forms, tree, kept);
  }

  /** The annotations found along with a tree of this pipeline's parser, and what the steps after it find. @internal */
  annotations(words: Words, tree: ParsedTree): Annotation[] {
    const found = this.steps.flatMap((step) => step.annotate?.(words, tree) ?? []);
    return [...(tree.annotations ?? []), ...found];
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

  private analyzeTokens(words: readonly (string | GivenWord)[], options: ParseOptions): Sentence[] {
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
  fillTags(sentence: Sentence, retag = false, constraints?: PartialTree): void {
    check("sentence", sentence, SENTENCE);
    check("retag", retag, TRUE_OR_FALSE);
    if (constraints !== undefined) check("constraints", constraints, PARTIAL_TREE);
    const { words } = this;
    const { tagger } = this.model;
    const known = tagger && givenColumns(sentence, tagger.header, retag);
    if (!known) return;
    const forms = [""];
    for (let i = 1; i <= sentence.length; i++) forms.push(sentence.form(i));
    this.tag(forms, known);
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

  /**
   * The heads and labels that a treebank sentence has (not "_") as constraints; a TreebankError if the parser has no
   * tree with them.
   */
  constraintsOf(sentence: Sentence, source = "sentence"): PartialTree {
    check("sentence", sentence, SENTENCE);
    check("source", source, STRING);
    return treeToKeep(sentence, this.parser, source);
  }

  private tag(forms: readonly string[], known?: KnownWords): void {
    const knowsSymbols = this.model.tagger?.header.upos.includes(EMOJI_TAG);
    this.words.tag(forms.map(plainForm), knowsSymbols ? withEmojiTags(forms, known) : known);
  }

  private readonly needSegmenter = (): Segmenter => {
    if (this.segmenter) return this.segmenter;
    throw new Error(this.model.refusal("text"));
  };

  private analyze(
    raw: RawSentence,
    { scores = false, offset = 0, trees }: ParseOptions,
    known?: KnownWords,
    remarks: readonly string[] = [],
  ): Sentence[] {
    const { words, parser } = this;
    const cut = new CutSentence(raw, offset, remarks);
    this.tag(cut.forms, known);
    const constraints = known && givenTree(known);
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
