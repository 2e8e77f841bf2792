import { check, oneOf } from "../checks/options.js";
import { checkedList } from "../checks/shapes.js";
import type { Column } from "../treebank/formats/layout.js";
import { COLUMNS } from "./attributes.js";
import { Interner } from "./interner.js";
import type { MatchableSentence } from "./matchable-sentence.js";

/** A column of all sentences: the number of the value of each word, and the values. */
export interface IndexedColumn {
  /** For each word the number of its text. */
  readonly ids: Int32Array;
  /** The texts by their numbers. */
  readonly texts: readonly string[];
}

/**
 * Sentences whose columns are there as numbers. In each column, and in `heads`, word i of sentence k is at
 * starts[k] + i; what is at starts[k] is not looked at.
 */
export interface IndexedTreebank<S extends MatchableSentence = MatchableSentence> {
  /** Those that are indexed. */
  readonly sentences: readonly S[];
  /** Where each sentence begins in the columns. */
  readonly starts: Int32Array;
  /** -1 for none. */
  readonly heads: Int32Array;
  /**
   * Asked for when a pattern first needs it.
   * @param name its name
   */
  column(name: Column): IndexedColumn;
}

/**
 * Sentences in memory, indexed for searching with many patterns: their columns as numbers, computed when a pattern
 * first needs them. The sentences must not be changed. It pays off from the second pattern on.
 */
export class TreebankIndex<S extends MatchableSentence = MatchableSentence> implements IndexedTreebank<S> {
  /** Those that are indexed. */
  readonly sentences: readonly S[];
  /** Where each sentence begins in the columns; its word i is at starts[k] + i. */
  readonly starts: Int32Array;
  /** The head of each word of all sentences. */
  readonly heads: Int32Array;
  private readonly columns = new Map<Column, IndexedColumn>();

  /** @param sentences all of them are kept */
  constructor(sentences: Iterable<S>) {
    this.sentences = checkedList("sentences", sentences, "form", "upos");
    this.starts = new Int32Array(this.sentences.length + 1);
    this.sentences.forEach((sentence, k) => {
      this.starts[k + 1] = this.starts[k]! + sentence.length + 1;
    });
    this.heads = new Int32Array(this.starts[this.sentences.length]!);
    this.sentences.forEach(({ heads, length }, k) => {
      for (let i = 0; i <= length; i++) this.heads[this.starts[k]! + i] = i === 0 ? -1 : heads[i]!;
    });
  }

  /**
   * A column as numbers.
   * @param name that of CoNLL-U, in small letters
   */
  column(name: Column): IndexedColumn {
    check("column", name, oneOf(...COLUMNS));
    let column = this.columns.get(name);
    if (column === undefined) {
      column = this.interned(name);
      this.columns.set(name, column);
    }
    return column;
  }

  private interned(name: Column): IndexedColumn {
    const interner = new Interner();
    const ids = new Int32Array(this.heads.length);
    this.sentences.forEach((sentence, k) => {
      const start = this.starts[k]!;
      for (let i = 1; i <= sentence.length; i++) ids[start + i] = interner.number(sentence[name](i));
    });
    return { ids, texts: interner.texts };
  }
}
