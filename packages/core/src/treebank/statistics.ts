// Sizes, inventories and tree measures of a treebank, gathered sentence by sentence: memory grows with the inventories
// (forms, tags, labels) and with the largest values, not with the number of sentences.

import { check, NUMBER, WHOLE_NUMBER } from "../checks/options.js";
import { arrayOf, having, MAP, SENTENCE } from "../checks/shapes.js";
import { detached } from "../math/detached.js";
import { arcLengths, depth, edgeDegree, gapDegree, isTree, isWellNested, nonProjectiveArcs } from "./tree.js";

/** The part of a sentence that statistics need; words are numbered from 1, "_" means no value. */
export interface CountableSentence {
  /** How many words it has. */
  readonly length: number;
  /** The head of each word, 0 for the root; index 0 is unused. */
  readonly heads: ArrayLike<number>;
  /**
   * The form of a word.
   * @param i the number of the word, from 1
   */
  form(i: number): string;
  /**
   * The universal tag of a word.
   * @param i the number of the word, from 1
   */
  upos(i: number): string;
  /**
   * The tag of a word in the language's own scheme.
   * @param i the number of the word, from 1
   */
  xpos(i: number): string;
  /**
   * The features of a word as text, as in CoNLL-U.
   * @param i the number of the word, from 1
   */
  feats(i: number): string;
  /**
   * The relation of a word to its head.
   * @param i the number of the word, from 1
   */
  deprel(i: number): string;
}

/** Something, such as a transition system, that can or cannot build a given tree. */
export interface TreeBuilder {
  /** Its name. */
  readonly name: string;
  /**
   * `labels`, from 1, for those to whom they tell which words are not part of the tree.
   * @param heads the head of each word, 0 for the root; index 0 is unused
   * @param labels the label of each word; index 0 is unused
   */
  canBuild(heads: ArrayLike<number>, labels: readonly string[]): boolean;
}

/**
 * Trees with more words are not shown to the builders: some need time that grows with the cube of the length if many
 * arcs cross.
 */
const LONGEST_JUDGED = 500;

/** The plain form of a distribution. */
export interface DistributionSummary {
  mean: number;
  median: number;
  max: number;
  counts: Record<string, number>;
}

/** The plain form of the statistics; inventories are ordered by decreasing count, shares lie between 0 and 1. */
export interface StatisticsSummary {
  /** The number of sentences. */
  sentences: number;
  /** The number of words. */
  words: number;
  /** The number of different forms. */
  forms: number;
  /** The number of sentences whose heads are a tree. */
  trees: number;
  /** The number of sentences whose heads are none. */
  notTrees: number;
  /** Trees with more than one dependent of the root node. */
  treesWithSeveralRoots: number;
  /** How often each UPOS occurs. */
  upos: Record<string, number>;
  /** How often each XPOS occurs. */
  xpos: Record<string, number>;
  /** How often each feature occurs, with its value. */
  feats: Record<string, number>;
  /** The number of different values of FEATS. */
  featureBundles: number;
  /** How often each relation occurs. */
  deprel: Record<string, number>;
  /** Sentences and arcs that are not projective, and their shares. */
  nonProjective: { sentences: number; sentenceShare: number; arcs: number; arcShare: number };
  /** Trees without two subtrees that interleave, and their share. */
  wellNested: { trees: number; share: number };
  /** Gap degrees of the trees. */
  gapDegree: DistributionSummary;
  /** Edge degrees of the trees; not of those of more than 500 words in which arcs cross. */
  edgeDegree: DistributionSummary;
  /** Depths of the trees. */
  depth: DistributionSummary;
  /** Words of the sentences. */
  sentenceLength: DistributionSummary;
  /** Lengths of the arcs between words. */
  arcLength: DistributionSummary;
  /** Arcs whose dependent is on the left, and their share. */
  leftArcs: { arcs: number; share: number };
  /** By transition system, the trees that it can build, and their share. */
  coverage: Record<string, { trees: number; share: number }>;
  /** Trees of more than 500 words, which are left out of the coverage. */
  notJudged: number;
}

/** How often each natural number occurred. */
export class Distribution {
  private readonly counts: number[] = [];
  total = 0;

  add(value: number, count = 1): void {
    check("value", value, WHOLE_NUMBER);
    check("count", count, WHOLE_NUMBER);
    while (this.counts.length <= value) this.counts.push(0);
    this.counts[value]! += count;
    this.total += count;
  }

