// Which options of a training have an effect together. One that has none is refused, not ignored: whoever gave it
// expects something of it. `train` and the commands ask these tables; options are called as on the command line.

import { check, FUNCTION, STRING } from "../checks/options.js";
import { arrayOf, OBJECT } from "../checks/shapes.js";
import { isGraph } from "../graph/graph-header.js";
import { GRAPH_LEARNERS } from "../graph/learning/graph-training.js";
import { REGULARIZATION } from "../learning/linear/online.js";
import { describeSystem } from "../registry/systems.js";
import { isFeatureSet, NETWORK_VIEWS } from "../registry/templates/feature-sets.js";
import { STACK_GRAPH } from "../stack-graph/name.js";
import { choosesTags, DISFLUENCIES, type Joint, ROLE_SYSTEM, ROLES } from "./settings.js";

/** An option, and when it has an effect. */
export interface OptionRule<How> {
  /** As in the options object: lossBound is --loss-bound. */
  readonly option: string;
  readonly works: (how: How) => boolean;
  /** What it takes, as the end of "--option needs …". */
  readonly needs: string;
}

/** What is asked of a training. */
export interface TrainingChoice {
  system?: string | undefined;
  decoder?: string | undefined;
  order?: number | undefined;
  oracle?: string | undefined;
  learner?: string | undefined;
  network?: boolean | undefined;
  features?: string | undefined;
  beam?: number | undefined;
  merge?: "states" | typeof STACK_GRAPH | undefined;
  update?: string | undefined;
  lowestLoss?: boolean | undefined;
  lossBound?: unknown;
  globalEpochs?: number | undefined;
  singleSteps?: boolean | undefined;
  members?: number | undefined;
  pipeline?: boolean | undefined;
  roles?: boolean | undefined;
  joint?: Joint | undefined;
  partial?: boolean | undefined;
  vectors?: unknown;
  encoder?: unknown;
  silver?: unknown;
  layers?: number | undefined;
  epochs?: number | undefined;
  exploreFrom?: number | undefined;
  exploreProbability?: number | undefined;
}

/** Can words leave the sentence? */
const removes = (system: string | undefined) => system !== undefined && describeSystem(system).leftOut !== undefined;

/** Can hypotheses be merged in a graph-structured stack? */
const hasStackGraph = (system: string | undefined) =>
  system === undefined || describeSystem(system).leftArcFrom !== undefined;

/** The structured perceptron: a linear model that learns from whole derivations, … */
const isStructured = ({ beam, network, globalEpochs = 0 }: TrainingChoice) =>
  beam !== undefined && !network && globalEpochs > 0;
/** … and one that learns from nothing else. */
const isAllStructured = (how: TrainingChoice) => isStructured(how) && how.globalEpochs === how.epochs;
const learns = ({ learner = "perceptron" }: TrainingChoice, name: string) => learner === name;
const followsPredictions = (how: TrainingChoice) =>
  how.oracle === "dynamic" && (!isAllStructured(how) || how.singleSteps === true);
const explores = (how: TrainingChoice) =>
  followsPredictions(how) && (how.exploreFrom ?? 1) <= (how.epochs ?? Number.POSITIVE_INFINITY);
const linear = (option: string): OptionRule<TrainingChoice> => ({
  option,
  works: ({ network }) => !network,
  needs: "a linear model, without --network",
});
const WHOLE_DERIVATIONS = "--beam and --global-epochs, without --network";
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

const withTransitions = (option: string): OptionRule<TrainingChoice> => ({
  option,
  works: (how) => !isGraph(how),
  needs: "a transition system, not --system graph",
});

/** What graph-based parsers have no use for, and what only they have. */
const GRAPH_RULES: readonly OptionRule<TrainingChoice>[] = [
  ...[
    "systemSettings",
    "oracle",
    "root",
    "features",
    "beam",
    "update",
    "lowestLoss",
    "merge",
    "singleSteps",
    "globalEpochs",
    "joint",
    "tagsPerWord",
    "tagMargin",
  ],
  ...["partial", "silver", "exploreFrom", "exploreProbability", "lossBound", "afterUpdate", "featureDropout"],
  ...["afterError", "aggressiveness", "costSensitive", "averaging", "activation", "trainVectors"],
].map(withTransitions);

