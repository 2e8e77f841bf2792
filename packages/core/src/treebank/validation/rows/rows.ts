// A sentence as its lines, before anything is known to be right about them. Most lines have nothing wrong with them, so
// columns are cut out only where somebody asks for them: rows know where each begins.

import type { ArcReader } from "./arcs.js";
import { type Relation, relationOf } from "./relation-names.js";
import { type Tags, tagsOf } from "./tags.js";

export const [ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
export const COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC".split(" ");

const [ZERO, NINE, UNDERSCORE] = [48, 57, 95];

/** The line of a word, a multiword token or an empty node. */
export class Row {
  private cells: readonly string[] | undefined;
  private ownTags: Tags | undefined;
  private ownRelation: Relation | undefined;

  constructor(
    private readonly text: string,
    /** Where its columns begin in `text`, from `first` on; the last place is past the end of the line by one. */
    private readonly places: Int32Array,
    private readonly first: number,
    readonly line: number,
    readonly kind: "word" | "token" | "empty",
    /** The ID of a word, 0 for other rows. */
    readonly number: number,
  ) {}

  /** All columns, for messages and for what is rare. */
  get columns(): readonly string[] {
    this.cells ??= this.text.slice(this.places[this.first]!, this.places[this.first + 10]! - 1).split("\t");
    return this.cells;
  }

  column(c: number): string {
    return this.text.slice(this.places[this.first + c]!, this.places[this.first + c + 1]! - 1);
  }

  /** Is a column "_"? */
  isBlank(c: number): boolean {
    const start = this.places[this.first + c]!;
    return this.places[this.first + c + 1]! - start === 2 && this.text.charCodeAt(start) === UNDERSCORE;
  }

  /** Is a column this value? */
  is(c: number, value: string): boolean {
    const start = this.places[this.first + c]!;
    return this.places[this.first + c + 1]! - start - 1 === value.length && this.text.startsWith(value, start);
  }

  /** How many characters a column has. */
  size(c: number): number {
    return this.places[this.first + c + 1]! - this.places[this.first + c]! - 1;
  }

  /** Does a text go on with a column at a place? */
  isAt(c: number, text: string, place: number): boolean {
    const start = this.places[this.first + c]!;
    const size = this.size(c);
    if (place + size > text.length) return false;
    for (let k = 0; k < size; k++) if (this.text.charCodeAt(start + k) !== text.charCodeAt(place + k)) return false;
    return true;
  }

  /** Does a column have a character? */
  has(c: number, code: number): boolean {
    const end = this.places[this.first + c + 1]! - 1;
    for (let k = this.places[this.first + c]!; k < end; k++) if (this.text.charCodeAt(k) === code) return true;
    return false;
  }

  /** Is DEPS the arc of the tree, and no more? */
  get isPlain(): boolean {
    const { text, places, first } = this;
    const deps = places[first + DEPS]!;
    const colon = deps + this.size(HEAD);
    if (this.size(DEPS) !== this.size(HEAD) + 1 + this.size(DEPREL) || text[colon] !== ":") return false;
    return this.isAt(HEAD, text, deps) && this.isAt(DEPREL, text, colon + 1);
  }

  /** UPOS and FEATS. */
  get tags(): Tags {
    const { places, first } = this;
    this.ownTags ??= tagsOf(this.text, places[first + UPOS]!, places[first + HEAD]! - 1);
    return this.ownTags;
  }

  /** DEPREL. */
  get relation(): Relation {
    const { places, first } = this;
    this.ownRelation ??= relationOf(this.text, places[first + DEPREL]!, places[first + DEPS]! - 1);
    return this.ownRelation;
  }

  /** Lets a reader go over DEPS. */
  readArcs(reader: ArcReader): void {
    reader.read(this.text, this.places[this.first + DEPS]!, this.places[this.first + MISC]! - 1);
  }

  /** HEAD as a number, -1 if it is none. */
  get head(): number {
    const { text, places, first } = this;
    const start = places[first + HEAD]!;
    const end = places[first + DEPREL]! - 1;
    if (end - start > 1 && text.charCodeAt(start) === ZERO) return -1;
    let number = end > start ? 0 : -1;
    for (let k = start; k < end; k++) {
      const code = text.charCodeAt(k);
      if (code < ZERO || code > NINE) return -1;
      number = 10 * number + code - ZERO;
    }
    return number;
  }
}

/** The lines of a sentence. */
export interface Rows {
  readonly comments: readonly { readonly text: string; readonly line: number }[];
  readonly rows: readonly Row[];
  /** The rows of words, from 1. */
  readonly words: readonly Row[];
}

/** How messages call a row. */
export function nameOf({ columns }: Row): string {
  return `“${columns[FORM]}” (${columns[ID]})`;
}

/** Place of a column of a row. */
export function at(
  row: Row,
  column: number,
  link?: string,
): { line: number; column: number; word: number; link?: string } {
  return { line: row.line, column: column + 1, word: row.number, ...(link === undefined ? {} : { link }) };
}

/** The value of a feature in FEATS or of an item in MISC. */
export function itemOf(items: string, key: string): string | undefined {
  if (items === "_" || !items.includes(key)) return undefined;
  return items
    .split("|")
    .find((item) => item.startsWith(`${key}=`))
    ?.slice(key.length + 1);
}
