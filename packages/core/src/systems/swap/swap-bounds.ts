import { type Configuration, NONE, ON_STACK } from "../configuration.js";
import { lostSoFar } from "../losses/bottom-up.js";
import { ReorderingBounds, type Way } from "../losses/reordering-bounds.js";
import { LEFT_ARC, type Move, RIGHT_ARC, SHIFT, SWAP } from "../transition.js";

/** Bounds of the loss of any configuration of swap. At the end of the buffer words swap wherever it is permitted. */
export class SwapBounds extends ReorderingBounds {
  override find(c: Configuration): void {
    if (this.collects !== "last" || c.where[0] !== ON_STACK) {
      super.find(c);
      return;
    }
    // 0 takes all words that are left: nothing else is permitted.
    const count = this.number(c);
    let given = 0;
    for (let i = 1; i <= count; i++) if (this.wanted[i]! > 0) given++;
    this.most = lostSoFar(c, this.gold, this.system.root) + given;
    this.least = this.most;
    this.first = count > 0 ? LEFT_ARC : NONE;
  }

  protected follow(way: Way, rank: Int32Array): void {
    const { stack, buffer, words, waiting } = this;
    let size = this.stacked;
    let rest = this.ahead;
    let lost = 0;
    let first: Move = NONE;
    let move: Move = NONE;
    for (;;) {
      if (first === NONE) first = move;
      if (size > 1) {
        const s = stack[size - 1]!;
        const t = stack[size - 2]!;
        const left = this.price(s, t);
        const right = this.price(t, s);
        const isStuck = rest === 0 && !(way !== "never" && words[t]! < words[s]!);
        if (isStuck && this.collects === "last") {
          // 0 comes next, and takes all that are left.
          let given = 0;
          for (let i = 0; i < size; i++) if (this.head(stack[i]!) > 0) given++;
          if (given <= Math.min(left, right)) {
            lost += given;
            move = SHIFT;
            size = 0;
            continue;
          }
        }
        if (left === 0 || (isStuck && left < right)) {
          lost += left;
          this.attach(t);
          stack[--size - 1] = s;
          move = LEFT_ARC;
          continue;
        }
        if (right === 0 || isStuck) {
          lost += right;
          this.attach(s);
          size--;
          move = RIGHT_ARC;
          continue;
        }
        const mayWait = way === "never" || (way === "by order" && rest > 0 && rank[t]! < rank[s]!);
        if (words[t]! < words[s]! && !mayWait) {
          stack[--size - 1] = s;
          buffer[rest++] = t;
          move = SWAP;
          continue;
        }
      } else if (size === 1 && this.collects === "first" && waiting[stack[0]!] === 0 && this.head(stack[0]!) < 0) {
        size--;
        move = RIGHT_ARC;
        continue;
      }
      if (rest === 0) break;
      stack[size++] = buffer[--rest]!;
      move = SHIFT;
    }
    this.settle(lost, first);
  }
}
