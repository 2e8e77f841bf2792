// Raw text from a treebank, with the places where its tokens and sentences end: what a segmenter learns from.

import { check, TRUE_OR_FALSE } from "../../checks/options.js";
import { arrayOf, OBJECT, SENTENCE } from "../../checks/shapes.js";
import type { Random } from "../../math/random.js";
import type { Sentence } from "../../treebank/sentence/sentence.js";
import { hasNoSpaceAfter } from "../../treebank/sentence/spaces.js";
import { classOf, HAN, HIRAGANA, isWhite, KATAKANA, UNSPACED } from "./characters/character-classes.js";

/**
 * Place marks of a text: a token, or also a sentence, ends before this character; the token stands for several words.
 */
export const TOKEN_END = 1;
export const SENTENCE_END = 2;
export const SEVERAL_WORDS = 4;

const WHITE_SPACE = /[\s\u0085]+/;

/** The surface of a sentence. */
export interface Surface {
  readonly forms: string[];
  /** Whether white space follows each token. */
  readonly spaces: boolean[];
  /** Whether each token stands for several words. */
  readonly several: boolean[];
  readonly newDocument: boolean;
  readonly newParagraph: boolean;
}

/** A text and, for each of its places 0 … length, whether a token or a sentence ends there. */
export interface MarkedText {
  readonly text: string;
  readonly marks: Uint8Array;
}

