import { isAncestor } from "@stemma/core";
import { say, setGold } from "../actions.js";
import type { SentenceData, Tree } from "../protocol.js";

/** Gives a word of a sentence another head or label, and so makes a gold tree; refuses what is no tree. */
export function editArc(
  sentence: SentenceData,
  index: number,
  tree: Tree,
  dependent: number,
  head: number,
  label: string,
): boolean {
  const { forms } = sentence;
  if (head > 0 && isAncestor(Int32Array.from(tree.heads), dependent, head)) {
    say(`“${forms[head]}” depends on “${forms[dependent]}”, so it cannot be its head.`);
    return false;
  }
  const heads = replaced(tree.heads, dependent, head);
  setGold(index, { heads, labels: replaced(tree.labels, dependent, label) });
  say(`${forms[dependent]}: ${head === 0 ? "root" : `${label} of ${forms[head]}`}`, false);
  return true;
}

function replaced<T>(list: readonly T[], index: number, value: T): T[] {
  const copy = list.slice();
  copy[index] = value;
  return copy;
}
