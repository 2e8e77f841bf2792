// Which options have an effect together: of parsing here, of training and of transition systems in the core. One that
// has none is refused, not ignored. `stemma train`, `parse`, `experiment` and the commands that take a transition
// system all ask these tables.
import { flagOf, type OptionRule, ruleBroken } from "@stemma/core/training";
import { FileError } from "./io.js";

/** What is asked of parsing; what is not known yet is left out. */
export interface ParsingChoice {
  /** Whether the input is a text or a treebank. */
  input?: "text" | "treebank" | undefined;
  to?: string | undefined;
  scores?: boolean | undefined;
  kBest?: number | undefined;
}

const goesTo = (...formats: string[]) =>
  function works({ to }: ParsingChoice) {
    return to === undefined || formats.includes(to);
  };

export const PARSING_RULES: readonly OptionRule<ParsingChoice>[] = [
  {
    option: "scores",
    works: (how) => goesTo("conllu", "json")(how) && how.kBest === undefined,
    needs: "--to conllu or json, which have a place for scores, and no --k-best",
  },
  {
    option: "kBest",
    works: goesTo("conllu", "json", "tree", "svg", "latex"),
    needs: "--to conllu or json, which have a place for scores, or a drawing",
  },
  {
    option: "offsets",
    works: (how) => how.input !== "treebank" && goesTo("conllu", "json")(how),
    needs: "text, and --to conllu or json",
  },
  { option: "retag", works: ({ input }) => input !== "text", needs: "a treebank: words of a text have no tags yet" },
  {
    option: "keep",
    works: ({ input }) => input !== "text",
    needs: "a treebank: text has no heads to keep (--from lines keeps lines as sentences)",
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
  const flag = flagOf(broken.option);
  const shown = typeof value === "string" || typeof value === "number" ? ` ${value}` : "";
  refuse(`invalid ${flag}${shown}: it would have no effect (${flag} needs ${broken.needs})`);
}
