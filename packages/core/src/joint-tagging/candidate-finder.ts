import type { Analyses } from "../pipeline/tagger/analyses.js";
import { MIXED, WINDOW } from "../pipeline/tagger/tagger-features.js";
import type { TaggerHeader } from "../pipeline/tagger/tagger-header.js";
import type { TaggerModel } from "../pipeline/tagger/tagger-model.js";
import type { JointTagging } from "./joint-header.js";
import { DISTANCE_UNIT, type TagChoices } from "./tag-choices.js";

/** Places in a beam, besides its own, for derivations that differ from one in it only in the analyses of words. */
const TAG_VARIANTS = 4;

/** How far a joint parser may depart from the tagger. */
export interface JointOptions {
  /** Tags, or analyses, to choose from, at most, for each word. */
  perWord: number;
  /** How far below the best score that of a candidate may be; 1 is a score of typical size. */
  margin: number;
  /** Let whole analyses be candidates (UPOS, XPOS, FEATS, and the lemma that follows), not tags alone. */
  morphology?: boolean | undefined;
}

/** The options of joint tagging where none are given. */
export const JOINT_DEFAULTS: JointOptions = { perWord: 3, margin: 0.6 };

/** The facts that a parser must know of a tagger to choose among the candidates. */
export function jointTagging({ analyses }: TaggerModel, { perWord, margin, morphology }: JointOptions): JointTagging {
  const own = morphology ? { parts: analyses.partNames.size, variants: TAG_VARIANTS } : {};
  return { tags: analyses.tags, perWord, margin, ...own };
}

/** The number of the tag for each pair of UPOS and XPOS of a tagger. */
export function tagNumbers({ analyses, upos, xpos }: TaggerHeader): Map<string, number> {
  return new Map(analyses.map(([tag, u, x]) => [tagKey(upos[u]!, xpos[x]!), tag]));
}

/** The question to `tagNumbers`. */
export function tagKey(upos: string, xpos: string): string {
  return `${upos}\t${xpos}`;
}

/**
 * The numbers that a parser has for the classes of a tagger, if it knows them from another one that has all of its tags
 * and parts.
 */
export function choiceNumbers(model: TaggerModel, target: TaggerModel): Int32Array {
  const { analyses } = model;
  const { partNames, tags, hintsEnd } = target.analyses;
  const numbers = new Int32Array(analyses.classes);
  const targets = tagNumbers(target.header);
  for (const [key, tag] of tagNumbers(model.header)) numbers[tag] = targets.get(key)!;
  for (const [name, part] of analyses.partNames) numbers[part] = partNames.get(name)! - hintsEnd + tags;
  return numbers;
}

/** Finds the tags, or the analyses, of a word that come near the best. */
export class CandidateFinder {
  private readonly analyses: Analyses;
  private readonly margin: number;
  private readonly unit: number;
  private readonly perWord: number;
  private readonly hasParts: boolean;
  // The analyses that are kept, and how far below the best they are.
  private readonly found: Int32Array;
  private readonly distances: Int32Array;
  private count = 0;

  /** `numbers`: the parser's numbers of the tagger's classes, if the parser knows those of another tagger. */
  constructor(
    model: TaggerModel,
    { perWord, margin, morphology = false }: JointOptions,
    private readonly numbers?: Int32Array | undefined,
  ) {
    this.analyses = model.analyses;
    this.perWord = perWord;
    this.hasParts = morphology;
    const typical = typicalScore(model);
    this.margin = Math.round(margin * typical);
    this.unit = DISTANCE_UNIT * typical;
    this.found = new Int32Array(perWord);
    this.distances = new Int32Array(perWord);
  }

  /**
   * Add a word with its candidates, whose best analysis is known, and with `settled` is the only one. Linear in the
   * number of tags, and of the analyses of those that come near the best.
   */
  add(scores: Int32Array, bestAnalysis: number, choices: TagChoices, settled = false): void {
    const { analyses, unit } = this;
    const { first } = analyses;
    const best = analyses.tagOf[bestAnalysis]!;
    this.count = 0;
    choices.addWord();
    this.put(choices, bestAnalysis, 0);
    if (this.perWord === 1 || settled) return;
    for (let tag = 0; tag < analyses.tags; tag++) {
      const distance = scores[best]! - scores[tag]!;
      if (distance > this.margin || (tag === best && !this.hasParts)) continue;
      const top = tag === best ? bestAnalysis : analyses.bestAnalysis(scores, tag);
      if (tag !== best) this.note(top, distance);
      if (!this.hasParts) continue;
      const topScore = analyses.score(scores, top);
      for (let a = first[tag]!; a < first[tag + 1]!; a++) {
        if (a !== top) this.note(a, distance + topScore - analyses.score(scores, a));
      }
    }
    for (let k = 0; k < this.count; k++) this.put(choices, this.found[k]!, Math.round(this.distances[k]! / unit));
  }

  /** Insert an analysis into the few that are kept, behind those that are as far from the best. */
  private note(analysis: number, distance: number): void {
    const { found, distances, perWord } = this;
    let at = this.count;
    while (at > 0 && distances[at - 1]! > distance) at--;
    if (at === perWord - 1 || distance > this.margin) return;
    if (this.count < perWord - 1) this.count++;
    for (let k = this.count - 1; k > at; k--) {
      found[k] = found[k - 1]!;
      distances[k] = distances[k - 1]!;
    }
    found[at] = analysis;
    distances[at] = distance;
  }

  private put(choices: TagChoices, analysis: number, distance: number): void {
    const { analyses, numbers } = this;
    const { parts, partsFrom, tagOf, hintsEnd, tags } = analyses;
    const tag = tagOf[analysis]!;
    choices.add(numbers ? numbers[tag]! : tag, analysis, distance);
    const end = this.hasParts ? partsFrom[analysis + 1]! : 0;
    for (let p = partsFrom[analysis]!; p < end; p++) {
      const part = parts[p]!;
      choices.addPart(numbers ? numbers[part]! : part - hintsEnd + tags);
    }
  }
}

/**
 * The size that scores would have if the signs of the weights were random; taggers differ in the scale of their
 * weights.
 */
function typicalScore({ linear }: TaggerModel): number {
  let squares = 0;
  let weights = 0;
  linear.forEach((_feature, _cls, weight) => {
    squares += weight * weight;
    weights++;
  });
  return Math.sqrt((squares / Math.max(1, weights)) * (WINDOW + MIXED)) || 1;
}
