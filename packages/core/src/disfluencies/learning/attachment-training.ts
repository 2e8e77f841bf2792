// Where removed words hang is learned from the trees of a treebank: an averaged structured perceptron (Collins 2002)
// for their heads, all those of a sentence together, and one for their labels.
import type { TreebankSentence } from "../../learning/examples.js";
import { Weights } from "../../learning/linear/weights.js";
import { epochState, Random } from "../../math/random.js";
import { LinearModel } from "../../scoring/linear/linear-model.js";
import type { ForEachWeight } from "../../scoring/linear/quantized-weights.js";
import { AttachmentSearch, FIRST_LABEL, fits, HEAD_CLASS } from "../attachment/attacher.js";
import { MOST_FEATURES, type PartlyRemoved } from "../attachment/attachment-features.js";
import { AttachmentModel } from "../attachment/attachment-model.js";
import { removalOf, removedWords } from "../removed-words.js";

const EPOCHS = 8;
/** Averaged weights below this are left out. */
const PRUNE = 0.05;

interface Example {
  readonly words: TreebankSentence;
  readonly tree: PartlyRemoved;
}

/**
 * Learns where the removed words of a treebank hang, from sentences with words that stay; undefined if it has none with
 * removed ones.
 */
export function trainAttachment(sentences: readonly TreebankSentence[], seed = 1): AttachmentModel | undefined {
  const examples = sentences.flatMap(exampleOf);
  if (examples.length === 0) return undefined;
  const training = new AttachmentTraining(examples);
  const random = new Random(0);
  const order = Int32Array.from(examples.keys());
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    random.state = epochState(seed, epoch);
    random.shuffle(order);
    for (const i of order) training.learn(examples[i]!);
  }
  return training.model();
}

function exampleOf(words: TreebankSentence): Example[] {
  const labels = [""];
  for (let i = 1; i <= words.length; i++) labels.push(words.deprel(i));
  const removed = removedWords(words.heads, labels);
  if (!removed || removed.every((kind, i) => i === 0 || kind > 0)) return [];
  return [{ words, tree: { heads: words.heads, labels, removed } }];
}

class AttachmentTraining {
  private readonly labels: readonly string[];
  private readonly weights = new Weights(0, 0, false, "plain");
  private readonly one = new Int32Array(1);
  private readonly labelScores: Int32Array;
  private readonly search = new AttachmentSearch((features) => {
    this.one[0] = 0;
    this.weights.score(features, this.one);
    return this.one[HEAD_CLASS]!;
  });
  /** Sentences seen. */
  private time = 1;

  constructor(examples: readonly Example[]) {
    const found = new Set<string>();
    for (const { tree } of examples) tree.labels.forEach((label, i) => void (tree.removed[i]! > 0 && found.add(label)));
    this.labels = [...found].sort();
    this.labelScores = new Int32Array(FIRST_LABEL + this.labels.length);
  }

  learn({ words, tree }: Example): void {
    this.time++;
    this.search.features.bind(words, tree);
    for (const group of AttachmentSearch.groupsOf(tree.removed)) {
      const found = this.search.headsOf(group, tree);
      group.forEach((d, i) => {
        if (found[i] !== tree.heads[d]) this.correctHead(d, tree.heads[d]!, found[i]!);
        this.learnLabel(d, tree);
      });
    }
  }

  private correctHead(d: number, right: number, wrong: number): void {
    this.search.features.forEachHead(d, (head, features) => {
      const change = head === right ? 1 : head === wrong ? -1 : 0;
      if (change !== 0) this.weights.update(features, HEAD_CLASS, change, this.time);
    });
  }

  private learnLabel(d: number, { heads, labels, removed }: PartlyRemoved): void {
    const { weights, labelScores } = this;
    const features = this.search.features.label(d, heads[d]!);
    labelScores.fill(0);
    weights.score(features, labelScores);
    let best = -1;
    this.labels.forEach((label, k) => {
      if (!fits(removalOf(label), removed[d]!, removed[heads[d]!]!)) return;
      if (best < 0 || labelScores[FIRST_LABEL + k]! > labelScores[FIRST_LABEL + best]!) best = k;
    });
    const right = this.labels.indexOf(labels[d]!);
    if (best === right) return;
    weights.update(features, FIRST_LABEL + right, 1, this.time);
    weights.update(features, FIRST_LABEL + best, -1, this.time);
  }

  model(): AttachmentModel {
    const averages: ForEachWeight = (visit) => this.weights.forEachAverage(this.time, visit);
    const labels = Object.fromEntries(this.labels.map((label) => [label, removalOf(label)]));
    return new AttachmentModel({ labels }, LinearModel.from(averages, PRUNE, MOST_FEATURES));
  }
}
