import { INSPECT, type Inspecting, inspected } from "../../checks/inspection.js";
import {
  ARRAY,
  check,
  checkOptions,
  type Expectation,
  oneOf,
  STRING,
  shown,
  TRUE_OR_FALSE,
  WHOLE_NUMBER,
} from "../../checks/options.js";
import { type LatexOptions, toLatex } from "../../drawing/latex.js";
import type { Drawable } from "../../drawing/layout.js";
import { type SVGOptions, toSVG } from "../../drawing/svg.js";
import { type TextOptions, toText } from "../../drawing/text.js";
import { CONLLU, type Column, columnName, type Layout } from "../formats/layout.js";
import { type SentenceJSON, sentenceToJSON } from "../formats/to-json.js";
import { type ConlluOptions, writeConllu } from "../formats/write-conllu.js";
import { UNIVERSAL_RELATIONS, type Upos, universalRelation } from "../universal.js";
import { type Attributes, formatAttributes } from "./attributes.js";
import { type Clause, clausesOf } from "./clauses.js";
import type { EmptyNode, MultiWordToken, SentenceColumns, SentencePart, TreeRank } from "./columns.js";
import { commentValue, oneLine, partOf, rankOf, withComment } from "./comments.js";
import {
  checkMultiWordTokens,
  checkSentenceInput,
  checkTokenInput,
  conlluColumns,
  listColumns,
  type MultiWordTokenInput,
  multiWordTokenOf,
  type SentenceInput,
  type SentenceOptions,
} from "./list-columns.js";
import { nounChunks } from "./noun-chunks.js";
import { Predicate } from "./semantics/predicate.js";
import { checkPredicates, type PredicateData, predicatesInMisc, withPredicate } from "./semantics/predicate-data.js";
import { Span } from "./span.js";
import { type Surface, type Token, tokensOf } from "./token.js";
import { withoutScore, withScore } from "./token-misc.js";
import { Word } from "./word.js";

const CONLLU_OPTIONS: Readonly<Record<keyof ConlluOptions, Expectation>> = {
  id: { expected: "a string or a number", accepts: (id) => Number.isFinite(id) || STRING.accepts(id) },
  offsets: TRUE_OR_FALSE,
};

/**
 * A sentence with its tree, from a treebank, from JSON, or from a parsed text. Columns are read by the number of the
 * word, `form(i)`, which is the fastest access; `words` gives objects, which are created on demand. What is not set is
 * written from the bytes that were read.
 *
 * @example
 * ```ts
 * import { Sentence } from "@stemma/core";
 *
 * const words = [
 *   { form: "Birds", head: 2, deprel: "nsubj" },
 *   { form: "sing", head: 0, deprel: "root" },
 * ];
 * const sentence = Sentence.from({ words });
 * console.log(sentence.root?.form, sentence.find("nsubj").join(" "), sentence.toText());
 * ```
 */
export class Sentence {
  /** Number of syntactic words; multiword tokens and empty nodes do not count. */
  readonly length: number;
  /** The columns that its format has. */
  readonly layout: Layout;
  private frozenHeads: readonly number[] | undefined;
  private dependents: number[][] | undefined;
  private madeWords: readonly Word[] | undefined;
  private surface: Surface | undefined;
  private foundPredicates: readonly Predicate[] | undefined;
  /** Whether forms, multiword tokens or MISC are no longer those of the tokens that a parser gave. */
  private hasOtherTokens = false;
  /** The scores of a tree that was set later than the sentence was parsed; null if it has none. */
  private ownScores: ArrayLike<number> | null | undefined;
  /** The offset that is added to all places, for a sentence that is a part of a document. */
  private shift = 0;

  /** For readers and parsers; others use Sentence.from. @internal */
  constructor(
    /** @internal */
    readonly source: SentenceColumns,
  ) {
    this.length = source.length;
    this.layout = source.layout;
  }

