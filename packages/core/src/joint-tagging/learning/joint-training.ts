import type { Expectation } from "../../checks/options.js";
import { OBJECT } from "../../checks/shapes.js";
import type { TemplateSet } from "../../features/templates.js";
import type { TreebankSentence } from "../../learning/examples.js";
import type { StructuredOptions } from "../../learning/linear/structured.js";
import { Training, type TrainOptions } from "../../learning/training.js";
import type { ModelHeader } from "../../parser/model-header.js";
import { systemTraining } from "../../registry/training.js";
import type { Classes } from "../../scoring/classes.js";
import type { LinearModel } from "../../scoring/linear/linear-model.js";
import { JointClasses } from "../joint-classes.js";
import { choiceClasses, type JointTagging } from "../joint-header.js";
import { JointModel } from "../joint-model.js";
import { jointTemplates } from "../joint-templates.js";
import { JointOnlineTrainer, JointStructuredTrainer } from "./joint-trainers.js";

/** Options of `JointTagTraining`. */
export interface JointTrainOptions extends TrainOptions {
  /** Choose tags while parsing, among the `choices` of the sentences. */
  joint: JointTagging;
}

/** Training of a parser that chooses tags, or whole analyses, together with the tree. */
export class JointTagTraining extends Training<JointTrainOptions> {
  constructor(sentences: Iterable<TreebankSentence>, options: JointTrainOptions) {
    super(sentences, options, (_, ...parts) => new JointOnlineTrainer(...parts));
  }

  protected override get expected(): Readonly<Record<string, Expectation>> {
    return { ...super.expected, joint: OBJECT };
  }

  protected override templateText(): string {
    const { system, joint } = this.options;
    const { context } = this.system.description;
    const added = jointTemplates(context, systemTraining(system).jointTemplates, joint.parts !== undefined);
    return super.templateText() + added;
  }

  protected override createClasses(): JointClasses {
    const { labels, leftLabels, rightLabels, options } = this;
    return new JointClasses(this.system, labels.length, leftLabels, rightLabels, choiceClasses(options.joint));
  }

  protected override createStructured(
    classes: Classes,
    templates: TemplateSet,
    options: TrainOptions & StructuredOptions,
  ): JointStructuredTrainer {
    return new JointStructuredTrainer(this.system, classes, templates, options, this.random);
  }

  /** Choosing tags with a beam has been tried with whole derivations only. */
  protected override globalEpochsOf(options: JointTrainOptions): number {
    const { beam, epochs, globalEpochs } = options;
    if (beam !== undefined && globalEpochs === undefined) return epochs;
    const count = super.globalEpochsOf(options);
    if (beam !== undefined && count < epochs)
      throw new RangeError(
        `invalid globalEpochs: ${globalEpochs} (expected ${epochs}, all epochs, with joint tagging)`,
      );
    return count;
  }

  protected override logUnit(): number {
    return this.options.learner === "logistic" ? 1 : 0;
  }

  protected override createModel(header: ModelHeader, linear: LinearModel): JointModel {
    return new JointModel({ ...header, joint: this.options.joint }, linear);
  }
}
