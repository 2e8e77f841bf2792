// Enhanced dependencies (Schuster & Manning 2016, Universal Dependencies v2): a graph over the words of a parsed
// sentence. Rules say which arcs are possible, and weights learned from a treebank which of them there are.
import type { Words } from "../features/columns.js";
import type { TreeStep } from "../parser/tree-parser.js";
import type { EmptyNode } from "../treebank/sentence/columns.js";
import type { Annotation, ParsedTree } from "../treebank/sentence/parsed-tree.js";
import type { Sentence } from "../treebank/sentence/sentence.js";
import { arcFeatures, kindOfHead } from "./arc-features.js";
import { ANTECEDENT, type CandidateArc, candidateArcs, REFERENCE } from "./candidate-arcs.js";
import { depsOf, type EnhancedArc } from "./enhanced-arc.js";
import { fillGaps } from "./gaps.js";
import { type EnhancedTree, enhancedTree, type Marking, markedLabel } from "./marked-labels.js";

/** A model of the enhanced graphs of a treebank. */
export interface EnhancedHeader {
  /** How each relation takes up the markers of its dependent; those that are not here do not. */
  readonly markings: Readonly<Record<string, Marking>>;
  /**
   * The label of arcs by the way that they stand for, also with the kind of their head after it ("passive", "subject"):
   * a number is that of the relation on the way, anything else the label itself.
   */
  readonly labels: Readonly<Record<string, string>>;
  /** Whether a relative pronoun that refers to another word keeps its place in the tree. */
  readonly pronounsStay: boolean;
  /**
   * Orphans depend on an empty node, and the word that they hang on in the tree keeps its place in the graph ("keep")
   * or does not ("move"); without this they stay orphans.
   */
  readonly gaps?: "keep" | "move" | undefined;
  /** The weights of features, whole numbers: an arc is there if their sum is positive. */
  readonly weights: Readonly<Record<string, number>>;
}

/** The label of an arc that stands for a way. */
export function labelOf(tree: EnhancedTree, arc: CandidateArc, header: EnhancedHeader): string {
  const { labels, markings } = header;
  const found = labels[kindOfHead(tree, arc)] ?? labels[arc.way]!;
  const relation = /^\d$/.test(found) ? arc.relations[Number(found)] : undefined;
  return relation === undefined ? found : markedLabel(tree, bearerOf(arc), relation, markings[relation] ?? "none");
}

/** The word whose markers go into the label: a noun has those of the relative pronoun whose place it takes. */
export function bearerOf({ way, nodes }: CandidateArc): number {
  return nodes[way === ANTECEDENT ? 1 : 0]!;
}

/** Finds the enhanced graph of a tree. */
export class Enhancer implements TreeStep {
  private readonly weights: ReadonlyMap<string, number>;
  private readonly ways: ReadonlySet<string>;

  /** @param header the part of a model that it learned */
  constructor(private readonly header: EnhancedHeader) {
    this.weights = new Map(Object.entries(header.weights));
    this.ways = new Set(Object.keys(header.labels));
  }

  /**
   * The arcs into each word, by head; index 0 is unused.
   * @param words the words of the tree
   * @param heads the head of each word, 0 for the root; index 0 is unused
   * @param labels the label of each word; index 0 is unused
   */
  graph(words: Words, heads: ArrayLike<number>, labels: readonly string[]): EnhancedArc[][] {
    return this.wholeGraph(words, heads, labels).arcs;
  }

  private wholeGraph(words: Words, heads: ArrayLike<number>, labels: readonly string[]) {
    const { header, weights } = this;
    const tree = enhancedTree(words, heads, labels);
    const graph: EnhancedArc[][] = [[]];
    for (let d = 1; d <= words.length; d++) {
      const label = markedLabel(tree, d, labels[d]!, header.markings[labels[d]!] ?? "none");
      graph.push([{ head: heads[d]!, label }]);
    }
    candidateArcs(
      tree,
      (arc) => {
        if (!(arc.way in header.labels)) return;
        let score = 0;
        for (const feature of arcFeatures(tree, arc)) score += weights.get(feature) ?? 0;
        if (score <= 0) return;
        const own = graph[arc.dependent]!;
        const label = labelOf(tree, arc, header);
        if (arc.way === REFERENCE && !header.pronounsStay) own.splice(0, 1);
        if (!own.some((one) => one.head === arc.head && one.label === label)) own.push({ head: arc.head, label });
      },
      this.ways,
    );
    const nodes = header.gaps && fillGaps(tree, graph, header.gaps, header.markings);
    for (const arcs of graph) arcs.sort((a, b) => a.head - b.head || (a.label < b.label ? -1 : 1));
    return { arcs: graph, nodes };
  }

  /** The graph as a step of a pipeline finds it. @internal */
  annotate(words: Words, { heads, labels }: ParsedTree): EnhancedGraph {
    const { arcs, nodes } = this.wholeGraph(words, heads, labels);
    return new EnhancedGraph(arcs, nodes);
  }
}

/** The enhanced graph of a sentence, which is written to DEPS. */
export class EnhancedGraph implements Annotation {
  constructor(
    readonly arcs: readonly (readonly EnhancedArc[])[],
    /** The empty nodes; undefined where none are made. */
    readonly nodes: readonly EmptyNode[] | undefined,
  ) {}

  writeTo(sentence: Sentence): void {
    if (sentence.layout.deps < 0) return;
    for (let d = 1; d <= sentence.length; d++) {
      sentence.set("deps", d, depsOf(this.arcs[d]!));
    }
    if (this.nodes === undefined) return;
    const { source } = sentence;
    if (source.setEmptyNodes) source.setEmptyNodes(this.nodes);
    else source.empty!.splice(0, source.empty!.length, ...this.nodes);
  }

  isIn(sentence: Sentence): boolean {
    for (let d = 1; d <= sentence.length; d++) if (sentence.deps(d) !== "_") return true;
    return false;
  }
}
