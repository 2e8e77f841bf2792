import type { TreebankProblem } from "@stemma/core";

/** What a piece of a request holds. */
export type PieceInput =
  /**
   * Whole paragraphs of a text, or whole lines that are sentences. `offset` is where it is in the text of the request, in
   * UTF-16 units (for UDPipe in characters); `continues` says that it does not begin a paragraph.
   */
  | { kind: "text" | "lines"; text: string; offset: number; continues: boolean }
  /** Sentences as strings. */
  | { kind: "sentences"; sentences: readonly string[] }
  | { kind: "tokens"; sentences: readonly (readonly string[])[] }
  /** Whole sentences in CoNLL-U, and the number of the first line. */
  | { kind: "conllu"; bytes: Uint8Array; line: number };

export const OUTPUTS = ["json", "conllu", "horizontal", "vertical", "plaintext"] as const;
export type OutputName = (typeof OUTPUTS)[number];

/** What is to be done with all pieces of a request; plain data, as it travels to workers. */
export interface PieceOptions {
  /** Number of the model. */
  model: number;
  to: OutputName;
  /** Say how sure each head and label is. */
  scores: boolean;
  /** A sentence with more words is a problem. */
  maxSentence: number;
  /** As UDPipe does it: only what was asked for is filled in. */
  udpipe?: UdpipeOptions | undefined;
}

export interface UdpipeOptions {
  tag: boolean;
  parse: boolean;
  /** TokenRange in MISC, in characters. */
  ranges: boolean;
  /** Do not keep white space but for SpaceAfter=No. */
  normalizedSpaces: boolean;
}

/** A part of a request that a worker does in one go; small, so that requests can take turns. */
export interface Piece {
  input: PieceInput;
  options: PieceOptions;
}

/** What became of a piece. */
export interface PieceResult {
  /** The output of each sentence, without its number. */
  sentences: string[];
  words: number;
  problem?: PieceProblem | undefined;
}

export type PieceProblem =
  | { kind: "sentence-too-long"; sentence: number; words: number }
  | ({ kind: "treebank" } & TreebankProblem)
  | { kind: "failure"; message: string };

/** About how much work a piece is, in UTF-16 units. */
export function sizeOf({ input }: Piece): number {
  if (input.kind === "conllu") return input.bytes.length >> 2;
  if ("text" in input) return input.text.length;
  let size = 0;
  for (const sentence of input.sentences) {
    if (typeof sentence === "string") size += sentence.length;
    else for (const token of sentence) size += token.length + 1;
  }
  return size;
}

/** The first message of a worker: it has its models. All others are the results of the pieces of a message. */
export const READY = "ready";
