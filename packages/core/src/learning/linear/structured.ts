import type { Words } from "../../features/columns.js";
import type { Extractor } from "../../features/extractor.js";
import type { TemplateSet } from "../../features/templates.js";
import { NO_FEATURE } from "../../math/hash.js";
import type { Random } from "../../math/random.js";
import { CachedScorer } from "../../scoring/cached-scorer.js";
import type { Classes } from "../../scoring/classes.js";
import type { FeatureScorer } from "../../scoring/feature-scorer.js";
import type { ForEachWeight } from "../../scoring/linear/quantized-weights.js";
import type { DerivationStep } from "../../search/beam/beam-history.js";
import { BeamSearch } from "../../search/beam/beam-search.js";
import { StateMerger } from "../../search/beam/state-merger.js";
import { Decider } from "../../search/decider.js";
import { Configuration } from "../../systems/configuration.js";
import type { TransitionSystem } from "../../systems/system.js";
import { BeamJudge } from "../beam-judge.js";
import type { Example } from "../examples.js";
import { BeamViolation, type ViolationFinder, type ViolationOptions } from "./beam-violation.js";
import { NetChange } from "./net-change.js";
import { type OnlineOptions, OnlineTrainer } from "./online.js";
import { Weights } from "./weights.js";
import { WordDropout } from "./word-dropout.js";

/** Options of structured training, with a beam. */
export interface StructuredOptions extends ViolationOptions {
  /** Width of the beam in training. */
  beam: number;
  /**
   * Learn from every sentence step by step as well, as greedy training does: whole derivations teach little about what
   * to do after an error.
   */
  singleSteps?: boolean | undefined;
  /** The first epoch (counted from 1) that learns from whole derivations; those before learn step by step alone. */
  globalFrom: number;
}

/** The defaults: chosen from a few short runs on English development data, not from a full search. */
export const STRUCTURED = { margin: 0.7, minUpdates: 4, wordDropout: 0.5, featureDropout: 0.1 } as const;

/**
 * The structured perceptron with a beam (Collins & Roark 2004; Zhang & Clark 2008): a sentence is parsed, and if a
 * wrong derivation comes out on top, the features of the correct one gain 1 and those of the wrong one lose 1. An
 * update must be made where the wrong one really has the higher score, which at the end it may not have, because the
 * correct one fell out of the beam: it is made where that happens (early), or where the difference is largest
 * (max-violation; Huang, Fayong & Guo 2012). Of several correct derivations the best-scoring one counts.
 *
 * The search is told to favour wrong arcs by a margin, so that what is right comes to win by as much. It merges states
 * as parsing does, but never a correct hypothesis with a wrong one.
 */
export class StructuredTrainer {
  readonly weights: Weights;
  /** Number of steps that the sentences so far take, about, and 1. */
  time = 1;
  updates = 0;
  protected readonly extractor: Extractor;
  protected readonly decider: Decider;
  protected readonly judge: BeamJudge;
  protected readonly c = new Configuration();
  private readonly change: NetChange;
  private readonly words: WordDropout | undefined;
  private readonly featureDropout: number;
  private dropSeed = 0;
  /** The examples that moves learn from. */
  protected readonly moveFeatures: Int32Array;
  /** The learner from single steps, with the same weights. */
  private readonly stepwise: OnlineTrainer | undefined;
  protected readonly finder: ViolationFinder;

  constructor(
    protected readonly system: TransitionSystem,
    protected readonly classes: Classes,
    templates: TemplateSet,
    protected readonly options: OnlineOptions & StructuredOptions,
    protected readonly random: Random,
  ) {
    const {
      minUpdates = STRUCTURED.minUpdates,
      wordDropout = STRUCTURED.wordDropout,
      featureDropout = STRUCTURED.featureDropout,
      margin = STRUCTURED.margin,
    } = options;
    const weights = new Weights(minUpdates, classes.size, false, options.averaging);
    const scores = new Int32Array(classes.size);
    const scorer = new CachedScorer(
      templates,
      scores,
      () => {
        scores.fill(0);
        weights.score(this.extracted(), scores);
      },
      classes.size,
    );
    this.weights = weights;
    this.extractor = scorer.extractor;
    this.moveFeatures = this.featuresOf(templates);
    const size = this.moveFeatures.length;
    this.change = new NetChange(size);
    this.judge = new BeamJudge(system, classes, options.oracle, Math.round(margin * size));
    this.decider = this.createDecider(scorer);
    this.finder = this.createFinder(templates);
    this.featureDropout = featureDropout;
    if (options.singleSteps || options.globalFrom > 1) this.stepwise = this.createStepwise(templates);
    this.words = wordDropout > 0 ? new WordDropout(wordDropout) : undefined;
    if (this.words) this.extractor.dropped = new Uint8Array(templates.templates.length);
  }

