import { DISTANCE_UNIT, type TagChoices } from "../../features/tag-choices.js";
import type { Analyses } from "./analyses.js";
import { MIXED, WINDOW } from "./tagger-features.js";
import type { TaggerHeader } from "./tagger-header.js";
import type { TaggerModel } from "./tagger-model.js";

/** How far a joint parser may depart from the tagger. */
export interface JointOptions {
  /** Tags to choose from, at most, for each word. */
  perWord: number;
  /** How far below the best score that of a candidate may be; 1 is a score of typical size. */
  margin: number;
}

/** The options of joint tagging where none are given. */
export const JOINT_DEFAULTS: JointOptions = { perWord: 3, margin: 0.6 };

/** The number of the tag for each pair of UPOS and XPOS of a tagger. */
export function tagNumbers({ analyses, upos, xpos }: TaggerHeader): Map<string, number> {
  return new Map(analyses.map(([tag, u, x]) => [tagKey(upos[u]!, xpos[x]!), tag]));
}

/** What `tagNumbers` is asked for. */
export function tagKey(upos: string, xpos: string): string {
  return `${upos}\t${xpos}`;
}

/** Finds the tags of a word that come near the best. */
export class CandidateFinder {
  private readonly analyses: Analyses;
  private readonly margin: number;
  private readonly unit: number;
  private readonly perWord: number;
  private readonly numbers: Int32Array;
  private readonly found: Int32Array;

  /**
   * `target`: the tagger whose numbers for tags the parser knows, if that is another one that knows all tags of this.
   */
  constructor(model: TaggerModel, { perWord, margin }: JointOptions, target = model) {
    this.analyses = model.analyses;
    this.perWord = perWord;
    const typical = typicalScore(model);
    this.margin = Math.round(margin * typical);
    this.unit = DISTANCE_UNIT * typical;
    this.found = new Int32Array(perWord);
    const numbers = tagNumbers(target.header);
    this.numbers = new Int32Array(this.analyses.tags);
    for (const [key, tag] of tagNumbers(model.header)) this.numbers[tag] = numbers.get(key)!;
  }

  /**
   * Add a word with its candidates, whose best analysis is known, and with `settled` is the only one. Linear in the
   * number of tags.
   */
  add(scores: Int32Array, bestAnalysis: number, choices: TagChoices, settled = false): void {
    const { analyses, perWord, found, numbers, unit } = this;
    const best = analyses.tagOf[bestAnalysis]!;
    const least = scores[best]! - this.margin;
    let count = 0;
    choices.addWord();
    choices.add(numbers[best]!, bestAnalysis, 0);
    if (perWord === 1 || settled) return;
    for (let tag = 0; tag < analyses.tags; tag++) {
      const score = scores[tag]!;
      if (score < least || tag === best) continue;
      // Insertion into the few that are kept, the lower number first where scores are equal.
      let at = count;
      while (at > 0 && scores[found[at - 1]!]! < score) at--;
      if (at === perWord - 1) continue;
      if (count < perWord - 1) count++;
      for (let k = count - 1; k > at; k--) found[k] = found[k - 1]!;
      found[at] = tag;
    }
    for (let k = 0; k < count; k++) {
      const tag = found[k]!;
      const distance = Math.round((scores[best]! - scores[tag]!) / unit);
      choices.add(numbers[tag]!, analyses.bestAnalysis(scores, tag), distance);
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
