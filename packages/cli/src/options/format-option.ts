import { FORMATS } from "@stemma/core/treebank";
import { Option } from "commander";

/** The option of every command that reads treebanks. */
export function fromOption(what = "format of the input"): Option {
  return new Option("--from <format>", what).choices(FORMATS).default("conllu");
}
