import type { Command } from "commander";
import { checkCorpus } from "../../corpus/check-corpus.js";
import { guarded } from "../../files/io.js";
import { writeOutput } from "../../files/output.js";
import { clearStatus, note, showStatus, warn } from "../../terminal/messages.js";

interface CheckCommandOptions {
  inputs: boolean;
  json?: boolean;
  quiet?: boolean;
}

const HELP = `
Examples:
  $ stemma parse corpus/*.jsonl.gz --output-dir parsed --shard 0/4 --resume
  $ stemma corpus check parsed

A corpus is complete if every part of its plan is there once, has the checksum of its manifest, and was made with the model, version
and options of the plan; if the parts together cover every byte of the inputs once; and if the inputs are unchanged. Everything else
is printed, one problem per line. stemma parse --resume makes parts that are missing or damaged.

Exit status: 0 if the corpus is complete, 1 if it is not, 2 for wrong usage or a directory that holds no corpus.`;

/** Adds `stemma corpus`. */
export function register(program: Command): void {
  program
    .command("corpus")
    .description("check a corpus written by stemma parse --output-dir")
    .argument("<action>", "check")
    .argument("<directory>", "directory with the parts")
    .option("--no-inputs", "do not read the inputs again")
    .option("--json", "print the result as a JSON object")
    .addHelpText("after", HELP)
    .action(guarded(corpus));
}

async function corpus(action: string, folder: string, options: CheckCommandOptions, command: Command): Promise<void> {
  if (action !== "check") command.error(`error: invalid action: ${action} (expected check)`);
  const report = await checkCorpus(folder, {
    inputs: options.inputs,
    onPart: (done, parts) => showStatus(`${done} of ${parts} parts`),
  });
  clearStatus();
  const { complete, parts, done, problems, leftovers } = report;
  if (options.json) await writeOutput(undefined, `${JSON.stringify(report)}\n`);
  else {
    for (const problem of problems) warn(problem);
    if (leftovers.length > 0) note(`${leftovers.length} temporary files of killed runs, which can be deleted`);
    const number = (value: number) => value.toLocaleString("en");
    const { documents, sentences, words, skippedDocuments, skippedSentences } = report;
    const skipped = skippedDocuments + skippedSentences;
    await writeOutput(
      undefined,
      `${complete ? "complete" : "not complete"}: ${number(done)} of ${number(parts)} parts, ${number(documents)} documents, ` +
        `${number(sentences)} sentences, ${number(words)} words${skipped > 0 ? `, ${number(skipped)} skipped` : ""}\n`,
    );
  }
  process.exitCode = complete ? 0 : 1;
}
