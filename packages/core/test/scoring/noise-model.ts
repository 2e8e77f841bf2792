// A scorer that makes its scores up from the features: small numbers, so that there are ties, and the same for the same
// features.
import { parseTemplates } from "../../src/features/templates.js";
import { JointClasses } from "../../src/joint-tagging/joint-classes.js";
import { jointTemplates } from "../../src/joint-tagging/joint-templates.js";
import type { JointWords } from "../../src/joint-tagging/joint-words.js";
import { createBeam } from "../../src/joint-tagging/search/joint-beam.js";
import { JointDecider } from "../../src/joint-tagging/search/joint-decider.js";
import { JointDoubts } from "../../src/joint-tagging/search/joint-doubts.js";
import { JointGreedyParser } from "../../src/joint-tagging/search/joint-greedy.js";
import { JointMerger } from "../../src/joint-tagging/search/joint-merger.js";
import { OpenTags } from "../../src/joint-tagging/search/open-tags.js";
import { TagChoices } from "../../src/joint-tagging/tag-choices.js";
import { scramble } from "../../src/math/hash.js";
import { Random } from "../../src/math/random.js";
import { createSystem, describeSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { defaultTemplates, systemTraining } from "../../src/registry/training.js";
import { Classes } from "../../src/scoring/classes.js";
import { FeatureScorer } from "../../src/scoring/feature-scorer.js";
import { BeamParser } from "../../src/search/beam/beam-parser.js";
import { StateMerger } from "../../src/search/beam/state-merger.js";
import { ArcDoubts } from "../../src/search/confidence/arc-doubts.js";
import { Decider } from "../../src/search/decider.js";
import { GreedyParser } from "../../src/search/greedy-parser.js";
import type { RootPosition } from "../../src/systems/configuration.js";
import type { SystemSettings } from "../../src/systems/settings.js";

export interface NoiseOptions {
  system: string;
  root?: RootPosition;
  singleRoot?: boolean;
  settings?: SystemSettings;
  /** Labels of arcs to either side. */
  labels?: number;
  /** Tags of joint tagging. */
  tags?: number;
  templates?: string;
  /** Scores are sums of numbers from -range to range. */
  range?: number;
  seed?: number;
}

/**
 * Every system with every position of the root, with one root and with several; where words can leave the sentence as
 * trained models remove them.
 */
export const EVERY_SYSTEM: NoiseOptions[] = SYSTEM_NAMES.flatMap((system) =>
  (["first", "last", "none"] as const).flatMap((root) =>
    [true, false].map((singleRoot) => ({
      ...{ system, root, singleRoot },
      ...(describeSystem(system).leftOut ? { settings: { atOnce: true, longest: 2 } } : {}),
    })),
  ),
);

export function nameOf({ system, root, singleRoot }: NoiseOptions): string {
  return `${system}, root ${root}${singleRoot ? ", one root" : ""}`;
}

export function noiseModel(options: NoiseOptions) {
  const { system: name, labels = 2, tags = 0, range = 3, seed = 1 } = options;
  const { root, singleRoot, settings } = options;
  const system = createSystem(name, { root, singleRoot, ...settings });
  const numbers = Array.from({ length: labels }, (_, i) => i);
  const classes =
    tags > 0 ? new JointClasses(system, labels, numbers, numbers, tags) : new Classes(system, labels, numbers, numbers);
  const text =
    (options.templates ?? defaultTemplates(name)) +
    (tags > 0 ? jointTemplates(system.description.context, systemTraining(name).jointTemplates) : "");
  const templates = parseTemplates(text, "noise", describeSystem(name).context);
  const scores = new Int32Array(classes.size);
  const scorer = new FeatureScorer(templates, scores, (extractor) => {
    scores.fill(0);
    for (const feature of extractor.hash()) {
      if (feature === 0) continue;
      for (let k = 0; k < scores.length; k++) {
        scores[k]! += ((scramble(feature ^ Math.imul(k + seed, 0x9e3779b1)) >>> 8) % (2 * range + 1)) - range;
      }
    }
  });
  const { columns } = scorer.extractor;
  const own = classes instanceof JointClasses ? new JointDecider(system, classes, scorer, columns, 5) : undefined;
  const decider = own ?? new Decider(system, classes, scorer);
  const greedy = (): GreedyParser => (own ? new JointGreedyParser(own) : new GreedyParser(decider));
  const doubts = (temperatures: number[]): ArcDoubts =>
    own ? new JointDoubts(own, temperatures) : new ArcDoubts(decider, temperatures);
  const beam = (width: number, merge: boolean): BeamParser => {
    if (!own)
      return new BeamParser(decider, width, merge ? new StateMerger(system, templates, columns, width) : undefined);
    const open = new OpenTags(own);
    return createBeam(own, width, open, merge ? new JointMerger(system, templates, columns, width, open) : undefined);
  };
  return { system, classes, templates, scorer, decider, greedy, beam, doubts };
}

const FORMS = ["ta", "tor", "mina", "kara", "ume"];

/** Words at random; with `tags` some of them have several to choose from. */
export function noiseWords(length: number, seed: number, tags = 0): JointWords {
  const random = new Random(seed);
  const pick = (count: number) => Math.floor(random.next() * count);
  const forms = Array.from({ length: length + 1 }, () => FORMS[pick(FORMS.length)]!);
  const choices = tags > 0 ? new TagChoices() : undefined;
  choices?.begin(length);
  for (let i = 1; choices && i <= length; i++) {
    choices.addWord();
    const first = pick(tags);
    for (let k = 0; k < 1 + pick(3); k++) choices.add((first + k) % tags, (first + k) % tags, 300 * k);
  }
  const tag = (i: number) => (choices ? `T${choices.analysis(i)}` : forms[i]!.slice(0, 1));
  return {
    length,
    form: (i) => forms[i]!,
    lemma: (i) => forms[i]!,
    upos: tag,
    xpos: tag,
    feats: () => "_",
    choices,
    value: (attribute, i) => (attribute === "rivals" ? choices?.rivals(i) : undefined),
  };
}