  /**
   * Builds a sentence, also from the output of toJSON; throws a TreebankError if the input is not a sentence.
   *
   * @param input the words, and what else is known
   * @param options what is required; a number, which `list.map(Sentence.from)` passes, means nothing
   */
  static from(input: SentenceInput, options: SentenceOptions | number = {}): Sentence {
    const requirements = Number.isSafeInteger(options) ? {} : (options as SentenceOptions);
    checkSentenceInput(input, requirements);
    return new Sentence(listColumns(input, requirements));
  }

  /**
   * A copy, of which neither changes with the other; `format` "conllu" makes one in CoNLL-U, which has a place for all
   * that other formats have.
   *
   * @param format the format of the copy, if not that of the sentence
   */
  copy(format?: "conllu"): Sentence {
    if (format !== undefined) check("format of a copy", format, oneOf("conllu"));
    const copied = new Sentence(format ? conlluColumns(this.source) : this.source.copy());
    copied.ownScores = this.ownScores;
    copied.hasOtherTokens = this.hasOtherTokens;
    copied.shift = this.shift;
    return copied;
  }

  /** Columns of each line. */
  get columns(): number {
    return this.source.columns;
  }

  /** Line of its first line that is not blank in the file, from 1. */
  get line(): number {
    return this.source.line;
  }

  /**
   * The form of a word.
   * @param i the number of the word, from 1
   */
  form(i: number): string {
    return this.column(i, this.layout.form);
  }
  /**
   * The lemma of a word.
   * @param i the number of the word, from 1
   */
  lemma(i: number): string {
    return this.column(i, this.layout.lemma);
  }
  /**
   * The universal tag of a word.
   * @param i the number of the word, from 1
   */
  upos(i: number): Upos {
    return this.column(i, this.layout.upos);
  }
  /**
   * The tag of a word in the language's own scheme.
   * @param i the number of the word, from 1
   */
  xpos(i: number): string {
    return this.column(i, this.layout.xpos);
  }
  /**
   * The features of a word as text, as in CoNLL-U.
   * @param i the number of the word, from 1
   */
  feats(i: number): string {
    return this.column(i, this.layout.feats);
  }
  /**
   * The relation of a word to its head.
   * @param i the number of the word, from 1
   */
  deprel(i: number): string {
    return this.column(i, this.layout.deprel);
  }
  /**
   * The enhanced relations of a word as text, as in CoNLL-U.
   * @param i the number of the word, from 1
   */
  deps(i: number): string {
    return this.column(i, this.layout.deps);
  }
  /**
   * The column MISC of a word as text, as in CoNLL-U.
   * @param i the number of the word, from 1
   */
  misc(i: number): string {
    return this.column(i, this.layout.misc);
  }

  /**
   * Column `index` (0 is ID) of word i as it is written in the sentence's own format; "_" if it has no such column.
   * @param i the number of a word, from 1
   * @param index the number of the column; 0 is ID
   */
  column(i: number, index: number): string {
    if (!(i >= 1 && i <= this.length)) this.check(i);
    if (!(typeof index === "number" && index >= 0 && index < this.source.columns)) {
      check("column", index, WHOLE_NUMBER);
      return "_";
    }
    return this.source.column(i, index);
  }

  /**
   * The head of word i: 0 for the root, -1 for none, which is also the head of node 0.
   * @param i the number of a word, from 1
   */
  head(i: number): number {
    if (i === 0) return -1;
    if (!(i >= 1 && i <= this.length)) this.check(i);
    return this.source.head(i);
  }

  /** The head of each word 1 … n: 0 for the root, -1 for none; heads[0] is -1. Read-only: setHead changes them. */
  get heads(): readonly number[] {
    if (this.frozenHeads) return this.frozenHeads;
    const heads = [-1];
    for (let i = 1; i <= this.length; i++) heads.push(this.source.head(i));
    this.frozenHeads = Object.freeze(heads);
    return heads;
  }

