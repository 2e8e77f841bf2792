/** A sentence to start with; `text` is plain text or CoNLL-U. */
export interface Example {
  name: string;
  text: string;
}

/** A gold tree, one line for each word: form, lemma, UPOS, head, label. */
export function conllu(...rows: readonly string[]): string {
  return `${rows
    .map((row, i) => {
      const [form, lemma, upos, head, deprel] = row.split(" ");
      return [i + 1, form, lemma, upos, "_", "_", head, deprel, "_", "_"].join("\t");
    })
    .join("\n")}\n`;
}

export const EXAMPLES: readonly Example[] = [
  { name: "A plain sentence", text: "The old lighthouse keeper waved at every ship that passed." },
  { name: "Easy to get wrong", text: "The gardener watched the children with the telescope from the roof." },
  {
    name: "Crossing arcs, with a gold tree",
    text: conllu(
      "A a DET 2 det",
      "letter letter NOUN 3 nsubj",
      "arrived arrive VERB 0 root",
      "yesterday yesterday NOUN 3 obl:unmarked",
      "that that PRON 8 obj",
      "nobody nobody PRON 8 nsubj",
      "had have AUX 8 aux",
      "expected expect VERB 2 acl:relcl",
      ". . PUNCT 3 punct",
    ),
  },
  {
    name: "Right to left, with a gold tree",
    text: conllu(
      "الولد ولد NOUN 2 nsubj",
      "يقرأ قرأ VERB 0 root",
      "كتابا كتاب NOUN 2 obj",
      "جديدا جديد ADJ 3 amod",
      "في في ADP 6 case",
      "الحديقة حديقة NOUN 2 obl",
      ". . PUNCT 2 punct",
    ),
  },
  {
    name: "Several sentences",
    text: "She didn't answer. The bakery on the corner sells bread, cakes and very good coffee! Who would have thought that?",
  },
];

/** The text that the page begins with. */
export const FIRST_TEXT = EXAMPLES[0]!.text;
