// Which options have an effect together: of parsing here, of training and of transition systems in the core. One that
// has none is refused, not ignored. `stemma train`, `parse`, `experiment` and the commands that take a transition
// system all ask these tables.
import { FileError } from "../files/io.js";

/** An option, and when it has an effect. */
export interface OptionRule<How> {
  /** As in the options object: lossBound is --loss-bound. */
  readonly option: string;
  readonly works: (how: How) => boolean;
  /** Its value, as the end of "--option needs …". */
  readonly needs: string;
}

/** How an option is written on the command line. */
export function flagOf(option: string, value: unknown = true): string {
  const name = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return value === false ? `--no-${name}` : `--${name}`;
}

/** Words about settings as on the command line: {lossBound 5} is --loss-bound 5, and {lazy false} --no-lazy. */
export function inFlags(words: string): string {
  return words.replace(/\{(\w+)(?: ([^}]+))?\}/g, (_, name: string, value?: string) =>
    value === "false" ? flagOf(name, false) : flagOf(name) + (value === undefined ? "" : ` ${value}`),
  );
}

/** Requests for parsing; what is not known yet is left out. */
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
    works: (how) => documents("").works(how) && goesTo("jsonl", "columns")(how),
    needs: "--from jsonl, and --to jsonl or columns",
  },
  { option: "output", works: ({ outputDir }) => outputDir === undefined, needs: "no --output-dir" },
  {
    option: "outputDir",
    works: goesTo("conllu", "json", "jsonl", "parquet"),
    needs: "--to conllu, json, jsonl or parquet",
  },
  ...["shard", "partSize", "resume", "allowSkipped"].map(corpus),
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
  const broken = rules.find(({ option, works }) => isGiven(option) && !works(how));
  if (broken) refuse(noEffect(broken.option, (how as Record<string, unknown>)[broken.option], broken.needs));
}

/** That an option has no effect, and what it needs to have one. */
export function noEffect(option: string, value: unknown, needs: string): string {
  const flag = flagOf(option, value);
  const shown = typeof value === "string" || typeof value === "number" ? ` ${value}` : "";
  return `invalid ${flag}${shown}: it would have no effect (${flag} needs ${needs})`;
}