  /**
   * Sets the head of word i: 0 for the root, -1 for none. Trees are not checked again.
   * @param i the number of a word, from 1
   * @param head the number of the head, 0 for the root
   */
  setHead(i: number, head: number): void {
    if (!(Number.isInteger(head) && head >= -1 && head <= this.length && head !== i)) {
      throw new RangeError(`invalid HEAD: ${head} of word ${i} (expected -1 to ${this.length}, not the word itself)`);
    }
    this.check(i);
    if (head === this.source.head(i)) return;
    this.source.setHead(i, head);
    this.frozenHeads = undefined;
    this.dependents = undefined;
  }

  /**
   * Changes the relation of a word to its head.
   * @param i the number of the word, from 1
   * @param label the relation to its head
   */
  setDeprel(i: number, label: string): void {
    this.set("deprel", i, label);
  }

  /**
   * Sets a column of word i, FEATS, DEPS and MISC to text or to an object; "" is written as "_". A column that the
   * format lacks is an error.
   * @param column the column, by its name in CoNLL-U
   * @param i the number of a word, from 1
   * @param value text, or an object for FEATS, DEPS and MISC
   */
  set(column: Column, i: number, value: string): void;
  set(column: "feats" | "deps" | "misc", i: number, value: string | Readonly<Attributes>): void;
  set(column: Column, i: number, value: string | Readonly<Attributes>): void {
    const index = this.layout[column];
    if (!(typeof column === "string" && index >= 0)) {
      const { name } = this.layout;
      throw new RangeError(
        `invalid column: ${shown(column)} (${name} does not have it; expected form, lemma, upos, …)`,
      );
    }
    const isMap = column === "feats" || column === "deps" || column === "misc";
    const text = isMap ? formatAttributes(column, value) : value;
    if (typeof text !== "string" || /[\t\n\r]/.test(text)) {
      const name = columnName(this.layout, index);
      const expected = typeof text === "string" ? "no tab or line end" : "a string";
      throw new RangeError(`invalid ${name}: ${JSON.stringify(text)} of word ${i} (expected ${expected})`);
    }
    this.check(i);
    this.source.setColumn(i, index, text || "_");
    if (column === "misc" || column === "form") this.changeTokens();
    this.foundPredicates = undefined;
  }

  private check(i: number): void {
    if (!(Number.isInteger(i) && i >= 1 && i <= this.length)) {
      throw new RangeError(`invalid word: ${i} (expected 1 to ${this.length})`);
    }
  }

  /** The comment lines, with their "#". They may be set, also without it. */
  get comments(): readonly string[] {
    return Object.freeze(this.source.comments());
  }
  set comments(comments: readonly string[]) {
    check("comments", comments, ARRAY);
    for (const comment of comments) check("comment", comment, STRING);
    const lines = comments.map((comment) => (comment.startsWith("#") ? comment : `# ${comment}`));
    for (const line of lines) {
      if (/[\n\r]/.test(line)) throw new RangeError(`invalid comment: ${JSON.stringify(line)} (expected no line end)`);
    }
    this.source.setComments(lines);
    this.surface = undefined;
  }

  /**
   * The value of the comment `# key = …`.
   * @param key what stands before "="
   */
  comment(key: string): string | undefined {
    check("key of a comment", key, STRING);
    return commentValue(this.source.comments(), key);
  }

  /**
   * Sets the value of a comment, in its place or after the others; undefined removes it.
   * @param key what stands before "="
   * @param value what stands after it; undefined removes the comment
   */
  setComment(key: string, value: string | undefined): void {
    check("key of a comment", key, STRING);
    if (value !== undefined) check("value of a comment", value, STRING);
    this.comments = withComment(this.source.comments(), key, value);
  }

  /** The value of the comment `# sent_id = …`. */
  get id(): string | undefined {
    return this.comment("sent_id");
  }
  set id(id: string | undefined) {
    this.setComment("sent_id", id);
  }

  /** The text: the comment `# text = …`, or else the tokens with their spaces. */
  get text(): string {
    const comment = this.comment("text");
    const parsed = this.source.parsed?.text;
    if (parsed !== undefined && (comment === undefined || oneLine(parsed).trim() === comment)) return parsed;
    return comment ?? this.span(1, this.length).text;
  }
  set text(text: string) {
    check("text", text, STRING);
    this.setComment("text", oneLine(text));
  }

