import { type Configuration, NONE } from "../configuration.js";
import { ReorderingBounds, ROOT, type Way } from "../losses/reordering-bounds.js";
import { LEFT_ARC, type Move, RIGHT_ARC, SHIFT, SWAP } from "../transition.js";

/**
 * Bounds of the loss of any configuration of arc-hybrid with SWAP. A word that is shifted for good gives up the words
 * below it that wait for it, and its own head if that is below the one that it comes to lie on.
 */
export class HybridSwapBounds extends ReorderingBounds {
  /** The greatest word of the buffer: what is greater on the stack never leaves it again but by an arc. */
  private greatest = 0;

  override find(c: Configuration): void {
    this.greatest = 0;
    for (let i = c.front; i < c.end; i++) this.greatest = Math.max(this.greatest, c.buffer[i]!);
    super.find(c);
  }

  // Of two words on the stack the upper one has to come back into the buffer, but for RIGHT-ARC between neighbours; so
  // has the dependent of a 0 that does not come after all words, unless it is at the bottom.
  protected override isWithinReach(d: number): boolean {
    const { stacked, words } = this;
    const h = this.wanted[d]!;
    if (d > stacked || h > stacked) return true;
    if (h === ROOT ? this.collects === "last" || d === 1 : h === d - 1) return true;
    return words[Math.max(h, d)]! < this.greatest;
  }

  protected follow(way: Way, rank: Int32Array): void {
    const { stack, buffer, words } = this;
    let size = this.stacked;
    let rest = this.ahead;
    let lost = 0;
    let first: Move = NONE;
    let move: Move = NONE;
    const wantsSwap = (s: number, b: number) =>
      words[s]! < words[b]! && (way === "wherever permitted" || (way === "by order" && rank[s]! > rank[b]!));
    /** Will the front of the buffer come back from the stack? */
    const returns = (b: number) => {
      for (let i = rest - 2; way !== "never" && i >= 0; i--) if (wantsSwap(b, buffer[i]!)) return true;
      return false;
    };
    for (let i = 1; way === "never" && i < size; i++) lost += this.cover(stack[i]!, i);
    for (;;) {
      if (first === NONE) first = move;
      const b = rest > 0 ? buffer[rest - 1]! : this.collects === "last" ? ROOT : NONE;
      if (size > 0) {
        const s = stack[size - 1]!;
        const t = size > 1 ? stack[size - 2]! : this.collects === "first" ? ROOT : NONE;
        const left = b === NONE ? Number.POSITIVE_INFINITY : this.price(b, s);
        const right = t === NONE ? Number.POSITIVE_INFINITY : this.price(t, s);
        const isStuck = rest === 0 && left + right > 0;
        if (left === 0 || (isStuck && left < right)) {
          lost += left;
          this.attach(s);
          size--;
          move = LEFT_ARC;
          continue;
        }
        if (right === 0 || (isStuck && right < Number.POSITIVE_INFINITY)) {
          lost += right;
          this.attach(s);
          size--;
          move = RIGHT_ARC;
          continue;
        }
        if (rest > 0 && wantsSwap(s, b)) {
          size--;
          buffer[rest - 1] = s;
          buffer[rest++] = b;
          move = SWAP;
          continue;
        }
      }
      if (rest === 0) break;
      if (!returns(b)) lost += this.cover(b, size);
      stack[size++] = b;
      rest--;
      move = SHIFT;
    }
    this.settle(lost, first);
  }

  /** Give up the arcs that a word on top of the lowest `height` words of the stack no longer gets, and count them. */
  private cover(b: number, height: number): number {
    const { stack } = this;
    let lost = 0;
    if (height > 0 && this.head(b) === ROOT && this.collects !== "last") {
      this.release(b);
      lost++;
    }
    for (let i = 0; i < height; i++) {
      const below = stack[i]!;
      if (this.head(below) === b) {
        this.release(below);
        lost++;
      }
      if (i < height - 1 && this.head(b) === below) {
        this.release(b);
        lost++;
      }
    }
    return lost;
  }
}
