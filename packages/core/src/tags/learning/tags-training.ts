// Training of a linear parser by tags: the averaged perceptron, with a margin, for each tag and for the label of each
// arc of the right tree.
import { check, checkRequired, type Expectation, shown } from "../../checks/options.js";
import { checkedList, OBJECT } from "../../checks/shapes.js";
import { GraphFeatures, MOST_FEATURES as MOST_OF_ARCS } from "../../graph/graph-features.js";
import { describeArcs } from "../../graph/scoring/linear-graph-scorer.js";
import type { TrainingData, TreebankSentence } from "../../learning/examples.js";
import { Weights } from "../../learning/linear/weights.js";
import { LINEAR_OPTIONS, TREEBANK_SENTENCE } from "../../learning/option-checks.js";
import type { TrainingState } from "../../learning/training.js";
import { epochOrder, Random } from "../../math/random.js";
import { LinearModel } from "../../scoring/linear/linear-model.js";
import type { Scheme } from "../../treebank/pseudo-projective.js";
import type { EncodingName } from "../encodings/encodings.js";
import { MOST_FEATURES, TagFeatures } from "../tag-features.js";
import { TAGS, type TagsHeader } from "../tags-header.js";
import { TagsModel } from "../tags-model.js";
import { TAGS_DEFAULTS, TAGS_SETTINGS } from "./settings.js";
import { readTagged, type TagExample } from "./tag-examples.js";

/** Options of `TagsTraining`. */
export interface TagsTrainOptions {
  encoding: EncodingName;
  epochs: number;
  seed: number;
  /** Make training trees that the encoding does not cover projective, and undo it after parsing. */
  projectivize?: Scheme | undefined;
  /** How far the right tag, or label, must be above all others. */
  margin?: number | undefined;
  /** Features count only once they have been in this many updates. */
  minUpdates?: number | undefined;
  /** Weights (averages) smaller than this are left out of the model. */
  prune?: number | undefined;
}

const { epochs, seed, projectivize, margin, minUpdates, prune } = LINEAR_OPTIONS;
const EXPECTED: Readonly<Record<keyof TagsTrainOptions, Expectation>> = {
  ...TAGS_SETTINGS,
  ...{ epochs, seed, projectivize, margin, minUpdates, prune },
};

/** Training of a linear parser by tags, epoch by epoch. */
export class TagsTraining {
  readonly data: TrainingData;
  readonly tags: readonly string[];
  readonly labels: readonly string[];
  /** Number of finished epochs. */
  epoch = 0;
  updates = 0;
  private readonly examples: readonly TagExample[];
  private readonly weights: Weights;
  private readonly scores: Int32Array;
  private readonly arcs = new GraphFeatures();
  private readonly features = new TagFeatures(this.arcs.columns);
  private readonly list = new Int32Array(MOST_FEATURES);
  private readonly random = new Random(0);
  private time = 1;

  constructor(
    sentences: Iterable<TreebankSentence>,
    readonly options: TagsTrainOptions,
  ) {
    checkRequired("TagsTraining", options, EXPECTED, ["encoding", "epochs", "seed"]);
    const { encoding, projectivize, minUpdates = TAGS_DEFAULTS.minUpdates } = options;
    const given = checkedList("sentences", sentences, ...TREEBANK_SENTENCE);
    const { examples, tags, labels, data } = readTagged(given, encoding, projectivize);
    this.examples = examples;
    this.tags = tags;
    this.labels = labels;
    this.data = data;
    this.weights = new Weights(minUpdates, tags.length + labels.length);
    this.scores = new Int32Array(tags.length + labels.length);
  }

  /** Go through the training data once, a sentence at a step, each of which gives how many words are done. */
  *epochSteps(): Generator<number, void, void> {
    const { random, examples, options } = this;
    this.epoch++;
    let words = 0;
    for (const i of epochOrder(random, options.seed, this.epoch, examples.length)) {
      this.learn(examples[i]!);
      words += examples[i]!.words.length;
      yield words;
    }
  }

  private learn({ words, heads, labels, tags }: TagExample): void {
    const { features, arcs, list, scores } = this;
    const first = this.tags.length;
    arcs.bind(words);
    features.bind(words);
    for (let i = 1; i <= words.length; i++) {
      this.learnOne(list.subarray(0, features.write(i, list)), tags[i]!, 0, first);
    }
    describeArcs(arcs, heads, (d, features) => this.learnOne(features, first + labels[d]!, first, scores.length));
  }

  /** Learn that one class is right among those from `first` to before `end`. */
  private learnOne(features: Int32Array, right: number, first: number, end: number): void {
    const { scores, weights } = this;
    this.time++;
    scores.fill(0);
    weights.score(features, scores);
    let rival = right === first ? first + 1 : first;
    for (let k = first; k < end; k++) if (k !== right && scores[k]! > scores[rival]!) rival = k;
    if (rival >= end || scores[right]! - scores[rival]! > (this.options.margin ?? TAGS_DEFAULTS.margin)) return;
    this.updates++;
    weights.update(features, right, 1, this.time);
    weights.update(features, rival, -1, this.time);
  }

  /** The state after the last finished epoch: arrays share memory with the training. */
  save(): TrainingState {
    const { epoch, time, updates } = this;
    return { epoch, members: [{ time, updates, weights: this.weights.save() }] };
  }

  /** Take up what `save` gave, from a training with the same data and options. */
  restore(state: TrainingState): void {
    const { epoch, members } = state ?? {};
    const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
    const [own] = Array.isArray(members) ? members : [];
    if (!isCount(epoch) || !own || !isCount(own.time) || !isCount(own.updates) || !OBJECT.accepts(own.weights))
      throw new RangeError(`invalid state: ${shown(state)} (expected one that save gave, with these options)`);
    this.weights.restore(own.weights);
    this.time = own.time;
    this.updates = own.updates;
    this.epoch = epoch;
  }

  /** The model with the averaged weights of now. */
  model(origin: Record<string, unknown> = {}): TagsModel {
    check("origin", origin, OBJECT);
    const { encoding, projectivize, prune = 0 } = this.options;
    const header: TagsHeader = {
      ...{ system: TAGS, encoding, tags: [...this.tags], labels: [...this.labels] },
      ...(projectivize === undefined ? {} : { projectivized: projectivize }),
      origin,
    };
    const linear = LinearModel.from(
      (visit) => this.weights.forEachAverage(this.time, visit),
      prune,
      Math.max(MOST_FEATURES, MOST_OF_ARCS),
    );
    return new TagsModel(header, linear);
  }
}
