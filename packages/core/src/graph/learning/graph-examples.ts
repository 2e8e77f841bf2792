import type { Words } from "../../features/columns.js";
import type { TrainingData, TreebankSentence } from "../../learning/examples.js";
import { projectivize, type Scheme } from "../../treebank/pseudo-projective.js";
import { isProjective } from "../../treebank/tree.js";

/** A training sentence: its words, and its tree with labels as numbers. */
export interface GraphExample {
  readonly words: Words;
  readonly heads: Int32Array;
  readonly labels: Int32Array;
}

/** Training sentences, and the labels that their numbers stand for. */
export interface ReadTrees {
  readonly examples: GraphExample[];
  readonly labels: string[];
  readonly data: TrainingData;
}

/** Trees to train a parser that scores arcs on; of one that builds projective trees, made projective if requested. */
export function readTrees(sentences: Iterable<TreebankSentence>, projectiveOnly: boolean, scheme?: Scheme): ReadTrees {
  const data: TrainingData = { sentences: 0, words: 0, projectivized: 0, skipped: 0 };
  const examples: GraphExample[] = [];
  const labels: string[] = [];
  const numbers = new Map<string, number>();
  for (const sentence of sentences) {
    const n = sentence.length;
    if (n === 0) continue;
    let heads = Int32Array.from(sentence.heads);
    let names = Array.from(heads, (_, d) => (d === 0 ? "" : sentence.deprel(d)));
    const open = heads.findIndex((head, d) => d > 0 && head < 0);
    if (open > 0)
      throw new RangeError(
        `word ${open} of a sentence has no head (expected whole trees: the system has no transitions)`,
      );
    if (heads.filter((head, d) => d > 0 && head === 0).length > 1) data.severalRoots = (data.severalRoots ?? 0) + 1;
    if (projectiveOnly && !isProjective(heads)) {
      if (scheme) {
        const made = projectivize(heads, names, scheme);
        heads = Int32Array.from(made.heads);
        names = made.labels;
        data.projectivized++;
      } else data.nonProjective = (data.nonProjective ?? 0) + 1;
    }
    const numbered = new Int32Array(n + 1);
    for (let d = 1; d <= n; d++) {
      let number = numbers.get(names[d]!);
      if (number === undefined) {
        numbers.set(names[d]!, (number = labels.length));
        labels.push(names[d]!);
      }
      numbered[d] = number;
    }
    examples.push({ words: sentence, heads, labels: numbered });
    data.sentences++;
    data.words += n;
  }
  if (examples.length === 0) throw new RangeError("no sentences to train on");
  return { examples, labels, data };
}
