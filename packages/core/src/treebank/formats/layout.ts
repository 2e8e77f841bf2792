/** The columns of a word that every format has or lacks, by their CoNLL-U names. */
export type Column = "form" | "lemma" | "upos" | "xpos" | "feats" | "deprel" | "deps" | "misc";

/** Which column of a tab-separated format holds what. */
export interface Layout extends Readonly<Record<Column | "head", number>> {
  readonly name: "conllu" | "conllx" | "conll09";
  /** Column names for error messages. */
  readonly columns: readonly string[];
  /** Fewest and most columns of a line; all lines of a sentence have the same number. */
  readonly fewest: number;
  readonly most: number;
  /** Whether IDs such as 3-4 (multiword token) and 3.1 (empty node) exist. */
  readonly ranges: boolean;
}

const ABSENT = -1;

/** https://universaldependencies.org/format.html */
export const CONLLU: Layout = {
  name: "conllu",
  columns: ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"],
  fewest: 10,
  most: 10,
  ranges: true,
  form: 1,
  lemma: 2,
  upos: 3,
  xpos: 4,
  feats: 5,
  head: 6,
  deprel: 7,
  deps: 8,
  misc: 9,
};

/** CoNLL-X shared task (Buchholz and Marsi 2006): the last two columns are a projective tree. */
export const CONLLX: Layout = {
  ...CONLLU,
  name: "conllx",
  columns: ["ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL"],
  ranges: false,
  deps: ABSENT,
  misc: ABSENT,
};

/**
 * CoNLL-2009 shared task (Hajič et al. 2009). It has one gold tag, read as UPOS and XPOS alike. PRED and one APRED
 * column per predicate follow FILLPRED; blind evaluation data stops earlier, so PDEPREL is the last column required.
 */
export const CONLL09: Layout = {
  name: "conll09",
  columns: [
    ...["ID", "FORM", "LEMMA", "PLEMMA", "POS", "PPOS", "FEAT", "PFEAT", "HEAD", "PHEAD", "DEPREL", "PDEPREL"],
    ...["FILLPRED", "PRED"],
  ],
  fewest: 12,
  most: 100_000,
  ranges: false,
  form: 1,
  lemma: 2,
  upos: 4,
  xpos: 4,
  feats: 6,
  head: 8,
  deprel: 10,
  deps: ABSENT,
  misc: ABSENT,
};

/** The name of a column, for messages; APRED columns have no own names. */
export function columnName(layout: Layout, index: number): string {
  return layout.columns[index] ?? `APRED${index - layout.columns.length + 1}`;
}
