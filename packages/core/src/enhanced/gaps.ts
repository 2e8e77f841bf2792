// Gapping: of "Ada buys books and Ben pens" the tree has "Ben" as the conjunct and "pens" as its orphan. The enhanced
// graph has an empty node for the verb that was left out, a copy of the one before, and what remains of the clause
// depends on it, in the roles that its counterparts have (Schuster, Nivre & Manning 2018, section 4.2).
import type { EmptyNode } from "../treebank/sentence/columns.js";
import { depsOf, type EnhancedArc } from "./enhanced-arc.js";
import { type EnhancedTree, type Marking, markedLabel, universal } from "./marked-labels.js";

/** Whether a word that stands for its clause in the tree keeps its place beside that below the empty node. */
export const GAPS = ["keep", "move"] as const;
/** One of `GAPS`. */
export type Gaps = (typeof GAPS)[number];

const SUBJECTS = ["nsubj", "csubj", "expl"];
const ARGUMENTS = new Set([...SUBJECTS, ..."obj iobj obl xcomp ccomp advcl advmod".split(" ")]);

/**
 * Adds the arcs of empty nodes to a graph, where the tree has orphans; returns the nodes. Their IDs are heads of arcs
 * as numbers with a fraction: 8.1 is the first one after word 8.
 */
export function fillGaps(
  tree: EnhancedTree,
  graph: EnhancedArc[][],
  gaps: Gaps,
  markings: Readonly<Record<string, Marking>>,
): EmptyNode[] {
  const { words, heads, labels, dependents } = tree;
  const isOrphan = (d: number) => universal(labels[d]!) === "orphan";
  const nodes: { id: number; verb: number; arcs: EnhancedArc[] }[] = [];
  for (let first = 1; first <= words.length; first++) {
    if (!dependents[first]!.some(isOrphan)) continue;
    // The verb may be left out more than once.
    let verb = heads[first]!;
    while (verb > 0 && dependents[verb]!.some(isOrphan)) verb = heads[verb]!;
    if (verb <= 0) continue;
    // "Keep your mouth shut and your pants zipped": the tree may join an argument with one of the first verb.
    const isJoined = ARGUMENTS.has(universal(labels[verb]!)) && words.upos(verb) !== "VERB" && heads[verb]! > 0;
    if (isJoined) verb = heads[verb]!;
    const remnants = [first, ...dependents[first]!.filter(isOrphan)].sort((a, b) => a - b);
    const roles = rolesOf(tree, verb, remnants);
    const hasSubject = roles.some(isSubject);
    const after = placeOf(tree, first, isSubject(roles[remnants.indexOf(first)]!));
    const id = Number(`${after}.${1 + nodes.filter((node) => Math.trunc(node.id) === after).length}`);
    const add = (d: number, label: string) => graph[d]!.push({ head: id, label });
    const drop = (d: number, isGone: (arc: EnhancedArc) => boolean) => {
      graph[d] = graph[d]!.filter((arc) => !isGone(arc));
    };
    // Its own arcs are those that the clause has in the tree, and those that it shares with the first.
    const isOfClause = ({ head }: EnhancedArc) => head === heads[first] || head === heads[verb];
    const label = markedLabel(tree, first, labels[first]!, markings[labels[first]!] ?? "none");
    nodes.push({ id, verb, arcs: isJoined ? [{ head: verb, label }] : graph[first]!.filter(isOfClause) });
    if (gaps === "move") drop(first, isOfClause);
    remnants.forEach((d, k) => {
      if (d !== first) drop(d, ({ head }) => head === first);
      add(d, markedLabel(tree, d, roles[k]!, markings[roles[k]!] ?? "none"));
    });
    for (const d of dependents[first]!) {
      if (labels[d] !== "cc") continue;
      if (gaps === "move") drop(d, ({ head }) => head === first);
      add(d, "cc");
    }
    if (!hasSubject) for (const d of dependents[verb]!) if (isSubject(labels[d]!)) add(d, labels[d]!);
  }
  return nodes
    .sort((a, b) => a.id - b.id)
    .map(({ id, verb, arcs }) => ({
      id: String(id),
      form: words.form(verb),
      lemma: words.lemma(verb),
      upos: words.upos(verb),
      xpos: words.xpos(verb),
      feats: words.feats(verb),
      head: "_",
      deprel: "_",
      deps: depsOf(arcs),
      misc: `CopyOf=${verb}`,
    }));
}

function isSubject(relation: string): boolean {
  return SUBJECTS.includes(universal(relation));
}

/** The word after which the verb would stand: after the subject, before anything else. */
function placeOf({ labels, dependents }: EnhancedTree, first: number, isAfter: boolean): number {
  let place = first;
  const parts = dependents[first]!.filter((d) => !/^(orphan|cc|punct|mark)/.test(labels[d]!));
  for (const stack = parts; stack.length > 0; ) {
    const d = stack.pop()!;
    place = isAfter ? Math.max(place, d) : Math.min(place, d);
    stack.push(...dependents[d]!);
  }
  return isAfter ? place : place - 1;
}

/** The role of a word by its looks: with an adposition, or by its part of speech. */
function likelyRole({ words, labels, dependents }: EnhancedTree, word: number): string {
  if (dependents[word]!.some((d) => universal(labels[d]!) === "case")) return "obl";
  const upos = words.upos(word);
  return upos === "ADV" ? "advmod" : upos === "VERB" || upos === "AUX" ? "advcl" : upos === "ADJ" ? "xcomp" : "obj";
}

/**
 * The relations of what remains of a clause, in sentence order: those of the dependents of the verb that look alike, in
 * the same order, as many as possible and the last ones of several; by their looks where there is none.
 */
function rolesOf(tree: EnhancedTree, verb: number, remnants: readonly number[]): string[] {
  const { labels, dependents } = tree;
  const models = dependents[verb]!.filter((d) => ARGUMENTS.has(universal(labels[d]!)) && !remnants.includes(d));
  const roles = remnants.map((d) => likelyRole(tree, d));
  // Adjectives and verbs are in each other's places: "keep your back straight, eyes closed".
  const kind = (role: string) => (role === "advcl" ? "xcomp" : role);
  const kinds = roles.map(kind);
  // best[i][k]: how many of the first i remnants have one among the first k models.
  const best = Array.from({ length: remnants.length + 1 }, () => new Array<number>(models.length + 1).fill(0));
  const isAlike = (i: number, k: number) => kinds[i - 1] === kind(likelyRole(tree, models[k - 1]!));
  for (let i = 1; i <= remnants.length; i++) {
    for (let k = 1; k <= models.length; k++) {
      const both = isAlike(i, k) ? best[i - 1]![k - 1]! + 1 : 0;
      best[i]![k] = Math.max(both, best[i - 1]![k]!, best[i]![k - 1]!);
    }
  }
  for (let i = remnants.length, k = models.length; i > 0 && k > 0; ) {
    if (isAlike(i, k) && best[i]![k] === best[i - 1]![k - 1]! + 1) roles[--i] = labels[models[--k]!]!;
    else if (best[i]![k] === best[i - 1]![k]) i--;
    else k--;
  }
  return roles;
}
