import type { Words } from "../../features/columns.js";
import type { ArcScores } from "../../math/edmonds.js";
import { LOG_UNIT } from "../../scoring/log-scores.js";
import type { NetworkScorer } from "../../scoring/network/network-scorer.js";
import type { NeuralModel } from "../../scoring/network/neural-model.js";
import type { GraphScorer } from "./graph-scorer.js";
import { describeArc, graphTemplates } from "./graph-view.js";

/**
 * Scores with a network: arcs by a biaffine form of what the recurrent layers give for head and dependent, labels by a
 * hidden layer over the two. See `tensorsOf`.
 */
export class NetworkGraphScorer implements GraphScorer {
  readonly siblings = undefined;
  readonly labelCount: number;
  /** The scores of labels are logarithms in this unit. */
  readonly labelRatio = LOG_UNIT;
  private readonly network: NetworkScorer;
  private readonly arcs: Float64Array;
  private readonly biases: Float32Array;
  private readonly values: Int32Array;
  private readonly hidden: number;
  private length = 0;

  constructor(private readonly model: NeuralModel) {
    const templates = graphTemplates();
    this.network = model.scorer(templates);
    this.values = new Int32Array(templates.atoms.length);
    this.labelCount = model.classes;
    this.hidden = model.header.hidden;
    const stored = (name: string) => model.storage.tensors.find((tensor) => tensor.name === name)!;
    const { floats, integers } = model.numbers;
    const { rows, columns, floats: scales, integers: first } = stored("arcs");
    this.arcs = Float64Array.from({ length: rows * columns }, (_, k) => {
      return integers[first + k]! * floats[scales + (k % columns)]!;
    });
    const biases = stored("arc biases");
    this.biases = floats.subarray(biases.floats, biases.floats + biases.rows * biases.columns);
  }

  bind(words: Words): void {
    this.length = words.length;
    this.network.bind(words);
  }

  vectors(count: number): Float32Array {
    return this.network.vectors(count);
  }

  scoreArcs(scores: ArcScores): void {
    const { hidden, arcs, biases } = this;
    const w = this.length + 1;
    const heads = this.units(0);
    const dependents = this.units(1);
    const alone = new Float64Array(w);
    for (let h = 0; h < w; h++) {
      for (let j = 0; j < hidden; j++) alone[h]! += biases[2 * hidden + j]! * heads[h * hidden + j]!;
    }
    const turned = new Float64Array(hidden);
    for (let d = 1; d < w; d++) {
      turned.fill(0);
      for (let i = 0; i < hidden; i++) {
        const unit = dependents[d * hidden + i]!;
        if (unit === 0) continue;
        for (let j = 0; j < hidden; j++) turned[j]! += unit * arcs[i * hidden + j]!;
      }
      for (let h = 0; h < w; h++) {
        if (h === d) continue;
        let sum = alone[h]!;
        for (let j = 0; j < hidden; j++) sum += turned[j]! * heads[h * hidden + j]!;
        scores[h * w + d] = sum;
      }
    }
  }

  /** The vectors of the nodes as heads (0) or as dependents (1). */
  private units(position: number): Float64Array {
    const { hidden, biases } = this;
    const units = new Float64Array((this.length + 1) * hidden);
    for (let i = 0; i <= this.length; i++) {
      const product = this.network.product(i, position);
      for (let j = 0; j < hidden; j++) {
        units[i * hidden + j] = Math.max(0, product[j]! + biases[position * hidden + j]!);
      }
    }
    return units;
  }

  scoreLabels(heads: ArrayLike<number>, visit: (dependent: number, scores: ArrayLike<number>) => void): void {
    const { network, values } = this;
    for (let d = 1; d < heads.length; d++) {
      describeArc(this.model.view, heads[d]!, d, values);
      network.scoreValues(values);
      visit(d, network.scores);
    }
  }
}