  merge(other: Distribution): void {
    check("distribution", other, having("a Distribution", "between"));
    other.counts.forEach((count, value) => {
      if (count > 0) this.add(value, count);
    });
  }

  /** How many values lie between two bounds, both included. */
  between(low: number, high: number): number {
    check("lower bound", low, NUMBER);
    check("upper bound", high, NUMBER);
    let sum = 0;
    for (let value = low; value <= high && value < this.counts.length; value++) sum += this.counts[value]!;
    return sum;
  }

  get mean(): number {
    return this.total === 0 ? 0 : this.counts.reduce((sum, count, value) => sum + count * value, 0) / this.total;
  }

  /** The smallest value that at least half of all values do not exceed. */
  get median(): number {
    let sum = 0;
    return Math.max(
      0,
      this.counts.findIndex((count) => 2 * (sum += count) >= this.total),
    );
  }

  get max(): number {
    return Math.max(0, this.counts.length - 1);
  }

  toJSON(): DistributionSummary {
    const seen = Array.from(this.counts.entries()).filter(([, count]) => count > 0);
    return { mean: this.mean, median: this.median, max: this.max, counts: Object.fromEntries(seen) };
  }
}

/** The statistics of one treebank, or of several merged ones. */
export class TreebankStatistics {
  /** The number of sentences. */
  sentences = 0;
  /** The number of words. */
  words = 0;
  /** Sentences that are trees. */
  trees = 0;
  /** Trees in which several words depend on 0. */
  treesWithSeveralRoots = 0;
  /** Non-projectivity is counted in every sentence, the measures below only in those that are trees. */
  nonProjectiveSentences = 0;
  /** Arcs over words that do not depend on them. */
  nonProjectiveArcs = 0;
  /** The forms that occur. */
  readonly forms = new Set<string>();
  /** The columns FEATS that occur, as they are. */
  readonly featureBundles = new Set<string>();
  /** How often each universal tag occurs. */
  readonly upos = new Map<string, number>();
  /** How often each tag of the language's own occurs. */
  readonly xpos = new Map<string, number>();
  /** Single features, such as "Case=Gen". */
  readonly feats = new Map<string, number>();
  /** How often each relation occurs. */
  readonly deprel = new Map<string, number>();
  /** How many words sentences have. */
  readonly sentenceLength = new Distribution();
  /** Trees without subtrees that interleave. */
  wellNestedTrees = 0;
  /** In how many pieces the subtrees are. */
  readonly gapDegree = new Distribution();
  /** How many other subtrees arcs cover. */
  readonly edgeDegree = new Distribution();
  /** How far from the root the deepest word is. */
  readonly depth = new Distribution();
  /** Lengths of the arcs between words; arcs from node 0 have no length. */
  readonly arcLength = new Distribution();
  /** Arcs between words whose dependent comes first. */
  leftArcs = 0;
  /** Number of trees that each builder can build, and of those that were too long to ask. */
  readonly built: Map<string, number>;
  /** Trees that were too long to ask the builders. */
  notJudged = 0;

  /** @param builders asked of each tree whether they can build it */
  constructor(private readonly builders: readonly TreeBuilder[] = []) {
    check("builders", builders, arrayOf("an array of objects with canBuild", having("", "canBuild")));
    this.built = new Map(builders.map(({ name }) => [name, 0]));
  }

  /**
   * Counts a sentence.
   * @param sentence the next sentence
   */
  add(sentence: CountableSentence): void {
    check("sentence", sentence, SENTENCE);
    this.sentences++;
    this.words += sentence.length;
    this.sentenceLength.add(sentence.length);
    for (let i = 1; i <= sentence.length; i++) {
      include(this.forms, sentence.form(i));
      increment(this.upos, sentence.upos(i));
      increment(this.xpos, sentence.xpos(i));
      increment(this.deprel, sentence.deprel(i));
      const feats = sentence.feats(i);
      if (feats === "_") continue;
      include(this.featureBundles, feats);
      for (const feature of feats.split("|")) increment(this.feats, feature);
    }
    const labels = [""];
    for (let i = 1; i <= sentence.length; i++) labels.push(sentence.deprel(i));
    this.addTree(sentence.heads, labels);
  }

