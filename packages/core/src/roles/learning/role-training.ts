// Training of a labeller of semantic roles: an averaged perceptron with a margin for the transitions of the semantic
// half of two-stack parsing, and one for senses, and with an encoder a network that learns beside them. After the first
// epoch the derivation follows what is predicted, so that the labeller learns what to do after its own mistakes.

import type { Words } from "../../features/columns.js";
import { thresholdOf } from "../../learning/largest-weights.js";
import { Weights } from "../../learning/linear/weights.js";
import { epochOrder, Random } from "../../math/random.js";
import { LinearModel } from "../../scoring/linear/linear-model.js";
import { type ForEachWeight, scaleOf } from "../../scoring/linear/quantized-weights.js";
import type { ContextualVectors } from "../../scoring/network/network-data.js";
import { NONE } from "../../systems/configuration.js";
import type { PredicateData } from "../../treebank/sentence/semantics/predicate-data.js";
import { MOST_ROLE_FEATURES, PATH_FEATURE, type RoleFeatures, type RoleTree } from "../features/role-features.js";
import { RoleWalk, SenseLexicon } from "../role-walk.js";
import { type RolesHeader, roleClasses } from "../roles-header.js";
import { RolesModel } from "../roles-model.js";
import { Inventory, type SemanticGraph, SemanticOracle, semanticGraph } from "../system/semantic-oracle.js";
import { SEM_SHIFT } from "../system/semantic-system.js";
import { RoleNetworkLearner } from "./role-network-learner.js";

/** A sentence to learn roles from: its words and its tree as the labeller will see them, and its predicates. */
export interface RoleExample {
  readonly words: Words;
  readonly tree: RoleTree;
  readonly predicates: readonly PredicateData[];
  /** The vectors of the words, for a network; all sentences have them, or none. */
  readonly vectors?: Float32Array | undefined;
}

/** The source of the vectors of words: an encoder, or without one the recurrent layers of the parser. */
export interface RoleVectors {
  /** Numbers of a word. */
  readonly size: number;
  readonly contextual?: ContextualVectors | undefined;
}

/** How roles are learned. */
export interface RoleTrainOptions {
  epochs?: number | undefined;
  seed?: number | undefined;
  /** How far the right transition must be above all others, in units of a weight and feature. */
  margin?: number | undefined;
  /** How far the right sense must be. */
  senseMargin?: number | undefined;
  /** Features count only once they have been in this many updates. */
  minUpdates?: number | undefined;
  /** Averaged weights below this are left out. */
  prune?: number | undefined;
  /** No more weights than these are kept. */
  mostWeights?: number | undefined;
  /** The first epoch that follows predictions. */
  exploreFrom?: number | undefined;
  /** The width of the beam that the labeller searches with; 1, the default, is greedy. Learning is the same. */
  beam?: number | undefined;
}

/** The defaults of the learner. */
const ROLE_DEFAULTS = {
  epochs: 6,
  seed: 1,
  margin: 20,
  senseMargin: 10,
  minUpdates: 2,
  prune: 0.5,
  exploreFrom: 2,
  beam: 1,
} as const;

/** A transition that scores so much more, in units of a weight and feature, counts as e times as probable in a beam. */
const BEAM_UNIT = 7;

/** A part of speech is open if at least this share of its words are predicates. */
const OPEN_SHARE = 0.01;

/** No more weights than these are added up for a class. */
const ACTIVE = 2 * MOST_ROLE_FEATURES;

/** A sentence with the graph to build. */
export interface Prepared {
  readonly example: RoleExample;
  readonly graph: SemanticGraph;
}

