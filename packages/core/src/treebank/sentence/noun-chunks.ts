import type { Sentence } from "./sentence.js";
import { Span } from "./span.js";

const NOMINAL = new Set(["NOUN", "PROPN", "PRON"]);
/** Relations of what stands before a noun and belongs to it, with all that depends on it. */
const BEFORE = new Set("det amod nummod compound flat fixed goeswith clf".split(" "));
/** Relations of what stands right after a noun and belongs to it: the rest of a name, the number of a page. */
const AFTER = new Set("flat fixed goeswith compound nummod".split(" "));
/** Relations of words that are part of another's chunk. */
const PART = new Set("compound flat fixed goeswith det clf".split(" "));
/** Dependents of a noun that is the predicate of a clause: its adverbs belong to the clause. */
const OF_CLAUSE = new Set("cop nsubj csubj aux".split(" "));

/**
 * A chunk for each noun, name and pronoun that is not within the chunk of another: from the first word of what belongs
 * to it and stands before it to the noun. Conjuncts have chunks of their own; phrases and clauses that follow are
 * outside, as in spaCy. O(n) for usual trees.
 */
export function nounChunks(sentence: Sentence): Span[] {
  const n = sentence.length;
  const first = leftEdges(sentence);
  const chunks: Span[] = [];
  for (let i = 1; i <= n; i++) {
    if (!isHead(sentence, i)) continue;
    const dependents = sentence.dependentsOf(i);
    const isPredicate = dependents.some((d) => OF_CLAUSE.has(relation(sentence, d)));
    let from = i;
    let to = i;
    // From the noun outwards, until something does not belong to it.
    for (let k = dependents.length - 1; k >= 0; k--) {
      const d = dependents[k]!;
      if (d > i) continue;
      if (belongsBefore(sentence, d, isPredicate)) from = first[d]!;
      else if (relation(sentence, d) !== "punct") break;
    }
    for (const d of dependents) {
      if (d < i) continue;
      if (!AFTER.has(relation(sentence, d)) || first[d] !== to + 1) break;
      to = lastOf(sentence, d);
    }
    chunks.push(new Span(sentence, from, to));
  }
  return outermost(chunks);
}

function isHead(sentence: Sentence, i: number): boolean {
  if (!NOMINAL.has(sentence.upos(i))) return false;
  const name = relation(sentence, i);
  // "It" in "it seems" is one; "there" in "there is" and reflexive pronouns that mean nothing are not.
  if (name === "expl") return sentence.deprel(i) === "expl" && sentence.feats(i).includes("PronType=Prs");
  return !PART.has(name);
}

function belongsBefore(sentence: Sentence, d: number, isPredicate: boolean): boolean {
  const name = relation(sentence, d);
  if (name === "advmod") return !isPredicate;
  // A possessor, or a noun without a preposition: "my friend's car", "20 percent growth".
  if (name === "nmod") return sentence.deprel(d) === "nmod:poss" || !hasPreposition(sentence, d);
  return BEFORE.has(name);
}

function hasPreposition(sentence: Sentence, i: number): boolean {
  return sentence.dependentsOf(i).some((d) => d < i && relation(sentence, d) === "case");
}

function relation(sentence: Sentence, i: number): string {
  const deprel = sentence.deprel(i);
  const colon = deprel.indexOf(":");
  return colon < 0 ? deprel : deprel.slice(0, colon);
}

/** The first word below each, itself included. */
function leftEdges(sentence: Sentence): Int32Array {
  const first = Int32Array.from({ length: sentence.length + 1 }, (_, i) => i);
  for (let i = 1; i <= sentence.length; i++) {
    // Every word above i that begins later begins at i; above one that begins earlier there is nothing more to do.
    for (let h = sentence.head(i); h > 0 && first[h]! > i; h = sentence.head(h)) first[h] = i;
  }
  return first;
}

/** The last word of a part of a name, with the parts of that. */
function lastOf(sentence: Sentence, i: number): number {
  let last = i;
  for (const d of sentence.dependentsOf(i))
    if (d === last + 1 && AFTER.has(relation(sentence, d))) last = lastOf(sentence, d);
  return last;
}

/** The spans that are not within another. */
function outermost(spans: Span[]): Span[] {
  const wide = spans.sort((a, b) => a.from - b.from || b.to - a.to);
  const kept: Span[] = [];
  for (const span of wide) {
    const last = kept[kept.length - 1];
    if (!last || span.to > last.to) kept.push(span);
  }
  return kept;
}
