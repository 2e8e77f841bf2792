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
    if (children[0]!.length !== 1) return undefined;
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
    // Of a tree with crossing arcs this is not the sequence, and none is.
    const isSame = treeOf(tags)?.every((head, d) => d === 0 || head === heads[d]);
    return isSame ? Array.from(tags, (tag, i) => (i === 0 ? "" : i === n ? END : TAGS[tag]!)) : undefined;
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
        const found = new Int32Array(n + 1);
        let d = 1;
        for (let i = n - 1; i >= 1; i--) {
          const tag = ways[i * depths + d]!;
          found[i] = tag;
          chosen[i] = places[tag]!;
          d += (tag & WORD ? 1 : 0) - (tag & NODE ? 0 : 1);
        }
        chosen[n] = end;
        return treeOf(found)!;
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

/** The tree that tags, as numbers, stand for; undefined if it is none. Time is linear. */
function treeOf(tags: Int32Array): Int32Array | undefined {
  const n = tags.length - 1;
  const heads = new Int32Array(n + 1).fill(-1);
  // The inner nodes that lack their right child, each with the head of its left child, and which of them begin a tree.
  const open: { child: number; isRight: boolean; begins: boolean }[] = [];
  for (let i = 1; i <= n; i++) {
    let head = i;
    if (i === n ? n > 1 : tags[i]! & WORD) {
      for (let node = open.pop(); ; node = open.pop()) {
        if (!node) return undefined;
        heads[node.isRight ? node.child : head] = node.isRight ? head : node.child;
        if (!node.isRight) head = node.child;
        if (node.begins) break;
      }
    }
    if (i === n) heads[head] = 0;
    else open.push({ child: head, isRight: (tags[i]! & HEAD) > 0, begins: (tags[i]! & NODE) === 0 });
  }
  return open.length > 0 ? undefined : heads;
}
