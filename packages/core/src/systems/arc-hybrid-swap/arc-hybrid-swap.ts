// Arc-hybrid with SWAP (de Lhoneux, Stymne & Nivre 2017).  c = (σ, β, A)
//   SHIFT        (σ, b|β, A)     ⇒ (σ|b, β, A)
//   LEFT-ARC_l   (σ|s, b|β, A)   ⇒ (σ, b|β, A ∪ {b →l s})    s ≠ 0
//   RIGHT-ARC_l  (σ|t|s, β, A)   ⇒ (σ|t, β, A ∪ {t →l s})
//   SWAP         (σ|s, b|β, A)   ⇒ (σ, b|s|β, A)             0 < s < b
// Terminal as in arc-hybrid. Builds all trees; O(n²) transitions at worst, about linear on treebanks.

import { ArcHybrid } from "../arc-hybrid.js";
import { type Configuration, NONE } from "../configuration.js";
import type { SystemDescription } from "../system.js";
import { LEFT_ARC, type Move, RIGHT_ARC, SHIFT, SWAP } from "../transition.js";
import { HybridSwapKnownHeads } from "./hybrid-swap-known-heads.js";

export const arcHybridSwap: SystemDescription = {
  name: "arc-hybrid-swap",
  title: "Arc-hybrid with SWAP",
  reference: "de Lhoneux, Stymne & Nivre 2017",
  settings: [],
  create: (options) => new ArcHybridSwap(options),
  attachesToSpines: false,
  reordersWords: true,
  leavesHeadless: false,
  changesByMethods: true,
  // Words that SHIFT covers can come to light again.
  risks(_system, c, move, arcs) {
    if (move === LEFT_ARC || move === RIGHT_ARC) arcs.loseDependents(c.s(0));
  },
  knownHeads: (system) => new HybridSwapKnownHeads(system),
};

export class ArcHybridSwap extends ArcHybrid {
  override readonly description: SystemDescription = arcHybridSwap;
  override readonly moves = [LEFT_ARC, RIGHT_ARC, SWAP, SHIFT];

  override permits(c: Configuration, move: Move): boolean {
    return move === SWAP ? c.s(0) > 0 && c.s(0) < c.b(0) : super.permits(c, move);
  }

  override apply(c: Configuration, move: Move, label = NONE): void {
    if (move === SWAP) c.putBehindFront();
    else super.apply(c, move, label);
  }

  override head(c: Configuration, move: Move): number {
    return move === SWAP ? NONE : super.head(c, move);
  }

  override dependent(c: Configuration, move: Move): number {
    return move === SWAP ? NONE : super.dependent(c, move);
  }
}
