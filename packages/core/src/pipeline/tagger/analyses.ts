import type { TaggerHeader } from "./tagger-header.js";

/**
 * The classes that a tagger scores: its tags; UPOS for the first pass (hints); then the parts of analyses, one for each
 * value of a feature with its UPOS, and for each XPOS.
 */
export class Analyses {
  /** Number of tags. */
  readonly tags: number;
  /** The hints are the classes from `tags` up to here; the parts follow. */
  readonly hintsEnd: number;
  /** The tag and the UPOS of each analysis. */
  readonly tagOf: Int32Array;
  readonly hintOf: Int32Array;
  /** The first analysis of each tag, and one more number for the end. */
  readonly first: Int32Array;
  /** Classes of the parts of all analyses, and where those of each begin. */
  readonly parts: Int32Array;
  readonly partsFrom: Int32Array;
  /** The classes of the parts by their names: `NOUN Case=Gen`. */
  readonly partNames: ReadonlyMap<string, number>;
  /** Number of classes. */
  readonly classes: number;

  constructor({ analyses, upos, xpos, feats }: TaggerHeader) {
    this.tags = analyses[analyses.length - 1]![0] + 1;
    this.hintsEnd = this.tags + upos.length;
    this.tagOf = new Int32Array(analyses.length);
    this.hintOf = new Int32Array(analyses.length);
    this.first = new Int32Array(this.tags + 1);
    this.partsFrom = new Int32Array(analyses.length + 1);
    const names = new Map<string, number>();
    const parts: number[] = [];
    analyses.forEach(([tag, u, x, f], a) => {
      this.tagOf[a] = tag;
      this.hintOf[a] = u;
      this.first[tag + 1] = a + 1;
      const values = feats[f]!.split("|");
      values.push(xpos[x]!);
      for (const value of new Set(values)) {
        const name = `${upos[u]} ${value}`;
        let part = names.get(name);
        if (part === undefined) {
          part = this.hintsEnd + names.size;
          names.set(name, part);
        }
        parts.push(part);
      }
      this.partsFrom[a + 1] = parts.length;
    });
    this.parts = Int32Array.from(parts);
    this.partNames = names;
    this.classes = this.hintsEnd + names.size;
  }

  /** The best tag other than `except`; -1 if there is none. */
  bestTag(scores: Int32Array, except = -1): number {
    return bestOf(scores, 0, this.tags, except);
  }

  /** The best hint, a UPOS, other than `except`; -1 if there is none. */
  bestHint(scores: Int32Array, except = -1): number {
    return bestOf(scores, this.tags, this.hintsEnd, except);
  }

  /** The best analysis with a tag, other than `except`; -1 if there is none. */
  bestAnalysis(scores: Int32Array, tag: number, except = -1): number {
    const from = this.first[tag]!;
    const end = this.first[tag + 1]!;
    if (end - from === 1) return from === except ? -1 : from;
    let best = -1;
    let most = 0;
    for (let a = from; a < end; a++) {
      if (a === except) continue;
      const score = this.score(scores, a);
      if (best >= 0 && score <= most) continue;
      best = a;
      most = score;
    }
    return best;
  }

  /** The score of an analysis among those of its tag. */
  score(scores: Int32Array, analysis: number): number {
    const { parts, partsFrom } = this;
    const end = partsFrom[analysis + 1]!;
    let score = 0;
    for (let p = partsFrom[analysis]!; p < end; p++) score += scores[parts[p]!]!;
    return score;
  }

  /** Whether an analysis has a part. */
  has(analysis: number, part: number): boolean {
    for (let p = this.partsFrom[analysis]!; p < this.partsFrom[analysis + 1]!; p++) {
      if (this.parts[p] === part) return true;
    }
    return false;
  }
}

/** The best class from `from` to below `end`, counted from `from`. */
function bestOf(scores: Int32Array, from: number, end: number, except: number): number {
  let best = -1;
  let most = 0;
  for (let c = from; c < end; c++) {
    const score = scores[c]!;
    if ((best >= 0 && score <= most) || c - from === except) continue;
    best = c - from;
    most = score;
  }
  return best;
}
