import { parseTemplates } from "../features/templates.js";
import { systemOf } from "../parser/model-header.js";
import { linearScorer, openParser, ParserModel, parserCodec, type Search } from "../parser/parser.js";
import type { ParserOptions } from "../parser/tree-parser.js";
import type { Lemmatizer } from "../pipeline/lemmatizer/lemmatizer.js";
import type { TaggingParserModel } from "../pipeline/tagged-words.js";
import type { TaggerModel } from "../pipeline/tagger/tagger-model.js";
import type { LinearModel } from "../scoring/linear/linear-model.js";
import type { NeuralModel } from "../scoring/network/neural-model.js";
import type { Codec } from "../storage/part.js";
import type { TransitionSystem } from "../systems/system.js";
import { CandidateFinder } from "./candidate-finder.js";
import { CandidateTagger } from "./candidate-tagger.js";
import { JointClasses, TRUST_FEATURE } from "./joint-classes.js";
import { checkJointHeader, choiceClasses, type JointHeader } from "./joint-header.js";
import { OpenWords } from "./open-words.js";
import { createBeam } from "./search/joint-beam.js";
import { JointDecider } from "./search/joint-decider.js";
import { JointDoubts } from "./search/joint-doubts.js";
import { JointGreedyParser } from "./search/joint-greedy.js";
import { JointMerger } from "./search/joint-merger.js";
import { OpenTags } from "./search/open-tags.js";

/** A trained transition-based parser that chooses tags, or whole analyses, together with the tree. */
export class JointModel extends ParserModel implements TaggingParserModel {
  declare readonly header: JointHeader;
  declare readonly classes: JointClasses;

  constructor(header: JointHeader, weights: LinearModel | NeuralModel) {
    super(header, weights);
  }

  override get codec(): Codec {
    return jointCodec;
  }

  protected override createClasses(): JointClasses {
    return jointClasses(this.header, this.system);
  }

  override createSearch({ beam = this.header.beam ?? 1, merge = true }: ParserOptions): Search {
    const { header, system, classes, network } = this;
    if (typeof merge === "object")
      throw new RangeError(`invalid merge: ${merge.name}, with joint tagging (expected true or false)`);
    const templates = parseTemplates(header.templates, "model", system.description.context);
    const scorer = network
      ? network.scorer(templates, false, true)
      : linearScorer(this.linear, templates, header.logUnit);
    const { columns } = scorer.extractor;
    const decider = new JointDecider(system, classes, scorer, columns, this.trust);
    const createDoubts = (temperatures: readonly number[]) => new JointDoubts(decider, temperatures);
    if (beam === 1) return { decider, beam, run: new JointGreedyParser(decider), createDoubts };
    const { variants = 0 } = header.joint;
    const tags = new OpenTags(decider);
    const merger = merge ? new JointMerger(system, templates, columns, beam + variants, tags) : undefined;
    return { decider, beam, run: createBeam(decider, beam, tags, merger, variants), createDoubts };
  }

  checkTagger({ analyses }: TaggerModel): void {
    const { tags, parts } = this.header.joint;
    const { size } = analyses.partNames;
    if (tags !== analyses.tags)
      throw new RangeError(`joint.tags: ${tags} (expected ${analyses.tags}, the number of the tagger's tags)`);
    if (parts !== undefined && parts !== size)
      throw new RangeError(`joint.parts: ${parts} (expected ${size}, the number of the tagger's parts)`);
  }

  createWords(tagger: TaggerModel, lemmatizer: Lemmatizer | undefined): OpenWords {
    const { joint } = this.header;
    const morphology = joint.parts !== undefined;
    const finder = new CandidateFinder(tagger, { ...joint, morphology });
    return new OpenWords(new CandidateTagger(tagger, finder), lemmatizer, morphology);
  }

  /** The weight of a tagger's score of typical size; a network learns it. */
  private get trust(): number | undefined {
    if (this.network) return undefined;
    const scores = new Int32Array(this.classes.size);
    this.linear.score(Int32Array.of(TRUST_FEATURE), scores);
    return scores[this.classes.trust]!;
  }
}

function jointClasses({ labels, leftLabels, rightLabels, joint }: JointHeader, system: TransitionSystem): JointClasses {
  return new JointClasses(system, labels.length, leftLabels, rightLabels, choiceClasses(joint));
}

export const jointCodec: Codec = {
  ...parserCodec,
  program: "joint-tagging",
  open(value, before) {
    const header = checkJointHeader(value);
    const classes = jointClasses(header, systemOf(header));
    return openParser(header, classes, before, (weights) => new JointModel(header, weights));
  },
};
