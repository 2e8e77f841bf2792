// Attaches removed words: each finds its head among the words that stay and the other removed ones, by weights learned
// from the trees of a treebank, so that all arcs together form the best tree.
import type { Words } from "../../features/columns.js";
import { edmonds } from "../../math/edmonds.js";
import type { TreeStep } from "../../parser/tree-parser.js";
import type { LinearModel } from "../../scoring/linear/linear-model.js";
import { sumOfOneClass } from "../../scoring/linear/one-class.js";
import type { ParsedTree } from "../../treebank/sentence/parsed-tree.js";
import { AttachmentFeatures, MOST_FEATURES, type PartlyRemoved } from "./attachment-features.js";

/** All that is known of removed words but the weights. */
export interface AttachmentHeader {
  /** The labels of removed words, each with that as which a word is removed that has it; 0 if its head decides. */
  readonly labels: Readonly<Record<string, number>>;
}

/** The class of heads; those of labels follow. */
export const HEAD_CLASS = 0;
export const FIRST_LABEL = 1;

/** The score of an arc that is out of the question. */
const NEVER = -1e9;

/** So many removed words are attached at a time: the time that it takes grows with their square. */
const MOST_TOGETHER = 64;

/** Finds the heads of removed words, with the scores of arcs from somewhere. */
export class AttachmentSearch {
  readonly features = new AttachmentFeatures();
  private readonly scores = new Float64Array((MOST_TOGETHER + 1) ** 2);
  private readonly best = new Int32Array(MOST_TOGETHER + 1);
  private readonly number = new Map<number, number>();

  constructor(private readonly scoreOf: (features: Int32Array) => number) {}

  /** The removed words of a sentence, so many at a time as are attached together. */
  static groupsOf(removed: Uint8Array): number[][] {
    const groups: number[][] = [];
    for (let d = 1; d < removed.length; d++) {
      if (removed[d] === 0) continue;
      if ((groups.at(-1)?.length ?? MOST_TOGETHER) === MOST_TOGETHER) groups.push([]);
      groups.at(-1)!.push(d);
    }
    return groups;
  }

  /**
   * The heads of the words of a group in the sentence that the features are bound to, which are those of the tree as it
   * is where no word that stays is in reach.
   */
  headsOf(group: readonly number[], { heads, removed }: PartlyRemoved): number[] {
    const { scores, best, number, features } = this;
    const w = group.length + 1;
    scores.fill(NEVER, 0, w * w);
    number.clear();
    group.forEach((d, i) => {
      number.set(d, i + 1);
    });
    // Node 0 stands for all words that stay: the best of them is a word's only way out of the group.
    group.forEach((d, i) => {
      best[i + 1] = -1;
      features.forEachHead(d, (head, list) => {
        const from = removed[head] === 0 ? 0 : number.get(head);
        if (from === undefined) return;
        const score = this.scoreOf(list);
        if (from > 0) scores[from * w + i + 1] = score;
        else if (best[i + 1]! < 0 || score > scores[i + 1]!) {
          best[i + 1] = head;
          scores[i + 1] = score;
        }
      });
    });
    const found = edmonds(group.length, scores, false);
    return group.map((d, i) => {
      const head = found[i + 1]!;
      if (head > 0) return group[head - 1]!;
      return best[i + 1]! > 0 ? best[i + 1]! : outOf(d, heads, removed);
    });
  }
}

/** The first word above a removed one in a tree that stays. */
function outOf(d: number, heads: ArrayLike<number>, removed: Uint8Array): number {
  let head = heads[d]!;
  for (let steps = 0; removed[head]! > 0 && steps < removed.length; steps++) head = heads[head]!;
  return head;
}

/**
 * Can a word that was removed in some way have a label that stands for a way? It says so itself, or the word that it
 * hangs on does, which was removed in the same way.
 */
export function fits(way: number, kind: number, kindOfHead: number): boolean {
  return way === kind || (way === 0 && kindOfHead === kind);
}

/** Attaches the words that a parser has removed. */
export class Attacher implements TreeStep {
  private readonly search: AttachmentSearch;
  private readonly labels: readonly [label: string, way: number][];
  private readonly labelScores: (features: Int32Array) => Int32Array;

  constructor({ labels }: AttachmentHeader, linear: LinearModel) {
    this.labels = Object.entries(labels);
    this.search = new AttachmentSearch(sumOfOneClass(linear, MOST_FEATURES));
    const scorer = linear.scorer();
    this.labelScores = (features) => {
      scorer.features.set(features);
      scorer.scoreFeatures(features.length);
      return scorer.scores;
    };
  }

  /** Gives the words that are left out of a tree other heads and labels; what they were removed as stays the same. */
  complete(words: Words, { heads, labels, leftOut: removed }: ParsedTree): void {
    if (!removed?.some((kind) => kind > 0)) return;
    // Where nothing stays, the tree is as good as any.
    if (removed.every((kind, i) => i === 0 || kind > 0)) return;
    const { features } = this.search;
    const tree = { heads, labels, removed };
    features.bind(words, tree);
    for (const group of AttachmentSearch.groupsOf(removed)) {
      const found = this.search.headsOf(group, tree);
      group.forEach((d, i) => {
        labels[d] = this.labelOf(d, found[i]!, removed) ?? labels[d]!;
      });
      group.forEach((d, i) => {
        heads[d] = found[i]!;
      });
    }
  }

  private labelOf(d: number, head: number, removed: Uint8Array): string | undefined {
    const scores = this.labelScores(this.search.features.label(d, head));
    let best: string | undefined;
    let highest = Number.NEGATIVE_INFINITY;
    this.labels.forEach(([label, way], k) => {
      const score = scores[FIRST_LABEL + k]!;
      if (score <= highest || !fits(way, removed[d]!, removed[head]!)) return;
      best = label;
      highest = score;
    });
    return best;
  }
}
