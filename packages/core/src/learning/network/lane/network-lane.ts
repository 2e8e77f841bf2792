import type { Words } from "../../../features/columns.js";
import type { TemplateSet } from "../../../features/templates.js";
import { scoreOf } from "../../../scoring/log-scores.js";
import type { ConfigurationScorer } from "../../../scoring/scorer.js";
import type { Configuration } from "../../../systems/configuration.js";
import type { Move } from "../../../systems/transition.js";
import { type Dropout, DropoutMasks, type Mask } from "../dropout-masks.js";
import type { NetworkExamples } from "../network-examples.js";
import { matrix, multiply } from "../network-kernel.js";
import type { LanePlan, NetworkMemory, PlacedTensor } from "../network-memory.js";
import { type ContextualNodes, LaneContextual } from "./lane-contextual.js";
import { LaneSteps } from "./lane-steps.js";
import { LaneWords } from "./lane-words.js";
import { RecurrentLayer, type SentenceRows } from "./recurrent-layer.js";

/**
 * A product with one of the network's matrices, for all words of a lane: of their embeddings or of a layer's output, of
 * which numbers may be left out, with the matrix of the next layer or in the end with that of the positions. Addresses,
 * each with that of the derivative.
 */
interface Stage {
  readonly weights: PlacedTensor;
  readonly input: number;
  readonly inputGradient: number;
  readonly mask: number;
  readonly dropout: number;
  readonly output: number;
  readonly outputGradient: number;
}

/**
 * The stages of a network: one for each recurrent layer, between which the layers read the sentence, and one more.
 */
function stagesOf(memory: NetworkMemory, plan: LanePlan, dropout: Dropout): Stage[] {
  const { layers } = plan;
  return Array.from({ length: layers.length + 1 }, (_, l) => {
    const [before, after] = [layers[l - 1], layers[l]];
    return {
      weights: memory.tensor(after ? `layer ${l}` : "positions"),
      input: before ? before.out : plan.words,
      inputGradient: before ? before.outGradient : plan.wordsGradient,
      mask: before ? before.outMask : plan.wordsMask,
      dropout: before ? dropout.layers : dropout.inputs,
      output: after ? after.sums : plan.products,
      outputGradient: after ? after.sumsGradient : plan.productsGradient,
    };
  });
}

/**
 * A lane: some sentences of a batch that go through the network together, forward and backward. Lanes share the
 * parameters and have gradients of their own, so that threads can work on them at the same time, and the sum over the
 * lanes does not depend on who worked on which.
 */
export class NetworkLane implements ConfigurationScorer {
  readonly scores: Int32Array;
  readonly steps: LaneSteps;
  private readonly plan: LanePlan;
  readonly masks: DropoutMasks;
  private readonly words: LaneWords;
  private readonly contextual: LaneContextual | undefined;
  private readonly stages: readonly Stage[];
  private readonly layers: readonly RecurrentLayer[];

  constructor(
    private readonly memory: NetworkMemory,
    lane: number,
    templates: TemplateSet,
    examples: NetworkExamples,
    counts: readonly Int32Array[],
    dropout: Dropout,
    contextual?: ContextualNodes | undefined,
  ) {
    const plan = memory.lanes[lane]!;
    this.plan = plan;
    this.scores = new Int32Array(memory.classes);
    this.masks = new DropoutMasks(memory.kernel);
    this.words = new LaneWords(memory, plan, examples, this.masks, counts, dropout.words);
    this.contextual = contextual && new LaneContextual(memory, plan, examples.begins, contextual);
    this.stages = stagesOf(memory, plan, dropout);
    this.layers = plan.layers.map((_, l) => new RecurrentLayer(memory, plan, l));
    this.steps = new LaneSteps(memory, plan, templates, this.masks, dropout.hidden);
  }

  /** Take in sentences and compute the vectors of their words. With a seed things are left out at random. */
  encode(sentences: Int32Array, seed?: number): void {
    const { memory, plan, words, masks, stages, layers } = this;
    masks.begin(seed);
    words.read(sentences);
    this.contextual?.read(sentences);
    stages.forEach((stage, l) => {
      const { weights, input, output } = stage;
      const { rows, columns } = weights;
      if (l > 0) layers[l - 1]!.read(words.sentences);
      const mask = this.maskOf(stage);
      masks.draw(mask);
      masks.apply(mask, input);
      const x = matrix(input, words.count, rows);
      multiply(memory.kernel, x, matrix(weights.at, rows, columns), matrix(output, words.count, columns));
    });
    memory.clear(plan.gradients, memory.dense.size);
    memory.clear(plan.productsGradient, words.count * memory.tensor("positions").columns);
    this.steps.clear();
  }

  /** From the derivatives of the steps to those of everything. */
  propagate(): void {
    const { memory, plan, words, masks, stages, layers } = this;
    this.steps.workOff();
    for (let l = stages.length - 1; l >= 0; l--) {
      const stage = stages[l]!;
      const { weights, input, inputGradient, outputGradient } = stage;
      const x = matrix(input, words.count, weights.rows);
      const dx = matrix(inputGradient, words.count, weights.rows);
      memory.productBack(plan, x, weights, matrix(outputGradient, words.count, weights.columns), dx);
      masks.apply(this.maskOf(stage), inputGradient);
      if (l > 0) layers[l - 1]!.readBack(words.sentences);
    }
    this.contextual?.readBack();
  }

  private maskOf({ mask, weights, dropout }: Stage): Mask {
    return { at: mask, size: this.words.count * weights.rows, probability: dropout };
  }

  /** The rows of one of the sentences that were taken in. */
  rowsOf(sentence: number): SentenceRows {
    return this.words.sentences[sentence]!;
  }

  /**
   * Begin with one of the sentences that were taken in; returns its number of words. `words`: what templates see of it,
   * if that is more than which words there are.
   */
  begin(sentence: number, words?: Words): number {
    const { first, count } = this.words.sentences[sentence]!;
    this.steps.beginSentence(first, words ?? ({ length: count - 1 } as Words));
    return count - 1;
  }

  bind(): void {
    throw new Error("a lane has sentences of its own");
  }

  /** The scores of the classes in the step that was begun. */
  score(c: Configuration, move: Move): void {
    const { scores, steps, memory } = this;
    const at = steps.score(c, move) / 4;
    for (let k = 0; k < scores.length; k++) scores[k] = scoreOf(memory.floats[at + k]!);
  }
}
