import type { Expectation } from "../../checks/options.js";
import { OBJECT } from "../../checks/shapes.js";
import type { Example, TreebankSentence } from "../../learning/examples.js";
import type { NetworkTask } from "../../learning/network/lane-learner.js";
import { packExamples } from "../../learning/network/network-examples.js";
import { type NetworkLesson, type NeuralOptions, NeuralTraining } from "../../learning/network/neural-training.js";
import type { ModelHeader } from "../../parser/model-header.js";
import { describeSystem } from "../../registry/systems.js";
import type { InputTable } from "../../scoring/network/inputs.js";
import type { NeuralModel } from "../../scoring/network/neural-model.js";
import { choiceClasses, type JointTagging } from "../joint-header.js";
import { JointModel } from "../joint-model.js";
import { jointView } from "../joint-templates.js";
import { type JointExamples, JointNetworkLearner } from "./joint-network.js";
import { packChoices } from "./network-choices.js";

/** The weight of a tagger's score of typical size at first. */
const FIRST_TRUST = 5;

/** Options of `JointNetworkTraining`. */
export interface JointNetworkOptions extends NeuralOptions {
  /** Choose tags while parsing, among the `choices` of the sentences. */
  joint: JointTagging;
}

/** Training of a parser with a network that chooses tags, or whole analyses, together with the tree. */
export class JointNetworkTraining extends NeuralTraining<JointNetworkOptions> {
  protected override get expected(): Readonly<Record<string, Expectation>> {
    return { ...super.expected, joint: OBJECT };
  }

  protected override read(sentences: readonly TreebankSentence[], options: JointNetworkOptions): NetworkLesson {
    const { globalEpochs, joint, system } = options;
    if (globalEpochs) throw new RangeError(`invalid globalEpochs: ${globalEpochs} (expected 0 with joint)`);
    const templates = options.templates + jointView(describeSystem(system).context);
    const lesson = super.read(sentences, { ...options, templates });
    // Behind those of moves: those of what is chosen, and the trust in the tagger.
    return { ...lesson, classes: lesson.classes + choiceClasses(joint) + 1 };
  }

  protected override pack(examples: readonly Example[], tables: readonly InputTable[], shared: boolean): JointExamples {
    const packed = packExamples(examples, tables, shared);
    return {
      ...packed,
      choices: packChoices(examples, packed.heads.length, choiceClasses(this.options.joint), shared),
    };
  }

  protected override createLearner(task: NetworkTask, threads: number): JointNetworkLearner {
    return new JointNetworkLearner(task, undefined, threads);
  }

  protected override initializeBias(values: Float32Array): void {
    values[this.task.size.classes - 1] = FIRST_TRUST;
  }

  protected override createModel(header: ModelHeader, weights: NeuralModel): JointModel {
    return new JointModel({ ...header, joint: this.options.joint }, weights);
  }
}
