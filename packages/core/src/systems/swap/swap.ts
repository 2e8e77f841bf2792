// Swap: arc-standard with online reordering (Nivre 2009).  c = (σ, β, A)
//   SHIFT        (σ, b|β, A)     ⇒ (σ|b, β, A)
//   LEFT-ARC_l   (σ|t|s, β, A)   ⇒ (σ|s, β, A ∪ {s →l t})    t ≠ 0
//   RIGHT-ARC_l  (σ|t|s, β, A)   ⇒ (σ|t, β, A ∪ {t →l s})    s ≠ 0
//   SWAP         (σ|i|j, β, A)   ⇒ (σ|j, i|β, A)             0 < i < j
// Terminal: buffer empty and one node on the stack. Builds all trees; O(n²) transitions at worst, about linear on
// treebanks.

import { ArcStandard, loseDependentsOfAttached } from "../arc-standard.js";
import { type Configuration, NONE } from "../configuration.js";
import { SwapKnownHeads } from "../known-heads/swap-known-heads.js";
import type { SystemOptions } from "../settings.js";
import type { SystemDescription } from "../system.js";
import { LEFT_ARC, type Move, RIGHT_ARC, SHIFT, SWAP } from "../transition.js";

export const swap: SystemDescription = {
  name: "swap",
  title: "Swap",
  reference: "Nivre 2009",
  settings: [
    {
      name: "lazy",
      title: "Swap lazily",
      help: "SWAP only when it can no longer wait",
      values: [false, true],
      changes: "oracle",
    },
  ],
  create: (options) => new Swap(options),
  attachesToSpines: false,
  reordersWords: true,
  leavesHeadless: false,
  changesByMethods: true,
  risks: loseDependentsOfAttached,
  knownHeads: (system) => new SwapKnownHeads(system),
};

export class Swap extends ArcStandard {
  override readonly description: SystemDescription = swap;
  override readonly moves = [LEFT_ARC, RIGHT_ARC, SWAP, SHIFT];
  readonly lazy: boolean;

  constructor(options: SystemOptions = {}) {
    super(options);
    this.lazy = options.lazy === true;
  }

  override permits(c: Configuration, move: Move): boolean {
    if (move !== SWAP) return super.permits(c, move);
    return c.stackSize > 1 && c.s(1) > 0 && c.s(1) < c.s(0);
  }

  override apply(c: Configuration, move: Move, label = NONE): void {
    if (move === SWAP) c.unshift(1);
    else super.apply(c, move, label);
  }
}
