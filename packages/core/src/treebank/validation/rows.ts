// A sentence as its lines, before anything is known to be right about them.

export const [ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
export const COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC".split(" ");

/** The line of a word, a multiword token or an empty node. */
export interface Row {
  readonly columns: readonly string[];
  readonly line: number;
  readonly kind: "word" | "token" | "empty";
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
  const word = row.kind === "word" ? Number(row.columns[ID]) : 0;
  return { line: row.line, column: column + 1, word, ...(link === undefined ? {} : { link }) };
}

/** The value of a feature in FEATS or of an item in MISC. */
export function itemOf(items: string, key: string): string | undefined {
  if (items === "_" || !items.includes(key)) return undefined;
  return items
    .split("|")
    .find((item) => item.startsWith(`${key}=`))
    ?.slice(key.length + 1);
}
