// Which options have an effect together: of parsing here, of training and of transition systems in the core. One that
// has none is refused, not ignored. `stemma train`, `parse`, `experiment` and the commands that take a transition
// system all ask these tables.
import { flagOf, type OptionRule, ruleBroken } from "@stemma/core/training";
import { FileError } from "../files/io.js";

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
  const flag = value === false ? flagOf(broken.option).replace("--", "--no-") : flagOf(broken.option);
  const shown = typeof value === "string" || typeof value === "number" ? ` ${value}` : "";
  refuse(`invalid ${flag}${shown}: it would have no effect (${flag} needs ${broken.needs})`);
}
