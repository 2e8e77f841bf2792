// Level 2: heads that make a tree. Level 3: its root, and where punctuation is attached.

import { type Children, findCycle, isAncestor, nonProjectiveArcs } from "../tree.js";
import { at, DEPREL, HEAD, nameOf, type Row } from "./rows/rows.js";
import { page, type Report, relationPage } from "./violation.js";

const SYNTAX = page("u/overview/syntax.html");

/** The heads of words from 1, 0 first, or undefined if they make no tree. */
export function checkTree(words: readonly Row[], report: Report): Int32Array | undefined {
  const n = words.length;
  const heads = new Int32Array(n + 1);
  heads[0] = -1;
  let isTree = true;
  const roots: Row[] = [];
  for (let i = 1; i <= n; i++) {
    const row = words[i - 1]!;
    const head = row.head;
    heads[i] = head >= 0 && head <= n ? head : -1;
    if (head === 0) roots.push(row);
    if (head >= 0 && head <= n && head !== i) continue;
    isTree = false;
    const written = row.column(HEAD);
    const place = at(row, HEAD, SYNTAX);
    if (head === i) report("head-self-loop", place, `${nameOf(row)} is its own head.`);
    else if (head > n)
      report("unknown-head", place, `There is no word ${written} in the sentence (expected 0 to ${n}).`);
    else report("invalid-head", place, written === "_" ? `${nameOf(row)} has no head.` : `${written} is no head.`);
  }
  if (roots.length > 1) {
    report(
      "multiple-roots",
      at(roots[1]!, HEAD, SYNTAX),
      `There are ${roots.length} roots: ${roots.map(nameOf).join(", ")}.`,
    );
    isTree = false;
  }
  if (!isTree) return undefined;
  const cycle = findCycle(heads);
  if (cycle === null) return heads;
  const path = [...cycle, cycle[0]!].slice(0, 8).map((i) => words[i - 1]!.columns[1]);
  const message = `The heads form a cycle: ${path.join(" → ")}${cycle.length > 7 ? " → …" : ""}.`;
  report("non-tree", at(words[cycle[0]! - 1]!, HEAD, SYNTAX), message);
  return undefined;
}

/** Level 3: the root, and no other word, is labelled root. */
export function checkRoot(row: Row, head: number, report: Report): void {
  const { label, isRoot } = row.relation;
  const place = at(row, DEPREL, relationPage("root"));
  if (head === 0 && !isRoot) report("0-is-not-root", place, `${nameOf(row)} is the root, but its label is ${label}.`);
  if (head > 0 && isRoot) report("root-is-not-0", place, `${nameOf(row)} has the label ${label}, but is not the root.`);
}

const NO_WORDS: ReadonlySet<number> = new Set();

/** The words whose own arc spans words that their head does not dominate. */
export function looseWords(heads: Int32Array, below: Children): ReadonlySet<number> {
  return isPlanar(heads, below) ? NO_WORDS : new Set(nonProjectiveArcs(heads));
}

// Where the arcs end that are open; reused by every call, and grown to the longest sentence.
let ends = new Int32Array(1 << 10);

/**
 * Do no arcs of a tree cross, that of the root included? Nearly all trees are so, and this takes no memory: from left
 * to right, an arc that begins must not end after one that is open.
 */
function isPlanar(heads: Int32Array, { start, nodes }: Children): boolean {
  if (ends.length < 2 * heads.length) ends = new Int32Array(4 * heads.length);
  let open = 0;
  for (let i = 0; i < heads.length; i++) {
    while (open > 0 && ends[open - 1] === i) open--;
    // The longest first.
    let own = heads[i]! > i ? heads[i]! : 0;
    for (let k = start[i + 1]! - 1; k >= start[i]! - 1; k--) {
      const child = k >= start[i]! ? nodes[k]! : 0;
      if (own > child) {
        if (open > 0 && own > ends[open - 1]!) return false;
        ends[open++] = own;
        own = 0;
      }
      if (child <= i) break;
      if (open > 0 && child > ends[open - 1]!) return false;
      ends[open++] = child;
    }
  }
  return true;
}

/**
 * Level 3: the arc of a punctuation mark crosses none, and it is in the gap of none. A mark that is in a gap with its
 * head, or below what makes the gap, is not to blame. O(n) for each mark of a tree that is not projective.
 */
export function checkPunctuation(
  words: readonly Row[],
  heads: Int32Array,
  loose: ReadonlySet<number>,
  base: readonly string[],
  report: Report,
): void {
  if (loose.size === 0) return;
  const link = relationPage("punct");
  for (let i = 1; i < heads.length; i++) {
    if (base[i] !== "punct") continue;
    const row = words[i - 1]!;
    const head = heads[i]!;
    if (loose.has(i)) {
      report(
        "punct-is-nonproj",
        at(row, HEAD, link),
        `The arc to the punctuation mark ${nameOf(row)} crosses another arc.`,
      );
    }
    const from = head < i ? head + 1 : 1;
    const to = head < i ? heads.length - 1 : head - 1;
    const crossed: number[] = [];
    for (let k = from; k <= to; k++) {
      const other = heads[k]!;
      if (k === i || other === 0 || other === i || (k < i ? other < i : other > i)) continue;
      if (head < i ? k > i && other <= head : k < i && other >= head) continue;
      if (!isAncestor(heads, other, i)) crossed.push(k);
    }
    if (crossed.length === 0) continue;
    const names = crossed.map((k) => nameOf(words[k - 1]!)).join(", ");
    report(
      "punct-causes-nonproj",
      at(row, HEAD, link),
      `The punctuation mark ${nameOf(row)} stands in the gap of ${names}.`,
    );
  }
}
