import { NONE } from "../../systems/configuration.js";

/** Words of a sentence, the first of which have been attached. */
export class Attachments {
  readonly heads: Int32Array;
  /** For each node the one above it that has no head yet, or 0, or itself. */
  private readonly tops: Int32Array;
  /** For each node its last dependent to the left, and to the right, so far; itself for none. */
  private readonly lastLeft: Int32Array;
  private readonly lastRight: Int32Array;
  private hasRoot = false;
  score = 0;

  constructor(
    readonly n: number,
    private readonly singleRoot: boolean,
  ) {
    this.heads = new Int32Array(n + 1).fill(NONE);
    this.tops = Int32Array.from({ length: n + 1 }, (_, i) => i);
    this.lastLeft = this.tops.slice();
    this.lastRight = this.tops.slice();
  }

  /**
   * Whether a word may get this head: not if it closed a cycle, and not 0 if only one word may have that and another
   * one does. Some head always is permitted. As long as no word has 0, each word without a head is above a tree of its
   * own, and may get a head in another one; the last of them is above all other words, and only 0 is left to it. Once a
   * word has 0, that word may be the head of all that are not above it.
   */
  permits(head: number, d: number): boolean {
    return head === 0 ? !(this.singleRoot && this.hasRoot) : this.tops[head] !== d;
  }

  /** The last dependent that a head has got on the side of d; the head itself for none. */
  last(head: number, d: number): number {
    return (d < head ? this.lastLeft : this.lastRight)[head]!;
  }

  /** Of heads that are known beforehand only this is known before it is their turn. */
  reserve(head: number, d: number): void {
    const { tops } = this;
    if (tops[d] !== d) return;
    const top = tops[head]!;
    for (let i = 1; i < tops.length; i++) if (tops[i] === d) tops[i] = top;
    this.hasRoot ||= head === 0;
  }

  attach(head: number, d: number): void {
    this.reserve(head, d);
    this.heads[d] = head;
    (d < head ? this.lastLeft : this.lastRight)[head] = d;
  }

  copy(from: Attachments): void {
    this.heads.set(from.heads);
    this.tops.set(from.tops);
    this.lastLeft.set(from.lastLeft);
    this.lastRight.set(from.lastRight);
    this.hasRoot = from.hasRoot;
    this.score = from.score;
  }
}
