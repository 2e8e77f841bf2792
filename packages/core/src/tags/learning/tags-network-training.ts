import { check, type Expectation } from "../../checks/options.js";
import { OBJECT } from "../../checks/shapes.js";
import type { TreebankSentence } from "../../learning/examples.js";
import type { NetworkTask } from "../../learning/network/lane-learner.js";
import { type NetworkLesson, NetworkTraining, type NeuralOptions } from "../../learning/network/neural-training.js";
import type { EncodingName } from "../encodings/encodings.js";
import { tagsView } from "../scoring/tags-view.js";
import { TAGS, type TagsHeader } from "../tags-header.js";
import { TagsModel } from "../tags-model.js";
import { TAGS_SETTINGS } from "./settings.js";
import { readTagged } from "./tag-examples.js";
import { TagsNetworkLearner } from "./tags-network-learner.js";

/** Options of `TagsNetworkTraining`: those of networks, without what only transitions have. */
export type TagsNetworkOptions = Omit<
  NeuralOptions,
  "system" | "root" | "templates" | "templatesSource" | "oracle" | "exploreFrom" | "exploreProbability" | "beam"
> & { encoding: EncodingName };

type Options = NeuralOptions & { encoding: EncodingName };

/** A word has a step for its tag and one for its label. */
const STEPS_PER_WORD = 2;

/** Training of a parser by tags with a network, epoch by epoch: the layers of other networks. */
export class TagsNetworkTraining extends NetworkTraining<Options> {
  declare readonly learner: TagsNetworkLearner;
  // Set by `read`, which the constructor of the base class calls: an initializer would undo that.
  declare private tags: readonly string[];

  constructor(sentences: Iterable<TreebankSentence>, options: TagsNetworkOptions) {
    check("options", options, OBJECT);
    // Settings of transitions are not looked at.
    const others = { root: "last", templates: "", oracle: "static", exploreFrom: 1, exploreProbability: 0 } as const;
    super(sentences, { ...options, ...others, system: TAGS });
  }

  protected override get expected(): Readonly<Record<string, Expectation>> {
    return { ...super.expected, ...TAGS_SETTINGS };
  }

  protected override read(sentences: readonly TreebankSentence[], options: Options): NetworkLesson {
    const { examples, tags, labels, data } = readTagged(sentences, options.encoding, options.projectivize);
    this.tags = tags;
    const packed = examples.map(({ labels: own, tags: ofWords, ...example }) => ({
      ...example,
      labels: own.map((label, i) => (i === 0 ? -1 : ofWords[i]! * labels.length + label)),
    }));
    const noTransitions = { templates: options.templates, leftLabels: [], rightLabels: [] };
    const classes = tags.length + labels.length;
    return {
      ...{ examples: packed, labels, data, view: tagsView(), classes, stepsPerWord: STEPS_PER_WORD },
      ...noTransitions,
    };
  }

  protected override createLearner(task: NetworkTask, threads: number): TagsNetworkLearner {
    return new TagsNetworkLearner(task, undefined, threads);
  }

  /** The model with the averaged parameters of now. */
  model(origin: Record<string, unknown> = {}): TagsModel {
    check("origin", origin, OBJECT);
    const { encoding, projectivize } = this.options;
    const header: TagsHeader = {
      ...{ system: TAGS, encoding, tags: [...this.tags], labels: [...this.labels] },
      ...(projectivize === undefined ? {} : { projectivized: projectivize }),
      network: this.header,
      origin,
    };
    return new TagsModel(header, this.weights());
  }
}
