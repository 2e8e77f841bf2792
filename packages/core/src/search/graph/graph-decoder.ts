import { type ArcScores, edmonds } from "../../math/edmonds.js";
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
}
