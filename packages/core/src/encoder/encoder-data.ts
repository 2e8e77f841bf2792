import type { QuantizedNumbers } from "../scoring/network/quantization.js";

/** How words become pieces (WordPiece): plain data, in the header of a model. Pieces are numbers in the vocabulary. */
export interface WordPieceHeader {
  /** Of the text: characters of control go and white space becomes a space. */
  cleanText: boolean;
  /** Every Chinese character is a word of its own. */
  chineseCharacters: boolean;
  stripAccents: boolean;
  lowercase: boolean;
  /** The prefix of pieces that do not begin a word. */
  prefix: string;
  /** Words of more characters are unknown. */
  longest: number;
  /** The piece of what is unknown, and those that a sentence begins and ends with. */
  unknown: number;
  begin: number;
  end: number;
  /** Pieces that are taken as they stand, wherever they stand in a text. */
  special: number[];
}

/** The size of an encoder: plain data, in the header of a model. */
export interface EncoderHeader {
  /** Numbers in the vector of a piece. */
  size: number;
  heads: number;
  /** Units between the two matrices that follow the attention of a layer. */
  inner: number;
  layers: number;
  /** Of so many layers, counted from the last, the vectors are given. */
  mixed: number;
  /** Pieces that are read together, at most, with those at the beginning and at the end. */
  window: number;
  /** The addition to a variance before a division by it. */
  epsilon: number;
  pieces: WordPieceHeader;
}

/** All of an encoder; plain data, which can be given to another thread. */
export interface EncoderData {
  /** Its sizes, and how it cuts words into pieces. */
  readonly header: EncoderHeader;
  /** The pieces, in the order of their vectors. */
  readonly vocabulary: readonly string[];
  /** The weights. */
  readonly numbers: QuantizedNumbers;
}

/** A source of vectors of words that know their sentence. */
export interface WordEncoder {
  /**
   * The vectors of the words of a sentence: `mixed` times `size` numbers a word, the earlier layer first. They stay
   * until the next sentence is asked for; asked for again, the same sentence costs nothing.
   */
  encode(forms: readonly string[]): Float32Array;
  /**
   * The vectors of the words of a text, whatever its length, by the first layer alone whose vectors are given: `size`
   * numbers a word. Takes less time than `encode`, since the layers after it are left out.
   */
  skim(forms: readonly string[]): Float32Array;
}
