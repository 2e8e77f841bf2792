import type { Sentence } from "@stemma/core";

/** A word, or an empty node, which stands for something that is not said. */
export interface GraphWord {
  id: string;
  form: string;
  tag: string;
  empty: boolean;
}

/** An arc of the enhanced graph between places in the list of words; -1 for the root. */
export interface GraphArc {
  head: number;
  dependent: number;
  label: string;
  /** Is it in the tree as well? */
  basic: boolean;
}

export interface EnhancedGraph {
  words: GraphWord[];
  arcs: GraphArc[];
}

/** The enhanced graph of a sentence; undefined if it has nothing that the tree does not have. */
export function enhancedGraph(sentence: Sentence): EnhancedGraph | undefined {
  const graph = graphOf(sentence);
  return sentence.emptyNodes.length > 0 || graph.arcs.some(({ basic }) => !basic) ? graph : undefined;
}

/** The enhanced graph of a sentence, whatever is in it. */
export function graphOf(sentence: Sentence): EnhancedGraph {
  const words: GraphWord[] = [];
  const addEmpty = (before: number) => {
    for (const { id, form, upos } of sentence.emptyNodes) {
      if (Number.parseInt(id, 10) === before) words.push({ id, form, tag: upos === "_" ? "" : upos, empty: true });
    }
  };
  addEmpty(0);
  for (let i = 1; i <= sentence.length; i++) {
    const tag = sentence.upos(i);
    words.push({ id: String(i), form: sentence.form(i), tag: tag === "_" ? "" : tag, empty: false });
    addEmpty(i);
  }
  const places = new Map(words.map(({ id }, place) => [id, place]));
  const arcs: GraphArc[] = [];
  const add = (dependent: string, deps: string, head: number | undefined, deprel: string | undefined) => {
    if (deps === "_" || deps === "") return;
    for (const arc of deps.split("|")) {
      const [id = "", label = ""] = arc.split(/:(.*)/s);
      const place = id === "0" ? -1 : places.get(id);
      if (place === undefined) continue;
      arcs.push({
        head: place,
        dependent: places.get(dependent)!,
        label,
        basic: id === String(head) && label === deprel,
      });
    }
  };
  for (let i = 1; i <= sentence.length; i++) add(String(i), sentence.deps(i), sentence.head(i), sentence.deprel(i));
  for (const { id, deps } of sentence.emptyNodes) add(id, deps, undefined, undefined);
  return { words, arcs };
}

/** For each arc how high it is drawn, from 1: above all that it spans or crosses and that is shorter. */
export function levelsOf(arcs: readonly GraphArc[]): number[] {
  const span = ({ head, dependent }: GraphArc) =>
    head < 0 ? [dependent, dependent] : [Math.min(head, dependent), Math.max(head, dependent)];
  const order = arcs.map((_, i) => i).sort((a, b) => length(arcs[a]!) - length(arcs[b]!) || a - b);
  const levels = new Array<number>(arcs.length).fill(0);
  for (const i of order) {
    const [from, to] = span(arcs[i]!) as [number, number];
    let level = 1;
    for (let j = 0; j < arcs.length; j++) {
      if (levels[j] === 0) continue;
      const [a, b] = span(arcs[j]!) as [number, number];
      const apart = b <= from || a >= to;
      if (!apart || (from === to && a <= from && b >= from) || (a === from && b === to))
        level = Math.max(level, levels[j]! + 1);
    }
    levels[i] = level;
  }
  return levels;
}

function length({ head, dependent }: GraphArc): number {
  return head < 0 ? 1000 : Math.abs(head - dependent);
}
