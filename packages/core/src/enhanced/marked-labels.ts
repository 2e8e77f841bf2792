// Labels with the words that mark a dependent: obl:in, nmod:of, advcl:if, conj:and.
import type { Words } from "../features/columns.js";

/** A sentence with its tree, as the step after the parser sees it; index 0 of the lists is unused. */
export interface EnhancedTree {
  readonly words: Words;
  readonly heads: ArrayLike<number>;
  readonly labels: readonly string[];
  /** The dependents of each node, in sentence order. */
  readonly dependents: readonly (readonly number[])[];
}

export function enhancedTree(words: Words, heads: ArrayLike<number>, labels: readonly string[]): EnhancedTree {
  const dependents: number[][] = Array.from({ length: words.length + 1 }, () => []);
  for (let d = 1; d <= words.length; d++) if (heads[d]! >= 0) dependents[heads[d]!]!.push(d);
  return { words, heads, labels, dependents };
}

/** How a relation takes up the markers of its dependent; treebanks differ. */
export const MARKINGS = ["none", "first", "last", "all"] as const;
/** One of `MARKINGS`. */
export type Marking = (typeof MARKINGS)[number];

/** A relation without its subtype: "nsubj" of "nsubj:pass". */
export function universal(relation: string): string {
  const colon = relation.indexOf(":");
  return colon < 0 ? relation : relation.slice(0, colon);
}

/** The lemma of a word with those fixed to it: "because_of". */
function markerText({ words, labels, dependents }: EnhancedTree, marker: number): string {
  const parts = [marker, ...dependents[marker]!.filter((d) => universal(labels[d]!) === "fixed")];
  return parts.map((i) => lemmaOf(words, i).toLowerCase()).join("_");
}

/** A verb that has become a marker has done so in one form: "including". */
function lemmaOf(words: Words, i: number): string {
  return words.lemma(i) === "_" || words.upos(i) === "VERB" ? words.form(i) : words.lemma(i);
}

/** The characters of a label that the guidelines of Universal Dependencies allow: no symbols. */
const LETTERS = /^[\p{L}\p{M}]+(_[\p{L}\p{M}]+)*$/u;

function markersOfKind(tree: EnhancedTree, word: number, kinds: readonly string[]): string[] {
  const own = tree.dependents[word]!.filter((d) => kinds.includes(universal(tree.labels[d]!)));
  return own.map((d) => markerText(tree, d)).filter((text) => LETTERS.test(text));
}

/** Adverbs that ask or refer join clauses, too: "when". */
function joiningAdverbs({ words, labels, dependents }: EnhancedTree, word: number): string[] {
  const own = dependents[word]!.filter((d) => labels[d] === "advmod" && /PronType=(Int|Rel)/.test(words.feats(d)));
  return own.map((d) => lemmaOf(words, d).toLowerCase());
}

const MARKERS = ["case", "mark"];

/**
 * The words that mark a word in a relation: conjunctions of a conjunct, where "A, B and C" has one for both of the
 * latter, and adpositions and subordinators elsewhere, those of the first conjunct if a later one has none.
 */
export function markersOf(tree: EnhancedTree, word: number, relation: string): string[] {
  const { heads, labels, dependents } = tree;
  if (universal(relation) !== "conj") {
    let own = markersOfKind(tree, word, MARKERS);
    if (own.length === 0 && universal(relation) === "advcl") own = joiningAdverbs(tree, word);
    const isConjunct = universal(labels[word]!) === "conj";
    return own.length > 0 || !isConjunct ? own : markersOf(tree, heads[word]!, labels[heads[word]!]!);
  }
  const conjuncts = dependents[heads[word]!]!.filter((d) => universal(labels[d]!) === "conj");
  const at = conjuncts.indexOf(word);
  for (const one of [word, ...conjuncts.slice(at + 1), ...conjuncts.slice(0, at).reverse()]) {
    const found = markersOfKind(tree, one, ["cc"]);
    if (found.length > 0) return found;
  }
  return [];
}

/** The relation with the markers of its dependent. */
export function markedLabel(tree: EnhancedTree, word: number, relation: string, marking: Marking): string {
  if (marking === "none") return relation;
  const markers = markersOf(tree, word, relation);
  if (markers.length === 0) return relation;
  const shown = marking === "all" ? markers.join("_") : marking === "first" ? markers[0]! : markers.at(-1)!;
  return `${relation}:${shown}`;
}
