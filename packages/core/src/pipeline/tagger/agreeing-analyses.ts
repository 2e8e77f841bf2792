import { detached } from "../../math/detached.js";
import type { Upos } from "../../treebank/universal.js";
import type { TaggerModel } from "./tagger-model.js";

/** The known tags of a word; undefined for those that are open. */
export interface GivenTags {
  upos?: Upos | undefined;
  xpos?: string | undefined;
  /** "_" for a word that has none. */
  feats?: string | undefined;
}

/** Combinations of what is known that are remembered at once. */
const MOST_REMEMBERED = 1 << 12;

/** Finds the analyses of a tagger that agree with what is known of a word. */
export class AgreeingAnalyses {
  private readonly found = new Map<string, readonly number[]>();

  constructor(private readonly model: TaggerModel) {}

  /** The hint for a word, its UPOS; undefined if that is free, or not one of the tagger's. */
  hint(given: GivenTags | undefined): number | undefined {
    if (given?.upos === undefined) return undefined;
    const hint = this.model.header.upos.indexOf(given.upos);
    return hint < 0 ? undefined : hint;
  }

  /** The best analysis that agrees with what is known: undefined if nothing is, or nothing agrees. */
  best(scores: Int32Array, given: GivenTags | undefined): number | undefined {
    if (!given) return undefined;
    const { analyses } = this.model;
    let best: number | undefined;
    let tagScore = 0;
    let score = 0;
    for (const a of this.agreeing(given)) {
      // As when all are free: the best tag first, and the best analysis of it.
      const ofTag = scores[analyses.tagOf[a]!]!;
      if (best !== undefined && ofTag < tagScore) continue;
      const own = analyses.score(scores, a);
      if (best !== undefined && ofTag === tagScore && own <= score) continue;
      best = a;
      tagScore = ofTag;
      score = own;
    }
    return best;
  }

  // FEATS, then XPOS, are let go if no analysis of the training data has all that is known.
  private agreeing({ upos, xpos, feats }: GivenTags): readonly number[] {
    const key = `${upos}\t${xpos}\t${feats}`;
    let found = this.found.get(key);
    if (found) return found;
    const { header } = this.model;
    const having = (wanted: GivenTags) => {
      if (Object.values(wanted).every((value) => value === undefined)) return [];
      return [...header.analyses.keys()].filter((a) => {
        const [, u, x, f] = header.analyses[a]!;
        return (
          (wanted.upos ?? header.upos[u]) === header.upos[u] &&
          (wanted.xpos ?? header.xpos[x]) === header.xpos[x] &&
          (wanted.feats ?? header.feats[f]) === header.feats[f]
        );
      });
    };
    for (const wanted of [{ upos, xpos, feats }, { upos, xpos }, { upos }, { xpos }]) {
      found = having(wanted);
      if (found.length > 0) break;
    }
    if (this.found.size >= MOST_REMEMBERED) this.found.clear();
    this.found.set(detached(key), found!);
    return found!;
  }
}
