// The tags and relations of Universal Dependencies v2 (universaldependencies.org/u/pos, /u/dep).

/** A universal part of speech; other strings are possible, since treebanks of other schemes have other tags. */
export type Upos =
  | ("ADJ" | "ADP" | "ADV" | "AUX" | "CCONJ" | "DET" | "INTJ" | "NOUN" | "NUM" | "PART" | "PRON" | "PROPN" | "PUNCT")
  | ("SCONJ" | "SYM" | "VERB" | "X")
  | (string & {});

export const UNIVERSAL_TAGS: ReadonlySet<string> = new Set(
  "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split(" "),
);

/** Relations without their subtypes. */
export const UNIVERSAL_RELATIONS: ReadonlySet<string> = new Set(
  "acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative xcomp".split(
    " ",
  ),
);

/** The relation without its subtype: "nsubj" for "nsubj:pass". */
export function universalRelation(deprel: string): string {
  const colon = deprel.indexOf(":");
  return colon < 0 ? deprel : deprel.slice(0, colon);
}
