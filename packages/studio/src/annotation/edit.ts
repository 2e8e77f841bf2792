import { isAncestor } from "@stemma/core/treebank";
import { setGold } from "../input/actions.js";
import { say } from "../page/say.js";
import type { SentenceData } from "../protocol.js";
import { goldOf } from "../state.js";
import { isolate } from "../text/direction.js";
import { isRootLabel, rootsOf } from "./problems.js";

/**
 * Gives a word of a sentence another head or label in its gold tree, and makes one of the prediction if there is none
 * yet. Refuses what is no tree. A word that becomes the root takes the old root as a dependent.
 */
export function editArc(
  sentence: SentenceData,
  index: number,
  dependent: number,
  head: number,
  label: string,
): boolean {
  const tree = goldOf(sentence, index) ?? sentence.predicted;
  if (!tree) return false;
  const name = (word: number) => `“${isolate(sentence.forms[word]!)}”`;
  const refuse = (why: string) => {
    say(why);
    return false;
  };
  if (!/^[^\s|]+$/u.test(label)) return refuse("A label is one word, such as nsubj or obl:tmod.");
  if (head === 0 && !isRootLabel(label)) {
    return refuse(`${name(dependent)} is the root, so its label is root. Give it another head first.`);
  }
  if (head > 0 && isRootLabel(label)) return refuse("Only the root of a sentence has the label root.");
  if (head > 0 && isAncestor(Int32Array.from(tree.heads), dependent, head)) {
    return refuse(`${name(head)} depends on ${name(dependent)}, so it cannot be its head.`);
  }
  const heads = tree.heads.slice();
  const labels = tree.labels.slice();
  heads[dependent] = head;
  labels[dependent] = label;
  const [root, another] = rootsOf(tree);
  // Where there were several roots already, several are wanted.
  if (head === 0 && root !== undefined && root !== dependent && another === undefined) {
    heads[root] = dependent;
    labels[root] = "dep";
    say(`${name(dependent)} is now the root; ${name(root)}, the previous root, depends on it.`);
  } else say(`${name(dependent)}: ${head === 0 ? "root" : `${label} of ${name(head)}`}`, false);
  setGold(index, { heads, labels });
  return true;
}