/** Training of a labeller, epoch by epoch. */
export class RoleTraining {
  readonly header: RolesHeader;
  epoch = 0;
  updates = 0;
  /** How many words there are, how many predicates and arguments, and how many of these the oracle builds. */
  readonly data = { sentences: 0, words: 0, predicates: 0, arguments: 0, built: 0 };
  protected readonly examples: Prepared[] = [];
  private readonly options: { [K in keyof typeof ROLE_DEFAULTS]: number } & Pick<RoleTrainOptions, "mostWeights">;
  protected readonly moves: Weights;
  protected readonly senses: Weights;
  protected readonly walk: RoleWalk;
  private graph!: SemanticGraph;
  private readonly oracle = new SemanticOracle();
  private readonly random = new Random(0);
  private readonly one = new Int32Array(1);
  protected time = 1;
  protected senseTime = 1;

  private readonly network: RoleNetworkLearner | undefined;

  /** `source`: what the vectors of the examples come from. */
  constructor(
    examples: readonly RoleExample[],
    options: RoleTrainOptions = {},
    private readonly source?: RoleVectors | undefined,
    features?: RoleFeatures | undefined,
  ) {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    this.options = { ...ROLE_DEFAULTS, ...given };
    this.header = headerOf(examples, this.options);
    const roles = new Inventory();
    for (const role of this.header.roles) roles.numberOf(role);
    const lexicon = new SenseLexicon(this.header);
    if (source) {
      const vectors = examples.map((example) => example.vectors!);
      const sizes = [source.size, roleClasses(this.header), lexicon.names.length] as const;
      this.network = new RoleNetworkLearner(vectors, ...sizes, this.options.seed);
    }
    this.walk = new RoleWalk(
      lexicon,
      this.header.roles.length,
      (features) => this.scoresOf(features),
      (features) => {
        this.one[0] = 0;
        this.senses.score(features, this.one);
        return this.one[0]!;
      },
      this.network?.network,
      features,
    );
    const { minUpdates } = this.options;
    this.moves = new Weights(minUpdates, this.walk.classes);
    this.senses = new Weights(minUpdates);
    this.scores = new Int32Array(this.walk.classes);
    for (const example of examples) {
      const graph = semanticGraph(example.words.length, example.predicates, lexicon, roles);
      this.examples.push({ example, graph });
      this.data.sentences++;
      this.data.words += graph.length;
      this.data.predicates += example.predicates.length;
      this.data.arguments += graph.arcs.length;
      this.data.built += this.oracle.countBuilt(graph);
    }
  }

  private readonly scores: Int32Array;

  private scoresOf(features: Int32Array): Int32Array {
    this.scores.fill(0);
    this.moves.score(features, this.scores);
    return this.scores;
  }

  /** Whether all epochs are there. */
  get isOver(): boolean {
    return this.epoch >= this.options.epochs;
  }

  /** Go through the training data once, a sentence at a step, each of which gives how many words are done. */
  *epochSteps(): Generator<number, void, void> {
    const { random, examples, options } = this;
    this.epoch++;
    let words = 0;
    for (const i of epochOrder(random, options.seed, this.epoch, examples.length)) {
      this.learn(examples[i]!);
      words += examples[i]!.graph.length;
      yield words;
    }
  }

  private learn(prepared: Prepared): void {
    this.bind(prepared);
    this.network?.bind(prepared.example.vectors!);
    this.learnTo(prepared.graph.length);
    this.network?.finish(this.explores);
  }

  private get explores(): boolean {
    return this.epoch >= this.options.exploreFrom;
  }

  protected bind({ example, graph }: Prepared): void {
    this.graph = graph;
    this.oracle.bind(graph);
    this.walk.begin(example.words, example.tree);
  }

