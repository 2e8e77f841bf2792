import { hasMark, projectivize, SCHEMES, type Scheme, TreebankError } from "@stemma/core/treebank";
import { type Command, Option } from "commander";
import { formatAlias, fromOption } from "../format-option.js";
import { guarded } from "../io.js";
import { labelsOf, type RewriteOptions, rewriteTrees, setTree } from "../rewrite.js";

interface ProjectivizeOptions extends RewriteOptions {
  scheme: Scheme;
}

const HELP = `
Arcs that are not projective are lifted to the head of the head, the shortest first, until every tree is projective
(Nivre & Nilsson 2005). Labels record what was lifted, so that deprojectivize can undo it in most cases:

  baseline    d      p     nothing is recorded
  head        d↑h    p     h is the label of the head that the word was lifted from
  path        d↑     p↓    p is a word that the lift passed over
  head+path   d↑h    p↓

Everything but HEAD and DEPREL stays as it is; projective sentences come out byte for byte.

Examples:
  $ stemma projectivize train.conllu > projective.conllu
  $ stemma projectivize --scheme path --output projective.conllu train.conllu.gz
  $ stemma projectivize train.conllu | stemma deprojectivize | diff - train.conllu

A sentence that is no tree, or has ↑ or ↓ in a label, is skipped and the error printed.
Exit status: 0 all sentences written, 1 some skipped (or --strict stopped), 2 wrong usage or a file that cannot be used.`;

/** Adds `stemma projectivize`. */
export function register(program: Command): void {
  program
    .command("projectivize")
    .description("make trees projective, recording in the labels how to undo it")
    .argument("[file]", 'treebank, may be gzipped; "-" or none is standard input', "-")
    .addOption(new Option("--scheme <scheme>", "how labels are encoded").choices(SCHEMES).default("head+path"))
    .addOption(fromOption("format of input and output"))
    .addOption(formatAlias())
    .option("-o, --output <file>", "write to a file, which appears only when it is complete")
    .option("--strict", "stop at the first error")
    .addHelpText("after", HELP)
    .action(guarded(run));
}

async function run(file: string, { scheme, ...options }: ProjectivizeOptions): Promise<void> {
  await rewriteTrees(file, options, (sentence, source) => {
    const labels = labelsOf(sentence);
    const marked = labels.findIndex(hasMark);
    if (marked > 0) {
      const { line, column } = { line: sentence.lineOf(marked), column: sentence.layout.deprel + 1 };
      const expected = "a label without ↑ and ↓, which mark lifted arcs";
      throw new TreebankError(source, { what: "DEPREL", value: labels[marked]!, expected, line, column });
    }
    const projective = projectivize(sentence.heads, labels, scheme);
    setTree(sentence, projective.heads, projective.labels);
  });
}
