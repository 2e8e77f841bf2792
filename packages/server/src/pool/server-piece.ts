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

/** Of a sentence that is cut into tokens. */
export function sizeOfTokens(tokens: readonly (string | GivenWord)[]): number {
  let size = 0;
  for (const token of tokens) size += (typeof token === "string" ? token : token.form).length + 1;
  return size;
}

/** The first message of a worker: it has its models. All others are results, in the order of the pieces. */
export const READY = "ready";
