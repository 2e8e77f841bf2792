import type { Sentence } from "@stemma/core";
import type { Requests } from "../../protocol/requests.js";
import type { CompletedColumn } from "../../protocol/treebank.js";

/** More than anyone looks through. */
const MOST = 150;

type Counts = Map<string, number>;

/** The values of the columns in a treebank: over all, by part of speech, and by form. */
export class Values {
  private readonly all = new Map<CompletedColumn, Counts>();
  private readonly byUpos = new Map<string, Counts>();
  private readonly byForm = new Map<string, Counts>();

  add(sentence: Sentence): void {
    for (let i = 1; i <= sentence.length; i++) {
      const form = sentence.form(i).toLowerCase();
      const upos = sentence.upos(i);
      for (const column of ["lemma", "upos", "xpos", "feats", "deprel"] as const) {
        const value = sentence[column](i);
        // Lemmas are offered for their forms only: there are too many of them.
        if (column !== "lemma") {
          count(this.all, column, value);
          count(this.byUpos, `${column} ${upos}`, value);
        }
        if (column !== "deprel") count(this.byForm, `${column} ${form}`, value);
      }
    }
  }

  /** Those first that the form has, then those of the part of speech, then the rest; each from the most frequent on. */
  offer({ column, form, upos }: Requests["completions"]["ask"]): string[] {
    const lists = [
      this.byForm.get(`${column} ${form.toLowerCase()}`),
      column === "upos" ? undefined : this.byUpos.get(`${column} ${upos}`),
      this.all.get(column),
    ];
    const values = lists.flatMap((counts) => [...(counts ?? [])].sort((a, b) => b[1] - a[1]).map(([value]) => value));
    if (column === "lemma") values.push(form.toLowerCase(), form);
    return [...new Set(values)].slice(0, MOST);
  }
}

function count<K>(counts: Map<K, Counts>, key: K, value: string): void {
  let own = counts.get(key);
  if (!own) counts.set(key, (own = new Map()));
  own.set(value, (own.get(value) ?? 0) + 1);
}
