import { basename } from "node:path";
import { writeModel } from "@stemma/core";
import { LiblinearReader } from "@stemma/core/training";
import type { Command } from "commander";
import { FileError, guarded, ReadReport, readSentences, readTextLines } from "../../files/io.js";
import { checkTarget, writeBytes } from "../../files/output.js";
import { featuresFile } from "../../options/features-option.js";
import { addInstancesOptions, type InstancesOptions, instancesOf, trees } from "../../options/instances-options.js";
import { nonNegative } from "../../options/numbers.js";
import { note } from "../../terminal/messages.js";
import { hashOf } from "../../training/data.js";

interface Options extends InstancesOptions {
  model: string;
  prune: number;
  licence?: string;
  strict?: boolean;
}

const HELP = `
Makes a parser of weights that LIBLINEAR learned from the output of stemma instances. TRAIN and the options must be those that the
instances were written with: they tell which feature and which class each number means. WEIGHTS is a model file of LIBLINEAR's train
(solvers -s 0 to 7, without -B).

The parser is greedy. Classes that no instance has (a label that occurs with LEFT-ARC but never with LEFT-ARC-2, say) are ranked below
all others.

Examples:
  $ stemma instances train.conllu -o train.svm
  $ train -s 4 train.svm weights.liblinear                          LIBLINEAR: multi-class by Crammer and Singer
  $ stemma import train.conllu weights.liblinear --model parser.stemma
  $ stemma parse dev.conllu --model parser.stemma -o parsed.conllu

Exit status: 0 if the model was written, 1 if sentences of the treebank were skipped (or --strict stopped), 2 for wrong usage, weights
that are not those of these instances, or a file that cannot be opened, read or written.`;

/** Adds `stemma import`. */
export function register(program: Command): void {
  const command = program
    .command("import")
    .description("make a parser of weights that LIBLINEAR learned from the output of stemma instances")
    .argument("<train>", 'treebank that the instances are of (CoNLL-U, may be gzipped); "-" for standard input')
    .argument("<weights>", "model file of LIBLINEAR (may be gzipped)")
    .requiredOption("--model <file>", "where to write the model");
  addInstancesOptions(command)
    .option("--prune <weight>", "leave out weights below this", nonNegative, 0)
    .option("--licence <text>", "licence of the training data, to be recorded in the model")
    .option("--strict", "stop at the first error in the treebank")
    .addHelpText("after", HELP)
    .action(guarded(importWeights));
}

async function importWeights(file: string, weightsFile: string, options: Options, command: Command): Promise<void> {
  const instances = await instancesOf(options, command);
  await checkTarget(options.model, "--model", [file, weightsFile, featuresFile(options.features)]);
  const reader = new LiblinearReader(weightsFile);
  const report = new ReadReport();
  let sentences = 0;
  for await (const sentence of readSentences(file, { strict: options.strict, requireTree: true, report })) {
    if (instances.add(sentence, () => {})) sentences++;
  }
  try {
    for await (const line of readTextLines(weightsFile)) reader.push(line);
    const origin = {
      program: "stemma",
      treebank: { name: basename(file), sentences },
      weights: { name: basename(weightsFile), sha256: await hashOf(weightsFile), learner: "LIBLINEAR" },
      ...(options.licence === undefined ? {} : { licence: options.licence }),
    };
    const model = instances.model(reader.end(), origin, options.prune);
    await writeBytes(options.model, writeModel(model));
    const { features, classes } = reader;
    note(
      `${options.model}: ${features} features and ${classes.length} classes, for the instances of ${trees(sentences)}`,
    );
  } catch (error) {
    throw error instanceof RangeError ? new FileError(error.message) : error;
  }
  report.finish();
}
