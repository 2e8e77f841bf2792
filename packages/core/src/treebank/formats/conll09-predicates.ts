// Predicates in the columns of CoNLL-2009: FILLPRED, PRED, and one APRED for each predicate.
import type { ArgumentData, PredicateData } from "../sentence/semantics/predicate-data.js";
import { CONLL09 } from "./layout.js";

/** The index of the first of those columns. */
export const FILLPRED = CONLL09.columns.indexOf("FILLPRED");
const PRED = FILLPRED + 1;
const FIRST_APRED = PRED + 1;

/** The columns that predicates are read from. */
interface Source {
  readonly length: number;
  /** How many columns each line has. */
  readonly columns: number;
  column(i: number, index: number): string;
}

/** The predicates that the columns have, in the order of their words. */
export function predicatesInColumns(source: Source): PredicateData[] {
  const { length, columns } = source;
  if (columns <= PRED) return [];
  const found: PredicateData[] = [];
  for (let i = 1; i <= length; i++) {
    const sense = source.column(i, PRED);
    if (sense === "_" && source.column(i, FILLPRED) !== "Y") continue;
    const own: ArgumentData[] = [];
    const index = FIRST_APRED + found.length;
    for (let a = 1; index < columns && a <= length; a++) {
      const role = source.column(a, index);
      if (role !== "_") own.push({ word: a, role });
    }
    found.push({ word: i, sense, arguments: own });
  }
  return found;
}

/** The columns from FILLPRED on for each word, from index 1. */
export function predicateColumns(length: number, predicates: readonly PredicateData[]): string[][] {
  const rows = Array.from({ length: length + 1 }, () => ["_", "_", ...predicates.map(() => "_")]);
  predicates.forEach(({ word, sense, arguments: own }, k) => {
    rows[word]!.splice(0, 2, "Y", sense);
    for (const { word: argument, role } of own) rows[argument]![2 + k] = role;
  });
  return rows;
}