  /** Which of the best trees of the sentence this is, if several were requested. */
  get tree(): TreeRank | undefined {
    return rankOf(this.source.comments());
  }

  /** Which part this is of a sentence with more words than allowed (`maxWords`); undefined for a whole sentence. */
  get part(): SentencePart | undefined {
    return partOf(this.source.comments());
  }

  /** The multiword tokens, in the order of their words. */
  get multiWordTokens(): readonly MultiWordToken[] {
    return this.source.multiWordTokens();
  }

  /**
   * Makes words one token of the text, or changes their existing token: `{ from: 2, to: 3, form: "don't" }`. CoNLL-U
   * only.
   * @param token the token
   */
  setMultiWordToken(token: MultiWordTokenInput): void {
    checkTokenInput(token);
    this.needRanges();
    const tokens = this.source.multiWordTokens();
    const at = tokens.findIndex(({ from, to }) => from === token.from && to === token.to);
    const fail = (what: string, value: string, expected: string): never => {
      throw new RangeError(`invalid ${what}: ${value} (expected ${expected})`);
    };
    const made = multiWordTokenOf(at < 0 ? token : { ...tokens[at], ...token }, fail);
    const others = tokens.filter((_, k) => k !== at);
    const all = [...others, made].sort((a, b) => a.from - b.from);
    checkMultiWordTokens(all, this.length, fail);
    this.source.setMultiWordTokens(all);
    this.changeTokens();
  }

  /**
   * Removes the multiword token that begins with word `from`, so that its words are separate tokens.
   * @param from the number of its first word
   */
  removeMultiWordToken(from: number): void {
    this.needRanges();
    const tokens = this.source.multiWordTokens();
    const others = tokens.filter((token) => token.from !== from);
    if (others.length === tokens.length) {
      const known = tokens.map((token) => token.from).join(", ") || "there is none";
      throw new RangeError(`invalid multiword token: ${from} (expected its first word: ${known})`);
    }
    this.source.setMultiWordTokens(others);
    this.changeTokens();
  }

  private needRanges(): void {
    if (!this.layout.ranges) throw new RangeError(`invalid multiword token (${this.layout.name} has none)`);
  }

  /** The empty nodes of the enhanced graph. */
  get emptyNodes(): readonly EmptyNode[] {
    return this.source.emptyNodes();
  }

  /** The tokens of the text, each with its words. */
  get tokens(): readonly Token[] {
    return this.getSurface().tokens;
  }

  /** Whether the offsets of the sentence in a longer text are known: it was parsed, or its MISC has TokenRange. */
  get hasOffsets(): boolean {
    return this.getSurface().hasRanges;
  }

  private changeTokens(): void {
    this.surface = undefined;
    this.hasOtherTokens = true;
  }

  private getSurface(): Surface {
    if (this.surface) return this.surface;
    const { tokens, hasRanges } = this.makeTokens();
    const { shift } = this;
    const moved = shift === 0 ? tokens : tokens.map((t) => ({ ...t, start: t.start + shift, end: t.end + shift }));
    this.surface = { tokens: moved, hasRanges };
    return this.surface;
  }

  private makeTokens(): Surface {
    const parsed = this.source.parsed;
    const given = parsed?.tokens;
    if (!given) return tokensOf(this, parsed?.text ?? this.comment("text"));
    if (!this.hasOtherTokens) return { tokens: given, hasRanges: true };
    // The words stay where they are.
    const tokenOf = (i: number) => given.find(({ to }) => to >= i)!;
    return tokensOf(this, undefined, (from, to) => ({ start: tokenOf(from).start, end: tokenOf(to).end }));
  }

  /** Its offset in the parsed text, in its document, or else in its own text, in UTF-16 units. */
  get start(): number {
    return this.tokens[0]?.start ?? 0;
  }
  /** Where it ends in the text. */
  get end(): number {
    return this.tokens[this.tokens.length - 1]?.end ?? 0;
  }

