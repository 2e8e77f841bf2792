import { checkedList } from "../../checks/shapes.js";
import { TREEBANK_SENTENCE } from "../../learning/option-checks.js";
import { Random } from "../../math/random.js";
import type { Sentence } from "../../treebank/sentence/sentence.js";
import { arcFeatures, kindOfHead } from "../arc-features.js";
import { ANTECEDENT, type CandidateArc, candidateArcs, REFERENCE } from "../candidate-arcs.js";
import type { EnhancedArc } from "../enhanced-arc.js";
import { bearerOf, type EnhancedHeader } from "../enhancer.js";
import type { Gaps } from "../gaps.js";
import {
  type EnhancedTree,
  enhancedTree,
  MARKINGS,
  type Marking,
  markedLabel,
  markersOf,
  universal,
} from "../marked-labels.js";

/** A way that is taken less often says nothing. */
const FEWEST = 3;
const EPOCHS = 6;
/** Weights are kept as whole numbers of this. */
const UNIT = 1;
/** Features of fewer candidates are left out. */
const RAREST = 3;

/** The arcs of DEPS into each word, those from empty nodes left out. */
export function graphOf(sentence: Sentence): EnhancedArc[][] {
  const graph: EnhancedArc[][] = [[]];
  for (let d = 1; d <= sentence.length; d++) {
    const items = sentence.deps(d) === "_" ? [] : sentence.deps(d).split("|");
    const arcs = items.map((item) => {
      const colon = item.indexOf(":");
      return { head: Number(item.slice(0, colon)), label: item.slice(colon + 1) };
    });
    graph.push(arcs.filter(({ head }) => Number.isInteger(head)));
  }
  return graph;
}

/** Counts of values by name. */
class Tally {
  private readonly counts = new Map<string, Map<string, number>>();

  add(name: string, value: string): void {
    const own = this.counts.get(name) ?? new Map<string, number>();
    this.counts.set(name, own.set(value, (own.get(value) ?? 0) + 1));
  }

