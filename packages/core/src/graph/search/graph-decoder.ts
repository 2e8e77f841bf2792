import { type ArcScores, edmonds } from "../../math/edmonds.js";
import { allTrees, projectiveTrees, type RankedTree } from "./best-trees.js";
import { Eisner, type SiblingScore } from "./eisner.js";

/** How a graph-based parser finds the best tree: among the projective ones, or among all. */
export const DECODERS = ["eisner", "edmonds"] as const;
/** One of `DECODERS`. */
export type DecoderName = (typeof DECODERS)[number];

/**
 * In longer sentences siblings are not looked at: there are n³ of them, and what is so long is hardly a sentence.
 */
export const MOST_WITH_SIBLINGS = 200;

/** Finds the tree with the highest sum of scores. */
export class GraphDecoder {
  private readonly eisner = new Eisner();

  constructor(
    readonly decoder: DecoderName,
    private readonly singleRoot: boolean,
  ) {}

  decode(n: number, scores: ArcScores, siblings?: SiblingScore): Int32Array {
    if (n === 0) return Int32Array.of(-1);
    if (this.decoder === "edmonds") return edmonds(n, scores, this.singleRoot);
    return this.eisner.parse(n, scores, this.singleRoot, n <= MOST_WITH_SIBLINGS ? siblings : undefined);
  }

  /** Trees in the order of their scores; `penalty` is more than scores can make up for. */
  trees(n: number, scores: ArcScores, penalty: number, siblings?: SiblingScore): Iterable<RankedTree> {
    if (n === 0) return [{ heads: Int32Array.of(-1), score: 0 }];
    if (this.decoder === "edmonds") return allTrees(n, scores, this.singleRoot, penalty);
    const used = n <= MOST_WITH_SIBLINGS ? siblings : undefined;
    return projectiveTrees(this.eisner, n, scores, this.singleRoot, used);
  }
}