  /**
   * Sets the offset of the sentence in a longer text, and with it those of its words.
   * @param start the new place of its first character
   */
  moveTo(start: number): void {
    check("start", start, WHOLE_NUMBER);
    this.shift += start - this.start;
    this.surface = undefined;
  }

  /** The words in order; the word with number i is words[i - 1]. */
  get words(): readonly Word[] {
    this.madeWords ??= Object.freeze(Array.from({ length: this.length }, (_, k) => new Word(this, k + 1)));
    return this.madeWords;
  }

  /**
   * The numbers of the words that depend on node h, in order.
   * @param h the number of a word, 0 for the root
   */
  dependentsOf(h: number): readonly number[] {
    check("node", h, WHOLE_NUMBER);
    if (!this.dependents) {
      this.dependents = Array.from({ length: this.length + 1 }, () => []);
      for (let i = 1; i <= this.length; i++) this.dependents[this.source.head(i)]?.push(i);
    }
    return this.dependents[h] ?? [];
  }

  /** The word that all others depend on; the first if there are several. */
  get root(): Word | undefined {
    const [root] = this.dependentsOf(0);
    return root === undefined ? undefined : this.words[root - 1];
  }

  /**
   * The words with this relation to their head; "nsubj" also finds "nsubj:pass". Throws a RangeError if the tree is one
   * of Universal Dependencies and these have no such relation, so that nothing could ever be found.
   *
   * @param deprel a relation, with or without a subtype
   */
  find(deprel: string): Word[] {
    check("relation", deprel, STRING);
    const found = this.words.filter((word) => word.deprel === deprel || word.deprel.startsWith(`${deprel}:`));
    if (found.length === 0 && !UNIVERSAL_RELATIONS.has(universalRelation(deprel)) && this.isUniversal()) {
      throw new RangeError(`invalid relation: ${shown(deprel)} (expected one of Universal Dependencies, as nsubj)`);
    }
    return found;
  }

  /** Whether it has a tree whose relations are all those of Universal Dependencies. */
  private isUniversal(): boolean {
    return this.words.every(({ deprel }) => UNIVERSAL_RELATIONS.has(universalRelation(deprel)));
  }

  /**
   * The words `from` to `to`, counted from 1, both included.
   * @param from the number of the first word
   * @param to the number of the last word
   */
  span(from: number, to: number): Span {
    this.check(from);
    this.check(to);
    return new Span(this, from, to);
  }

  /**
   * The clauses, each a predicate with its subject, object and obliques, also those that it shares with others: "the
   * email I sent" has the object "email", and in "She was told to leave and did" the subject of all three is "She".
   * By the rules of Universal Dependencies; what they get right of English is in docs/library.md.
   */
  clauses(): Clause[] {
    return clausesOf(this);
  }

  /**
   * Nouns, names and pronouns, each with the determiners, numbers, adjectives, possessors and names that belong to it:
   * "her very old red car".
   */
  nounChunks(): Span[] {
    return nounChunks(this);
  }

  /**
   * The probability that the head and label of word i are right, if requested.
   * @param i the number of a word, from 1
   */
  score(i: number): number | undefined {
    this.check(i);
    return this.ownScores === null ? undefined : (this.ownScores ?? this.source.parsed?.scores)?.[i];
  }

  /**
   * Sets the scores of all words, from index 1, also in MISC, or removes those of a parser; a Score that was read may
   * mean something else, and stays. @internal
   */
  setScores(scores: ArrayLike<number> | undefined): void {
    const hadScores = (this.ownScores ?? this.source.parsed?.scores) !== undefined;
    this.ownScores = scores ?? null;
    if (this.layout.misc < 0 || (!scores && !hadScores)) return;
    for (let i = 1; i <= this.length; i++) {
      const misc = this.misc(i);
      const changed = withScore(withoutScore(misc), scores && Number(scores[i]!.toFixed(3)));
      if (changed !== misc) this.source.setColumn(i, this.layout.misc, changed);
    }
  }

