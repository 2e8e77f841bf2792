import type { Example, TrainingData, TreebankSentence } from "../../learning/examples.js";
import { projectivize, type Scheme } from "../../treebank/pseudo-projective.js";
import { isTree } from "../../treebank/tree.js";
import { type EncodingName, encodingOf } from "../encodings/encodings.js";

/** A training sentence: its words, its tree with labels as numbers, and its tags as numbers. */
export interface TagExample extends Example {
  readonly tags: Int32Array;
}

/** The training data of a parser by tags. */
export interface TagExamples {
  readonly examples: TagExample[];
  readonly tags: string[];
  readonly labels: string[];
  readonly data: TrainingData;
}

/** The number of each of some names, in the order in which they come. */
function numbering(names: string[]): (name: string) => number {
  const numbers = new Map(names.map((name, k) => [name, k]));
  return (name) => {
    let number = numbers.get(name);
    if (number === undefined) numbers.set(name, (number = names.push(name) - 1));
    return number;
  };
}

/**
 * Reads trees for training. Those that the encoding does not cover are made projective, if requested, and else left
 * out.
 */
export function readTagged(
  sentences: Iterable<TreebankSentence>,
  name: EncodingName,
  scheme?: Scheme | undefined,
): TagExamples {
  const encoding = encodingOf(name);
  const data: TrainingData = { sentences: 0, words: 0, projectivized: 0, skipped: 0 };
  const examples: TagExample[] = [];
  const tags = [...encoding.tags];
  const labels: string[] = [];
  const tagNumber = numbering(tags);
  const labelNumber = numbering(labels);
  for (const sentence of sentences) {
    const n = sentence.length;
    if (n === 0) continue;
    let heads = Int32Array.from(sentence.heads);
    let names = Array.from(heads, (_, d) => (d === 0 ? "" : sentence.deprel(d)));
    if (heads.filter((head, d) => d > 0 && head === 0).length > 1) data.severalRoots = (data.severalRoots ?? 0) + 1;
    let encoded = isTree(heads) ? encoding.encode(heads) : undefined;
    if (!encoded && scheme && isTree(heads)) {
      const made = projectivize(heads, names, scheme);
      heads = Int32Array.from(made.heads);
      names = made.labels;
      encoded = encoding.encode(heads);
      if (encoded) data.projectivized++;
    }
    if (!encoded) {
      data.skipped++;
      continue;
    }
    examples.push({
      words: sentence,
      heads,
      labels: Int32Array.from(names, (name, d) => (d === 0 ? -1 : labelNumber(name))),
      tags: Int32Array.from(encoded, (tag, d) => (d === 0 ? -1 : tagNumber(tag))),
    });
    data.sentences++;
    data.words += n;
  }
  if (examples.length === 0) throw new RangeError(`no sentences to train on: ${name} covers none of their trees`);
  return { examples, tags, labels, data };
}
