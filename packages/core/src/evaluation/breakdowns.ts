// Where the errors are: arcs grouped by a property of the gold arc (for recall) and of the system's arc (for
// precision), as in McDonald & Nivre (2007). A right arc can have another distance to the root in the two trees, so
// precision and recall have their own counts of right arcs.

import { check } from "../checks/options.js";
import { arrayOf, having, OBJECT } from "../checks/shapes.js";
import { depths, isTree, nonProjectiveArcs } from "../treebank/tree.js";
import type { Alignment } from "./alignment.js";
import type { JoinedWords } from "./joined-words.js";
import { ATTACHED, CORRECT, isPunctuation, locate, ratio } from "./scores.js";

/** Precision, recall and their harmonic mean, between 0 and 1. */
export interface Rates {
  precision: number;
  recall: number;
  f1: number;
}

/** The plain form of a group of arcs. */
export interface GroupSummary {
  gold: number;
  system: number;
  labelled: Rates;
  unlabelled: Rates;
}

/** The arcs of one group. */
export class Group {
  gold = 0;
  system = 0;
  /** Of the gold arcs: those that the system found, with any label and with the right one. */
  found = 0;
  foundLabelled = 0;
  /** Of the system's arcs: those that are right, with any label and with the right one. */
  right = 0;
  rightLabelled = 0;

  add(other: Group): void {
    this.gold += other.gold;
    this.system += other.system;
    this.found += other.found;
    this.foundLabelled += other.foundLabelled;
    this.right += other.right;
    this.rightLabelled += other.rightLabelled;
  }

  get labelled(): Rates {
    return rates(ratio(this.rightLabelled, this.system), ratio(this.foundLabelled, this.gold));
  }
  get unlabelled(): Rates {
    return rates(ratio(this.right, this.system), ratio(this.found, this.gold));
  }

  toJSON(): GroupSummary {
    const { gold, system, labelled, unlabelled } = this;
    return { gold, system, labelled, unlabelled };
  }
}

function rates(precision: number, recall: number): Rates {
  return { precision, recall, f1: ratio(2 * precision * recall, precision + recall) };
}

/** Arcs grouped by a number or a name. */
export class Grouping<K extends number | string> {
  readonly groups = new Map<K, Group>();

  of(key: K): Group {
    let group = this.groups.get(key);
    if (group === undefined) this.groups.set(key, (group = new Group()));
    return group;
  }

  addGold(key: K, verdict: number): void {
    const group = this.of(key);
    group.gold++;
    if (verdict >= ATTACHED) group.found++;
    if (verdict === CORRECT) group.foundLabelled++;
  }

  addSystem(key: K, verdict: number): void {
    const group = this.of(key);
    group.system++;
    if (verdict >= ATTACHED) group.right++;
    if (verdict === CORRECT) group.rightLabelled++;
  }

  /** The groups by decreasing number of gold arcs, then of system arcs, then by name. */
  byCount(): [K, Group][] {
    return [...this.groups].sort(
      ([a, first], [b, second]) => second.gold - first.gold || second.system - first.system || (a < b ? -1 : 1),
    );
  }

