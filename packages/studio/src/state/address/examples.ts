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
  de: "Die alte Lehrerin schrieb gestern einen langen Brief an ihre Freundin.",
  es: "La vieja maestra escribió ayer una larga carta a su amiga.",
  fa: "معلم پیر دیروز نامه‌ای بلند به دوستش نوشت.",
  fi: "Vanha opettaja kirjoitti eilen pitkän kirjeen ystävälleen.",
  fr: "La vieille dame a écrit hier une longue lettre à son amie.",
  it: "La vecchia maestra ha scritto ieri una lunga lettera alla sua amica.",
  ko: "나이 든 선생님은 어제 친구에게 긴 편지를 썼다.",
  nl: "De oude lerares schreef gisteren een lange brief aan haar vriendin.",
  pt: "A velha professora escreveu ontem uma longa carta à sua amiga.",
  ru: "Старая учительница вчера написала длинное письмо своей подруге.",
  tr: "Yaşlı öğretmen dün arkadaşına uzun bir mektup yazdı.",
  zh: "老师昨天给她的朋友写了一封很长的信。",
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