  total(name: string): number {
    return [...(this.counts.get(name)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  }

  names(): string[] {
    return [...this.counts.keys()];
  }

  /** The most frequent value, the first of several. */
  most(name: string): string {
    return [...this.counts.get(name)!].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
  }
}

interface Example {
  readonly tree: EnhancedTree;
  readonly graph: readonly (readonly EnhancedArc[])[];
}

/** Throws a RangeError if no sentence has DEPS. */
export function needEnhanced(sentences: readonly Sentence[]): void {
  const given = checkedList("sentences", sentences, ...TREEBANK_SENTENCE);
  const has = (sentence: Sentence) => graphOf(sentence).some((arcs) => arcs.length > 0);
  if (!given.some(has)) throw new RangeError("no enhanced dependencies to learn from (expected a treebank with DEPS)");
}

/** Learns the enhanced graphs of a treebank from its trees and DEPS. Throws a RangeError if it has no DEPS. */
export function trainEnhanced(sentences: readonly Sentence[], seed = 1): EnhancedHeader {
  needEnhanced(sentences);
  const examples: Example[] = [];
  for (const sentence of sentences) {
    const graph = graphOf(sentence);
    if (graph.every((arcs) => arcs.length === 0)) continue;
    const labels = [""];
    for (let i = 1; i <= sentence.length; i++) labels.push(sentence.deprel(i));
    examples.push({ tree: enhancedTree(sentence, sentence.heads, labels), graph });
  }
  const markings = learnMarkings(examples);
  const { labels, pronounsStay } = learnLabels(examples, markings);
  const weights = learnWeights(examples, new Set(Object.keys(labels)), seed);
  return { markings, labels, pronounsStay, gaps: learnGaps(sentences), weights };
}

/** Whether orphans depend on empty nodes, and what becomes of the words that they hang on in the tree. */
function learnGaps(sentences: readonly Sentence[]): Gaps | undefined {
  const tally = new Tally();
  for (const sentence of sentences) {
    for (let d = 1; d <= sentence.length; d++) {
      if (universal(sentence.deprel(d)) !== "orphan" || sentence.deps(d) === "_") continue;
      const first = sentence.head(d);
      const stays = sentence
        .deps(first)
        .split("|")
        .some((arc) => arc.startsWith(`${sentence.head(first)}:`));
      tally.add("orphan", !/(^|\|)\d+\.\d/.test(sentence.deps(d)) ? "none" : stays ? "keep" : "move");
    }
  }
  const most = tally.total("orphan") < FEWEST ? "none" : tally.most("orphan");
  return most === "none" ? undefined : (most as Gaps);
}

function learnMarkings(examples: readonly Example[]): Record<string, Marking> {
  const tally = new Tally();
  for (const { tree, graph } of examples) {
    for (let d = 1; d < graph.length; d++) {
      const relation = tree.labels[d]!;
      const gold = graph[d]!.find(({ head }) => head === tree.heads[d]);
      if (!gold || markersOf(tree, d, relation).length === 0) continue;
      for (const marking of MARKINGS) {
        if (markedLabel(tree, d, relation, marking) === gold.label) tally.add(relation, marking);
      }
    }
  }
  const found: Record<string, Marking> = {};
  for (const relation of tally.names()) {
    const marking = tally.most(relation) as Marking;
    if (marking !== "none") found[relation] = marking;
  }
  return found;
}

/** The arcs of the graph that a candidate may be. */
function goldArcs({ graph }: Example, { head, dependent }: CandidateArc): readonly EnhancedArc[] {
  return graph[dependent]!.filter((arc) => arc.head === head);
}

function learnLabels(examples: readonly Example[], markings: Readonly<Record<string, Marking>>) {
  const tally = new Tally();
  const stays = new Tally();
  for (const example of examples) {
    const { tree, graph } = example;
    candidateArcs(tree, (arc) => {
      const [gold] = goldArcs(example, arc);
      if (!gold || (arc.way !== ANTECEDENT && arc.head === tree.heads[arc.dependent])) return;
      const index = arc.relations.findIndex(
        (relation) => markedLabel(tree, bearerOf(arc), relation, markings[relation] ?? "none") === gold.label,
      );
      const value = index < 0 ? gold.label : String(index);
      tally.add(arc.way, value);
      const kind = kindOfHead(tree, arc);
      if (kind !== arc.way) tally.add(kind, value);
      if (arc.way !== REFERENCE) return;
      const isKept = graph[arc.dependent]!.some(({ head }) => head === tree.heads[arc.dependent]);
      stays.add(REFERENCE, String(isKept));
    });
  }
  const labels: Record<string, string> = {};
  for (const way of tally.names().sort()) if (tally.total(way) >= FEWEST) labels[way] = tally.most(way);
  return { labels, pronounsStay: stays.total(REFERENCE) > 0 && stays.most(REFERENCE) === "true" };
}

/** An averaged perceptron over the candidates (Freund & Schapire 1999). */
function learnWeights(examples: readonly Example[], ways: ReadonlySet<string>, seed: number): Record<string, number> {
  const numbers = new Map<string, number>();
  const cases: { features: Int32Array; isArc: boolean }[] = [];
  for (const example of examples) {
    candidateArcs(
      example.tree,
      (arc) => {
        if (!ways.has(arc.way)) return;
        const features = arcFeatures(example.tree, arc).map((name) => {
          const known = numbers.get(name);
          if (known === undefined) numbers.set(name, numbers.size);
          return known ?? numbers.size - 1;
        });
        cases.push({ features: Int32Array.from(features), isArc: goldArcs(example, arc).length > 0 });
      },
      ways,
    );
  }
  const weights = new Float64Array(numbers.size);
  const sums = new Float64Array(numbers.size);
  const random = new Random(seed);
  const order = Int32Array.from(cases.keys());
  let time = 1;
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    random.shuffle(order);
    for (const i of order) {
      const { features, isArc } = cases[i]!;
      time++;
      let score = 0;
      for (const f of features) score += weights[f]!;
      if (score > 0 === isArc) continue;
      for (const f of features) {
        weights[f]! += isArc ? 1 : -1;
        sums[f]! += isArc ? time : -time;
      }
    }
  }
  const counts = new Int32Array(numbers.size);
  for (const { features } of cases) for (const f of features) counts[f]!++;
  const kept: Record<string, number> = {};
  for (const [name, f] of numbers) {
    if (counts[f]! < RAREST) continue;
    const weight = Math.round((weights[f]! - sums[f]! / time) / UNIT);
    if (weight !== 0) kept[name] = weight;
  }
  return kept;
}
