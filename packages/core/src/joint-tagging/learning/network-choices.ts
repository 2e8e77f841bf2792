import { analysisHash, type Words } from "../../features/columns.js";
import { arraysIn } from "../../learning/network/network-examples.js";
import { NONE } from "../../systems/configuration.js";
import type { JointSentence } from "../joint-words.js";
import { TagChoices } from "../tag-choices.js";

/** The candidates of all words, as `TagChoices` has those of a sentence; a word whose tags are known has one. */
export interface NetworkChoices {
  /** How many classes a network has for them. */
  readonly classes: number;
  /** Where the candidates of each node begin, and the end of those of the last. Node 0 has none. */
  readonly from: Int32Array;
  readonly tags: Int32Array;
  readonly distances: Int32Array;
  readonly partsFrom: Int32Array;
  readonly parts: Int32Array;
  /** The hash of UPOS, XPOS and FEATS of each candidate. */
  readonly analyses: Int32Array;
  /** Of each node the right candidate, counted from its first; NONE if there is none. */
  readonly right: Int32Array;
}

/** The candidates of all words of some examples. */
export function packChoices(
  examples: readonly { readonly words: Words }[],
  nodes: number,
  classes: number,
  shared: boolean,
): NetworkChoices {
  const from = [];
  const tags: number[] = [];
  const distances: number[] = [];
  const partsFrom = [0];
  const parts: number[] = [];
  const analyses: number[] = [];
  const right = new Int32Array(nodes).fill(NONE);
  let node = 0;
  for (const { words } of examples) {
    const { choices = settled(words), rightChoices } = words as JointSentence;
    from.push(tags.length);
    node++;
    for (let i = 1; i <= words.length; i++, node++) {
      const first = choices.from[i]!;
      from.push(tags.length);
      if (rightChoices && rightChoices[i]! >= 0) right[node] = rightChoices[i]! - first;
      for (let k = first; k < choices.from[i + 1]!; k++) {
        tags.push(choices.tags[k]!);
        distances.push(choices.distances[k]!);
        for (let p = choices.partsFrom[k]!; p < choices.partsFrom[k + 1]!; p++) parts.push(choices.parts[p]!);
        partsFrom.push(parts.length);
        // The words say what they are with each of the candidates.
        choices.choose(i, k);
        analyses.push(analysisHash(words, i));
      }
    }
    choices.reset();
  }
  from.push(tags.length);
  const packed = (numbers: ArrayLike<number>) => {
    const array = arraysIn(shared)(numbers.length);
    array.set(numbers);
    return array;
  };
  return {
    ...{ classes, from: packed(from), tags: packed(tags), distances: packed(distances) },
    ...{ partsFrom: packed(partsFrom), parts: packed(parts), analyses: packed(analyses), right: packed(right) },
  };
}

/** The candidates of words whose tags are known: those tags. */
function settled({ length }: Words): TagChoices {
  const choices = new TagChoices();
  choices.begin(length);
  for (let i = 1; i <= length; i++) {
    choices.addWord();
    choices.add(0, 0, 0);
  }
  return choices;
}

/** Give the words of a sentence, whose nodes these are, their candidates. */
export function readChoices(packed: NetworkChoices, firstNode: number, lastNode: number, choices: TagChoices): void {
  const { from, tags, distances, partsFrom, parts, analyses } = packed;
  choices.begin(lastNode - firstNode - 1);
  for (let node = firstNode + 1; node < lastNode; node++) {
    choices.addWord();
    for (let k = from[node]!; k < from[node + 1]!; k++) {
      choices.add(tags[k]!, analyses[k]!, distances[k]!);
      for (let p = partsFrom[k]!; p < partsFrom[k + 1]!; p++) choices.addPart(parts[p]!);
    }
  }
}
