// The relations and parts of speech of Universal Dependencies, each in one sentence of our own.

const RELATIONS: Readonly<Record<string, string>> = {
  acl: "a clause that modifies a noun",
  advcl: "a clause that modifies a verb or another predicate, as an adverb does",
  advmod: "an adverb that modifies a predicate or another modifier",
  amod: "an adjective that modifies a noun",
  appos: "a noun phrase after another that names or describes the same thing",
  aux: "an auxiliary of a verb: tense, mood, aspect, voice",
  case: "an adposition or case marker, attached to the noun that it goes with",
  cc: "the conjunction before a conjunct, such as “and”",
  ccomp: "a clause with a subject of its own as the complement of a predicate",
  clf: "a classifier, attached to its numeral or determiner",
  compound: "a part of a word that is written as several, attached to its main part",
  conj: "a further conjunct, attached to the first one",
  cop: "the copula, attached to the predicate that it links to the subject",
  csubj: "a clause that is the subject",
  dep: "a relation that is not known more exactly",
  det: "a determiner of a noun",
  discourse: "an interjection or another element that is no part of the structure",
  dislocated: "an element put before or after the clause that fills none of its places",
  expl: "an expletive: it fills a place without meaning anything, as “it” and “there” do",
  fixed: "a further word of a fixed expression that works as a function word",
  flat: "a further part of a name or another expression without a head",
  goeswith: "the rest of a word that was split by mistake",
  iobj: "the indirect object of a verb",
  list: "a further item of a list",
  mark: "the word that marks a clause as subordinate",
  nmod: "a noun that modifies another noun",
  nsubj: "a noun that is the subject",
  nummod: "a numeral that modifies a noun",
  obj: "the object of a verb",
  obl: "a noun that modifies a predicate: place, time, manner, agent and so on",
  orphan: "a dependent of a word that is left out, attached to another one that stands in for it",
  parataxis: "a clause or phrase beside another, without a conjunction or subordination",
  punct: "a punctuation mark",
  reparandum: "what a speaker takes back and says anew, attached to the repair",
  root: "the root of the sentence",
  vocative: "who is spoken to",
  xcomp: "a complement without a subject of its own: it is one of the words around",
};

const PARTS_OF_SPEECH: Readonly<Record<string, string>> = {
  ADJ: "adjective",
  ADP: "adposition: preposition or postposition",
  ADV: "adverb",
  AUX: "auxiliary, also the copula",
  CCONJ: "coordinating conjunction",
  DET: "determiner, also an article",
  INTJ: "interjection",
  NOUN: "noun",
  NUM: "numeral",
  PART: "particle: a function word that is nothing else",
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

/** What a label means; of a subtype what the relation means, since subtypes differ from language to language. */
export function explainLabel(label: string): Explanation | undefined {
  const relation = label.split(":")[0]!;
  const text = RELATIONS[relation];
  return text === undefined ? undefined : { text, link: `https://universaldependencies.org/u/dep/${relation}.html` };
}

export function explainUpos(tag: string): Explanation | undefined {
  const text = PARTS_OF_SPEECH[tag];
  return text === undefined ? undefined : { text, link: `https://universaldependencies.org/u/pos/${tag}.html` };
}
