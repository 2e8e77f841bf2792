import { Command } from "commander";
import { checkCorpus } from "../../corpus/check-corpus.js";
import { corpusStatus } from "../../corpus/corpus-status.js";
import { mergeCorpus } from "../../corpus/merge-corpus.js";
import { retryArguments } from "../../corpus/retry-corpus.js";
import { guarded } from "../../files/io.js";
import { writeOutput } from "../../files/output.js";
import { clearStatus, duration, note, showStatus, warn } from "../../terminal/messages.js";

interface CheckCommandOptions {
  inputs: boolean;
  json?: boolean;
  output?: string;
  model?: string[];
  threads?: string;
}

const HELP = `
Examples:
  $ stemma parse corpus/*.jsonl.gz --output-dir parsed --shard 0/4 --resume
  $ stemma corpus status parsed
  $ stemma corpus check parsed
  $ stemma corpus retry parsed
  $ stemma corpus merge parsed -o parsed.jsonl

status says how far all shards are together: parts, words, the rate of the last parts, the time left at this rate, and how many
documents and sentences were skipped for each reason. It reads manifests only.

check reads everything. A corpus is complete if every part of its plan is there once, has the checksum of its manifest, and was made with the model, version
and options of the plan; if the parts together cover every byte of the inputs once; and if the inputs are unchanged. Everything else
is printed, one problem per line.

retry makes the parts that are missing or damaged, or whose inputs have changed, as stemma parse --resume does, with the inputs and options of the plan. Run it
where stemma parse was run, and give --model as there. What was skipped is skipped again, unless its line was mended without changing the size of the file.

merge writes all parts to one file, in their order, as one run of stemma parse would; a part that is missing or damaged is an error. Parts
in .gz are unpacked, and packed again if the name of the output ends in .gz.

Exit status: 0 if the corpus is complete (status: all parts are done), 1 if it is not, 2 for wrong usage or a directory that holds no corpus
(merge: or one that is not complete); retry: that of stemma parse.`;

/** Adds `stemma corpus`. */
export function register(program: Command): void {
  program
    .command("corpus")
    .description("status, check, retry and merge of a corpus written by stemma parse --output-dir")
    .argument("<action>", "status, check, retry or merge")
    .argument("<directory>", "directory with the parts")
    .option("--no-inputs", "do not read the inputs again")
    .option("--json", "print the result as a JSON object")
    .option(
      "-m, --model <file>",
      "retry: the model that the corpus is parsed with; given several times, as there",
      (model: string, before: string[] = []) => [...before, model],
    )
    .option("--threads <number>", "retry: number of parsing threads, 0 for all cores (default: 1)")
    .option("-o, --output <file>", "merge: write to a file, which appears only once it is complete")
    .addHelpText("after", HELP)
    .action(guarded(corpus));
}

async function corpus(action: string, folder: string, options: CheckCommandOptions, command: Command): Promise<void> {
  if (action === "status") return showCorpusStatus(folder, options.json === true);
  if (action === "retry") return retry(folder, options);
  const showParts = (done: number, parts: number) => showStatus(`${done} of ${parts} parts`);
  if (action === "merge") {
    await mergeCorpus(folder, options.output, showParts);
    return clearStatus();
  }
  if (action !== "check") command.error(`error: invalid action: ${action} (expected status, check, retry or merge)`);
  const report = await checkCorpus(folder, {
    inputs: options.inputs,
    onPart: showParts,
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

async function retry(folder: string, { model = [], threads }: CheckCommandOptions): Promise<void> {
  const { register } = await import("./parse.js");
  const program = new Command().exitOverride(() => process.exit(2));
  register(program);
  const own = [...model.flatMap((file) => ["--model", file]), ...(threads === undefined ? [] : ["--threads", threads])];
  await program.parseAsync(["parse", ...own, ...(await retryArguments(folder))], { from: "user" });
}

async function showCorpusStatus(folder: string, isJson: boolean): Promise<void> {
  const status = await corpusStatus(folder);
  const { parts, done, wrong, unfinished, share, words, wordsPerSecond, secondsLeft, failures } = status;
  const number = (value: number) => Math.round(value).toLocaleString("en");
  const rate = wordsPerSecond === undefined ? "" : `, ${number(wordsPerSecond)} words/s`;
  const left = secondsLeft ? `, ${duration(secondsLeft)} left` : "";
  const lines = [
    `${number(done)} of ${number(parts)} parts (${Math.floor(100 * share)} %), ${number(words)} words${rate}${left}`,
    ...(unfinished > 0 ? [`${number(unfinished)} files being written, or left by killed processes`] : []),
    ...(wrong > 0 ? [`${number(wrong)} parts with damaged manifests, or of another corpus: stemma corpus check`] : []),
    ...Object.entries(failures)
      .sort(([, a], [, b]) => b - a)
      .map(([kind, count]) => `${number(count)} skipped: invalid ${kind}`),
  ];
  await writeOutput(undefined, isJson ? `${JSON.stringify(status)}\n` : `${lines.join("\n")}\n`);
  process.exitCode = done === parts ? 0 : 1;
}
