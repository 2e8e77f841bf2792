// Hexatags (Amini, Liu & Cotterell 2023): a projective tree as a binary one over the words, in which every inner node
// has its head on one side, and that in six kinds of tags, of which each word has two: of the word itself and of the
// inner node that comes after it, from left to right (Kitaev & Klein 2020).
//   l or r   the word is a left or a right child
//   l or r   the inner node after it is a left or a right child
//   l or r   the head of that node is on its left or on its right
// The last word has no inner node after it, and the tag "end". A head takes its dependents on the right first, the
// nearest first, then those on the left. Reading the tags needs a stack of trees that each lack their right end: an
// inner node that is a left child begins one, a word that is a right child completes one. So a sequence is a tree if
// this number is at least 1 after each word but the last, which takes it from 1 to 0; and that can be looked for.
import { isProjective } from "../../treebank/tree.js";
import type { Encoding, TagDecoder } from "./encoding.js";

const END = "end";
/** Bits of a tag: the word, the node, and its head are right. */
const WORD = 4;
const NODE = 2;
const HEAD = 1;
const TAGS = ["lll", "llr", "lrl", "lrr", "rll", "rlr", "rrl", "rrr"];

/** Trees that lack their right end; no treebank has sentences with half as many. */
const MOST_DEPTH = 64;

export const hexatags: Encoding = {
  tags: [...TAGS, END],

  encode(heads) {
    const n = heads.length - 1;
    const tags = new Int32Array(n + 1);
    const children = childrenOf(heads);
    if (children[0]!.length !== 1 || !isProjective(heads)) return undefined;
    // Subtrees still to be written, each with whether it is a right child.
    const open: [head: number, isRight: boolean][] = [[children[0]![0]!, false]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [h, isRight] = next;
      let side = isRight ? NODE : 0;
      const own = children[h]!;
      const left = own.filter((d) => d < h);
      for (const d of left) {
        tags[lastOf(children, d)]! |= side | HEAD;
        open.push([d, false]);
        side = NODE;
      }
      for (let k = own.length - 1; k >= left.length; k--) {
        tags[firstOf(children, own[k]!) - 1]! |= side;
        open.push([own[k]!, true]);
        side = 0;
      }
      if (side > 0) tags[h]! |= WORD;
    }
    return Array.from(tags, (tag, i) => (i === 0 ? "" : i === n ? END : TAGS[tag]!));
  },

  createDecoder(tags): TagDecoder {
    const places = TAGS.map((tag) => tags.indexOf(tag));
    const end = tags.indexOf(END);
    const best = new Int32Array(4);
    let ways = new Uint8Array();
    return {
      decode(n, scores, chosen) {
        if (n === 0) return Int32Array.of(-1);
        const depths = Math.min(MOST_DEPTH, n) + 1;
        if (ways.length < n * depths) ways = new Uint8Array(n * depths);
        // The best sum for each number of open trees. Words from 1 to n − 1; the last has no choice.
        let sums = new Float64Array(depths).fill(Number.NEGATIVE_INFINITY);
        sums[0] = 0;
        for (let i = 1; i < n; i++) {
          const next = new Float64Array(depths).fill(Number.NEGATIVE_INFINITY);
          const at = (tag: number) => scores[(i - 1) * tags.length + places[tag]!]!;
          for (let way = 0; way < 4; way++) best[way] = 2 * way + (at(2 * way + 1) > at(2 * way) ? 1 : 0);
          for (let d = 0; d < depths; d++) {
            if (sums[d] === Number.NEGATIVE_INFINITY) continue;
            for (let way = 0; way < 4; way++) {
              // Complete words and trees below the word: an r takes one off, and a node on the right needs one.
              const below = way >= 2 ? d - 1 : d;
              const to = way % 2 === 0 ? below + 1 : below;
              if (below < 0 || to < 1 || to >= depths) continue;
              const sum = sums[d]! + at(best[way]!);
              if (sum <= next[to]!) continue;
              next[to] = sum;
              ways[i * depths + to] = best[way]!;
            }
          }
          sums = next;
        }
        let d = 1;
        for (let i = n - 1; i >= 1; i--) {
          const tag = ways[i * depths + d]!;
          chosen[i] = places[tag]!;
          d += (tag & WORD ? 1 : 0) - (tag & NODE ? 0 : 1);
        }
        chosen[n] = end;
        return treeOf(n, chosen, places);
      },
    };
  },
};

/** The dependents of each node, ascending. */
function childrenOf(heads: ArrayLike<number>): number[][] {
  const children: number[][] = Array.from(heads, () => []);
  for (let d = 1; d < heads.length; d++) children[heads[d]!]!.push(d);
  return children;
}

function firstOf(children: readonly number[][], h: number): number {
  while (children[h]!.length > 0 && children[h]![0]! < h) h = children[h]![0]!;
  return h;
}

function lastOf(children: readonly number[][], h: number): number {
  for (let last = children[h]!.at(-1)!; last > h; last = children[h]!.at(-1)!) h = last;
  return h;
}

/** The tree of tags that stand for one. Time is linear. */
function treeOf(n: number, chosen: ArrayLike<number>, places: readonly number[]): Int32Array {
  const heads = new Int32Array(n + 1).fill(-1);
  const numbers = new Map(places.map((place, tag) => [place, tag]));
  // The inner nodes that lack their right child, each with the head of its left child, and which of them begin a tree.
  const open: { child: number; isRight: boolean; begins: boolean }[] = [];
  for (let i = 1; i <= n; i++) {
    const tag = i === n ? (n > 1 ? WORD : 0) : numbers.get(chosen[i]!)!;
    let head = i;
    if (tag & WORD) {
      for (let isWhole = false; !isWhole; ) {
        const { child, isRight, begins } = open.pop()!;
        if (isRight) heads[child] = head;
        else heads[head] = child;
        if (!isRight) head = child;
        isWhole = begins;
      }
    }
    if (i === n) heads[head] = 0;
    else open.push({ child: head, isRight: (tag & HEAD) > 0, begins: (tag & NODE) === 0 });
  }
  return heads;
}
