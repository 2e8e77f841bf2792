import { FORMATS, type Format } from "@stemma/core/treebank";
import { Option } from "commander";

/** What both options below give. */
export interface FormatOptions {
  from: Format;
  format?: Format;
}

/** The option of every command that reads treebanks. */
export function fromOption(what = "format of the input"): Option {
  return new Option("--from <format>", what).choices(FORMATS).default("conllu");
}

/** Its name in some commands before all had the same: still understood. */
export function formatAlias(): Option {
  return new Option("--format <format>", "the same as --from").choices(FORMATS).conflicts("from").hideHelp();
}

/** The format that was asked for by either name. */
export function formatOf({ from, format }: FormatOptions): Format {
  return format ?? from;
}