  /** Learns from the transitions up to the one that shifts this word. */
  protected learnTo(word: number): void {
    const { walk, oracle, options, explores, graph } = this;
    const shift = walk.classOf(SEM_SHIFT, 0);
    while (walk.c.front <= word) {
      if (!walk.c.isDecided) {
        const found = this.learnSense(graph.senses[walk.c.b]!);
        walk.decide(explores ? found : graph.senses[walk.c.b]!);
        continue;
      }
      if (!walk.isOpen) {
        walk.apply(shift);
        continue;
      }
      const right = walk.classOf(oracle.next(walk.c), oracle.label);
      const features = walk.pair();
      const rival = walk.bestClass(features, options.margin, right);
      this.time++;
      let found = right;
      if (rival !== right) {
        // The prediction is the best without the bonus that rivals get for learning.
        if (this.scores[rival]! > this.scores[right]!) found = rival;
        this.moves.update(features, right, 1, this.time);
        this.moves.update(features, rival, -1, this.time);
        this.network?.updateMove(walk.c.s(0), walk.c.b, features[PATH_FEATURE]!, right, rival);
        this.updates++;
      }
      walk.apply(explores ? found : right);
    }
  }

  /** Learns whether b0 is a predicate, and of which sense; gives what was predicted. */
  private learnSense(right: number): number {
    const { walk, options } = this;
    const candidates = walk.candidates();
    this.senseTime++;
    if (candidates.length === 0) return NONE;
    // A sense that a predicted lemma does not have cannot be learned, but that the word is a predicate can.
    const goal = right === NONE || candidates.includes(right) ? right : candidates[0]!;
    const rival = walk.bestSense(candidates, options.senseMargin, goal);
    if (rival === goal) return goal;
    const found = walk.bestSense(candidates);
    this.updateSense(goal, 1);
    this.updateSense(rival, -1);
    this.updates++;
    return found;
  }

  private updateSense(sense: number, sign: number): void {
    if (sense === NONE) return;
    const { features, lexicon, c } = this.walk;
    this.senses.update(features.sense(lexicon.keys[sense]!), 0, sign, this.senseTime);
    this.network?.updateSense(c.b, sense, sign);
  }

  /** The labeller with the averaged weights of now, at most `most`, and with a beam, if its width is above 1. */
  model({ most = this.options.mostWeights, width = this.options.beam } = {}): RolesModel {
    const { header, options } = this;
    const forEach: ForEachWeight = (visit) => {
      this.senses.forEachAverage(this.senseTime, visit);
      this.moves.forEachAverage(this.time, visit);
    };
    const linear = LinearModel.from(forEach, thresholdOf(forEach, options.prune, most), ACTIVE);
    const scale = scaleOf(forEach, ACTIVE);
    const probe = this.network?.probe(this.source!.contextual, scale);
    const beam = width > 1 ? { beam: { width, unit: BEAM_UNIT * scale } } : {};
    return new RolesModel({ ...header, ...beam, origin: { ...header.origin } }, linear, probe);
  }
}

/** Roles, senses by lemma and open parts of speech of the training data; the more frequent come first. */
function headerOf(examples: readonly RoleExample[], options: object): RolesHeader {
  const roles = new Map<string, number>();
  const lemmas = new Map<string, Map<string, number>>();
  const tags = new Map<string, [predicates: number, words: number]>();
  const count = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { words, predicates } of examples) {
    for (let i = 1; i <= words.length; i++) {
      const found = tags.get(words.upos(i)) ?? [0, 0];
      tags.set(words.upos(i), [found[0], found[1] + 1]);
    }
    for (const { word, sense, arguments: own } of predicates) {
      tags.get(words.upos(word))![0]++;
      const lemma = words.lemma(word);
      if (!lemmas.has(lemma)) lemmas.set(lemma, new Map());
      count(lemmas.get(lemma)!, sense);
      for (const { role } of own) count(roles, role);
    }
  }
  const byCount = (counts: ReadonlyMap<string, number>) =>
    [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
  const inOrder = [...lemmas].sort((a, b) => (a[0] < b[0] ? -1 : 1));
  return {
    roles: byCount(roles),
    lemmas: Object.fromEntries(inOrder.map(([lemma, senses]) => [lemma, byCount(senses)])),
    openTags: [...tags].filter(([, [found, all]]) => found >= OPEN_SHARE * all).map(([tag]) => tag),
    origin: { options: { ...options } },
  };
}
