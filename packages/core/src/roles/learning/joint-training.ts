// Training of syntax and semantic roles in one derivation: the perceptron of the greedy parser, with the oracle and the
// exploration that it has anyway, and beside it that of the labeller, which has its turn as soon as syntax has taken a
// word. Both follow their predictions from the same epoch on, so that each learns from the mistakes of the other.

import type { Example, TreebankSentence } from "../../learning/examples.js";
import { OnlineTrainer } from "../../learning/linear/online.js";
import { type TrainerParts, Training, type TrainingState, type TrainOptions } from "../../learning/training.js";
import { NO_FEATURE } from "../../math/hash.js";
import type { ParserModel } from "../../parser/parser.js";
import type { Configuration } from "../../systems/configuration.js";
import type { PredicateData } from "../../treebank/sentence/semantics/predicate-data.js";
import { JointFeatures, MOVE_FEATURES } from "../joint/joint-features.js";
import { JointRolesModel } from "../joint/joint-model.js";
import { NO_TREE } from "../joint/joint-parser.js";
import { RoleScores } from "../role-scores.js";
import { lastTaken } from "../system/semantic-system.js";
import { percentages } from "./role-steps.js";
import { type Prepared, RoleTraining, type RoleTrainOptions } from "./role-training.js";

/** The predicates of a training sentence. */
export type PredicatesOf = (sentence: TreebankSentence) => readonly PredicateData[];

/** Training of the roles, in turns: one as soon as syntax has taken a word. */
class RoleTurnTraining extends RoleTraining {
  private readonly prepared = new Map<object, Prepared>();

  constructor(
    examples: readonly Example[],
    predicatesOf: PredicatesOf,
    options: RoleTrainOptions,
    private readonly own: JointFeatures,
  ) {
    const learned = examples.map(({ words }) => ({
      words,
      tree: NO_TREE,
      predicates: predicatesOf(words as TreebankSentence),
    }));
    super(learned, options, undefined, own);
    for (const one of this.examples) this.prepared.set(one.example.words, one);
  }

  begin({ words }: Example, epoch: number): void {
    this.epoch = epoch;
    this.bind(this.prepared.get(words)!);
  }

  featuresOf(c: Configuration): Int32Array {
    return this.own.moves(c, this.walk.c, this.walk.keys);
  }

  follow(c: Configuration): void {
    const last = lastTaken(c);
    while (this.walk.c.front <= last) {
      this.own.grow(c, this.walk.c.front);
      this.learnTo(this.walk.c.front);
    }
  }

  save(): TrainingState["members"] {
    const { updates } = this;
    return [
      { time: this.time, updates, weights: this.moves.save() },
      { time: this.senseTime, updates, weights: this.senses.save() },
    ];
  }

  restore([moves, senses]: TrainingState["members"]): void {
    this.time = moves!.time;
    this.senseTime = senses!.time;
    this.updates = moves!.updates;
    this.moves.restore(moves!.weights);
    this.senses.restore(senses!.weights);
  }
}

/** The perceptron of the syntactic half, which sees what the other one has built, and gives it its turns. */
class SyntaxTrainer extends OnlineTrainer {
  constructor(
    private readonly roleTraining: RoleTurnTraining,
    ...parts: TrainerParts
  ) {
    super(...parts);
  }

  override get featureCount(): number {
    return this.features.length;
  }

  /** The features of templates and those of the roles. */
  protected override featuresOf(): Int32Array {
    return new Int32Array(this.extractor.features.length + MOVE_FEATURES);
  }

  protected override extracted(): Int32Array {
    const { features, featureDropout } = this;
    const own = super.extracted();
    features.set(own);
    features.set(this.roleTraining.featuresOf(this.c), own.length);
    for (let k = own.length; k < features.length && featureDropout > 0; k++) {
      if (this.random.next() < featureDropout) features[k] = NO_FEATURE;
    }
    return features;
  }

  override learn(example: Example, epoch: number): void {
    this.roleTraining.begin(example, epoch);
    super.learn(example, epoch);
  }

  protected override take(index: number, cls: number, example: Example): void {
    super.take(index, cls, example);
    this.roleTraining.follow(this.c);
  }
}

/** Training of a greedy parser that finds semantic roles along with the tree, epoch by epoch. */
export class JointTraining extends Training {
  private readonly roleTraining: RoleTurnTraining;

  /** `options` are those of greedy training by the perceptron, with one member. */
  constructor(
    sentences: Iterable<TreebankSentence>,
    options: TrainOptions,
    private readonly predicatesOf: PredicatesOf,
    roles: RoleTrainOptions = {},
  ) {
    let roleTraining: RoleTurnTraining;
    super(sentences, options, ({ examples, labels }, ...parts) => {
      const { seed, epochs, exploreFrom } = options;
      roleTraining = new RoleTurnTraining(
        examples,
        predicatesOf,
        { seed, epochs, exploreFrom, ...roles },
        new JointFeatures(labels),
      );
      return new SyntaxTrainer(roleTraining, ...parts);
    });
    this.roleTraining = roleTraining!;
  }

  override save(): TrainingState {
    const { epoch, members } = super.save();
    return { epoch, members: [...members, ...this.roleTraining.save()] };
  }

  override restore({ epoch, members }: TrainingState): void {
    super.restore({ epoch, members: members.slice(0, -2) });
    this.roleTraining.restore(members.slice(-2));
  }

  /** Roles have no beam. */
  protected override logUnit(): number {
    return 0;
  }

  override model(origin: Record<string, unknown> = {}): JointRolesModel {
    const syntax = super.model(origin);
    const { roleTraining, epoch } = this;
    const { header, linear } = roleTraining.model();
    // How many epochs there are the parser says: of a run with more the first are the same.
    const { epochs: _, ...options } = header.origin.options as RoleTrainOptions;
    const roles = { header: { ...header, origin: { options, treebank: roleTraining.data, epoch } }, linear };
    return new JointRolesModel(syntax.header, syntax.linear, roles);
  }

  /** The scores of the roles that a model of this training finds in development data; the model says them, too. */
  measure(model: ParserModel, sentences: readonly TreebankSentence[]): { labelled: number } {
    const { roles, createParser } = model as JointRolesModel;
    const parser = createParser.call(model);
    const scores = new RoleScores({ strict: true });
    for (const words of sentences) {
      const { length } = words;
      const { predicates } = parser.parse(words).annotations[0];
      scores.add([{ length, predicates: this.predicatesOf(words) }], [{ length, predicates }]);
    }
    const found = percentages(scores);
    const { epoch, ...origin } = roles.header.origin;
    roles.header.origin = { ...origin, dev: { epoch, ...found } };
    return { labelled: found.labelled };
  }
}
