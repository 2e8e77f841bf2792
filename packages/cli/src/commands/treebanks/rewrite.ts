import type { Sentence } from "@stemma/core";
import { type Format, formatSentence, SCHEMES, type Scheme, TreebankError } from "@stemma/core/treebank";
import { type Command, Option } from "commander";
import { guarded, ReadReport, readSentences, sourceName } from "../../files/io.js";
import { openOutput } from "../../files/output.js";
import { fromOption } from "../../options/format-option.js";
import { warn } from "../../terminal/messages.js";

export interface RewriteOptions {
  scheme: Scheme;
  from: Format;
  output?: string;
  strict?: boolean;
}

/** A command that rewrites trees in one of the schemes of pseudo-projective parsing. */
export function addRewriting(
  program: Command,
  name: string,
  description: string,
  help: string,
  run: (file: string, options: RewriteOptions) => Promise<void>,
): void {
  program
    .command(name)
    .description(description)
    .argument("[file]", 'treebank, may be gzipped; "-" or none for standard input', "-")
    .addOption(new Option("--scheme <scheme>", "how labels are encoded").choices(SCHEMES).default("head+path"))
    .addOption(fromOption("format of input and output"))
    .option("-o, --output <file>", "write to a file, which appears only once it is complete")
    .option("--strict", "stop at the first error")
    .addHelpText("after", help)
    .action(guarded(run));
}

/**
 * Copies a treebank of trees sentence by sentence, each changed in place on the way. A TreebankError of `change` counts
 * as an error in the input: the sentence is skipped, or with `strict` nothing is written.
 */
export async function rewriteTrees(
  file: string,
  { from: format, output, strict }: RewriteOptions,
  change: (sentence: Sentence, source: string) => void,
): Promise<void> {
  const report = new ReadReport();
  const out = await openOutput(output);
  try {
    for await (const sentence of readSentences(file, { format, strict, requireTree: true, report })) {
      try {
        change(sentence, sourceName(file));
      } catch (error) {
        if (strict || !(error instanceof TreebankError)) throw error;
        report.read--;
        report.skipped++;
        warn(`${error.message}: sentence skipped`);
        continue;
      }
      await out.write(formatSentence(sentence, format));
    }
    await out.write(report.trailer);
  } catch (error) {
    await out.abort();
    throw error;
  }
  await out.close();
  report.finish();
}

/** The labels of the words, to be indexed by word. */
export function labelsOf(sentence: Sentence): string[] {
  return Array.from({ length: sentence.length + 1 }, (_, i) => (i === 0 ? "" : sentence.deprel(i)));
}

/** Sets the heads and labels that are different, so that what is not changed keeps its bytes. */
export function setTree(sentence: Sentence, heads: ArrayLike<number>, labels: readonly string[]): void {
  for (let i = 1; i <= sentence.length; i++) {
    if (heads[i] !== sentence.head(i)) sentence.setHead(i, heads[i]!);
    if (labels[i] !== sentence.deprel(i)) sentence.setDeprel(i, labels[i]!);
  }
}
