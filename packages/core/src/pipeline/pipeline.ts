import { check, STRING, TRUE_OR_FALSE } from "../checks/options.js";
import { holding, SENTENCE } from "../checks/shapes.js";
import type { Words } from "../features/columns.js";
import { CandidateFinder } from "../joint-tagging/candidate-finder.js";
import { TagChoices } from "../joint-tagging/tag-choices.js";
import type { ParserOptions, TreeParser, TreeStep } from "../parser/tree-parser.js";
import { withRoles } from "../roles/roles-model.js";
import { ImpossibleConstraints } from "../search/constraints/impossible-constraints.js";
import { PARTIAL_TREE, type PartialTree } from "../search/constraints/tree-constraints.js";
import { TreebankError } from "../treebank/errors.js";
import { columnName } from "../treebank/formats/layout.js";
import { fieldsOf, type MultiWordToken } from "../treebank/sentence/columns.js";
import { oneLine, partComments, rankComments } from "../treebank/sentence/comments.js";
import { ListColumns } from "../treebank/sentence/list-columns.js";
import type { Annotation, ParsedTree } from "../treebank/sentence/parsed-tree.js";
import { Sentence } from "../treebank/sentence/sentence.js";
import { spaceValues } from "../treebank/sentence/spaces.js";
import type { Token } from "../treebank/sentence/token.js";
import { withScore } from "../treebank/sentence/token-misc.js";
import { Breath } from "./breath.js";
import { type GivenWord, givenTags, givenTree, type KnownWord, knownWord } from "./given-word.js";
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
import { type RawSentence, type RawToken, Segmenter } from "./segmenter/segmenter.js";
import { SegmenterStream } from "./segmenter/segmenter-stream.js";
import { splitSentence, wordsIn } from "./split-sentence.js";
import { givenColumns, TAG_COLUMNS } from "./tagger/given-columns.js";
import { Tagger } from "./tagger/tagger.js";
import type { TaggerHeader } from "./tagger/tagger-header.js";
import type { TaggerModel } from "./tagger/tagger-model.js";
import { checkTextSource, TextCutter, type TextSource, textOf } from "./text-stream.js";

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
  private readonly tagger: Tagger | undefined;
  private readonly lemmatizer: Lemmatizer | undefined;
  readonly parser: TreeParser;
  /** What comes after the parser. */
  readonly steps: readonly TreeStep[];
  private readonly words: TaggedWords;
  /** Joint tagging: finds what the parser may choose from. */
  private readonly finder: CandidateFinder | undefined;

  /** `search`: how the parser searches. */
  constructor(
    readonly model: PipelineModel,
    search: ParserOptions = {},
  ) {
    check("model", model, holding("a PipelineModel", "parser", "origin"));
    this.segmenter = model.segmenter && new Segmenter(model.segmenter);
    this.tagger = model.tagger && new Tagger(model.tagger);
    this.lemmatizer = model.lemmatizer && new Lemmatizer(model.lemmatizer);
    const { parser, steps } = model.roles
      ? withRoles(model.roles, model.parser, search)
      : { parser: model.parser.createParser(search), steps: [] };
    this.parser = parser;
    this.steps = steps;
    const { joint } = model.parser.header;
    const morphology = joint?.parts !== undefined;
    this.finder = joint && model.tagger && new CandidateFinder(model.tagger, { ...joint, morphology });
    this.words = new TaggedWords(
      model.tagger,
      this.finder && new TagChoices(),
      morphology ? this.lemmatizer : undefined,
    );
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

  /** What was found along with a tree of this pipeline's parser, and what the steps after it find. */
  annotations(words: Words, tree: ParsedTree): Annotation[] {
    return [...(tree.annotations ?? []), ...this.steps.map((step) => step.annotate(words, tree))];
  }

  private checkTrees(trees: number | undefined): void {
    if (trees !== undefined) this.parser.checkCount(trees);
  }

  private *parseText(text: string, options: ParseOptions): Generator<Sentence> {
    if (options.input === "lines" || options.input === "tokens") yield* this.parseLines(text, options);
    else for (const sentence of this.needSegmenter().segment(text)) yield* this.analyzeParts(sentence, options);
  }

  private async *parseChunks(chunks: TextSource, options: ParseOptions): AsyncGenerator<Sentence> {
    const breath = new Breath();
    for await (const sentences of this.sentencesIn(textOf(chunks, options.signal), options)) {
      await breath.take();
      for (const sentence of sentences) {
        yield sentence;
        await breath.take();
      }
    }
  }

  /** The sentences that each piece of a text completes, which are parsed when they are asked for. */
  private async *sentencesIn(
    chunks: AsyncIterable<string>,
    options: ParseOptions,
  ): AsyncGenerator<Iterable<Sentence>, void, void> {
    const { input, offset = 0 } = options;
    if (input === "lines" || input === "tokens") {
      const cutter = new TextCutter(input);
      let done = offset;
      const parsed = (lines: string) => {
        const sentences = this.parseLines(lines, { ...options, offset: done });
        done += lines.length;
        return sentences;
      };
      for await (const chunk of inPieces(chunks)) yield parsed(cutter.push(chunk));
      yield parsed(cutter.end());
      return;
    }
    const stream = new SegmenterStream(this.needSegmenter());
    const parsed = (sentences: RawSentence[]) => this.analyzeAll(sentences, options);
    for await (const chunk of inPieces(chunks)) yield parsed(stream.push(chunk));
    yield parsed(stream.end());
  }

  private *analyzeAll(sentences: readonly RawSentence[], options: ParseOptions): Generator<Sentence> {
    for (const sentence of sentences) yield* this.analyzeParts(sentence, options);
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
    const tokens: RawToken[] = [];
    const given = words.map((word) => (typeof word === "object" && word !== null ? knownWord(word) : undefined));
    const forms = words.map((word, i) => given[i]?.form ?? (word as string));
    let start = 0;
    for (const form of forms) {
      tokens.push({ start, end: start + form.length, form });
      start += form.length + 1;
    }
    const text = forms.join(" ");
    const known = given.some((word) => word !== undefined) ? given : undefined;
    const raw = { start: 0, end: text.length, tokens, before: "", text: `${text} ` };
    return this.analyze(raw, options, known);
  }

  /**
   * Tags the words of a treebank sentence that lack UPOS or XPOS, and fills in their lemmas and features; with `retag`,
   * all words again. The new tags are chosen to agree with the given ones. `constraints` is for joint tagging.
   */
  fillTags(sentence: Sentence, retag = false, constraints?: PartialTree): void {
    check("sentence", sentence, SENTENCE);
    check("retag", retag, TRUE_OR_FALSE);
    if (constraints !== undefined) check("constraints", constraints, PARTIAL_TREE);
    const { words, tagger } = this;
    const known = tagger && givenColumns(sentence, tagger.model.header, retag);
    if (!known) return;
    const forms = [""];
    for (let i = 1; i <= sentence.length; i++) forms.push(sentence.form(i));
    this.tag(forms, known);
    if (this.finder) {
      this.parser.parse(words, { constraints });
      this.takeChosenTags(known);
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
    const { heads, layout, length } = sentence;
    const labels = heads.map((_, i) => (i > 0 && sentence.deprel(i) !== "_" ? sentence.deprel(i) : undefined));
    const constraints = { heads, labels };
    try {
      this.parser.check(constraints, length);
    } catch (error) {
      if (!(error instanceof ImpossibleConstraints)) throw error;
      const { word, head, expected } = error;
      const what = columnName(layout, layout.head);
      const line = sentence.lineOf(word);
      throw new TreebankError(source, { what, value: String(head), expected, line, column: layout.head + 1 });
    }
    return constraints;
  }

  /**
   * Fill `words` with forms (from index 1), what is known of the words (from 0), and the tags and lemmas that are
   * predicted for the rest.
   */
  private tag(forms: string[], known?: KnownWords): void {
    const { words, tagger, lemmatizer } = this;
    tagger?.tag(forms.slice(1), this.finder, words.choices, known && givenTags(known));
    words.begin(forms);
    for (let i = 1; i < forms.length; i++) {
      const given = known?.[i - 1];
      const upos = given?.upos ?? (tagger ? tagger.upos(i - 1) : "_");
      const xpos = given?.xpos ?? (tagger ? tagger.xpos(i - 1) : "_");
      const feats = given?.feats ?? (tagger ? tagger.feats(i - 1) : "_");
      const lemma = given?.lemma ?? (lemmatizer ? lemmatizer.lemma(forms[i]!, upos, xpos, feats) : "_");
      words.add(lemma, upos, xpos, feats);
      words.hasOwnLemma[i] = given?.lemma !== undefined;
    }
  }

  /** Joint tagging: where the parser chose another tag than the tagger, that is the one, and the lemma follows it. */
  private takeChosenTags(known?: KnownWords): void {
    const { words, tagger, lemmatizer } = this;
    const { forms, lemmas, uposTags, xposTags, featsTexts } = words;
    for (let i = 1; i <= words.length; i++) {
      if (words.choices!.analysis(i) === tagger!.analysis(i - 1)) continue;
      uposTags[i] = words.upos(i);
      xposTags[i] = words.xpos(i);
      featsTexts[i] = words.feats(i);
      if (!lemmatizer || known?.[i - 1]?.lemma !== undefined) continue;
      lemmas[i] = lemmatizer.lemma(forms[i]!, uposTags[i]!, xposTags[i]!, featsTexts[i]!);
    }
  }

  private *parseLines(text: string, options: ParseOptions): Generator<Sentence> {
    let [from, before] = [0, ""];
    for (const { 0: line, index } of text.matchAll(/[^\n\r\u2028\u2029]+/g)) {
      const tokens = options.input === "tokens" ? tokensIn(line) : this.needSegmenter().tokenize(line);
      if (tokens.length === 0) continue;
      const [first, last] = [tokens[0]!, tokens[tokens.length - 1]!];
      before = text.slice(from, index + first.start);
      from = index + last.end;
      while (/\s/.test(text[from] ?? "")) from++;
      yield* this.analyzeParts(
        {
          start: index + first.start,
          end: index + last.end,
          tokens: tokens.map((token) => ({ ...token, start: index + token.start, end: index + token.end })),
          before,
          text: text.slice(index + first.start, from),
        },
        options,
      );
    }
  }

  private needSegmenter(): Segmenter {
    if (this.segmenter) return this.segmenter;
    throw new Error(this.model.refusal("text"));
  }

  private analyze(
    raw: RawSentence,
    { scores = false, offset = 0, trees }: ParseOptions,
    known?: KnownWords,
    remarks: readonly string[] = [],
  ): Sentence[] {
    const { words, parser } = this;
    const forms = [""];
    const tokens: Token[] = [];
    const { start } = raw;
    for (let t = 0; t < raw.tokens.length; t++) {
      const token = raw.tokens[t]!;
      const from = forms.length;
      if (token.words) forms.push(...token.words);
      else forms.push(token.form);
      const next = t + 1 < raw.tokens.length ? raw.tokens[t + 1]!.start - start : raw.text.length;
      tokens.push({
        form: token.form,
        start: token.start + offset,
        end: token.end + offset,
        from,
        to: forms.length - 1,
        spacesBefore: t === 0 ? raw.before : "",
        spacesAfter:
          next === token.end - start + 1 && raw.text[next - 1] === " " ? " " : raw.text.slice(token.end - start, next),
      });
    }
    this.tag(forms, known);
    const constraints = known && givenTree(known);
    const text = raw.text.slice(0, raw.end - start);
    const multiWordTokens = multiWordTokensOf(tokens);
    const sentenceOf = (tree: ParsedTree, scores?: Float64Array): Sentence => {
      if (this.finder) this.takeChosenTags(known);
      const { lemmas: lemma, uposTags: upos, xposTags: xpos, featsTexts: feats } = words;
      const misc = miscOf(tokens, forms.length, scores);
      const lists = { form: [...forms], lemma, upos, xpos, feats, deprel: tree.labels, misc };
      const comments = [`# text = ${oneLine(text)}`, ...remarks];
      const parsed = { text, tokens, scores };
      const sentence = new Sentence(new ListColumns(lists, tree.heads, { comments, multiWordTokens, parsed }));
      for (const annotation of this.annotations(words, tree)) annotation.writeTo(sentence);
      return sentence;
    };
    if (trees !== undefined) {
      const found: [Sentence, number][] = [];
      const { lemmas, uposTags, xposTags, featsTexts } = words;
      parser.parseBest(words, trees, { constraints }, (tree) => {
        // With joint tagging every tree has its own tags, which are those of the moment; the lists belong to its
        // sentence.
        words.lemmas = [...lemmas];
        words.uposTags = [...uposTags];
        words.xposTags = [...xposTags];
        words.featsTexts = [...featsTexts];
        found.push([sentenceOf(tree), tree.score]);
      });
      return found.map(([sentence, score], i) => {
        sentence.comments = [...sentence.comments, ...rankComments({ rank: i + 1, of: found.length, score })];
        return sentence;
      });
    }
    const sureness = scores ? new Float64Array(forms.length) : undefined;
    return [sentenceOf(parser.parse(words, { scores: sureness, constraints }), sureness)];
  }
}

/** The tokens that have several words, as CoNLL-U has them. */
function multiWordTokensOf(tokens: readonly Token[]): MultiWordToken[] {
  const found: MultiWordToken[] = [];
  for (const token of tokens) {
    const { from, to, form } = token;
    if (to > from) found.push({ from, to, ...fieldsOf({ form, misc: spaceValues(token).join("|") }) });
  }
  return found;
}

/** What MISC says of each word: the white space around its token, and how sure its head is. */
function miscOf(tokens: readonly Token[], length: number, scores: Float64Array | undefined): string[] {
  const misc = new Array<string>(length).fill("_");
  for (const token of tokens) {
    const isUsual = token.spacesAfter === " " && token.spacesBefore === "";
    if (token.from === token.to && !isUsual) misc[token.from] = spaceValues(token).join("|") || "_";
  }
  if (scores) for (let i = 1; i < length; i++) misc[i] = withScore(misc[i]!, Number(scores[i]!.toFixed(3)));
  return misc;
}

/** What is known of each word of a sentence before it is tagged and parsed. */
type KnownWords = readonly (KnownWord | undefined)[];

/** The words of the sentence that is being parsed. */
class TaggedWords implements Words {
  length = 0;
  forms: string[] = [""];
  lemmas: string[] = [""];
  uposTags: string[] = [""];
  xposTags: string[] = [""];
  featsTexts: string[] = [""];
  /** Whether the lemma of a word was given, so that no analysis changes it. */
  readonly hasOwnLemma: boolean[] = [];

  constructor(
    private readonly tagger: TaggerModel | undefined,
    readonly choices: TagChoices | undefined,
    /** Gives the lemmas that the parser sees of analyses that it has chosen. */
    private readonly lemmatizer: Lemmatizer | undefined,
  ) {}

  /** Forget the sentence, whose lists may be in use, for one with these forms. */
  begin(forms: string[]): void {
    this.length = forms.length - 1;
    this.forms = forms;
    this.lemmas = [""];
    this.uposTags = [""];
    this.xposTags = [""];
    this.featsTexts = [""];
  }

  add(lemma: string, upos: string, xpos: string, feats: string): void {
    this.lemmas.push(lemma);
    this.uposTags.push(upos);
    this.xposTags.push(xpos);
    this.featsTexts.push(feats);
  }

  form(i: number): string {
    return this.forms[i]!;
  }
  lemma(i: number): string {
    const isChosen = this.lemmatizer !== undefined && this.isOpen(i) && !this.hasOwnLemma[i];
    return isChosen
      ? this.lemmatizer.lemma(this.forms[i]!, this.upos(i), this.xpos(i), this.feats(i))
      : this.lemmas[i]!;
  }
  upos(i: number): string {
    return this.isOpen(i) ? this.tagger!.header.upos[this.chosen(i)[1]]! : this.uposTags[i]!;
  }
  xpos(i: number): string {
    return this.isOpen(i) ? this.tagger!.header.xpos[this.chosen(i)[2]]! : this.xposTags[i]!;
  }
  feats(i: number): string {
    return this.isOpen(i) ? this.tagger!.header.feats[this.chosen(i)[3]]! : this.featsTexts[i]!;
  }
  /** Whether the word has several tags to choose from; known tags need not be among those of the tagger. */
  private isOpen(i: number): boolean {
    return this.choices !== undefined && this.choices.from[i + 1]! > this.choices.from[i]! + 1;
  }
  private chosen(i: number): TaggerHeader["analyses"][number] {
    return this.tagger!.header.analyses[this.choices!.analysis(i)]!;
  }
}

function tokensIn(line: string): RawToken[] {
  return Array.from(line.matchAll(/\S+/g), ({ 0: form, index }) => ({ start: index, end: index + form.length, form }));
}

/** UTF-16 units of a text that are segmented in one go: a few milliseconds. */
const PIECE = 1 << 12;

/** Cuts pieces that are long. */
async function* inPieces(chunks: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += PIECE) yield chunk.slice(from, from + PIECE);
  }
}
