// Changes made by a person, as plain data.

import type { Tree } from "../../protocol/sentence.js";

/** The sentence of a treebank that is shown. */
export interface TreebankPlace {
  /** Of the file: what its content is, not what it is called. */
  key: string;
  /** From 0, as in the file; what was split off a sentence has a number between that one's and the next. */
  index: number;
}

/** The content of the text box. */
export interface Input {
  text: string;
  /** Set if the text is a sentence of a treebank. */
  place: TreebankPlace | undefined;
}

/** A person's version of a sentence of a treebank; undefined fields are as the file has them. */
export interface SentenceState {
  /** In CoNLL-U; "" if it was joined to the one before. */
  text?: string | undefined;
  /** For each sentence of the text the words whose arcs a person has set: a new parse keeps them. */
  fixed?: number[][] | undefined;
  /** Differences from another annotator that were decided: “3 arc”, “3 upos”. */
  decided?: string[] | undefined;
  note?: string | undefined;
  done?: boolean | undefined;
}

/** A sentence of a treebank before and after a change. */
export interface ChangedSentence {
  index: number;
  before: SentenceState | undefined;
  after: SentenceState | undefined;
  /** As the file has it, where that is known. */
  original?: string | undefined;
}

export type Change =
  | {
      kind: "tree";
      /** Which sentence of a text (see keys.ts), and where it stood when it was changed. */
      sentence: string;
      index: number;
      before: Tree | undefined;
      after: Tree | undefined;
    }
  /** `typed`: letter by letter; such changes in a row are one. */
  | { kind: "text"; before: Input; after: Input; typed: boolean }
  | {
      kind: "sentences";
      /** A treebank's key. */
      document: string;
      /** Its name after “Undo”. */
      what: string;
      sentences: ChangedSentence[];
      typed: boolean;
      /** It follows from the change before, and is one with it. */
      follows?: boolean | undefined;
      /** When, so that changes can be told apart. */
      made: number;
    };
