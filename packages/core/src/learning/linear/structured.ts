import type { Words } from "../../features/columns.js";
import type { Extractor } from "../../features/extractor.js";
import type { TemplateSet } from "../../features/templates.js";
import { learnChoice } from "../../joint-tagging/learning/choice-update.js";
import { NO_FEATURE } from "../../math/hash.js";
import type { Random } from "../../math/random.js";
import { CachedScorer } from "../../scoring/cached-scorer.js";
import { type Classes, TRUST_FEATURE } from "../../scoring/classes.js";
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
import { firstTagTemplate, type OnlineOptions, OnlineTrainer } from "./online.js";
import { TRUST } from "./perceptron.js";
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
  private readonly c = new Configuration();
  private readonly change: NetChange;
  private readonly words: WordDropout | undefined;
  private readonly featureDropout: number;
  private dropSeed = 0;
  /** The features of moves, and those of joint tagging, which come after them; each learns from its own. */
  private readonly moveFeatures: Int32Array;
  private readonly tagFeatures: Int32Array;
  /** What learns from single steps, with the same weights. */
  private readonly stepwise: OnlineTrainer | undefined;
  private readonly finder: ViolationFinder;

  constructor(
    private readonly system: TransitionSystem,
    private readonly classes: Classes,
    templates: TemplateSet,
    protected readonly options: OnlineOptions & StructuredOptions,
    private readonly random: Random,
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
        weights.score(this.features(), scores);
      },
      classes.size,
    );
    const moves = firstTagTemplate(templates);
    this.weights = weights;
    this.extractor = scorer.extractor;
    this.moveFeatures = this.extractor.features.subarray(0, moves);
    this.tagFeatures = this.extractor.features.subarray(moves);
    this.change = new NetChange(moves);
    this.judge = new BeamJudge(system, classes, options.oracle, Math.round(margin * moves));
    this.decider = new Decider(system, classes, scorer);
    this.decider.trust = TRUST;
    this.finder = this.createFinder(templates);
    this.featureDropout = featureDropout;
    if (options.singleSteps || options.globalFrom > 1)
      this.stepwise = new OnlineTrainer(system, classes, templates, options, random, weights);
    this.words = wordDropout > 0 ? new WordDropout(wordDropout) : undefined;
    if (this.words) this.extractor.dropped = new Uint8Array(templates.templates.length);
  }

  /** What finds derivations to learn from; called by the constructor. */
  protected createFinder(templates: TemplateSet): ViolationFinder {
    const { system, decider, extractor, judge, options } = this;
    // All that has ended is one state: there would be nothing to choose from.
    const merger = options.lowestLoss ? undefined : new StateMerger(system, templates, extractor.columns, options.beam);
    return new BeamViolation(new BeamSearch(decider, options.beam, merger), judge, options);
  }

  /** The averaged weights of now. */
  readonly averages: ForEachWeight = (visit) => {
    const { size, firstTag, trust } = this.classes;
    if (size > firstTag) visit(TRUST_FEATURE, trust, TRUST);
    this.weights.forEachAverage(this.time, visit);
  };

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
    const { rightChoices } = example;
    if (rightChoices && this.decider.choices) this.learnTags(rightChoices);
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
        this.features();
        change.add(moveFeatures, cls, sign);
      }
      system.take(c, move, classes.labels[cls]!);
    }
  }

  /**
   * Joint tagging: learn the tags of the words on a correct way through the sentence. They are learnt one by one, as
   * for a greedy parser (see OnlineTrainer), and the words keep the tags that the tagger gave them.
   */
  private learnTags(rightChoices: Int32Array): void {
    const { c, system, classes, decider, extractor } = this;
    system.initialize(c, extractor.columns.length);
    for (const { move, cls } of (this.finder as BeamViolation).correct()) {
      if (c.b(0) > 0 && decider.choices!.isOpen(c.b(0))) {
        decider.permitted(c);
        decider.scorer.score(c, move);
        const word = decider.untagged(c, decider.moves.indexOf(move));
        if (word > 0 && rightChoices[word]! >= 0) {
          // The scores may have been remembered.
          this.features();
          learnChoice(decider, this.weights, word, rightChoices[word]!, this.tagFeatures, this.time);
        }
      }
      system.take(c, move, classes.labels[cls]!);
    }
  }

  /**
   * The features of what was extracted. Dropout leaves out the same ones in all hypotheses of a sentence, whose scores
   * must be comparable.
   */
  private features(): Int32Array {
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
