import { countLosses, FORMATS, type Format, formatSentence } from "@stemma/core/treebank";
import { type Command, Option } from "commander";
import { guarded, ReadReport, readSentences } from "../io.js";
import { warn } from "../messages.js";
import { openOutput } from "../output.js";

interface ConvertOptions {
  from: Format;
  to: Format;
  output?: string;
  strict?: boolean;
  requireTree?: boolean;
  singleRoot?: boolean;
  allowNonTrees?: boolean;
}

const EXAMPLES = `
Examples:
  $ stemma convert treebank.conllu > copy.conllu             checks it; a correct file is copied byte for byte
  $ stemma convert --to json treebank.conllu.gz | jq .text   one JSON object per sentence
  $ stemma convert --from conllx --output new.conllu old.conll
  $ cat treebank.conllu | stemma convert --strict --single-root > /dev/null

A sentence with an error is skipped, and the error is printed with file, line, column and what was expected.
Exit status: 0 if all sentences were written, 1 if some were skipped (or --strict stopped), 2 for wrong usage or a file that
cannot be opened, read or written.`;

/** Adds `stemma convert`. */
export function register(program: Command): void {
  program
    .command("convert")
    .description("convert between CoNLL-U, CoNLL-X, CoNLL-2009 and JSON, checking every sentence")
    .argument("[file]", 'treebank, may be gzipped; "-" or none for standard input', "-")
    .addOption(new Option("--from <format>", "format of the input").choices(FORMATS).default("conllu"))
    .addOption(new Option("--to <format>", "format of the output").choices(FORMATS).default("conllu"))
    .option("-o, --output <file>", "write to a file, which appears only once it is complete")
    .option("--strict", "stop at the first error")
    .option("--require-tree", "treat a word without a head as an error")
    .option("--single-root", "treat a second root in a sentence as an error")
    .option("--allow-non-trees", "accept self-loops, cycles and sentences without a root")
    .addHelpText("after", EXAMPLES)
    .action(guarded(convert));
}

async function convert(file: string, options: ConvertOptions): Promise<void> {
  const { from, to, output, ...checks } = options;
  const report = new ReadReport();
  const losses = new Map<string, number>();
  const out = await openOutput(output);
  try {
    for await (const sentence of readSentences(file, { ...checks, format: from, report })) {
      if (from !== to) countLosses(sentence, to, losses);
      await out.write(formatSentence(sentence, to));
    }
    const orphans = report.trailer.match(/^#/gm)?.length ?? 0;
    if (from === to) await out.write(report.trailer);
    else if (orphans > 0) losses.set("comments", (losses.get("comments") ?? 0) + orphans);
  } catch (error) {
    await out.abort();
    throw error;
  }
  await out.close();
  if (losses.size > 0) {
    const counts = [...losses].map(([what, count]) => `${count} ${what}`).join(", ");
    warn(`stemma: left out because ${to} cannot represent them: ${counts}`);
  }
  report.finish();
}
