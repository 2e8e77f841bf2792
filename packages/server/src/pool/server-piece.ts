import type { GivenWord } from "@stemma/core";
import type { Piece } from "../annotation/piece.js";

/** A part of a request that a worker does in one go; small, so that requests can take turns. */
export interface ServerPiece extends Piece {
  /** Number of the model. */
  model: number;
}

/** About how much work a piece is, in UTF-16 units. */
export function sizeOf({ input }: Piece): number {
  if (input.kind === "treebank") return input.bytes.length >> 2;
  if (input.kind === "text") return input.text.length;
  if (input.kind === "documents") return input.texts.reduce((sum, { text }) => sum + text.length, 0);
  let size = 0;
  for (const sentence of input.sentences)
    size += typeof sentence === "string" ? sentence.length : sizeOfTokens(sentence);
  return size;
}

/** How much more work a word is than usual: a beam looks at several trees. */
export function weightOf({ beam = 1, trees = 1 }: Piece["options"]): number {
  return Math.max(beam, trees);
}

/** Words of a piece: an estimate, for a text of letters and other characters it is close. */
export function wordsOf({ input }: Piece): number {
  switch (input.kind) {
    case "tokens":
      return input.sentences.reduce((sum, tokens) => sum + tokens.length, 0);
    case "treebank":
      return linesIn(input.bytes);
    case "sentences":
      return input.sentences.reduce((sum, text) => sum + wordsIn(text), 0);
    case "text":
      return wordsIn(input.text);
    case "documents":
      return input.texts.reduce((sum, { text }) => sum + wordsIn(text), 0);
  }
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines++;
  return lines;
}

function wordsIn(text: string): number {
  return text.match(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu)?.length ?? 0;
}

/** UTF-16 units of an answer for each word and tree, as measured with English; with a drawing. */
const PER_WORD = 160;
const PER_DRAWN_WORD = 720;

/** About how large the result of a piece with so many words is, in UTF-16 units. */
export function answerSize(words: number, { trees = 1, svg = false }: Piece["options"]): number {
  return words * trees * (svg ? PER_DRAWN_WORD : PER_WORD);
}

/** Of a sentence that is cut into tokens. */
export function sizeOfTokens(tokens: readonly (string | GivenWord)[]): number {
  let size = 0;
  for (const token of tokens) size += (typeof token === "string" ? token : token.form).length + 1;
  return size;
}

/** The first message of a worker: it has its models. All others are results, in the order of the pieces. */
export const READY = "ready";
