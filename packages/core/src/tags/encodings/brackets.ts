// Trees as brackets (Strzyz, Vilares & Gómez-Rodríguez 2019, after Yli-Jyrä & Gómez-Rodríguez 2017). The tag of word i
// has
//   <   if word i − 1 has its head to the right
//   \   for each dependent of word i to the left
//   /   for each dependent of word i − 1 to the right
//   >   if word i has its head to the left
// From left to right, \ takes the last < that is open, and > the last /. So arcs in one direction must not cross each
// other; arcs in opposite directions may. In two planes (Strzyz, Vilares & Gómez-Rodríguez 2020) every bracket also has
// a second form, <* \* /* >*, for arcs that would cross one of the first plane.
//
// Different from the papers: the root is the word without a head and has no bracket for it, and an arc goes to the
// second plane only because of one in the same direction, since others may cross it anyway. Both let in more trees.
import type { Encoding, TagDecoder } from "./encoding.js";
import { TagBeam } from "./tag-beam.js";

/** A tag without any bracket. */
const EMPTY = ".";

/** Brackets of one plane in a tag: how many of each. */
interface Brackets {
  left: number;
  lefts: number;
  rights: number;
  right: number;
}

const none = (): Brackets => ({ left: 0, lefts: 0, rights: 0, right: 0 });

/** The encoding with one plane, or with two. */
export class BracketEncoding implements Encoding {
  readonly tags = [];

  constructor(private readonly planes: 1 | 2) {}

  encode(heads: ArrayLike<number>): string[] | undefined {
    const n = heads.length - 1;
    const planes = planesOf(heads, this.planes);
    if (!planes) return undefined;
    const words = Array.from({ length: n + 2 }, () => [none(), none()] as const);
    for (let d = 1; d <= n; d++) {
      const h = heads[d]!;
      const plane = planes[d]!;
      if (h > d) {
        words[d + 1]![plane]!.left++;
        words[h]![plane]!.lefts++;
      } else if (h > 0) {
        words[h + 1]![plane]!.rights++;
        words[d]![plane]!.right++;
      }
    }
    const tags = words.slice(0, n + 1).map(written);
    // One tree has one root, and arcs in opposite directions may be read in a cycle.
    return equal(read(tags.map(parsed)), heads) ? tags : undefined;
  }

  createDecoder(tags: readonly string[]): TagDecoder {
    const brackets = tags.map(parsed);
    const follow = (state: number, tag: number, i: number) => after(state, i, brackets[tag]!);
    // Node 0 has no head to ask for.
    const beam = new TagBeam({ start: ASKED, follow, key: (state) => state, faults: faultsOf }, tags.length);
    const reader = new BracketReader();
    return {
      decode(n, scores, chosen) {
        beam.find(n, scores, chosen);
        reader.begin(n);
        for (let i = 1; i <= n; i++) reader.take(brackets[chosen[i]!]!);
        return reader.end();
      },
    };
  }
}

function written(planes: readonly Brackets[]): string {
  const texts = planes.map(({ left, lefts, rights, right }, plane) => {
    const mark = plane === 0 ? "" : "*";
    const all = ["<".repeat(left), "\\".repeat(lefts), "/".repeat(rights), ">".repeat(right)].join("");
    return [...all].map((bracket) => bracket + mark).join("");
  });
  return texts.join("") || EMPTY;
}

function parsed(tag: string): readonly Brackets[] {
  const planes = [none(), none()];
  for (const [, bracket, mark] of tag.matchAll(/([<\\/>])(\*?)/g)) {
    const own = planes[mark ? 1 : 0]!;
    if (bracket === "<") own.left++;
    else if (bracket === "\\") own.lefts++;
    else if (bracket === "/") own.rights++;
    else own.right++;
  }
  return planes;
}

function read(tags: readonly (readonly Brackets[])[]): Int32Array {
  const reader = new BracketReader();
  reader.begin(tags.length - 1);
  for (const tag of tags.slice(1)) reader.take(tag);
  return reader.end();
}

function equal(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let d = 1; d < a.length; d++) if (a[d] !== b[d]) return false;
  return true;
}

/**
 * The plane of each arc, by its dependent: the second for some arcs of those that cross others in their direction, as
 * few as possible of each set that hangs together. Undefined if so many planes do not suffice. O(n²)
 */
function planesOf(heads: ArrayLike<number>, planes: 1 | 2): Uint8Array | undefined {
  const n = heads.length - 1;
  const colours = new Int8Array(n + 1).fill(-1);
  for (let first = 1; first <= n; first++) {
    if (colours[first]! >= 0) continue;
    colours[first] = 0;
    const set = [first];
    for (let k = 0; k < set.length; k++) {
      const a = set[k]!;
      for (let b = 1; b <= n; b++) {
        if (!conflict(heads, a, b)) continue;
        if (planes === 1 || colours[b] === colours[a]) return undefined;
        if (colours[b]! >= 0) continue;
        colours[b] = 1 - colours[a]!;
        set.push(b);
      }
    }
    const second = set.filter((d) => colours[d] === 1).length;
    if (2 * second > set.length) for (const d of set) colours[d] = 1 - colours[d]!;
  }
  return Uint8Array.from(colours);
}