  private addTree(heads: ArrayLike<number>, labels: readonly string[]): void {
    const crossed = nonProjectiveArcs(heads).length;
    this.nonProjectiveArcs += crossed;
    if (crossed > 0) this.nonProjectiveSentences++;
    if (heads.length === 1 || !isTree(heads)) return;
    this.trees++;
    if (crossed === 0 || isWellNested(heads)) this.wellNestedTrees++;
    this.gapDegree.add(crossed === 0 ? 0 : gapDegree(heads));
    const isLong = heads.length - 1 > LONGEST_JUDGED;
    if (!isLong || crossed === 0) this.edgeDegree.add(crossed === 0 ? 0 : edgeDegree(heads));
    this.depth.add(depth(heads));
    let roots = 0;
    const lengths = arcLengths(heads);
    for (let i = 1; i < heads.length; i++) {
      if (heads[i] === 0) {
        roots++;
      } else {
        this.arcLength.add(lengths[i]!);
        if (i < heads[i]!) this.leftArcs++;
      }
    }
    if (roots > 1) this.treesWithSeveralRoots++;
    if (isLong) {
      this.notJudged++;
      return;
    }
    for (const builder of this.builders) {
      if (builder.canBuild(heads, labels)) this.built.set(builder.name, this.built.get(builder.name)! + 1);
    }
  }

  /**
   * Adds the counts of another treebank.
   * @param other its counts
   */
  merge(other: TreebankStatistics): void {
    check("statistics", other, having("TreebankStatistics", "add", "merge"));
    this.sentences += other.sentences;
    this.words += other.words;
    this.trees += other.trees;
    this.treesWithSeveralRoots += other.treesWithSeveralRoots;
    this.nonProjectiveSentences += other.nonProjectiveSentences;
    this.nonProjectiveArcs += other.nonProjectiveArcs;
    this.wellNestedTrees += other.wellNestedTrees;
    this.leftArcs += other.leftArcs;
    this.notJudged += other.notJudged;
    for (const form of other.forms) this.forms.add(form);
    for (const bundle of other.featureBundles) this.featureBundles.add(bundle);
    for (const inventory of ["upos", "xpos", "feats", "deprel", "built"] as const) {
      for (const [key, count] of other[inventory]) this[inventory].set(key, (this[inventory].get(key) ?? 0) + count);
    }
    for (const measure of ["sentenceLength", "gapDegree", "edgeDegree", "depth", "arcLength"] as const) {
      this[measure].merge(other[measure]);
    }
  }

  /** As plain data. */
  toJSON(): StatisticsSummary {
    const inventory = (counts: Map<string, number>) => Object.fromEntries(byCount(counts));
    const judged = this.trees - this.notJudged;
    const coverage = Array.from(this.built, ([name, trees]) => [name, { trees, share: share(trees, judged) }]);
    return {
      sentences: this.sentences,
      words: this.words,
      forms: this.forms.size,
      trees: this.trees,
      notTrees: this.sentences - this.trees,
      treesWithSeveralRoots: this.treesWithSeveralRoots,
      upos: inventory(this.upos),
      xpos: inventory(this.xpos),
      feats: inventory(this.feats),
      featureBundles: this.featureBundles.size,
      deprel: inventory(this.deprel),
      nonProjective: {
        sentences: this.nonProjectiveSentences,
        sentenceShare: share(this.nonProjectiveSentences, this.sentences),
        arcs: this.nonProjectiveArcs,
        arcShare: share(this.nonProjectiveArcs, this.words),
      },
      wellNested: { trees: this.wellNestedTrees, share: share(this.wellNestedTrees, this.trees) },
      gapDegree: this.gapDegree.toJSON(),
      edgeDegree: this.edgeDegree.toJSON(),
      depth: this.depth.toJSON(),
      sentenceLength: this.sentenceLength.toJSON(),
      arcLength: this.arcLength.toJSON(),
      leftArcs: { arcs: this.leftArcs, share: share(this.leftArcs, this.arcLength.total) },
      coverage: Object.fromEntries(coverage),
      notJudged: this.notJudged,
    };
  }
}

/** The entries of an inventory by decreasing count, then by name. */
export function byCount(inventory: ReadonlyMap<string, number>): [string, number][] {
  check("inventory", inventory, MAP);
  return Array.from(inventory).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function increment(inventory: Map<string, number>, key: string): void {
  if (key === "_") return;
  const count = inventory.get(key);
  if (count === undefined) inventory.set(detached(key), 1);
  else inventory.set(key, count + 1);
}

function include(inventory: Set<string>, key: string): void {
  if (!inventory.has(key)) inventory.add(detached(key));
}