  /**
   * The predicates with their arguments, in the order of their words: those of a parser with semantic roles, of PRED
   * and APRED of CoNLL-2009, or of Pred and Args in MISC.
   */
  get predicates(): readonly Predicate[] {
    const { source, length, layout } = this;
    this.foundPredicates ??= Object.freeze(
      (layout.misc < 0
        ? (source.predicates?.() ?? [])
        : predicatesInMisc(length, (i) => source.column(i, layout.misc))
      ).map((data) => new Predicate(this, data)),
    );
    return this.foundPredicates;
  }

  /**
   * Sets the predicates and their arguments, instead of those that it has; CoNLL-X has no place for them.
   * @param predicates all predicates of the sentence
   */
  setPredicates(predicates: readonly PredicateData[]): void {
    const { source, length, layout } = this;
    const given = checkPredicates(predicates, length, (what, value, expected) => {
      throw new RangeError(`invalid ${what}: ${value} (expected ${expected})`);
    });
    if (layout.misc >= 0) {
      const own = new Map(given.map((predicate) => [predicate.word, predicate]));
      for (let i = 1; i <= length; i++) {
        const misc = source.column(i, layout.misc);
        const changed = withPredicate(misc, own.get(i));
        if (changed !== misc) source.setColumn(i, layout.misc, changed);
      }
    } else if (layout.most > layout.fewest) source.setPredicates!(given);
    else throw new RangeError(`invalid predicates (${layout.name} has no place for them)`);
    this.foundPredicates = undefined;
  }

  /**
   * The line of word i in the file, for errors.
   * @param i the number of a word, from 1
   */
  lineOf(i: number): number {
    this.check(i);
    return this.source.lineOf(i);
  }

  /**
   * The sentence in its own format, with the blank line after it: the bytes that were read, except for what was set.
   */
  toString(): string {
    return this.source.toString();
  }

  /**
   * The sentence in CoNLL-U, with the blank line after it.
   * @param options the `sent_id`, and whether places are written
   */
  toConllu(options: ConlluOptions = {}): string {
    checkOptions("toConllu", options, CONLLU_OPTIONS);
    const { id, offsets } = options;
    if (id === undefined && !offsets && this.layout === CONLLU) return this.toString();
    return writeConllu(this.source, id, offsets ? this.tokens : undefined);
  }

  /** The sentence as plain data (docs/formats.md), from which Sentence.from builds it again. */
  toJSON(): SentenceJSON {
    return sentenceToJSON(this);
  }

  /** The tree as plain data for drawing. */
  drawable(): Drawable {
    const row = (value: (i: number) => string) => ["", ...Array.from({ length: this.length }, (_, k) => value(k + 1))];
    const tags = row((i) => this.upos(i));
    const predicates = this.predicates.map((predicate) => predicate.toJSON());
    return {
      forms: row((i) => this.form(i)),
      heads: [...this.heads],
      labels: row((i) => this.deprel(i)),
      tags: tags.some((tag, i) => i > 0 && tag !== "_") ? tags : undefined,
      ...(predicates.length > 0 ? { predicates } : {}),
      title: this.text,
    };
  }

  /**
   * The tree as a picture.
   * @param options the direction, classes of arcs and words, the font
   */
  toSVG(options?: SVGOptions): string {
    return toSVG(this.drawable(), options);
  }

  /**
   * The tree in characters, for a terminal.
   * @param options the style, colours, the direction
   */
  toText(options?: TextOptions): string {
    return toText(this.drawable(), options);
  }

  /**
   * The tree for the LaTeX package tikz-dependency.
   * @param options the direction
   */
  toLatex(options?: LatexOptions): string {
    return toLatex(this.drawable(), options);
  }

  /** How it looks in a console. @internal */
  [INSPECT](_depth?: unknown, ...how: Inspecting): string {
    return inspected("Sentence", { text: this.text, words: this.length, root: this.root?.form }, ...how);
  }
}

/** A sentence with a tree of a parser, which always has a root. */
export interface ParsedSentence extends Sentence {
  /** The word that all others depend on. */
  readonly root: Word;
}
