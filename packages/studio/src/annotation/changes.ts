// What a person can change, as plain data.

import type { Tree } from "../protocol.js";

/** The sentence of a treebank that is shown. */
export interface TreebankPlace {
  /** Of the file: what its content is, not what it is called. */
  key: string;
  index: number;
}

/** What stands in the text box. */
export interface Input {
  text: string;
  /** Set if the text is a sentence of a treebank as it is in the file. */
  place: TreebankPlace | undefined;
}

export type Change =
  | {
      kind: "tree";
      /** A treebank's key, or TEXT. */
      document: string;
      /** Which sentence of the document (see keys.ts), and where it stood when it was changed. */
      sentence: string;
      index: number;
      before: Tree | undefined;
      after: Tree | undefined;
    }
  /** `typed`: letter by letter; such changes in a row are one. */
  | { kind: "text"; before: Input; after: Input; typed: boolean };

/** The document of sentences that are in no file. */
export const TEXT = "text";
