// Messages to threads that annotate, and back; plain data.
import type { Drawable, GivenWord } from "@stemma/core";
import type { Format, TreebankProblem } from "@stemma/core/treebank";
import type { SentenceTable } from "./word-table.js";

/** The kind of a text: running text, one sentence per line, or one sentence per line with spaces between its tokens. */
export const TEXT_FORMATS = ["text", "lines", "tokens"] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** Whole paragraphs of a text, or whole lines. */
export interface TextInput {
  kind: "text";
  from: TextFormat;
  text: string;
  /** Where it is in the whole text, in UTF-16 units (for UDPipe in characters). */
  offset: number;
  /** It does not begin a paragraph. */
  continues: boolean;
}

/** Whole sentences of a treebank as they were read. */
export interface TreebankInput {
  kind: "treebank";
  from: Format;
  bytes: Uint8Array;
  /** Name of the file and number of the first line, for errors. */
  source: string;
  line: number;
}

/** Several short texts, or a part of a long one. */
export interface DocumentsInput {
  kind: "documents";
  texts: readonly Pick<TextInput, "text" | "offset" | "continues">[];
}

/** A part of what is to be annotated that can be worked on by itself. */
export type PieceInput =
  | TextInput
  | DocumentsInput
  | TreebankInput
  | { kind: "sentences"; sentences: readonly string[] }
  | { kind: "tokens"; sentences: readonly (readonly (string | GivenWord)[])[] };

export type OutputName = Format | "table" | "drawing" | "horizontal" | "vertical" | "plaintext";

/** The task for a piece. */
export interface AnnotationOptions {
  to: OutputName;
  /** Say how sure each head and label is: in MISC, and in JSON as a member of its own. */
  scores?: boolean | undefined;
  /** Give so many trees of each sentence, at most, best first. */
  trees?: number | undefined;
  /** Width of the beam, if not that of the model. */
  beam?: number | undefined;
  /** Say where the tokens of a text are, in CoNLL-U; JSON always does. */
  offsets?: boolean | undefined;
  /** Add a drawing to the JSON of each sentence. */
  svg?: boolean | undefined;
  /** Tag words of a treebank again that have tags; keep heads and labels that are there. */
  retag?: boolean | undefined;
  keep?: boolean | undefined;
  /** Leave disfluent words out. */
  fluent?: boolean | undefined;
  /** Stop at the first sentence that cannot be annotated. */
  strict?: boolean | undefined;
  /** Most words of a sentence: one of a text that has more is divided, any other is a problem. */
  maxSentence?: number | undefined;
  /** "error": one of a text is a problem as well. */
  tooLong?: "split" | "error" | undefined;
  /** Write every sentence of a treebank with the same line ends, and without a byte order mark, whatever it had. */
  standalone?: boolean | undefined;
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

export interface Piece {
  input: PieceInput;
  options: AnnotationOptions;
}

/** The output for a sentence, but for its number, which only the one who writes all of them knows. */
export interface AnnotatedSentence {
  /** The requested text: of JSON the members of the object, of CoNLL-U the lines, of a drawing or table nothing. */
  body: string;
  table?: SentenceTable | undefined;
  drawing?: Drawable | undefined;
  /** It begins a paragraph of a text. */
  newParagraph: boolean;
  /** Which of the trees of its sentence it has, from 1. */
  rank: number;
  /** Which of several documents it is of, from 0. */
  item?: number | undefined;
  /** Of a sentence of a treebank: it begins a document. */
  newDocument?: { id: string | undefined } | undefined;
}

/** The result of a piece. */
export interface PieceResult {
  sentences: AnnotatedSentence[];
  words: number;
  /** Sentences that could not be annotated, in order; with `strict` at most one, and what was before it is there. */
  problems: PieceProblem[];
  /** Annotations that the format of the output cannot hold, counted. */
  losses: [what: string, count: number][];
  /** Blank lines and comments after the last sentence of a treebank. */
  trailer: string;
}

export type PieceProblem = (
  | { kind: "sentence-too-long"; sentence: number; words: number }
  | ({ kind: "treebank" } & TreebankProblem)
  /** Heads that are given with tokens, which no tree has together. */
  | { kind: "impossible-heads"; sentence: number; message: string }
  | { kind: "failure"; message: string }
) & {
  /** Which of several documents it is of, from 0. */
  item?: number | undefined;
};

/** A result with nothing in it. */
export function emptyResult(): PieceResult {
  return { sentences: [], words: 0, problems: [], losses: [], trailer: "" };
}
