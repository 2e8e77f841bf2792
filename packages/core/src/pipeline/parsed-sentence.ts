import { type LatexOptions, toLatex } from "../drawing/latex.js";
import type { Drawable } from "../drawing/layout.js";
import { type SVGOptions, toSVG } from "../drawing/svg.js";
import { type TextOptions, toText } from "../drawing/text.js";
import { spaceValues } from "./misc-spaces.js";

/** A stretch of text that stands for one word, or for several as "don't" does. */
export interface SurfaceToken {
  readonly form: string;
  /** Where it is in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Its words: the numbers of the first and the last. */
  readonly from: number;
  readonly to: number;
  /** White space between the token before and this one, where that does not say it, and after this one. */
  readonly spacesBefore: string;
  readonly spacesAfter: string;
}

/** What the steps of a pipeline fill in; index 0 of every list is unused. */
export interface Annotation {
  /** The text of the sentence. */
  readonly text: string;
  readonly tokens: readonly SurfaceToken[];
  readonly forms: string[];
  readonly lemmas: string[];
  readonly uposTags: string[];
  readonly xposTags: string[];
  readonly featsTexts: string[];
  readonly heads: Int32Array;
  readonly deprels: string[];
  /** How sure each head and label is, 0 to 1, if that was asked for. */
  readonly scores?: Float64Array | undefined;
  /** Which of the best trees it is, if several were asked for. */
  readonly tree?: TreeRank | undefined;
}

/** The place of a tree among the best trees of a sentence. */
export interface TreeRank {
  /** From 1. */
  readonly rank: number;
  /** How many there are. */
  readonly of: number;
  /** The sum of the scores of the transitions that built it, to compare trees of the same sentence by. */
  readonly score: number;
}

/** The comments of CoNLL-U that say which of the best trees it is. */
export function rankComments({ rank, of, score }: TreeRank): string[] {
  return [`# tree = ${rank} of ${of}`, `# score = ${score}`];
}

/** A sentence with its tree. */
export class ParsedSentence {
  readonly text: string;
  /** Where the sentence is in the text that was parsed, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The tokens of the text, each with its words. */
  readonly tokens: readonly SurfaceToken[];
  /** By number of the word, from 1; index 0 is unused. */
  readonly heads: Int32Array;
  private made: Word[] | undefined;

  constructor(readonly annotation: Annotation) {
    this.text = annotation.text;
    this.tokens = annotation.tokens;
    this.start = this.tokens[0]?.start ?? 0;
    this.end = this.tokens[this.tokens.length - 1]?.end ?? 0;
    this.heads = annotation.heads;
  }

  /** Which of the best trees of the sentence it is, if several were asked for. */
  get tree(): TreeRank | undefined {
    return this.annotation.tree;
  }

  /** Number of words. */
  get length(): number {
    return this.heads.length - 1;
  }

  /** The words in their order. */
  get words(): readonly Word[] {
    this.made ??= this.makeWords();
    return this.made;
  }

  private makeWords(): Word[] {
    const words: Word[] = [];
    for (const token of this.tokens) for (let i = token.from; i <= token.to; i++) words.push(new Word(this, i, token));
    for (const word of words) if (word.headIndex > 0) (words[word.headIndex - 1]!.children as Word[]).push(word);
    return words;
  }

  /** The word that all others depend on. */
  get root(): Word | undefined {
    return this.words.find((word) => word.headIndex === 0);
  }

  /** The words with this relation to their head; "nsubj" finds "nsubj:pass" as well. */
  find(deprel: string): Word[] {
    return this.words.filter((word) => word.deprel === deprel || word.deprel.startsWith(`${deprel}:`));
  }

  /**
   * Nouns, names and pronouns, each with what belongs to it but prepositions, clauses, other phrases and punctuation:
   * "the old town".
   */
  nounChunks(): Word[][] {
    const chunks: Word[][] = [];
    for (const word of this.words) {
      if (!NOMINAL.has(word.upos) || PART_OF_NAME.has(word.relation)) continue;
      const chunk: Word[] = [];
      const add = (part: Word) => {
        chunk.push(part);
        for (const child of part.children) if (!OUTSIDE.has(child.relation)) add(child);
      };
      add(word);
      chunks.push(chunk.sort((a, b) => a.index - b.index));
    }
    return chunks;
  }

  toConllu(options: ConlluOptions = {}): string {
    const { forms, lemmas, uposTags, xposTags, featsTexts, heads, deprels, scores, tree } = this.annotation;
    let out = options.id === undefined ? "" : `# sent_id = ${options.id}\n`;
    out += `# text = ${lineOf(this.text)}\n`;
    if (tree) for (const comment of rankComments(tree)) out += `${comment}\n`;
    for (const token of this.tokens) {
      const { from, to } = token;
      const misc = spacesOf(token, options.offsets === true);
      if (to > from) out += `${from}-${to}\t${lineOf(token.form)}\t_\t_\t_\t_\t_\t_\t_\t${misc || "_"}\n`;
      for (let i = from; i <= to; i++) {
        const own = to > from ? "" : misc;
        const score = scores ? `${own && "|"}Score=${scores[i]!.toFixed(3)}` : "";
        out += `${i}\t${lineOf(forms[i]!)}\t${lineOf(lemmas[i]!)}\t${uposTags[i]}\t${xposTags[i]}\t${featsTexts[i]}\t${heads[i]}\t${deprels[i]}\t_\t${own + score || "_"}\n`;
      }
    }
    return `${out}\n`;
  }