/** Whether the arcs to a and b go in the same direction and cross. */
function conflict(heads: ArrayLike<number>, a: number, b: number): boolean {
  const [g, h] = [heads[a]!, heads[b]!];
  if (g === 0 || h === 0 || a < g !== b < h) return false;
  const [i, j, k, l] = [Math.min(a, g), Math.max(a, g), Math.min(b, h), Math.max(b, h)];
  return (i < k && k < j && j < l) || (k < i && i < l && l < j);
}

// For what may follow, it only matters how many brackets of each kind are open, six bits for each: < of both planes,
// then / of both; whether the last word has asked for its head; and whether there is a root.
const MOST_OPEN = 63;
const ASKED = 1 << 24;
const HAS_ROOT = 1 << 25;

/** The state after the tag of word i; undefined if some bracket has nothing to go with, or for a second root. */
function after(state: number, i: number, planes: readonly Brackets[]): number | undefined {
  let opening = 0;
  let closing = 0;
  let next = state & HAS_ROOT;
  for (let p = 0; p < 2; p++) {
    const { left, lefts, rights, right } = planes[p]!;
    opening += left;
    closing += right;
    const waiting = ((state >> (6 * p)) & MOST_OPEN) + left - lefts;
    const giving = ((state >> (12 + 6 * p)) & MOST_OPEN) + rights - right;
    if (waiting < 0 || waiting > MOST_OPEN || giving < 0 || giving > MOST_OPEN) return undefined;
    if (i === 1 && left + rights > 0) return undefined;
    next |= (waiting << (6 * p)) | (giving << (12 + 6 * p));
  }
  if (closing > 1 || opening > 1) return undefined;
  if (state & ASKED) {
    if (opening > 0) return undefined;
  } else if (opening === 0) {
    if (state & HAS_ROOT) return undefined;
    next |= HAS_ROOT;
  }
  return closing > 0 ? next | ASKED : next;
}

/** Brackets that stay open where a sentence ends, and roots too many or too few. */
function faultsOf(state: number): number {
  let faults = Boolean(state & ASKED) === Boolean(state & HAS_ROOT) ? 0 : 1;
  for (let bits = 0; bits < 24; bits += 6) faults += (state >> bits) & MOST_OPEN;
  return faults;
}

/** Builds a tree from brackets, whatever they are: what fits nowhere is left out. Time is linear. */
class BracketReader {
  private heads = new Int32Array();
  private i = 0;
  /** For each plane the words that wait for a head to the right, and those with dependents to come. */
  private readonly waiting: readonly number[][] = [[], []];
  private readonly giving: readonly number[][] = [[], []];
  /** Words that look for a head, though it may not have been found. */
  private asked = new Uint8Array();

  begin(n: number): void {
    this.heads = new Int32Array(n + 1).fill(-1);
    this.asked = new Uint8Array(n + 1);
    this.i = 0;
    for (const stack of [...this.waiting, ...this.giving]) stack.length = 0;
  }

  take(planes: readonly Brackets[]): void {
    const before = this.i++;
    const { i, heads, asked } = this;
    for (let p = 0; p < 2; p++) {
      const { left, lefts, rights, right } = planes[p]!;
      const waiting = this.waiting[p]!;
      const giving = this.giving[p]!;
      if (before > 0 && left > 0 && asked[before] === 0) {
        asked[before] = 1;
        waiting.push(before);
      }
      if (before > 0) for (let k = 0; k < rights; k++) giving.push(before);
      for (let k = 0; k < lefts && waiting.length > 0; k++) heads[waiting.pop()!] = i;
      if (right === 0 || asked[i] === 1) continue;
      asked[i] = 1;
      if (giving.length > 0) heads[i] = giving.pop()!;
    }
  }

  end(): Int32Array {
    return oneTree(this.heads, this.asked);
  }
}

/**
 * Makes a tree of the heads that were found. The root is the first word that asked for no head, else the first without
 * one, else the first of a cycle; the other words without a head, and the first of every cycle, hang on it.
 */
function oneTree(heads: Int32Array, asked: Uint8Array): Int32Array {
  const n = heads.length - 1;
  let root = 0;
  for (let d = n; d >= 1; d--) if (heads[d]! < 0 && (asked[d] === 0 || root === 0 || asked[root] === 1)) root = d;
  for (let d = 1; d <= n; d++) if (heads[d]! < 0 && d !== root) heads[d] = root;
  if (root > 0) heads[root] = 0;
  /** The word from which each was first reached on the way up. */
  const seen = new Int32Array(n + 1);
  for (let d = 1; d <= n; d++) {
    let a = d;
    while (a > 0 && seen[a] === 0) {
      seen[a] = d;
      a = heads[a]!;
    }
    if (a === 0 || seen[a] !== d) continue;
    let first = a;
    for (let b = heads[a]!; b !== a; b = heads[b]!) first = Math.min(first, b);
    heads[first] = root;
    if (root === 0) root = first;
  }
  return heads;
}