  /** The groups in the order of their keys. */
  byKey(): [K, Group][] {
    return [...this.groups].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** A range of numbers that are counted together; both ends belong to it. */
export interface Bin {
  readonly name: string;
  readonly low: number;
  readonly high: number;
}

/** Bins named "3-6", the last one ">10"; each starts where the one before ends. */
export function binsUpTo(highs: readonly number[]): Bin[] {
  const bins = highs.map((high, i) => {
    const low = i === 0 ? 1 : highs[i - 1]! + 1;
    return { name: low === high ? `${low}` : `${low}-${high}`, low, high };
  });
  const last = highs.at(-1)!;
  return [...bins, { name: `>${last}`, low: last + 1, high: Number.POSITIVE_INFINITY }];
}

/** McDonald & Nivre (2007): arcs from the root have no length and count as 0. */
export const LENGTH_BINS: readonly Bin[] = [{ name: "root", low: 0, high: 0 }, ...binsUpTo([1, 2, 6, 10])];
/** Distances from the root, as evaluations group them. */
export const ROOT_DISTANCE_BINS: readonly Bin[] = binsUpTo([1, 2, 3, 4, 5, 6, 10]);
/** Lengths of sentences, as evaluations group them. */
export const SENTENCE_LENGTH_BINS: readonly Bin[] = binsUpTo([10, 20, 30, 40, 50]);

/** Adds the groups in each bin up; bins without arcs are left out. */
export function inBins(grouping: Grouping<number>, bins: readonly Bin[]): [string, Group][] {
  check("grouping", grouping, having("a Grouping", "byKey"));
  check("bins", bins, arrayOf("an array of bins", OBJECT));
  const sums = bins.map(({ name }): [string, Group] => [name, new Group()]);
  for (const [value, group] of grouping.groups) {
    const bin = bins.findIndex(({ low, high }) => value >= low && value <= high);
    if (bin >= 0) sums[bin]![1].add(group);
  }
  return sums.filter(([, { gold, system }]) => gold + system > 0);
}

/** Every way in which arcs are grouped. */
export class Breakdowns {
  readonly label = new Grouping<string>();
  /** By exact length; 0 stands for arcs from the root. */
  readonly length = new Grouping<number>();
  /** By the number of arcs from the root to the dependent; words on cycles have none and are left out. */
  readonly rootDistance = new Grouping<number>();
  /** By the number of words of the sentence. */
  readonly sentenceLength = new Grouping<number>();
  readonly projectivity = new Grouping<"projective" | "non-projective">();
  /** By the gold UPOS; a system word without a gold word has its own. */
  readonly upos = new Grouping<string>();

  /** Adds sentences that belong together; `punctuation` is false to leave punctuation out. */
  add(gold: JoinedWords, system: JoinedWords, alignment: Alignment, verdicts: Uint8Array, punctuation: boolean): void {
    const found = new Uint8Array(gold.length + 1);
    for (let s = 1; s <= system.length; s++) if (alignment.goldOf[s]! > 0) found[alignment.goldOf[s]!] = verdicts[s]!;
    this.addSide(
      gold,
      (g) => {
        if (!punctuation && gold.punctuation[g] === 1) return undefined;
        return { verdict: found[g]!, upos: gold.upos[g]! };
      },
      "addGold",
    );
    this.addSide(
      system,
      (s) => {
        if (!punctuation && isPunctuation(gold, system, alignment, s)) return undefined;
        const g = alignment.goldOf[s]!;
        return { verdict: verdicts[s]!, upos: g > 0 ? gold.upos[g]! : system.upos[s]! };
      },
      "addSystem",
    );
  }

  private addSide(
    words: JoinedWords,
    judge: (word: number) => { verdict: number; upos: string } | undefined,
    add: "addGold" | "addSystem",
  ): void {
    words.sentences.forEach((sentence, k) => {
      const { heads, length } = sentence;
      const distances = isTree(heads) ? depths(heads) : walkedDepths(heads);
      const crossed = nonProjectiveArcs(heads);
      for (let i = 1, next = 0; i <= length; i++) {
        const nonProjective = crossed[next] === i;
        if (nonProjective) next++;
        const judged = judge(words.before[k]! + i);
        if (judged === undefined) continue;
        const { verdict, upos } = judged;
        this.label[add](words.labels[words.before[k]! + i]!.name, verdict);
        this.length[add](heads[i] === 0 ? 0 : Math.abs(i - heads[i]!), verdict);
        if (distances[i]! > 0) this.rootDistance[add](distances[i]!, verdict);
        this.sentenceLength[add](length, verdict);
        this.projectivity[add](nonProjective ? "non-projective" : "projective", verdict);
        this.upos[add](upos, verdict);
      }
    });
  }
}

/** Depths in what is no tree: 0 for words that the root does not reach. */
function walkedDepths(heads: ArrayLike<number>): Int32Array {
  const result = new Int32Array(heads.length);
  for (let i = 1; i < heads.length; i++) {
    let steps = 0;
    let node = i;
    while (node > 0 && steps < heads.length) {
      node = heads[node]!;
      steps++;
    }
    result[i] = node === 0 ? steps : 0;
  }
  return result;
}

/** A word with another label than the gold one, and where it is. */
export interface ConfusionExample {
  /** Number of the sentence in the gold treebank, from 1, and its sent_id. */
  sentence: number;
  id: string | null;
  word: number;
  form: string;
  /** Forms of the heads; null for the root. */
  goldHead: string | null;
  systemHead: string | null;
  /** The forms around the word, a few to each side. */
  context: string;
}

/** How often words with one gold label got another one. */
export interface Confusion {
  gold: string;
  system: string;
  count: number;
  /** Of these, how often the head was right. */
  attached: number;
  examples: ConfusionExample[];
}

const CONTEXT = 3;

/** Counts pairs of different labels, with the first examples of each. */
export class Confusions {
  private readonly pairs = new Map<string, Confusion>();

  constructor(private readonly examples: number) {}

  /** Adds sentences that belong together; the first of them is number `first` of the gold treebank, from 1. */
  add(
    gold: JoinedWords,
    system: JoinedWords,
    alignment: Alignment,
    verdicts: Uint8Array,
    punctuation: boolean,
    first: number,
  ): void {
    for (let s = 1; s <= system.length; s++) {
      const g = alignment.goldOf[s]!;
      if (g < 0) continue;
      const goldLabel = gold.labels[g]!.name;
      const systemLabel = system.labels[s]!.name;
      if (goldLabel === systemLabel || (!punctuation && gold.punctuation[g] === 1)) continue;
      const key = `${goldLabel}\t${systemLabel}`;
      let pair = this.pairs.get(key);
      if (pair === undefined) {
        pair = { gold: goldLabel, system: systemLabel, count: 0, attached: 0, examples: [] };
        this.pairs.set(key, pair);
      }
      pair.count++;
      if (verdicts[s]! >= ATTACHED) pair.attached++;
      if (pair.examples.length < this.examples) pair.examples.push(example(gold, g, system, s, first));
    }
  }

  /** The pairs by decreasing count, then by name. */
  byCount(): Confusion[] {
    const key = ({ gold, system }: Confusion) => `${gold}\t${system}`;
    return [...this.pairs.values()].sort((a, b) => b.count - a.count || (key(a) < key(b) ? -1 : 1));
  }
}

function example(gold: JoinedWords, g: number, system: JoinedWords, s: number, first: number): ConfusionExample {
  const [sentence, word, index] = locate(gold, g);
  const [systemSentence, systemWord] = locate(system, s);
  const goldHead = sentence.heads[word]!;
  const systemHead = systemSentence.heads[systemWord]!;
  const context: string[] = [];
  for (let i = Math.max(1, word - CONTEXT); i <= Math.min(sentence.length, word + CONTEXT); i++) {
    context.push(sentence.form(i));
  }
  return {
    sentence: first + index,
    id: sentence.id ?? null,
    word,
    form: sentence.form(word),
    goldHead: goldHead === 0 ? null : sentence.form(goldHead),
    systemHead: systemHead === 0 ? null : systemSentence.form(systemHead),
    context: context.join(" "),
  };
}
