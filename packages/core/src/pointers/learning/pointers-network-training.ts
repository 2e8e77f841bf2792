import { check } from "../../checks/options.js";
import { OBJECT } from "../../checks/shapes.js";
import { readTrees } from "../../graph/learning/graph-examples.js";
import { GraphNetworkLearner } from "../../graph/learning/graph-network-learner.js";
import { graphView } from "../../graph/scoring/graph-view.js";
import { manyRoots, type TreebankSentence } from "../../learning/examples.js";
import type { NetworkTask } from "../../learning/network/lane-learner.js";
import { type NetworkLesson, NetworkTraining, type NeuralOptions } from "../../learning/network/neural-training.js";
import { POINTERS, type PointersHeader } from "../pointers-header.js";
import { PointersModel } from "../pointers-model.js";

/** Options of `PointersNetworkTraining`: those of networks, without what only transitions have. */
export type PointersNetworkOptions = Omit<
  NeuralOptions,
  "system" | "root" | "templates" | "templatesSource" | "oracle" | "exploreFrom" | "exploreProbability" | "beam"
>;

/** Training of a parser with pointers with a network, epoch by epoch: each word learns the head that it points at. */
export class PointersNetworkTraining extends NetworkTraining {
  constructor(sentences: Iterable<TreebankSentence>, options: PointersNetworkOptions) {
    check("options", options, OBJECT);
    // Settings of transitions are not looked at.
    const others = { root: "last", templates: "", oracle: "static", exploreFrom: 1, exploreProbability: 0 } as const;
    super(sentences, { ...options, ...others, system: POINTERS });
  }

  protected override read(sentences: readonly TreebankSentence[], options: NeuralOptions): NetworkLesson {
    const { examples, labels, data } = readTrees(sentences, false);
    const noTransitions = { templates: options.templates, stepsPerWord: 1, leftLabels: [], rightLabels: [] };
    return { examples, labels, data, view: graphView(), classes: labels.length, ...noTransitions };
  }

  protected override createLearner(task: NetworkTask, threads: number): GraphNetworkLearner {
    return new GraphNetworkLearner(task, undefined, threads);
  }

  /** The model with the averaged parameters of now. */
  model(origin: Record<string, unknown> = {}): PointersModel {
    check("origin", origin, OBJECT);
    const roots = manyRoots(this.options.singleRoot, this.data);
    const header: PointersHeader = {
      ...{ system: POINTERS, ...roots, labels: [...this.labels] },
      ...{ network: this.header, origin },
    };
    return new PointersModel(header, this.weights());
  }
}