/** Whether a treebank says where its text has spaces: some token has SpaceAfter=No, or some sentence its text. */
export function knowsSpaces(sentences: readonly Sentence[]): boolean {
  return sentences.some((sentence) => /SpaceAfter=No|^# *text *=/m.test(sentence.toString()));
}

/**
 * The tokens of a sentence and the spaces between them: by its `# text` if the tokens are found there, else by
 * SpaceAfter.
 */
export function surfaceOf(sentence: Sentence): Surface {
  check("sentence", sentence, SENTENCE);
  const forms: string[] = [];
  const spaces: boolean[] = [];
  const several: boolean[] = [];
  const multi = sentence.multiWordTokens;
  let next = 0;
  for (let i = 1; i <= sentence.length; i++) {
    const token = multi[next]?.from === i ? multi[next++] : undefined;
    // A space inside a token ("10 000") is a single one, as in CoNLL-U.
    const form = (token?.form ?? sentence.form(i))
      .split(WHITE_SPACE)
      .filter((part) => part !== "")
      .join(" ");
    if (form !== "") {
      forms.push(form);
      spaces.push(!hasNoSpaceAfter(token?.misc ?? sentence.misc(i)));
      several.push(token !== undefined);
    }
    i = token?.to ?? i;
  }
  const { comments } = sentence;
  const text = sentence.comment("text");
  if (text !== undefined) alignSpaces(text, forms, spaces);
  return {
    forms,
    spaces,
    several,
    newDocument: comments.some((comment) => /^#\s*newdoc\b/.test(comment)),
    newParagraph: comments.some((comment) => /^#\s*newpar\b/.test(comment)),
  };
}

/** The same with "10 000" as two tokens, for segmenters that part tokens at all white space. */
export function withoutSpacesInside(surface: Surface): Surface {
  if (!surface.forms.some((form) => form.includes(" "))) return surface;
  const forms: string[] = [];
  const spaces: boolean[] = [];
  const several: boolean[] = [];
  surface.forms.forEach((form, i) => {
    const parts = form.split(" ");
    forms.push(...parts);
    spaces.push(...parts.slice(1).map(() => true), surface.spaces[i]!);
    several.push(...parts.map(() => parts.length === 1 && surface.several[i]!));
  });
  return { ...surface, forms, spaces, several };
}

/** Takes the spaces inside a sentence from its text; leaves them alone if the tokens are not all found in it. */
function alignSpaces(text: string, forms: readonly string[], spaces: boolean[]): void {
  const before: boolean[] = [];
  let at = 0;
  for (const form of forms) {
    const end = at;
    let start = -1;
    for (const part of form.split(" ")) {
      while (at < text.length && isWhite(classOf(text.charCodeAt(at)))) at++;
      if (!text.startsWith(part, at)) return;
      if (start < 0) start = at;
      at += part.length;
    }
    before.push(start > end);
  }
  // Space after the last token is not in the text: that stays with SpaceAfter.
  for (let i = 1; i < forms.length; i++) spaces[i - 1] = before[i]!;
}

const CLOSING = /^[)\]}»”’.,;:!?…%、。，；：！？）」』】》〉·]+$/u;
const OPENING = /^[([{«“‘¿¡（「『【《〈]+$/u;

/**
 * The spaces that a text would have, for treebanks that do not tell: none before closing and after opening punctuation,
 * none between words of scripts that are written without.
 */
export function guessSpaces(surface: Surface): Surface {
  const { forms } = surface;
  let open = false;
  const spaces = forms.map((form, i) => {
    const next = forms[i + 1];
    if (form === '"') open = !open;
    if (next === undefined) return !writtenWithoutSpaces(form);
    if (form === '"') return !open;
    if (next === '"') return !open;
    return !(CLOSING.test(next) || OPENING.test(form) || (writtenWithoutSpaces(form) && writtenWithoutSpaces(next)));
  });
  return { ...surface, spaces };
}

const FULL_WIDTH = /[\u3000-\u303f\uff00-\uffef]/;

function writtenWithoutSpaces(form: string): boolean {
  const first = classOf(form.codePointAt(0)!);
  return first === HAN || first === HIRAGANA || first === KATAKANA || first === UNSPACED || FULL_WIDTH.test(form[0]!);
}

/**
 * The text as the CoNLL 2018 shared task had it: sentences joined by a space unless the last token says otherwise, a
 * blank line before each document, and before paragraphs if `paragraphs`.
 */
export function plainText(surfaces: readonly Surface[], paragraphs = false): MarkedText {
  check("surfaces", surfaces, arrayOf("an array of what surfaceOf gives", OBJECT));
  check("paragraphs", paragraphs, TRUE_OR_FALSE);
  const writer = new Writer();
  surfaces.forEach((surface, i) => {
    if (i > 0 && (surface.newDocument || (paragraphs && surface.newParagraph))) writer.breakParagraph();
    writer.sentence(surface, " ");
  });
  return writer.finish();
}

/** Documents without marks are taken to be of about this many sentences. */
const PSEUDO_DOCUMENT = 20;

/**
 * The text of one pass of training, in documents (each a text of its own) in random order. What separates sentences
 * varies, so that the segmenter learns to do with any of it: paragraphs are mostly run together, now and then there is
 * a line end between sentences, and some documents are wrapped into lines. The sentences from `other` on are from
 * elsewhere, and have marks of documents or not whatever those before have. `first` is the number of the text's first
 * sentence.
 */
export function* trainingTexts(
  surfaces: readonly Surface[],
  random: Random,
  other = surfaces.length,
): Generator<MarkedText & { first: number }> {
  const starts = [
    ...documentStarts(surfaces, 0, other, random),
    ...documentStarts(surfaces, other, surfaces.length, random),
  ];
  const order = Int32Array.from(starts.keys());
  random.shuffle(order);
  for (const k of order) {
    const writer = new Writer();
    const style = random.next();
    const wrap = style < 0.1 ? 30 + Math.floor(60 * random.next()) : 0;
    const lines = style > 0.9 ? 0.7 : 0.03;
    const end = starts[k + 1] ?? surfaces.length;
    for (let i = starts[k]!; i < end; i++) {
      const surface = surfaces[i]!;
      const next = surfaces[i + 1];
      const newParagraph = i + 1 < end && next!.newParagraph;
      if (newParagraph && random.next() < 0.1) {
        writer.sentence(surface, "\n", wrap);
        writer.breakParagraph();
      } else writer.sentence(surface, random.next() < (newParagraph ? 0.15 : lines) ? "\n" : " ", wrap);
    }
    yield { ...writer.finish(), first: starts[k]! };
  }
}

function documentStarts(surfaces: readonly Surface[], from: number, to: number, random: Random): number[] {
  const starts: number[] = [];
  const marked = surfaces.slice(from + 1, to).some(({ newDocument }) => newDocument);
  let length = 0;
  for (let i = from; i < to; i++) {
    if (i === from || (marked ? surfaces[i]!.newDocument : length === 0)) {
      starts.push(i);
      length = Math.floor(2 * PSEUDO_DOCUMENT * random.next()) + 1;
    }
    length--;
  }
  return starts;
}

class Writer {
  private readonly parts: string[] = [];
  private readonly ends: number[] = [];
  private readonly kinds: number[] = [];
  private length = 0;
  private lineStart = 0;

  sentence({ forms, spaces, several }: Surface, after: string, wrap = 0): void {
    forms.forEach((form, i) => {
      const last = i === forms.length - 1;
      this.write(form);
      this.ends.push(this.length);
      this.kinds.push(TOKEN_END | (last ? SENTENCE_END : 0) | (several[i] ? SEVERAL_WORDS : 0));
      if (!spaces[i]) return;
      const full = wrap > 0 && this.length - this.lineStart > wrap;
      this.write(full ? "\n" : last ? after : " ");
      if (full) this.lineStart = this.length;
    });
  }

  breakParagraph(): void {
    this.write("\n\n");
  }

  private write(part: string): void {
    this.parts.push(part);
    this.length += part.length;
  }

  finish(): MarkedText {
    const marks = new Uint8Array(this.length + 1);
    for (let i = 0; i < this.ends.length; i++) marks[this.ends[i]!] = this.kinds[i]!;
    return { text: this.parts.join(""), marks };
  }
}
