import { check, type Expectation, oneOf } from "../../checks/options.js";
import { OBJECT } from "../../checks/shapes.js";
import { manyRoots, type TreebankSentence } from "../../learning/examples.js";
import type { NetworkTask } from "../../learning/network/lane-learner.js";
import { type NetworkLesson, NetworkTraining, type NeuralOptions } from "../../learning/network/neural-training.js";
import { GRAPH, type GraphHeader } from "../graph-header.js";
import { GraphModel } from "../graph-model.js";
import { graphView } from "../scoring/graph-view.js";
import { DECODERS, type DecoderName } from "../search/graph-decoder.js";
import { readTrees } from "./graph-examples.js";
import { GraphNetworkLearner } from "./graph-network-learner.js";

/** Options of `GraphNetworkTraining`: those of networks, without what only transitions have. */
export type GraphNetworkOptions = Omit<
  NeuralOptions,
  "system" | "root" | "templates" | "templatesSource" | "oracle" | "exploreFrom" | "exploreProbability" | "beam"
> & { decoder: DecoderName };

type Options = NeuralOptions & { decoder: DecoderName };

/** Training of a graph-based parser with a network, epoch by epoch: the layers of other networks, biaffine scores. */
export class GraphNetworkTraining extends NetworkTraining<Options> {
  declare readonly learner: GraphNetworkLearner;

  constructor(sentences: Iterable<TreebankSentence>, options: GraphNetworkOptions) {
    check("options", options, OBJECT);
    // Settings of transitions are not looked at.
    const others = { root: "last", templates: "", oracle: "static", exploreFrom: 1, exploreProbability: 0 } as const;
    super(sentences, { ...options, ...others, system: GRAPH });
  }

  protected override get expected(): Readonly<Record<string, Expectation>> {
    return { ...super.expected, decoder: oneOf(...DECODERS) };
  }

  protected override read(sentences: readonly TreebankSentence[], options: Options): NetworkLesson {
    const { examples, labels, data } = readTrees(sentences, options.decoder === "eisner", options.projectivize);
    const view = graphView();
    const noTransitions = { templates: options.templates, stepsPerWord: 1, leftLabels: [], rightLabels: [] };
    return { examples, labels, data, view, classes: labels.length, ...noTransitions };
  }

  protected override createLearner(task: NetworkTask, threads: number): GraphNetworkLearner {
    return new GraphNetworkLearner(task, undefined, threads);
  }

  /** The model with the averaged parameters of now. */
  model(origin: Record<string, unknown> = {}): GraphModel {
    check("origin", origin, OBJECT);
    const { decoder, singleRoot, projectivize } = this.options;
    const header: GraphHeader = {
      ...{ system: GRAPH, decoder, order: 1, ...manyRoots(singleRoot, this.data) },
      labels: [...this.labels],
      ...(projectivize === undefined ? {} : { projectivized: projectivize }),
      network: this.header,
      origin,
    };
    return new GraphModel(header, this.weights());
  }
}
