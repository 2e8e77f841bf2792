import type { Command } from "commander";
import { guarded, ReadReport, readSentences } from "../../files/io.js";
import { checkTarget, openOutput, writeOutput } from "../../files/output.js";
import { featuresFile } from "../../options/features-option.js";
import { addInstancesOptions, type InstancesOptions, instancesOf, trees } from "../../options/instances-options.js";
import { note } from "../../terminal/messages.js";

interface Options extends InstancesOptions {
  classes?: string;
  output?: string;
  strict?: boolean;
}

const HELP = `
Writes one line for each configuration of the static oracle's derivations, in the sparse format of LIBSVM and LIBLINEAR: the
number of the class, then FEATURE:1 for each feature, in ascending order. Classes and features are numbered from 1 in the order in
which they first occur. The format has no place for names: --classes writes the meaning of the classes to another file, one line
"NUMBER MOVE LABEL" for each, or "NUMBER MOVE" for moves that build no arc.

In LR-spines every move has its own context. A line then has the features of the correct move's context, and LEFT-ARC (RIGHT-ARC)
is a single class for LEFT-ARC-1, LEFT-ARC-2, …, because the context determines k.

Trees that the system cannot build are left out and counted; --projectivize makes them projective first.

stemma import makes a parser of weights that another learner found for these instances.

Examples:
  $ stemma instances train.conllu --classes classes.txt > train.svm
  $ stemma instances train.conllu --system arc-eager --root first -o train.svm
  $ stemma instances train.conllu --features my.templates -o train.svm.gz

Exit status: 0 if all instances were written, 1 if some sentences were skipped (or --strict stopped), 2 for wrong usage or a file
that cannot be opened, read or written.`;

/** Adds `stemma instances`. */
export function register(program: Command): void {
  const command = program
    .command("instances")
    .description("write the static oracle's decisions with their features, for use with other learners")
    .argument("<train>", 'treebank (CoNLL-U, may be gzipped); "-" for standard input');
  addInstancesOptions(command)
    .option("--classes <file>", "where to write the meaning of the classes")
    .option("-o, --output <file>", "where to write the instances (default: standard output)")
    .option("--strict", "stop at the first error in the treebank")
    .addHelpText("after", HELP)
    .action(guarded(writeInstances));
}

async function writeInstances(file: string, options: Options, command: Command): Promise<void> {
  const instances = await instancesOf(options, command);
  const report = new ReadReport();
  const inputs = [file, featuresFile(options.features)];
  if (options.classes !== undefined) await checkTarget(options.classes, "--classes", inputs);
  const out = await openOutput(options.output, inputs);
  let sentences = 0;
  try {
    for await (const sentence of readSentences(file, { strict: options.strict, requireTree: true, report })) {
      let lines = "";
      const built = instances.add(sentence, (cls, features) => {
        lines += cls;
        for (let i = 0; i < features.length; i++) lines += ` ${features[i]}:1`;
        lines += "\n";
      });
      if (!built) continue;
      sentences++;
      await out.write(lines);
    }
    await out.close();
  } catch (error) {
    await out.abort();
    throw error;
  }
  if (options.classes !== undefined) {
    const lines = instances.classes.map(
      ({ name, label }, i) => `${i + 1} ${name}${label === undefined ? "" : ` ${label}`}\n`,
    );
    await writeOutput(options.classes, lines.join(""));
  }
  const { count, skipped, featureCount } = instances;
  note(
    `${count} instances of ${trees(sentences)}, ${instances.classes.length} classes, ${featureCount} features` +
      `${skipped ? `; ${trees(skipped)} left out because ${options.system} cannot build them` : ""}`,
  );
  report.finish();
}
