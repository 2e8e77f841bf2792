import { expect, test } from "vitest";
import { Sentence } from "../../src/treebank/sentence/sentence.js";

/** A sentence from words "form/UPOS/head/deprel", features after another slash. */
function sentenceOf(text: string): Sentence {
  const words = text.split(" ").map((word) => {
    const [form, upos, head, deprel, feats = "_"] = word.split("/") as [string, string, string, string, string?];
    return { form, lemma: form.toLowerCase(), upos, head: Number(head), deprel, feats };
  });
  return Sentence.from({ words });
}

/** Each clause as "subject | verb | object | indirect object | obliques". */
const shown = (sentence: Sentence) =>
  sentence
    .clauses()
    .map(({ subject, verb, object, indirectObject, obliques }) =>
      [subject?.form, verb.join(" "), object?.form, indirectObject?.form, obliques.join(" ")]
        .map((x) => x || "-")
        .join(" | "),
    );

test.each([
  [
    "the verb with auxiliaries, particle and negation; two objects",
    "We/PRON/4/nsubj did/AUX/4/aux not/PART/4/advmod hand/VERB/0/root him/PRON/4/iobj over/ADP/4/compound:prt it/PRON/4/obj today/NOUN/4/obl:unmarked",
    ["We | did not hand over | it | him | today"],
  ],
  ["a copula", "Ann/PROPN/4/nsubj is/AUX/4/cop a/DET/4/det friend/NOUN/0/root", ["Ann | is friend | - | - | -"]],
  [
    "a relative clause without a pronoun",
    "The/DET/2/det email/NOUN/5/nsubj I/PRON/4/nsubj sent/VERB/2/acl:relcl bounced/VERB/0/root",
    ["I | sent | email | - | -", "email | bounced | - | - | -"],
  ],
  [
    "a relative clause whose pronoun is the subject, with a conjunct",
    "people/NOUN/0/root who/PRON/3/nsubj/PronType=Rel came/VERB/1/acl:relcl and/CCONJ/5/cc left/VERB/3/conj",
    ["people | came | - | - | -", "people | left | - | - | -"],
  ],
  [
    "a preposition without its noun",
    "house/NOUN/0/root she/PRON/3/nsubj lives/VERB/1/acl:relcl in/ADP/3/obl",
    ["she | lives | - | - | house"],
  ],
  [
    "control through a passive, and coordination",
    "She/PRON/3/nsubj:pass was/AUX/3/aux:pass told/VERB/0/root to/PART/5/mark leave/VERB/3/xcomp and/CCONJ/7/cc did/VERB/3/conj",
    ["She | was told | - | - | -", "She | leave | - | - | -", "She | did | - | - | -"],
  ],
  [
    "control by the object, and an object of two verbs",
    "They/PRON/2/nsubj let/VERB/0/root us/PRON/2/obj buy/VERB/2/xcomp and/CCONJ/6/cc read/VERB/4/conj it/PRON/4/obj",
    ["They | let | us | - | -", "us | buy | it | - | -", "us | read | it | - | -"],
  ],
  ["what happened", "what/PRON/0/root happened/VERB/1/acl:relcl", ["what | happened | - | - | -"]],
  ["no clause", "Good/ADJ/2/amod morning/NOUN/0/root", []],
])("%s", (_, text, expected) => {
  expect(shown(sentenceOf(text))).toEqual(expected);
});

test("who does it and to what, also in the passive voice; negation; text", () => {
  const [passive] = sentenceOf(
    "Maps/NOUN/4/nsubj:pass are/AUX/4/aux:pass never/ADV/4/advmod read/VERB/0/root by/ADP/6/case us/PRON/4/obl:agent and/CCONJ/8/cc rot/VERB/4/conj",
  ).clauses();
  expect([passive!.isPassive, passive!.isNegated]).toEqual([true, true]);
  expect([passive!.logicalSubject?.form, passive!.logicalObject?.form]).toEqual(["us", "Maps"]);
  expect([passive!.agent?.form, passive!.span.text]).toEqual(["us", "Maps are never read by us"]);
  const [active] = sentenceOf("We/PRON/2/nsubj read/VERB/0/root maps/NOUN/2/obj").clauses();
  expect([active!.logicalSubject?.form, active!.logicalObject?.form]).toEqual(["We", "maps"]);
  expect([active!.isPassive, active!.isNegated, active!.agent]).toEqual([false, false, undefined]);
});

test("a graph with a cycle has an end", () => {
  const words = [
    { form: "a", upos: "VERB", head: 2, deprel: "xcomp" },
    { form: "b", upos: "VERB", head: 1, deprel: "xcomp" },
  ];
  expect(Sentence.from({ words }, { allowNonTrees: true }).clauses()).toHaveLength(2);
});
