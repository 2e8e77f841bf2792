import { INSPECT, type Inspecting, inspected } from "../../checks/inspection.js";
import { check } from "../../checks/options.js";
import { having } from "../../checks/shapes.js";
import type { Column } from "../formats/layout.js";
import { type WordJSON, wordToJSON } from "../formats/to-json.js";
import { type Upos, universalRelation } from "../universal.js";
import { type AttributeColumn, type Attributes, attributesView } from "./attributes.js";
import type { EmptyNode } from "./columns.js";
import type { Sentence } from "./sentence.js";
import { Span } from "./span.js";
import { placeOfWord, type Token, type WordPlace } from "./token.js";
import { scoreOf } from "./token-misc.js";

/** A word of a sentence. Setting an attribute changes the sentence. */
export class Word {
  /**
   * @param sentence the sentence that it is in
   * @param index its number, from 1
   */
  constructor(
    /** The sentence that it is in. */
    readonly sentence: Sentence,
    /** Its number in the sentence, from 1. */
    readonly index: number,
  ) {}

  /** Its form, as written. */
  get form(): string {
    return this.sentence.form(this.index);
  }
  set form(form: string) {
    this.set("form", form);
  }
  /** Its lemma; "_" if it has none. */
  get lemma(): string {
    return this.sentence.lemma(this.index);
  }
  set lemma(lemma: string) {
    this.set("lemma", lemma);
  }
  /** The universal part of speech, "_" if there is none. */
  get upos(): Upos {
    return this.sentence.upos(this.index);
  }
  set upos(upos: Upos) {
    this.set("upos", upos);
  }
  /** Its tag in the language's own scheme; "_" if it has none. */
  get xpos(): string {
    return this.sentence.xpos(this.index);
  }
  set xpos(xpos: string) {
    this.set("xpos", xpos);
  }

  /** Morphological features by name. Assigning or deleting a property changes the sentence. */
  get feats(): Attributes {
    return this.view("feats");
  }
  set feats(feats: Readonly<Attributes> | string) {
    this.sentence.set("feats", this.index, feats);
  }
  /**
   * Relations of the enhanced graph by the number of the head ("0", "4", "3.1"). Assigning or deleting a property
   * changes the sentence.
   */
  get deps(): Attributes {
    return this.view("deps");
  }
  set deps(deps: Readonly<Attributes> | string) {
    this.sentence.set("deps", this.index, deps);
  }
  /** The arcs of the enhanced graph into this word, as DEPS has them: from words and from empty nodes ("3.1"). */
  get enhanced(): { head: string; deprel: string }[] {
    const deps = this.sentence.deps(this.index);
    if (deps === "_") return [];
    return deps.split("|").map((arc) => {
      const colon = arc.indexOf(":");
      return { head: arc.slice(0, colon), deprel: arc.slice(colon + 1) };
    });
  }

  /** The items of MISC by name. Assigning or deleting a property changes the sentence. */
  get misc(): Attributes {
    return this.view("misc");
  }
  set misc(misc: Readonly<Attributes> | string) {
    this.sentence.set("misc", this.index, misc);
  }

  /** The relation to its head; "_" if it has none. */
  get deprel(): string {
    return this.sentence.deprel(this.index);
  }
  set deprel(deprel: string) {
    this.set("deprel", deprel);
  }
  /** The relation without its subtype: "nsubj" for "nsubj:pass". */
  get relation(): string {
    return universalRelation(this.deprel);
  }

  /** The number of the head: 0 for the root, -1 for none. */
  get headIndex(): number {
    return this.sentence.head(this.index);
  }
  set headIndex(head: number) {
    this.sentence.setHead(this.index, head);
  }
  /** The head, undefined for the root. */
  get head(): Word | undefined {
    return this.at(this.headIndex);
  }
  set head(head: Word) {
    if (head?.sentence !== this.sentence) {
      throw new TypeError(`invalid head of word ${this.index}: ${head} (expected a word of the same sentence)`);
    }
    this.headIndex = head.index;
  }

  private at(i: number): Word | undefined {
    return this.sentence.words[i - 1];
  }

  private set(column: Exclude<Column, AttributeColumn>, value: string): void {
    this.sentence.set(column, this.index, value);
  }

  private view(column: AttributeColumn): Attributes {
    const { sentence, index } = this;
    return attributesView(
      column,
      () => sentence[column](index),
      (text) => sentence.set(column, index, text),
    );
  }

