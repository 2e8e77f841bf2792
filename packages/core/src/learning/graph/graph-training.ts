// Training of a graph-based parser: the structured perceptron (Collins 2002) or MIRA with one best tree (Crammer &
// Singer 2003; McDonald, Crammer & Pereira 2005). Wrong arcs get something for being wrong while the best tree is
// looked for, so that the right tree must win by as much. Labels are learned by a perceptron on the arcs of right
// trees.
import type { Words } from "../../features/columns.js";
import { Random } from "../../math/random.js";
import {
  type DecoderName,
  describeArcs,
  GraphDecoder,
  type GraphHeader,
  GraphParser,
} from "../../parser/graph/graph-parser.js";
import { LinearModel } from "../../scoring/linear/linear-model.js";
import type { TreebankSentence } from "../examples.js";
import { Weights } from "../linear/weights.js";

/** How a graph-based parser learns. */
export interface GraphTrainOptions {
  decoder: DecoderName;
  learner: "perceptron" | "mira";
  epochs: number;
  seed: number;
  singleRoot?: boolean;
  /** What a wrong arc gets while learning. */
  margin?: number;
  /** How far the right label must be above all others. */
  labelMargin?: number;
  /** Features count only once they have been in this many updates. */
  minUpdates?: number;
  /** Weights below this are left out of the parser. */
  prune?: number;
}

// Chosen on the development part of Greek.
const MARGIN = 1;
const LABEL_MARGIN = 20;
const MIN_UPDATES = 2;

/** Weights of MIRA are fractions, counted in these units. */
const UNIT = 1000;
/** The largest step of MIRA. */
const LARGEST_STEP = 0.1;

interface GraphExample {
  readonly words: Words;
  readonly heads: Int32Array;
  readonly labels: Int32Array;
}

/** Training of a graph-based parser, epoch by epoch. */
export class GraphTraining {
  readonly labels: string[] = [];
  epoch = 0;
  updates = 0;
  private readonly examples: GraphExample[] = [];
  private readonly arcs: Weights;
  private readonly relations: Weights;
  private readonly decoder: GraphDecoder;
  private readonly random = new Random(0);
  private readonly score = new Int32Array(1);
  private readonly labelScores: Int32Array;
  private time = 1;
  private labelTime = 1;

  constructor(
    sentences: Iterable<TreebankSentence>,
    readonly options: GraphTrainOptions,
  ) {
    const numbers = new Map<string, number>();
    for (const sentence of sentences) {
      const n = sentence.length;
      if (n === 0) continue;
      const labels = new Int32Array(n + 1);
      for (let d = 1; d <= n; d++) {
        const label = sentence.deprel(d);
        let number = numbers.get(label);
        if (number === undefined) {
          numbers.set(label, (number = this.labels.length));
          this.labels.push(label);
        }
        labels[d] = number;
      }
      this.examples.push({ words: sentence, heads: Int32Array.from(sentence.heads), labels });
    }
    const { minUpdates = MIN_UPDATES, decoder, singleRoot = true } = options;
    this.arcs = new Weights(minUpdates);
    this.relations = new Weights(minUpdates, this.labels.length + 1);
    this.labelScores = new Int32Array(this.labels.length + 1);
    this.decoder = new GraphDecoder({ decoder, singleRoot }, (features) => {
      this.score[0] = 0;
      this.arcs.score(features, this.score);
      return this.score[0]!;
    });
  }

  runEpoch(onSentence?: (words: number) => void): void {
    const { random, examples, options } = this;
    this.epoch++;
    random.state = Math.imul(options.seed, 0x9e3779b1) ^ Math.imul(this.epoch, 0x85ebca6b);
    const order = Int32Array.from(examples.keys());
    random.shuffle(order);
    let words = 0;
    for (const i of order) {
      this.learn(examples[i]!);
      words += examples[i]!.heads.length - 1;
      onSentence?.(words);
    }
  }

  private learn({ words, heads, labels }: GraphExample): void {
    const { decoder, options } = this;
    const unit = options.learner === "mira" ? UNIT : 1;
    const margin = (options.margin ?? MARGIN) * unit;
    const predicted = decoder.decode(words, (h, d) => (heads[d] === h ? 0 : margin));
    this.time++;
    this.learnTree(heads, predicted, unit);
    this.learnLabels(heads, labels);
  }

