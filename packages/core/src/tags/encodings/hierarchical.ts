// Hierarchical brackets (Ezquerro, Vilares, Yli-Jyrä & Gómez-Rodríguez 2025), for projective trees: 12 tags. Of arcs
// that share an end and lie in each other, the longest is structural and has a superbracket at both ends; the others
// are auxiliary and have one bracket, at their dependent, since the other end is that of the structural arc. The arc
// from 0 to the root is one of them; 0 has no tag. The tag of a word has
//   \^             if it has dependents to the left, and the arc to the first of them is structural
//   < or <^        if its head is to the right, by an auxiliary or by a structural arc; > or >^ to the left
//   /^             if it has dependents to the right, and the arc to the last of them is structural
// Neither \^ with >^ nor <^ with /^: that arc would lie in the other one. From left to right, \^ closes the last <^
// that is open, and >^ the last /^, if no other superbracket is open within; all < within then have the same right end.
// A > belongs to the last superbracket that is open.
import { mix } from "../../math/hash.js";
import type { Encoding, TagDecoder } from "./encoding.js";
import { TagBeam } from "./tag-beam.js";

interface Tag {
  /** Has \^. */
  readonly closes: boolean;
  readonly head: "<" | "<^" | ">" | ">^";
  /** Has /^. */
  readonly opens: boolean;
}

const TAGS: readonly Tag[] = [false, true].flatMap((closes) =>
  (["<", "<^", ">", ">^"] as const).flatMap((head) =>
    [false, true].flatMap((opens) =>
      (closes && head === ">^") || (opens && head === "<^") ? [] : [{ closes, head, opens }],
    ),
  ),
);

const NAMES = TAGS.map(({ closes, head, opens }) => `${closes ? "\\^" : ""}${head}${opens ? "/^" : ""}`);

/** A superbracket that is open, on top of others; the lowest is none. */
interface Open {
  readonly below: Open | undefined;
  /** Whether it is /^. */
  readonly isRight: boolean;
  /** Whether it is that of 0. */
  readonly isRoot: boolean;
  /** Whether some < wait for its right end. */
  readonly waits: boolean;
  readonly depth: number;
  /** The same for stacks that are the same. */
  readonly key: number;
}

const NOTHING: Open = { below: undefined, isRight: false, isRoot: false, waits: false, depth: 0, key: 0 };

function opened(below: Open, isRight: boolean, waits = false, isRoot = false): Open {
  const kind = (isRight ? 1 : 0) + (waits ? 2 : 0) + (isRoot ? 4 : 0);
  return { below, isRight, isRoot, waits, depth: below.depth + 1, key: mix(below.key, kind + 1) };
}

const START = opened(NOTHING, true, false, true);

/**
 * The superbrackets that are open after word i; undefined if the tag does not fit. It does only if the words that are
 * left can close them, which they can as long as there are as many; and before the last word one must be open.
 */
function follow(top: Open, { closes, head, opens }: Tag, i: number, n: number): Open | undefined {
  if (closes) {
    if (top.depth === 0 || top.isRight) return undefined;
    top = top.below!;
  }
  if (top.depth === 0) return undefined;
  if (head === ">^") {
    if (!top.isRight) return undefined;
    top = top.below!;
  } else if (head === ">") {
    // An arc from there would cross those that wait; and 0 has one dependent.
    if (top.waits || top.isRoot) return undefined;
  } else if (head === "<") {
    if (!top.waits) top = opened(top.below!, top.isRight, true, top.isRoot);
  } else top = opened(top, false);
  if (opens) top = opened(top, true);
  return top.depth > n - i || (top.depth === 0 && i < n) ? undefined : top;
}

export const hierarchical: Encoding = {
  tags: NAMES,

  encode(heads) {
    const n = heads.length - 1;
    const closes = new Uint8Array(n + 1);
    const opens = new Uint8Array(n + 1);
    const auxiliary = new Uint8Array(n + 1);
    const arcs = Array.from({ length: n }, (_, k) => {
      const [d, h] = [k + 1, heads[k + 1]!];
      return { d, h, from: Math.min(d, h), to: Math.max(d, h) };
    }).sort((a, b) => a.from - b.from || b.to - a.to);
    for (const arc of arcs) {
      if (auxiliary[arc.d]) continue;
      (arc.d < arc.h ? closes : opens)[arc.h] = 1;
      for (const { d, from, to } of arcs) {
        const isWithin = arc.from <= from && to <= arc.to && d !== arc.d;
        if (isWithin && (from === arc.from || to === arc.to)) auxiliary[d] = 1;
      }
    }
    const tags = Array.from({ length: n }, (_, k) => {
      const side = heads[k + 1]! > k + 1 ? "<" : ">";
      const name = `${closes[k + 1] ? "\\^" : ""}${side}${auxiliary[k + 1] ? "" : "^"}${opens[k + 1] ? "/^" : ""}`;
      return NAMES.indexOf(name);
    });
    // Of a tree with crossing arcs this is not the sequence, and none is.
    const isSame = treeOf(tags)?.every((head, d) => d === 0 || head === heads[d]);
    return isSame ? ["", ...tags.map((tag) => NAMES[tag]!)] : undefined;
  },

  createDecoder(tags): TagDecoder {
    const numbers = tags.map((tag) => NAMES.indexOf(tag));
    const grammar = {
      start: START,
      follow: (state: Open, tag: number, i: number, n: number) => follow(state, TAGS[numbers[tag]!]!, i, n),
      key: ({ key }: Open) => key,
      faults: ({ depth }: Open) => depth,
    };
    const beam = new TagBeam<Open>(grammar, tags.length);
    return {
      decode(n, scores, chosen) {
        beam.find(n, scores, chosen);
        return treeOf(Array.from(chosen.subarray(1, n + 1), (tag) => numbers[tag]!))!;
      },
    };
  },
};

/** The tree of the numbers of tags, of which the first is that of word 1; undefined if it is none. Time is linear. */
function treeOf(tags: readonly number[]): Int32Array | undefined {
  const n = tags.length;
  const heads = new Int32Array(n + 1).fill(-1);
  const open: { node: number; waiting: number[] }[] = [{ node: 0, waiting: [] }];
  const close = (right: number) => {
    const { node, waiting } = open.pop()!;
    for (const d of waiting) heads[d] = right;
    return node;
  };
  let state: Open = START;
  for (let i = 1; i <= n; i++) {
    const tag = TAGS[tags[i - 1]!];
    const next = tag && follow(state, tag, i, n);
    if (!next) return undefined;
    state = next;
    if (tag.closes) heads[close(i)] = i;
    const top = open[open.length - 1]!;
    if (tag.head === ">^") heads[i] = close(i);
    else if (tag.head === ">") heads[i] = top.node;
    else if (tag.head === "<") top.waiting.push(i);
    else open.push({ node: i, waiting: [] });
    if (tag.opens) open.push({ node: i, waiting: [] });
  }
  return heads;
}
