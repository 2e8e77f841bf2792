// Training of a linear parser with pointers: for each word, from left to right, the right head must be ahead of all
// others by a margin, given what was attached before. That is what the tree has in the first epoch, and then what the
// parser itself would have attached, without a margin, so that it learns to go on after its own errors: the right head
// of a word stays the right one.
import { check, checkRequired } from "../../checks/options.js";
import { checkedList, OBJECT } from "../../checks/shapes.js";
import { ARC_OPTIONS, ArcTraining, type ArcTrainOptions, Difference } from "../../graph/learning/arc-training.js";
import { readTrees } from "../../graph/learning/graph-examples.js";
import type { TreebankSentence } from "../../learning/examples.js";
import { TREEBANK_SENTENCE } from "../../learning/option-checks.js";
import { POINTERS, type PointersHeader } from "../pointers-header.js";
import { PointersModel } from "../pointers-model.js";
import { Attachments } from "../search/attachments.js";

/** Options of `PointersTraining`. */
export type PointersTrainOptions = ArcTrainOptions;

/** Training of a linear parser with pointers, epoch by epoch. */
export class PointersTraining extends ArcTraining {
  constructor(sentences: Iterable<TreebankSentence>, options: PointersTrainOptions) {
    checkRequired(new.target.name, options, ARC_OPTIONS, ["learner", "epochs", "seed"]);
    super(options, readTrees(checkedList("sentences", sentences, ...TREEBANK_SENTENCE), false));
  }

  protected learnHeads(gold: Int32Array): void {
    const { parts, margin } = this;
    const n = gold.length - 1;
    const before = new Attachments(n, this.singleRoot.singleRoot ?? true);
    for (let d = 1; d <= n; d++) {
      const right = gold[d]!;
      let rival = -1;
      let most = Number.NEGATIVE_INFINITY;
      let own = 0;
      for (let h = 0; h <= n; h++) {
        if (h === d) continue;
        const score = parts.arc(h, d) + parts.sibling(h, before.last(h, d), d);
        if (h === right) own = score;
        else if (score > most) {
          most = score;
          rival = h;
        }
      }
      this.time++;
      if (rival >= 0 && most + margin > own) {
        const difference = new Difference();
        for (const [head, sign] of [
          [right, 1],
          [rival, -1],
        ] as const) {
          difference.count(parts.features.arc(head, d), sign);
          difference.count(parts.features.siblings(head, before.last(head, d), d), sign);
        }
        this.update(difference, 1);
      }
      before.attach(this.epoch === 1 || own >= most ? right : rival, d);
    }
  }

  /** The model with the averaged weights of now. */
  model(origin: Record<string, unknown> = {}): PointersModel {
    check("origin", origin, OBJECT);
    const header: PointersHeader = { system: POINTERS, ...this.singleRoot, labels: [...this.labels], origin };
    return new PointersModel(header, this.weights());
  }
}
