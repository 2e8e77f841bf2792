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

/** A sentence in each language that there is a model for, but for English; by the code of the language. */
const SENTENCES: Readonly<Record<string, string>> = {
  de: "Die alte Mühle am Fluss mahlt noch jeden Morgen Korn.",
  es: "El viejo molino junto al río todavía muele trigo cada mañana.",
  fa: "آسیاب قدیمی کنار رودخانه هنوز هر روز صبح گندم آرد می‌کند.",
  fi: "Vanha mylly joen rannalla jauhaa yhä viljaa joka aamu.",
  fr: "Le vieux moulin au bord de la rivière moud encore du blé chaque matin.",
  it: "Il vecchio mulino sul fiume macina ancora il grano ogni mattina.",
  ko: "강가의 오래된 방앗간은 지금도 매일 아침 밀을 빻는다.",
  nl: "De oude molen aan de rivier maalt nog elke ochtend graan.",
  pt: "O velho moinho junto ao rio ainda mói trigo todas as manhãs.",
  ru: "Старая мельница у реки до сих пор каждое утро мелет зерно.",
  tr: "Nehir kıyısındaki eski değirmen hâlâ her sabah buğday öğütüyor.",
  zh: "河边的老磨坊每天早上仍然磨面粉。",
};

/** The example in a language; undefined for English, which the others are in, and where there is none. */
export function exampleIn(language: string | undefined): Example | undefined {
  const text = SENTENCES[language ?? ""];
  const name = language && new Intl.DisplayNames(["en"], { type: "language" }).of(language);
  return text && name ? { name: `In ${name}`, text } : undefined;
}

/** Is a text one of the examples, as nobody has changed it? */
export function isExample(text: string): boolean {
  return EXAMPLES.some((example) => example.text === text) || Object.values(SENTENCES).includes(text);
}