const withoutJointRoles = (option: string): OptionRule<TrainingChoice> => ({
  option,
  works: ({ joint }) => joint !== ROLES,
  needs: "no --joint roles: such a parser is linear, greedy, and learns from predicates that were annotated",
});

const graph = (option: string): OptionRule<TrainingChoice> => ({ option, works: isGraph, needs: "--system graph" });
const listed = (names: readonly string[]) => names.join(" or ");

/** When the options of a training have an effect. */
export const TRAINING_RULES: readonly OptionRule<TrainingChoice>[] = [
  ...GRAPH_RULES,
  graph("decoder"),
  graph("order"),
  {
    option: "order",
    works: ({ order, network }) => order !== 2 || network !== true,
    needs: "no --network: order 2 is for linear models",
  },
  {
    option: "order",
    works: ({ order, decoder }) => order !== 2 || decoder !== "edmonds",
    needs: "--decoder eisner for order 2: no fast algorithm is known for the best non-projective tree with siblings",
  },
  {
    option: "projectivize",
    works: (how) => !isGraph(how) || how.decoder !== "edmonds",
    needs: "--decoder eisner with --system graph: edmonds builds crossing arcs as they are",
  },
  {
    option: "learner",
    works: (how) =>
      how.learner === undefined ||
      (isGraph(how) ? (GRAPH_LEARNERS as readonly string[]).includes(how.learner) : how.learner in REGULARIZATION),
    needs: `${listed(GRAPH_LEARNERS)} with --system graph, ${listed(Object.keys(REGULARIZATION))} with transition systems`,
  },
  { option: "roles", works: ({ partial }) => !partial, needs: "every head, without --partial" },
  { option: "folds", works: ({ pipeline }) => pipeline === true, needs: "--pipeline" },
  { option: "partWeights", works: ({ pipeline, roles }) => Boolean(pipeline || roles), needs: "--pipeline or --roles" },
  {
    option: "joint",
    works: ({ joint, pipeline }) => joint === DISFLUENCIES || joint === ROLES || pipeline === true,
    needs: "--pipeline",
  },
  { option: "joint", works: ({ joint, roles }) => joint !== ROLES || roles === true, needs: "--roles for roles" },
  {
    option: "joint",
    works: ({ joint, network }) => joint !== ROLES || !network,
    needs: "a linear model for roles, without --network and presets that have one",
  },
  {
    option: "joint",
    works: ({ joint, system }) => joint !== ROLES || system === ROLE_SYSTEM,
    needs: `--system ${ROLE_SYSTEM} for roles, or none`,
  },
  ...["beam", "silver"].map(withoutJointRoles),
  {
    option: "learner",
    works: ({ joint, learner }) => joint !== ROLES || learner === "perceptron",
    needs: "no --joint roles, or the perceptron",
  },
  {
    option: "members",
    works: ({ joint, members = 1 }) => joint !== ROLES || members === 1,
    needs: "no --joint roles",
  },
  {
    option: "joint",
    works: ({ joint, system }) => joint !== DISFLUENCIES || removes(system),
    needs: "--system arc-eager, or none",
  },
  { option: "tagsPerWord", works: choosesTags, needs: "--joint tags or --joint morphology" },
  { option: "tagMargin", works: choosesTags, needs: "--joint tags or --joint morphology" },
  { option: "partial", works: ({ oracle }) => oracle === "dynamic", needs: "--oracle dynamic: others need every head" },
  linear("learner"),
  {
    option: "features",
    works: ({ network, features }) =>
      features === undefined ||
      !isFeatureSet(features) ||
      NETWORK_VIEWS.includes(features as never) === (network === true),
    needs: "a linear model for zhang-nivre, huang-sagae and additions, --network for chen-manning",
  },
  {
    option: "beam",
    works: (how) =>
      how.network === true || learns(how, "perceptron") || (learns(how, "logistic") && !isStructured(how)),
    needs:
      "--learner perceptron, or logistic without --joint tags or morphology and without --global-epochs, or --network",
  },
  { option: "update", works: isStructured, needs: WHOLE_DERIVATIONS },
  { option: "lowestLoss", works: isStructured, needs: WHOLE_DERIVATIONS },
  { option: "merge", works: isStructured, needs: WHOLE_DERIVATIONS },
  {
    option: "merge",
    works: (how) =>
      how.merge !== STACK_GRAPH || (hasStackGraph(how.system) && !choosesTags(how) && (how.beam ?? 1) > 1),
    needs: "for stack-graph --system arc-standard or arc-hybrid, --beam above 1, and no --joint tags or morphology",
  },
  {
    option: "merge",
    works: ({ merge, update, lowestLoss, lossBound }) =>
      merge !== STACK_GRAPH || (update !== "early" && !lowestLoss && lossBound === undefined),
    needs: "for stack-graph --update max-violation, without --lowest-loss and --loss-bound",
  },
  {
    option: "singleSteps",
    works: (how) => isStructured(how) && !choosesTags(how),
    needs: `${WHOLE_DERIVATIONS} and without --joint tags or morphology`,
  },
  {
    option: "globalEpochs",
    works: ({ network, beam = 0 }) => beam > (network ? 1 : 0),
    needs: "--beam, with --network above 1",
  },
  {
    option: "globalEpochs",
    works: (how) => !choosesTags(how) || (how.network ? !how.globalEpochs : isAllStructured(how)),
    needs: "no --joint tags or morphology: a network learns these step by step, a linear model with all epochs",
  },
  {
    option: "globalEpochs",
    works: ({ globalEpochs = 0, epochs = Number.POSITIVE_INFINITY }) => globalEpochs <= epochs,
    needs: "at least as many --epochs",
  },
  { option: "exploreFrom", works: followsPredictions, needs: "--oracle dynamic, and learning from single steps" },
  {
    option: "exploreProbability",
    works: explores,
    needs: "--oracle dynamic, learning from single steps, and --explore-from within the epochs",
  },
  {
    option: "lossBound",
    works: (how) =>
      (explores(how) && !how.network && how.exploreProbability !== 0) ||
      (isStructured(how) && how.oracle === "dynamic"),
    needs: "--oracle dynamic, a linear model, and predictions that are followed or --global-epochs",
  },
  {
    option: "afterError",
    works: (how) => !how.network && !isAllStructured(how) && how.oracle !== "static",
    needs: "--oracle non-deterministic or dynamic, and a linear model that learns from single steps",
  },
  {
    option: "afterUpdate",
    works: (how) => !how.network && !isAllStructured(how),
    needs: "a linear model that learns from single steps",
  },
  {
    option: "margin",
    works: (how) => !how.network && learns(how, "perceptron"),
    needs: "--learner perceptron, without --network",
  },
  {
    option: "aggressiveness",
    works: (how) => !how.network && learns(how, "passive-aggressive"),
    needs: "--learner passive-aggressive, without --network",
  },
  {
    option: "costSensitive",
    works: (how) => !how.network && learns(how, "passive-aggressive") && how.oracle === "dynamic",
    needs: "--learner passive-aggressive, and --oracle dynamic, which knows costs",
  },
  linear("averaging"),
  {
    option: "rate",
    works: ({ network, learner }) => network === true || learner === "logistic",
    needs: "--learner logistic, or --network",
  },
  {
    option: "wordDropout",
    works: (how) => how.network === true || !isGraph(how),
    needs: "a transition system, or --network",
  },
  linear("minUpdates"),
  linear("featureDropout"),
  linear("prune"),
  // Of a pipeline the taggers are averaged.
  {
    option: "members",
    works: (how) => how.pipeline === true || (!how.network && !isGraph(how)),
    needs: "a linear model with a transition system, or --pipeline",
  },
  network("layers"),
  {
    option: "width",
    works: (how) => how.network === true && how.layers !== 0,
    needs: "--network, with --layers above 0",
  },
  network("hidden"),
  network("activation"),
  network("dropout"),
  network("vocabulary"),
  network("vectors"),
  {
    option: "trainVectors",
    works: (how) => how.network === true && how.vectors !== undefined,
    needs: "--network, and --vectors",
  },
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
