import { deprojectivize, SCHEMES, type Scheme } from "@stemma/core/treebank";
import { type Command, Option } from "commander";
import { guarded } from "../../files/io.js";
import { formatAlias, fromOption } from "../../options/format-option.js";
import { warn } from "../../terminal/messages.js";
import { labelsOf, type RewriteOptions, rewriteTrees, setTree } from "./rewrite.js";

interface DeprojectivizeOptions extends RewriteOptions {
  scheme: Scheme;
}

const HELP = `
Words with a label d↑h or d↑ are moved back down to the head that the label and the ↓ marks point to, and all marks are removed
from the labels. Use the scheme that the trees were projectivized with. If a label cannot be decoded (by this scheme) or a head is
not found, the word stays where it is, so the result is always a tree. The number of such words is printed at the end.

Examples:
  $ stemma deprojectivize parsed.conllu > nonprojective.conllu
  $ stemma deprojectivize --scheme path --output nonprojective.conllu parsed.conllu

Exit status: 0 if all sentences were written, 1 if some were skipped (or --strict stopped), 2 for wrong usage or a file that
cannot be opened, read or written.`;

/** Adds `stemma deprojectivize`. */
export function register(program: Command): void {
  program
    .command("deprojectivize")
    .description("undo projectivize in the output of a parser or in a treebank")
    .argument("[file]", 'treebank, may be gzipped; "-" or none for standard input', "-")
    .addOption(new Option("--scheme <scheme>", "how labels are encoded").choices(SCHEMES).default("head+path"))
    .addOption(fromOption("format of input and output"))
    .addOption(formatAlias())
    .option("-o, --output <file>", "write to a file, which appears only once it is complete")
    .option("--strict", "stop at the first error")
    .addHelpText("after", HELP)
    .action(guarded(run));
}

async function run(file: string, { scheme, ...options }: DeprojectivizeOptions): Promise<void> {
  let unresolved = 0;
  await rewriteTrees(file, options, (sentence) => {
    const tree = deprojectivize(sentence.heads, labelsOf(sentence), scheme);
    setTree(sentence, tree.heads, tree.labels);
    unresolved += tree.unresolved.length;
  });
  if (unresolved > 0) {
    warn(
      `stemma: ${unresolved} lifted ${unresolved === 1 ? "word stays" : "words stay"} in place: no head was found, or the label belongs to another --scheme`,
    );
  }
}