  toJSON(): object {
    return {
      text: this.text,
      start: this.start,
      end: this.end,
      ...(this.annotation.tree ? { tree: this.annotation.tree } : {}),
      words: this.words.map((word) => word.toJSON()),
      tokens: this.tokens.map(({ form, start, end, from, to }) => ({ form, start, end, from, to })),
    };
  }

  /** What is drawn, as plain data. */
  drawable(): Drawable {
    const { forms, uposTags, deprels } = this.annotation;
    const tags = uposTags.some((tag, i) => i > 0 && tag !== "_") ? uposTags : undefined;
    return { forms, heads: Array.from(this.heads), labels: deprels, tags, title: this.text };
  }

  toSVG(options?: SVGOptions): string {
    return toSVG(this.drawable(), options);
  }

  toText(options?: TextOptions): string {
    return toText(this.drawable(), options);
  }

  toLatex(options?: LatexOptions): string {
    return toLatex(this.drawable(), options);
  }
}

export interface ConlluOptions {
  /** What follows `# sent_id = `. */
  id?: string | number | undefined;
  /** Say where each token is in the text: TokenRange=0:5 in MISC. */
  offsets?: boolean | undefined;
}

/** A word of a parsed sentence. */
export class Word {
  /** The words that depend on this one, in their order. */
  readonly children: readonly Word[] = [];

  constructor(
    readonly sentence: ParsedSentence,
    /** Its number in the sentence, from 1. */
    readonly index: number,
    /** The token that it is, or is a part of. */
    readonly token: SurfaceToken,
  ) {}

  get form(): string {
    return this.sentence.annotation.forms[this.index]!;
  }
  get lemma(): string {
    return this.sentence.annotation.lemmas[this.index]!;
  }
  get upos(): string {
    return this.sentence.annotation.uposTags[this.index]!;
  }
  get xpos(): string {
    return this.sentence.annotation.xposTags[this.index]!;
  }
  /** Morphological features by name. */
  get feats(): Record<string, string> {
    const text = this.sentence.annotation.featsTexts[this.index]!;
    if (text === "_" || text === "") return {};
    return Object.fromEntries(text.split("|").map((item) => item.split("=", 2) as [string, string]));
  }
  get deprel(): string {
    return this.sentence.annotation.deprels[this.index]!;
  }
  /** The relation without what a language adds to it: "nsubj" of "nsubj:pass". */
  get relation(): string {
    return this.deprel.split(":", 1)[0]!;
  }
  /** The number of the head, 0 for the root. */
  get headIndex(): number {
    return this.sentence.heads[this.index]!;
  }
  /** The head, undefined for the root. */
  get head(): Word | undefined {
    return this.headIndex > 0 ? this.sentence.words[this.headIndex - 1] : undefined;
  }
  /** Where its token is in the text that was parsed, in UTF-16 units. */
  get start(): number {
    return this.token.start;
  }
  get end(): number {
    return this.token.end;
  }
  /** How sure its head and label are, 0 to 1, if that was asked for. */
  get score(): number | undefined {
    return this.sentence.annotation.scores?.[this.index];
  }

  /** The word and all that depends on it, directly or not, in the order of the sentence. */
  get subtree(): Word[] {
    const found: Word[] = [this];
    for (let i = 0; i < found.length; i++) found.push(...found[i]!.children);
    return found.sort((a, b) => a.index - b.index);
  }

  /** The word, its head, the head of that, … up to the root. */
  get path(): Word[] {
    const path: Word[] = [];
    for (let word: Word | undefined = this; word; word = word.head) path.push(word);
    return path;
  }

  toString(): string {
    return this.form;
  }

  toJSON(): object {
    const { index, form, lemma, upos, xpos, feats, headIndex, deprel, start, end, score } = this;
    return {
      id: index,
      form,
      lemma,
      upos,
      xpos,
      feats,
      head: headIndex,
      deprel,
      start,
      end,
      ...(score === undefined ? {} : { score }),
    };
  }
}

const NOMINAL = new Set(["NOUN", "PROPN", "PRON"]);
const PART_OF_NAME = new Set(["compound", "flat", "fixed", "goeswith"]);
const OUTSIDE = new Set(
  "case cc punct conj appos nmod acl advcl parataxis cop nsubj csubj obj iobj obl xcomp ccomp aux mark dep discourse vocative dislocated orphan advmod expl list reparandum".split(
    " ",
  ),
);

/** Line ends and tabs would break a line of CoNLL-U; they are in forms only if nothing else separates words there. */
function lineOf(text: string): string {
  return /[\t\n\r]/.test(text) ? text.replace(/[\t\n\r]+/g, " ") : text;
}

function spacesOf({ start, end, spacesBefore, spacesAfter }: SurfaceToken, offsets: boolean): string {
  if (spacesAfter === " " && spacesBefore === "" && !offsets) return "";
  const values = spaceValues(spacesBefore, spacesAfter);
  if (offsets) values.push(`TokenRange=${start}:${end}`);
  return values.join("|");
}
