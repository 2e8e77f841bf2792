// Which options have an effect together. One that has none is refused, not ignored: whoever gave it expects something
// of it. `stemma train`, `parse`, `experiment` and the commands that take a transition system all ask these tables.
import { describeSystem, systemNames } from "@stemma/core/systems";
import { FileError } from "./io.js";

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

export const SYSTEM_RULES: readonly OptionRule<SystemChoice>[] = ["degree", "lazy"].map(setting);

/** What is asked of a training. */
export interface TrainingChoice extends SystemChoice {
  oracle?: string | undefined;
  learner?: string | undefined;
  network?: boolean | undefined;
  beam?: number | undefined;
  pipeline?: boolean | undefined;
  joint?: boolean | undefined;
  vectors?: string | undefined;
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
const network = (option: string): OptionRule<TrainingChoice> => ({
  option,
  works: (how) => how.network === true,
  needs: "--network",
});

export const TRAINING_RULES: readonly OptionRule<TrainingChoice>[] = [
  ...SYSTEM_RULES,
  { option: "folds", works: ({ pipeline }) => pipeline === true, needs: "--pipeline" },
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
  network("vectors"),
  {
    option: "vectorWords",
    works: (how) => how.network === true && how.vectors !== undefined,
    needs: "--network, and --vectors",
  },
  network("threads"),
];

/** What is asked of parsing; what is not known yet is left out. */
export interface ParsingChoice {
  /** Whether the input is a text, a treebank, or documents in JSON. */
  input?: "text" | "treebank" | "documents" | undefined;
  from?: string | undefined;
  to?: string | undefined;
  scores?: boolean | undefined;
  kBest?: number | undefined;
  output?: string | undefined;
  outputDir?: string | undefined;
}

const goesTo = (...formats: string[]) =>
  function works({ to }: ParsingChoice) {
    return to === undefined || formats.includes(to);
  };

const isTreebank = ({ input, from }: ParsingChoice) =>
  input === undefined ? from !== "jsonl" : input !== "text" && input !== "documents";

const documents = (option: string): OptionRule<ParsingChoice> => ({
  option,
  works: ({ input, from }) => (from === undefined ? input === undefined || input === "documents" : from === "jsonl"),
  needs: "documents: --from jsonl",
});

const corpus = (option: string): OptionRule<ParsingChoice> => ({
  option,
  works: ({ outputDir }) => outputDir !== undefined,
  needs: "--output-dir",
});

export const PARSING_RULES: readonly OptionRule<ParsingChoice>[] = [
  {
    option: "scores",
    works: (how) => goesTo("conllu", "json", "jsonl", "parquet", "columns")(how) && how.kBest === undefined,
    needs: "--to conllu, json, jsonl, parquet or columns, which have a place for scores, and no --k-best",
  },
  {
    option: "kBest",
    works: goesTo("conllu", "json", "jsonl", "tree", "svg", "latex"),
    needs: "--to conllu, json or jsonl, which have a place for scores, or a drawing",
  },
  {
    option: "offsets",
    works: (how) => how.input !== "treebank" && goesTo("conllu", "json", "jsonl", "parquet", "columns")(how),
    needs: "text, and --to conllu, json, jsonl or parquet",
  },
  { option: "retag", works: isTreebank, needs: "a treebank: words of a text have no tags yet" },
  {
    option: "keep",
    works: isTreebank,
    needs: "a treebank: text has no heads to keep (--from lines keeps lines as sentences)",
  },
  ...["textField", "idField"].map(documents),
  {
    option: "errorField",
    works: (how) => documents("").works(how) && goesTo("jsonl", "columns")(how) && how.outputDir === undefined,
    needs: "--from jsonl, --to jsonl or columns, and no --output-dir, whose manifests have the errors",
  },
  { option: "output", works: ({ outputDir }) => outputDir === undefined, needs: "no --output-dir" },
  {
    option: "outputDir",
    works: goesTo("conllu", "json", "jsonl", "parquet"),
    needs: "--to conllu, json, jsonl or parquet",
  },
  ...["shard", "partSize", "resume"].map(corpus),
  {
    option: "gzip",
    works: (how) => how.outputDir !== undefined && how.to !== "parquet",
    needs: "--output-dir, and another format than parquet, which is compressed (a name of --output ends in .gz)",
  },
];

/** The first rule of those of the given options that is broken. */
export function ruleBroken<How>(
  rules: readonly OptionRule<How>[],
  how: How,
  isGiven: (option: string) => boolean,
): OptionRule<How> | undefined {
  return rules.find(({ option, works }) => isGiven(option) && !works(how));
}

/** Refuses an option that has no effect; `isGiven` tells what was asked for from what is a default. */
export function checkOptions<How extends object>(
  rules: readonly OptionRule<How>[],
  how: How,
  isGiven: (option: string) => boolean,
  refuse: (message: string) => void = (message) => {
    throw new FileError(message);
  },
): void {
  const broken = ruleBroken(rules, how, isGiven);
  if (!broken) return;
  const value = (how as Record<string, unknown>)[broken.option];
  const flag = flagOf(broken.option);
  const shown = typeof value === "string" || typeof value === "number" ? ` ${value}` : "";
  refuse(`invalid ${flag}${shown}: it would have no effect (${flag} needs ${broken.needs})`);
}

/** How an option is written on the command line. */
export function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
