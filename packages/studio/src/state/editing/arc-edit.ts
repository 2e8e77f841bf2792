import { isAncestor } from "@stemma/core/treebank";
import type { Tree } from "../../protocol/sentence.js";
import { isolate } from "../shown/direction.js";
import { say } from "../shown/say.js";
import type { ShownSentence } from "../shown/sentence.js";
import { goldOf, place } from "../shown/state.js";
import { isRootLabel, rootsOf } from "./problems.js";
import { reparseRest } from "./reparse.js";
import { setGold } from "./text.js";

/**
 * Gives a word of a sentence another head or label in its gold tree, and makes one of the prediction if there is none
 * yet. What would be no tree is repaired: a word that becomes the root takes the old root as a dependent, and a head
 * that depended on the word takes its place. Then the rest is parsed again, if that is wanted.
 */
export function editArc(
  sentence: ShownSentence,
  index: number,
  dependent: number,
  head: number,
  label: string,
): boolean {
  const inTreebank = place.value !== undefined;
  const draft = inTreebank ? sentence.draft : undefined;
  const tree =
    goldOf(sentence, index) ?? draft ?? sentence.predicted ?? (inTreebank ? withoutArcs(sentence) : undefined);
  if (!tree) return false;
  const name = (word: number) => `“${isolate(sentence.forms[word]!)}”`;
  const refuse = (why: string) => {
    say(why);
    return false;
  };
  if (!/^[^\s|]+$/u.test(label)) return refuse("A label is one word, such as nsubj or obl:agent.");
  if (head === dependent) return refuse(`${name(dependent)} cannot be its own head.`);
  if (head === 0 && !isRootLabel(label)) {
    return refuse(`${name(dependent)} is the root, so its label is root. Give it another head first.`);
  }
  if (head > 0 && isRootLabel(label)) return refuse("Only the root of a sentence has the label root.");
  const heads = tree.heads.slice();
  const labels = tree.labels.slice();
  heads[dependent] = head;
  labels[dependent] = label;
  const [root, another] = rootsOf(tree);
  const isTurned = head > 0 && isAncestor(tree.heads, dependent, head);
  // Where there were several roots already, several are wanted.
  if (head === 0 && root !== undefined && root !== dependent && another === undefined) {
    heads[root] = dependent;
    labels[root] = "dep";
    say(`${name(dependent)} is now the root; ${name(root)}, the previous root, depends on it.`);
  } else if (isTurned) {
    heads[head] = tree.heads[dependent]!;
    if (heads[head] === 0) labels[head] = tree.labels[dependent]!;
    say(`${name(head)} depended on ${name(dependent)}; it takes its place.`);
  } else say(`${name(dependent)}: ${head === 0 ? "root" : `${label} of ${name(head)}`}`, false);
  setGold(index, { heads, labels }, [dependent]);
  void reparseRest(index);
  return true;
}

/** The tree of a sentence without arcs and without a model. */
function withoutArcs({ forms }: ShownSentence): Tree {
  return { heads: forms.map(() => -1), labels: forms.map((_, i) => (i === 0 ? "" : "_")) };
}