  private learnTree(gold: Int32Array, predicted: Int32Array, unit: number): void {
    const { decoder, arcs } = this;
    const { features } = decoder;
    let wrong = 0;
    for (let d = 1; d < gold.length; d++) if (gold[d] !== predicted[d]) wrong++;
    if (wrong === 0) return;
    this.updates++;
    // The features of both trees that the other does not have.
    const difference = new Map<number, number>();
    const count = (list: Int32Array, sign: number) => {
      for (const feature of list) difference.set(feature, (difference.get(feature) ?? 0) + sign);
    };
    for (let d = 1; d < gold.length; d++) {
      if (gold[d] === predicted[d]) continue;
      count(features.arc(gold[d]!, d), 1);
      count(features.arc(predicted[d]!, d), -1);
    }
    if (this.options.decoder === "eisner-siblings") {
      const [right, found] = [siblingsOf(gold), siblingsOf(predicted)];
      for (const [key, [h, s, d]] of right) if (!found.has(key)) count(features.siblings(h, s, d), 1);
      for (const [key, [h, s, d]] of found) if (!right.has(key)) count(features.siblings(h, s, d), -1);
    }
    let step = 1;
    if (this.options.learner === "mira") {
      let norm = 0;
      let distance = 0;
      const one = new Int32Array(1);
      for (const [feature, times] of difference) {
        norm += times * times;
        this.score[0] = 0;
        one[0] = feature;
        arcs.score(one, this.score);
        distance += times * this.score[0]!;
      }
      const loss = wrong * (this.options.margin ?? MARGIN) - distance / unit;
      if (norm === 0 || loss <= 0) return;
      step = Math.max(1, Math.round(unit * Math.min(LARGEST_STEP, loss / norm)));
    }
    const byChange = new Map<number, number[]>();
    for (const [feature, times] of difference) {
      if (times === 0) continue;
      const list = byChange.get(times);
      if (list) list.push(feature);
      else byChange.set(times, [feature]);
    }
    for (const [times, list] of byChange) {
      for (let at = 0; at < list.length; at += 4096) {
        arcs.update(Int32Array.from(list.slice(at, at + 4096)), 0, times * step, this.time);
      }
    }
  }

  private learnLabels(heads: Int32Array, labels: Int32Array): void {
    const { relations, labelScores: scores } = this;
    const margin = this.options.labelMargin ?? LABEL_MARGIN;
    describeArcs(this.decoder.features, heads, (d, features) => {
      this.labelTime++;
      const right = labels[d]! + 1;
      scores.fill(0);
      relations.score(features, scores);
      let rival = right === 1 ? 2 : 1;
      for (let k = 1; k < scores.length; k++) if (k !== right && scores[k]! > scores[rival]!) rival = k;
      if (rival >= scores.length || scores[right]! - scores[rival]! > margin) return;
      relations.update(features, right, 1, this.labelTime);
      relations.update(features, rival, -1, this.labelTime);
    });
  }

  /** The parser with the averaged weights of now. */
  parser(): GraphParser {
    const { decoder, singleRoot = true, prune = 0 } = this.options;
    const header: GraphHeader = { decoder, singleRoot, labels: this.labels };
    const linear = LinearModel.from((visit) => {
      this.arcs.forEachAverage(this.time, visit);
      this.relations.forEachAverage(this.labelTime, visit);
    }, prune);
    return new GraphParser(header, linear);
  }
}

/** The neighbouring siblings of a tree: head, the one nearer to it (or the head itself), and the next. */
function siblingsOf(heads: Int32Array): Map<number, readonly [h: number, s: number, d: number]> {
  const n = heads.length;
  const parts = new Map<number, readonly [number, number, number]>();
  const last = new Int32Array(n);
  const visit = (d: number) => {
    const h = heads[d]!;
    if (h === d) return;
    const s = last[h]! === 0 ? h : last[h]!;
    parts.set((h * n + s) * n + d, [h, s, d]);
    last[h] = d;
  };
  for (let d = 1; d < n; d++) if (heads[d]! < d) visit(d);
  last.fill(0);
  for (let d = n - 1; d >= 1; d--) if (heads[d]! > d) visit(d);
  return parts;
}