  /** The words that depend on this one, in order. */
  get children(): Word[] {
    return this.sentence.dependentsOf(this.index).map((i) => this.at(i)!);
  }
  /** The dependents before this word. */
  get left(): Word[] {
    return this.children.filter(({ index }) => index < this.index);
  }
  /** The dependents after this word. */
  get right(): Word[] {
    return this.children.filter(({ index }) => index > this.index);
  }

  /** The word and all its descendants, in the order of the sentence. */
  get subtree(): Word[] {
    const found = new Set<Word>([this]);
    // A set also visits what is added on the way, and nothing twice, should there be a cycle.
    for (const word of found) for (const child of word.children) found.add(child);
    return [...found].sort((a, b) => a.index - b.index);
  }

  /** The word, its head, the head of that, … up to the root. */
  get path(): Word[] {
    const path = new Set<Word>();
    for (let word: Word | undefined = this; word && !path.has(word); word = word.head) path.add(word);
    return [...path];
  }

  /** The head, the head of that, … up to the root. */
  get ancestors(): Word[] {
    return this.path.slice(1);
  }

  /**
   * The words on the path from this word to another, both included: up to their lowest common ancestor, and down. Empty
   * if there is no path.
   * @param other a word of the same sentence
   */
  pathTo(other: Word): Word[] {
    check("word", other, having("a Word", "pathTo"));
    const up = this.path;
    const down = other.path;
    const top = up.findIndex((word) => down.includes(word));
    if (top < 0) return [];
    return [...up.slice(0, top + 1), ...down.slice(0, down.indexOf(up[top]!)).reverse()];
  }

  /** The word after it. */
  get next(): Word | undefined {
    return this.at(this.index + 1);
  }
  /** The word before it. */
  get previous(): Word | undefined {
    return this.at(this.index - 1);
  }

  /** The words coordinated with this one, in order. */
  get conjuncts(): Word[] {
    let first: Word = this;
    for (const word of this.path) {
      first = word;
      if (word.relation !== "conj") break;
    }
    const found = new Set<Word>([first]);
    for (const word of found) for (const child of word.children) if (child.relation === "conj") found.add(child);
    found.delete(this);
    return [...found].sort((a, b) => a.index - b.index);
  }

  /** Its token, which may contain other words. */
  get token(): Token {
    const { tokens } = this.sentence;
    // Most words are tokens: their number is not far from that of the token.
    let t = Math.min(this.index, tokens.length) - 1;
    while (tokens[t]!.from > this.index) t--;
    return tokens[t]!;
  }
  /** Its token, if that has several words, such as "don't". */
  get multiWordToken(): Token | undefined {
    return this.token.to > this.token.from ? this.token : undefined;
  }
  /** The empty nodes of the enhanced graph between this word and the next. */
  get emptyNodes(): EmptyNode[] {
    return this.sentence.emptyNodes.filter(({ id }) => Number.parseInt(id, 10) === this.index);
  }

  /**
   * Its offset in the parsed text, in its document, or else in the text of the sentence, in UTF-16 units. A word of a
   * contraction has its own place where the contraction is its words one after the other ("do" and "n't" of "don't"),
   * otherwise that of the token; `hasOwnPlace` tells.
   */
  get start(): number {
    return this.place.start;
  }
  /** Where it ends, as `start`. */
  get end(): number {
    return this.place.end;
  }
  /** Whether `start` and `end` are those of the word alone, and not of a token that stands for several words. */
  get hasOwnPlace(): boolean {
    return this.place.isOwn;
  }

  private get place(): WordPlace {
    return placeOfWord(this.sentence, this.token, this.index);
  }

  /**
   * The word with all that depends on it, as text: from the first word of its subtree to the last. Where the tree is
   * not projective, words of others are in between.
   */
  get span(): Span {
    const { subtree, sentence } = this;
    return new Span(sentence, subtree[0]!.index, subtree[subtree.length - 1]!.index);
  }

  /** The probability that its head and label are right, if requested. */
  get score(): number | undefined {
    return this.sentence.score(this.index) ?? scoreOf(this.sentence.misc(this.index));
  }

  /** Its form. */
  toString(): string {
    return this.form;
  }

  /** How it looks in a console. @internal */
  [INSPECT](_depth?: unknown, ...how: Inspecting): string {
    const { index, form, lemma, upos, deprel, headIndex, head } = this;
    const values = { index, form, lemma, upos, deprel, head: head ? `${headIndex} ${head.form}` : headIndex };
    return inspected("Word", values, ...how);
  }

  /** As plain data. */
  toJSON(): WordJSON {
    const { sentence, index } = this;
    const isPart = sentence.multiWordTokens.some(({ from, to }) => from <= index && index <= to);
    return wordToJSON(sentence, index, sentence.hasOffsets ? this.token : undefined, isPart);
  }
}