  /** The scorer of the moves; called by the constructor. */
  protected createDecider(scorer: FeatureScorer): Decider {
    return new Decider(this.system, this.classes, scorer);
  }

  /** Where the features are that moves learn from, after `extracted`; called by the constructor. */
  protected featuresOf(_templates: TemplateSet): Int32Array {
    return this.extractor.features;
  }

  /** The learner from single steps; called by the constructor. */
  protected createStepwise(templates: TemplateSet): OnlineTrainer {
    const { system, classes, options, random, weights } = this;
    return new OnlineTrainer(system, classes, templates, options, random, weights);
  }

  /** The finder of derivations to learn from; called by the constructor. */
  protected createFinder(templates: TemplateSet): ViolationFinder {
    const { system, decider, extractor, judge, options } = this;
    // All that has ended is one state: there would be nothing to choose from.
    const merger = options.lowestLoss ? undefined : new StateMerger(system, templates, extractor.columns, options.beam);
    return new BeamViolation(new BeamSearch(decider, options.beam, merger), judge, options);
  }

  /** So many features a configuration has at most. */
  get featureCount(): number {
    return this.extractor.features.length;
  }

  /** The averaged weights of now. */
  get averages(): ForEachWeight {
    return (visit) => this.weights.forEachAverage(this.time, visit);
  }

  /** Count the words of a training sentence; word dropout needs the counts of all sentences before training begins. */
  count(words: Words): void {
    this.stepwise?.count(words);
    if (!this.words) return;
    this.extractor.bind(words);
    this.words.count(this.extractor.columns);
  }

  /** Learn from one sentence. */
  learn(example: Example, epoch: number): void {
    const { finder, judge, options, extractor, stepwise } = this;
    const isGlobal = epoch >= options.globalFrom;
    if (stepwise && (options.singleSteps || !isGlobal)) {
      stepwise.time = this.time;
      stepwise.learn(example, epoch);
      this.time = stepwise.time;
    }
    if (!isGlobal) return;
    judge.bind(example.heads, example.labels, example.leftOut);
    finder.begin(example.words);
    this.words?.hide(extractor.columns, this.random);
    this.dropSeed = (this.random.next() * 2 ** 32) | 0;
    this.time += 2 * (example.heads.length - 1);
    if (finder.find()) this.update(finder.right, finder.wrong);
  }

  /** Let the steps of the right derivation gain and those of the wrong one lose, from where they part. */
  private update(right: readonly DerivationStep[], wrong: readonly DerivationStep[]): void {
    let same = 0;
    while (same < right.length && same < wrong.length && isSame(right[same]!, wrong[same]!)) same++;
    this.change.clear();
    this.walk(right, same, 1);
    this.walk(wrong, same, -1);
    this.change.apply(this.weights, this.time);
    this.updates++;
  }

  private walk(steps: readonly DerivationStep[], same: number, sign: number): void {
    const { c, system, classes, extractor, change, moveFeatures } = this;
    system.initialize(c, extractor.columns.length);
    for (let i = 0; i < steps.length; i++) {
      const { move, cls } = steps[i]!;
      if (i >= same) {
        extractor.extract(c, move);
        this.extracted();
        change.add(moveFeatures, cls, sign);
      }
      system.take(c, move, classes.labels[cls]!);
    }
  }

  /**
   * The features of what was extracted. Dropout leaves out the same ones in all hypotheses of a sentence, whose scores
   * must be comparable.
   */
  protected extracted(): Int32Array {
    const features = this.extractor.hash();
    if (this.featureDropout > 0) {
      const least = this.featureDropout * 2 ** 32;
      const { dropSeed } = this;
      for (let t = 0; t < features.length; t++) {
        if (Math.imul(features[t]! ^ dropSeed, 0x9e3779b1) >>> 0 < least) features[t] = NO_FEATURE;
      }
    }
    return features;
  }
}

function isSame(one: DerivationStep, other: DerivationStep): boolean {
  return one.move === other.move && one.cls === other.cls;
}
