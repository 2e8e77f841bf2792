// Which options of a training have an effect together. One that has none is refused, not ignored: whoever gave it
// expects something of it. `train` and the commands ask these tables; options are called as on the command line.

import { check, FUNCTION, STRING } from "../../checks/options.js";
import { arrayOf, OBJECT } from "../../checks/shapes.js";
import { describeSystem, systemNames } from "../../systems/index.js";
import { SETTING_NAMES } from "../../systems/system.js";

/** An option, and when it has an effect. */
export interface OptionRule<How> {
  /** As in the options object: lossBound is --loss-bound. */
  readonly option: string;
  readonly works: (how: How) => boolean;
  /** What it takes, as the end of "--option needs …". */
  readonly needs: string;
}

/** What is asked of the choice of a transition system; no system means all of them. */
export interface SystemChoice {
  system?: string | undefined;
  monotonic?: boolean | undefined;
}

/** An option that only some systems have. */
function setting(option: string): OptionRule<SystemChoice> {
  const has = (system: string) => describeSystem(system).settings.some(({ name }) => name === option);
  return {
    option,
    works: ({ system }) => system === undefined || has(system),
    needs: `--system ${systemNames().filter(has).join(" or ")}`,
  };
}

/** The settings that only some transition systems have. */
export const SYSTEM_RULES: readonly OptionRule<SystemChoice>[] = [
  ...SETTING_NAMES.map(setting),
  {
    option: "treeConstraint",
    works: ({ monotonic }) => monotonic !== false,
    needs: "REDUCE as it is, without --no-monotonic",
  },
];

/** What is asked of a training. */
export interface TrainingChoice extends SystemChoice {
  oracle?: string | undefined;
  learner?: string | undefined;
  network?: boolean | undefined;
  beam?: number | undefined;
  pipeline?: boolean | undefined;
  joint?: boolean | undefined;
  vectors?: unknown;
  encoder?: unknown;
  silver?: unknown;
  layers?: number | undefined;
  epochs?: number | undefined;
  exploreFrom?: number | undefined;
  exploreProbability?: number | undefined;
}

/** Learning from whole derivations; the beam of a network is for parsing only. */
const isStructured = ({ beam, network }: TrainingChoice) => beam !== undefined && !network;
const followsPredictions = (how: TrainingChoice) => how.oracle === "dynamic" && !isStructured(how);
const explores = (how: TrainingChoice) =>
  followsPredictions(how) && (how.exploreFrom ?? 1) <= (how.epochs ?? Number.POSITIVE_INFINITY);
const linear = (option: string): OptionRule<TrainingChoice> => ({
  option,
  works: ({ network }) => !network,
  needs: "a linear model, without --network",
});
const silver = (option: string): OptionRule<TrainingChoice> => ({
  option,
  works: ({ silver }) => silver !== undefined,
  needs: "--silver",
});
const network = (option: string): OptionRule<TrainingChoice> => ({
  option,
  works: (how) => how.network === true,
  needs: "--network",
});

/** When the options of a training have an effect. */
export const TRAINING_RULES: readonly OptionRule<TrainingChoice>[] = [
  ...SYSTEM_RULES,
  { option: "folds", works: ({ pipeline }) => pipeline === true, needs: "--pipeline" },
  { option: "partWeights", works: ({ pipeline }) => pipeline === true, needs: "--pipeline" },
  {
    option: "joint",
    works: ({ pipeline, network }) => pipeline === true && !network,
    needs: "--pipeline, without --network",
  },
  { option: "tagsPerWord", works: ({ joint }) => joint === true, needs: "--joint" },
  { option: "tagMargin", works: ({ joint }) => joint === true, needs: "--joint" },
  { option: "partial", works: ({ oracle }) => oracle === "dynamic", needs: "--oracle dynamic: others need every head" },
  linear("learner"),
  {
    option: "beam",
    works: ({ network, learner }) => network === true || learner !== "logistic",
    needs: "--learner perceptron, or --network",
  },
  { option: "update", works: isStructured, needs: "--beam, without --network" },
  { option: "lowestLoss", works: isStructured, needs: "--beam, without --network" },
  { option: "exploreFrom", works: followsPredictions, needs: "--oracle dynamic, and greedy learning without --beam" },
  {
    option: "exploreProbability",
    works: explores,
    needs: "--oracle dynamic, greedy learning without --beam, and --explore-from within the epochs",
  },
  {
    option: "lossBound",
    works: (how) => explores(how) && !how.network && how.exploreProbability !== 0,
    needs: "--oracle dynamic, a linear model without --beam, and predictions that are followed",
  },
  {
    option: "afterUpdate",
    works: (how) => !how.network && !isStructured(how),
    needs: "a linear model without --beam",
  },
  {
    option: "margin",
    works: ({ network, learner }) => !network && learner !== "logistic",
    needs: "--learner perceptron, without --network",
  },
  {
    option: "rate",
    works: ({ network, learner }) => network === true || learner === "logistic",
    needs: "--learner logistic, or --network",
  },
  linear("minUpdates"),
  linear("featureDropout"),
  linear("prune"),
  // Of a pipeline the taggers are averaged.
  { option: "members", works: (how) => !how.network || how.pipeline === true, needs: "a linear model, or --pipeline" },
  network("layers"),
  {
    option: "width",
    works: (how) => how.network === true && how.layers !== 0,
    needs: "--network, with --layers above 0",
  },
  network("hidden"),
  network("dropout"),
  network("vocabulary"),
  network("vectors"),
  {
    option: "vectorWords",
    works: (how) => how.network === true && how.vectors !== undefined,
    needs: "--network, and --vectors",
  },
  network("encoder"),
  {
    option: "encoderLayers",
    works: (how) => how.network === true && how.encoder !== undefined,
    needs: "--network, and --encoder",
  },
  network("threads"),
  silver("silverWeight"),
  silver("silverConfidence"),
];

/** The first rule of those of the given options that is broken. */
export function ruleBroken<How>(
  rules: readonly OptionRule<How>[],
  how: How,
  isGiven: (option: string) => boolean,
): OptionRule<How> | undefined {
  check("rules", rules, arrayOf("an array of rules", OBJECT));
  check("settings", how, OBJECT);
  check("isGiven", isGiven, FUNCTION);
  return rules.find(({ option, works }) => isGiven(option) && !works(how));
}

/** How an option is written on the command line. */
export function flagOf(option: string): string {
  check("option", option, STRING);
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Options on the command line as they are called in programs: --loss-bound is lossBound. */
export function withoutFlags(text: string): string {
  return text.replace(/--([a-z-]+)/g, (_, flag: string) =>
    flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
}
