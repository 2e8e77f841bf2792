// Another tree for a sentence: the arcs in DEPS follow, and the graph stays whole.

import { CONLLU } from "../formats/layout.js";
import { readTreebank } from "../formats/reader.js";
import type { Sentence } from "../sentence/sentence.js";
import { sortedArcs } from "../validation/repair.js";
import { hasGraph, mendGraph } from "./graph.js";
import { linesOf, textOfLines } from "./lines.js";

/**
 * The sentence with other arcs in its tree. A word that is moved takes its arc in DEPS along, with what that says more
 * than the tree (obl:in for obl) if the label is the same; arcs that are in the graph only stay.
 * @param heads the head of each word, 0 for the root; index 0 is unused
 * @param labels the label of each word; index 0 is unused
 */
export function withTree(sentence: Sentence, heads: ArrayLike<number>, labels: ArrayLike<string>): Sentence {
  const copy = sentence.copy();
  let isMoved = false;
  for (let d = 1; d <= copy.length; d++) {
    const [from, old, to, label] = [copy.head(d), copy.deprel(d), heads[d]!, labels[d]!];
    if (from === to && old === label) continue;
    isMoved = true;
    copy.setHead(d, to);
    copy.setDeprel(d, label);
    const deps = copy.deps(d);
    if (deps !== "_") copy.set("deps", d, movedArc(deps, `${from}:`, `${to}:`, old, label));
  }
  if (!isMoved || copy.layout !== CONLLU) return copy;
  const lines = linesOf(copy.toString());
  if (!hasGraph(lines.rows)) return copy;
  mendGraph(lines.rows);
  return readTreebank(textOfLines(lines), { allowNonTrees: true })[0]!;
}

function movedArc(deps: string, from: string, to: string, old: string, label: string): string {
  const arcs = deps.split("|");
  const own = arcs.filter((arc) => arc.startsWith(from));
  // The gap that an orphan stands in may be filled: no arc of the tree is in the graph.
  if (own.length === 0) return deps;
  const same = label === old && own.find((arc) => arc === from + old || arc.startsWith(`${from}${old}:`));
  const moved = to + (same ? same.slice(from.length) : label);
  return sortedArcs([...arcs.filter((arc) => !arc.startsWith(from)), moved].join("|"));
}
