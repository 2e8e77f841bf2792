import type { Words } from "../../features/columns.js";
import type { NetworkScorer } from "../../scoring/network/network-scorer.js";
import type { NeuralModel } from "../../scoring/network/neural-model.js";
import type { TagScorer } from "./tag-scorer.js";
import { describeArc, describeWord, tagsTemplates } from "./tags-view.js";

/** Scores with a network: tags have the first classes of its output, labels those after them. */
export class NetworkTagScorer implements TagScorer {
  private readonly network: NetworkScorer;
  private readonly values: Int32Array;
  private readonly ofLabels: Int32Array;
  private length = 0;

  constructor(
    private readonly model: NeuralModel,
    tags: number,
  ) {
    const templates = tagsTemplates();
    this.network = model.scorer(templates);
    this.values = new Int32Array(templates.atoms.length);
    this.ofLabels = this.network.scores.subarray(tags);
  }

  bind(words: Words): void {
    this.length = words.length;
    this.network.bind(words);
  }

  vectors(count: number): Float32Array {
    return this.network.vectors(count);
  }

  scoreTags(i: number): Int32Array {
    const { network, values } = this;
    describeWord(this.model.view, i, this.length, values);
    network.scoreValues(values);
    return network.scores;
  }

  scoreLabels(heads: ArrayLike<number>, visit: (dependent: number, scores: ArrayLike<number>) => void): void {
    const { network, values, ofLabels } = this;
    for (let d = 1; d < heads.length; d++) {
      describeArc(this.model.view, heads[d]!, d, values);
      network.scoreValues(values);
      visit(d, ofLabels);
    }
  }
}
