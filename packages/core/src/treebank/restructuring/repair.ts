import { check } from "../../checks/options.js";
import { checkHeads, having } from "../../checks/shapes.js";
import { findCycle } from "../tree.js";

/** The part of a sentence that repair needs. */
export interface RepairableSentence {
  readonly length: number;
  readonly heads: readonly number[];
  deprel(i: number): string;
  upos(i: number): string;
}

/**
 * The heads of a tree with one root that differs from what a sentence has in as few words as it can: every cycle is
 * opened at one word, words without a head and roots but one are attached to the root. The root is the word that is
 * one and is labelled so, else one that is one, else the first verb among the words that need a head.
 */
export function repairedHeads(sentence: RepairableSentence): number[] {
  check("sentence", sentence, having("a sentence", "deprel", "upos"));
  checkHeads(sentence.heads);
  const n = sentence.length;
  const heads = sentence.heads.map((head, i) => (i > 0 && (head < 0 || head > n || head === i) ? -1 : head));
  for (let cycle = findCycle(heads); cycle; cycle = findCycle(heads)) {
    // A word that is labelled as the root is hardly where the cycle was meant to go on.
    const open = cycle.find((i) => isRoot(sentence.deprel(i))) ?? Math.min(...cycle);
    heads[open] = -1;
  }
  const words = Array.from({ length: n }, (_, k) => k + 1);
  const roots = words.filter((i) => heads[i] === 0);
  const free = words.filter((i) => heads[i] === -1);
  const labelled = (list: number[]) => list.find((i) => isRoot(sentence.deprel(i)));
  const root =
    labelled(roots) ?? roots[0] ?? labelled(free) ?? free.find((i) => sentence.upos(i) === "VERB") ?? free[0];
  for (const i of [...roots, ...free]) heads[i] = i === root ? 0 : root!;
  return heads;
}

function isRoot(label: string): boolean {
  return /^root(?::|$)/.test(label);
}
