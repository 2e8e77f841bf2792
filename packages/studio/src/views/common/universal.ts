// The relations and parts of speech of Universal Dependencies, each in one sentence of our own.

const RELATIONS: Readonly<Record<string, string>> = {
  acl: "a clause that modifies a noun",
  advcl: "a clause that modifies a verb or another predicate, like an adverb",
  advmod: "an adverb that modifies a predicate or another modifier",
  amod: "an adjective that modifies a noun",
  appos: "a noun phrase that follows another and names or describes the same thing",
  aux: "an auxiliary of a verb, for tense, mood, aspect or voice",
  case: "an adposition or case marker, attached to the noun that it goes with",
  cc: "the conjunction before a conjunct, such as “and”",
  ccomp: "a clause with its own subject that is the complement of a predicate",
  clf: "a classifier, attached to its numeral or determiner",
  compound: "a part of a compound word, attached to its main part",
  conj: "a further conjunct, attached to the first one",
  cop: "the copula, attached to the predicate that it links to the subject",
  csubj: "a clause that is the subject",
  dep: "an unspecified relation",
  det: "a determiner of a noun",
  discourse: "an interjection or another element that is not part of the clause structure",
  dislocated: "an element before or after the clause that has no grammatical role in it",
  expl: "an expletive: a word that fills a grammatical role without a meaning of its own, such as “it” or “there”",
  fixed: "a further word of a fixed expression that acts as a function word",
  flat: "a further part of a name or another expression without a head",
  goeswith: "the rest of a word that was split by mistake",
  iobj: "the indirect object of a verb",
  list: "a further item of a list",
  mark: "the word that marks a clause as subordinate",
  nmod: "a noun that modifies another noun",
  nsubj: "a noun that is the subject",
  nummod: "a numeral that modifies a noun",
  obj: "the object of a verb",
  obl: "a noun that modifies a predicate, for place, time, manner, agent and so on",
  orphan: "a dependent of an omitted word, attached to another dependent in its place",
  parataxis: "a clause or phrase beside another, without a conjunction or subordination",
  punct: "a punctuation mark",
  reparandum: "words that a speaker takes back and rephrases, attached to the repair",
  root: "the root of the sentence",
  vocative: "the person spoken to",
  xcomp: "a complement without its own subject, which is found elsewhere in the sentence",
};

const PARTS_OF_SPEECH: Readonly<Record<string, string>> = {
  ADJ: "adjective",
  ADP: "adposition: preposition or postposition",
  ADV: "adverb",
  AUX: "auxiliary, including the copula",
  CCONJ: "coordinating conjunction",
  DET: "determiner, including articles",
  INTJ: "interjection",
  NOUN: "noun",
  NUM: "numeral",
  PART: "particle: a function word that fits no other category",
  PRON: "pronoun",
  PROPN: "proper noun",
  PUNCT: "punctuation mark",
  SCONJ: "subordinating conjunction",
  SYM: "symbol",
  VERB: "verb, not an auxiliary",
  X: "something else",
};

export interface Explanation {
  text: string;
  /** The page of Universal Dependencies. */
  link: string;
}

/** The meaning of a label; of a subtype that of its relation, since subtypes differ from language to language. */
export function explainLabel(label: string): Explanation | undefined {
  const relation = label.split(":")[0]!;
  const text = RELATIONS[relation];
  return text === undefined ? undefined : { text, link: `https://universaldependencies.org/u/dep/${relation}.html` };
}

export function explainUpos(tag: string): Explanation | undefined {
  const text = PARTS_OF_SPEECH[tag];
  return text === undefined ? undefined : { text, link: `https://universaldependencies.org/u/pos/${tag}.html` };
}
