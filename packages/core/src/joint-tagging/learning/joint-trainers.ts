import type { TemplateSet } from "../../features/templates.js";
import type { Example } from "../../learning/examples.js";
import type { BeamViolation } from "../../learning/linear/beam-violation.js";
import { OnlineTrainer, REGULARIZATION } from "../../learning/linear/online.js";
import { StructuredTrainer } from "../../learning/linear/structured.js";
import { scramble } from "../../math/hash.js";
import type { FeatureScorer } from "../../scoring/feature-scorer.js";
import type { ForEachWeight } from "../../scoring/linear/quantized-weights.js";
import { type JointClasses, TRUST_FEATURE } from "../joint-classes.js";
import { firstTagTemplate } from "../joint-templates.js";
import type { JointSentence } from "../joint-words.js";
import { JointDecider } from "../search/joint-decider.js";
import { choiceLearner, type LearnChoice, TRUST } from "./choice-learners.js";

/**
 * Online training of a parser that chooses tags. Tags learn from the features of the templates of joint tagging, the
 * last ones, alone, and moves from the others: few words have several tags, and a tag should not cost a tree.
 */
export class JointOnlineTrainer extends OnlineTrainer {
  declare protected readonly classes: JointClasses;
  declare protected readonly decider: JointDecider;
  private readonly tagFeatures = this.extractor.features.subarray(this.features.length);
  private readonly learnChoice: LearnChoice;

  constructor(...parts: ConstructorParameters<typeof OnlineTrainer>) {
    super(...parts);
    const { learner = "perceptron", rate, aggressiveness } = this.options;
    const step =
      learner === "logistic"
        ? (rate ?? REGULARIZATION.logistic.rate)
        : (aggressiveness ?? REGULARIZATION["passive-aggressive"].aggressiveness);
    this.learnChoice = choiceLearner(learner, this.decider, this.weights, step);
  }

  protected override createDecider(scorer: FeatureScorer): JointDecider {
    const { system, classes, options } = this;
    return new JointDecider(system, classes, scorer, scorer.extractor.columns, TRUST[options.learner ?? "perceptron"]);
  }

  protected override featuresOf(templates: TemplateSet): Int32Array {
    return this.extractor.features.subarray(0, firstTagTemplate(templates));
  }

  override get averages(): ForEachWeight {
    const trust = TRUST[this.options.learner ?? "perceptron"] * this.learner.unit;
    return withTrust(this.classes, trust, super.averages);
  }

  /**
   * Learn the tag of the word that the move takes; a right one that is no candidate teaches nothing. The word keeps the
   * tag that the tagger gave it without having seen the sentence: predictions on sentences that are learned from become
   * better than they will ever be again. So moves are learned as without joint tagging, but for features whose hashes
   * are the same.
   */
  protected override take(index: number, cls: number, example: Example): void {
    const { decider } = this;
    const word = decider.untagged(this.c, index);
    if (word > 0) {
      const { rightChoices } = example.words as JointSentence;
      const right = rightChoices ? rightChoices[word]! : -1;
      if (right >= 0) this.learnChoice(word, right, this.tagFeatures, this.time);
      decider.giveTag(word, decider.choices!.from[word]!);
    }
    super.take(index, cls, example);
  }

  protected override dropFeatures(): void {
    const dropped = this.extractor.dropped!;
    super.dropFeatures(this.features.length);
    // Not from the generator, so that moves are learned from the same draws with and without joint tagging.
    for (let t = this.features.length; t < dropped.length; t++) {
      dropped[t] = (scramble(this.time * dropped.length + t) >>> 0) / 2 ** 32 < this.featureDropout ? 1 : 0;
    }
  }
}

/** The structured perceptron, which learns the tags on the correct derivation one by one. */
export class JointStructuredTrainer extends StructuredTrainer {
  declare protected readonly classes: JointClasses;
  declare protected readonly decider: JointDecider;
  declare protected readonly finder: BeamViolation;
  private readonly tagFeatures = this.extractor.features.subarray(this.moveFeatures.length);
  private readonly learnChoice: LearnChoice;

  constructor(...parts: ConstructorParameters<typeof StructuredTrainer>) {
    super(...parts);
    this.learnChoice = choiceLearner("perceptron", this.decider, this.weights, 1);
  }

  protected override createDecider(scorer: FeatureScorer): JointDecider {
    return new JointDecider(this.system, this.classes, scorer, scorer.extractor.columns, TRUST.perceptron);
  }

  protected override featuresOf(templates: TemplateSet): Int32Array {
    return this.extractor.features.subarray(0, firstTagTemplate(templates));
  }

  protected override createStepwise(templates: TemplateSet): OnlineTrainer {
    const { system, classes, options, random, weights } = this;
    return new JointOnlineTrainer(system, classes, templates, options, random, weights);
  }

  override get averages(): ForEachWeight {
    return withTrust(this.classes, TRUST.perceptron, super.averages);
  }

  override learn(example: Example, epoch: number): void {
    super.learn(example, epoch);
    const { rightChoices } = example.words as JointSentence;
    if (rightChoices && this.decider.choices && epoch >= this.options.globalFrom) this.learnTags(rightChoices);
  }

  /** The words keep the tags that the tagger gave them: see JointOnlineTrainer. */
  private learnTags(rightChoices: Int32Array): void {
    const { c, system, classes, decider, extractor } = this;
    system.initialize(c, extractor.columns.length);
    for (const { move, cls } of this.finder.correct()) {
      if (c.b(0) > 0 && decider.choices!.isOpen(c.b(0))) {
        decider.permitted(c);
        decider.scorer.score(c, move);
        const word = decider.untagged(c, decider.moves.indexOf(move));
        if (word > 0 && rightChoices[word]! >= 0) {
          // The scores may have been remembered.
          this.extracted();
          this.learnChoice(word, rightChoices[word]!, this.tagFeatures, this.time);
        }
      }
      system.take(c, move, classes.labels[cls]!);
    }
  }
}

function withTrust({ trust }: JointClasses, weight: number, weights: ForEachWeight): ForEachWeight {
  return (visit) => {
    visit(TRUST_FEATURE, trust, weight);
    weights(visit);
  };
}
