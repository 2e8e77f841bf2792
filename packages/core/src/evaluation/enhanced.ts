// Scores of enhanced graphs (DEPS) as in the IWPT 2020 and 2021 shared tasks (Bouma et al. 2020, section 4): an arc is
// right if head and label are those of a gold arc of the same word. ELAS compares whole labels, EULAS each of their
// parts up to ":". Before that, empty nodes are taken out: a path through them becomes one arc whose label joins those
// of the path, conj>nsubj, and paths that join the same words by the same labels are one arc. Arcs of DEPS that occur
// twice, for EULAS also two that differ in subtypes only, count for each pair, as in the official programs.

import type { Sentence } from "../treebank/sentence/sentence.js";
import { arcsOf } from "../treebank/validation/rows/arcs.js";
import type { Alignment } from "./alignment.js";
import type { JoinedWords } from "./joined-words.js";

/** The counts of a score. */
type Counts = Record<"correct" | "gold" | "system", number>;

interface Arc {
  /** Numbered like the joined words; 0 is the root. */
  readonly head: number;
  readonly label: string;
  readonly universal: string;
}

/** Adds the arcs of sentences that belong together. */
export function addEnhanced(
  elas: Counts,
  eulas: Counts,
  gold: JoinedWords,
  system: JoinedWords,
  { goldOf }: Alignment,
): void {
  const wanted = arcsOfWords(gold);
  const found = arcsOfWords(system);
  if (wanted.size === 0 && found.size === 0) return;
  for (const arcs of wanted.values()) for (const score of [elas, eulas]) score.gold += arcs.length;
  for (const [s, arcs] of found) {
    for (const score of [elas, eulas]) score.system += arcs.length;
    for (const { head, label, universal } of arcs) {
      for (const other of wanted.get(goldOf[s]!) ?? []) {
        if (other.head !== goldOf[head]) continue;
        if (other.label === label) elas.correct++;
        if (other.universal === universal) eulas.correct++;
      }
    }
  }
}

/** The arcs of each word that has some, without empty nodes. */
function arcsOfWords({ sentences, before }: JoinedWords): Map<number, Arc[]> {
  const all = new Map<number, Arc[]>();
  sentences.forEach((sentence, k) => {
    const offset = before[k]!;
    const arcFrom = (head: string, label: string): Arc => {
      return { head: head === "0" ? 0 : offset + Number(head), label, universal: label.replace(/:[^>]*/g, "") };
    };
    for (let i = 1; i <= sentence.length; i++) {
      const deps = sentence.deps(i);
      if (deps === "_") continue;
      const own = arcsOf(deps).filter(({ head }) => !isEmpty(head));
      all.set(
        offset + i,
        own.map(({ head, label }) => arcFrom(head, label)),
      );
    }
    if (sentence.emptyNodes.length === 0) return;
    for (const { nodes, label } of pathsThroughEmptyNodes(sentence)) {
      const arcs = all.get(offset + Number(nodes.at(-1)))!;
      const arc = arcFrom(nodes[0]!, label);
      if (!arcs.some((other) => other.head === arc.head && other.label === label)) arcs.push(arc);
    }
  });
  return all;
}

/** A way down through the graph, with the labels of its arcs joined by ">". */
interface Path {
  readonly nodes: readonly string[];
  readonly label: string;
}

const isEmpty = (id: string): boolean => id.includes(".");

/** Of a sentence. Where empty nodes depend on each other there may be any number; treebanks have a few. */
const MOST_PATHS = 10_000;

/** A graph that nobody means: its paths through empty nodes would take for ever. */
export class TooManyPaths extends RangeError {
  /** @param sentence whose graph it is */
  constructor(readonly sentence: Sentence) {
    super(`more than ${MOST_PATHS} paths through empty nodes`);
  }
}

/**
 * The paths from words (or the root) to words that pass empty nodes only. They are made as the official program makes
 * them (enhanced_collapse_empty_nodes.pl): what begins at an empty node, one after the other, is put below everything
 * found so far that ends there. What still begins or ends at an empty node passes no node twice; a whole path may, so
 * that where empty nodes form a cycle the order decides.
 */
function pathsThroughEmptyNodes(sentence: Sentence): Path[] {
  const whole: Path[] = [];
  const beginning: Path[] = [];
  const ending = new Map<string, Path[]>();
  const known = new Set<string>();
  const keep = (path: Path) => {
    const key = `${path.nodes.join(" ")} ${path.label}`;
    if (known.has(key)) return;
    if (known.add(key).size + whole.length > MOST_PATHS) throw new TooManyPaths(sentence);
    const last = path.nodes.at(-1)!;
    if (isEmpty(path.nodes[0]!)) beginning.push(path);
    if (isEmpty(last)) ending.set(last, [...(ending.get(last) ?? []), path]);
  };
  const begin = (id: string, deps: string) => {
    for (const { head, label } of arcsOf(deps)) keep({ nodes: [head, id], label });
  };
  let next = 0;
  for (let i = 0; i <= sentence.length; i++) {
    if (i > 0) begin(String(i), sentence.deps(i));
    for (; sentence.emptyNodes[next]?.id.startsWith(`${i}.`); next++) {
      begin(sentence.emptyNodes[next]!.id, sentence.emptyNodes[next]!.deps);
    }
  }
  for (const lower of beginning) {
    for (const upper of ending.get(lower.nodes[0]!) ?? []) {
      const nodes = [...upper.nodes.slice(0, -1), ...lower.nodes];
      const path = { nodes, label: `${upper.label}>${lower.label}` };
      if (!isEmpty(nodes[0]!) && !isEmpty(nodes.at(-1)!)) whole.push(path);
      else if (new Set(nodes).size === nodes.length) keep(path);
    }
  }
  return whole;
}
