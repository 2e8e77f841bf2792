import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type Grid, layOut } from "../../experiment/grid.js";
import { programIdentity } from "../../experiment/program.js";
import { writeReport } from "../../experiment/report.js";
import { loadResults, type Outcome, runGrid } from "../../experiment/run.js";
import { parseSpec, settingFields } from "../../experiment/spec.js";
import { Store } from "../../experiment/store.js";
import { summarize } from "../../experiment/summary.js";
import { FileError, fileError, guarded, ReadReport } from "../../files/io.js";
import { note } from "../../terminal/messages.js";
import { addTopics } from "../../terminal/topics.js";

interface Options {
  jobs: number;
  output?: string;
  results?: string;
  reportOnly?: boolean;
  status?: boolean;
  anyBuild?: boolean;
  strict?: boolean;
}

const FIRST = `SPEC is a JSON file; paths in it are relative to its folder:
  {
    "title": "Oracles of arc-standard",
    "treebanks": [
      { "name": "english", "train": "en-train.conllu", "dev": "en-dev.conllu" },
      { "name": "slovenian", "train": "sl-train.conllu", "folds": 10 }
    ],
    "systems": ["arc-standard", { "system": "attardi", "name": "attardi-3", "degree": 3 }],
    "oracles": ["static", "non-deterministic", "dynamic"],
    "seeds": [1, 2, 3],
    "options": { "epochs": 15, "root": "last" },
    "report": "last"
  }

Examples:
  $ stemma experiment oracles.json
  $ stemma experiment oracles.json --jobs 4 --output reports/oracles
  $ stemma experiment oracles.json --report-only             reports what is finished so far
  $ stemma experiment *.json --status                        says which training runs are missing`;

const LAST = `Exit status: 0 if the experiment finished, 1 if a training run failed or sentences were left out, 2 for wrong usage, an error in
SPEC or a file that cannot be opened, read or written, 130 if stopped by a signal.`;

const fieldsText =
  () => `treebanks are tested on "dev", a file or several with names ({ "NAME": "FILE", … }), by cross-validation ("folds": sentence i
belongs to fold i mod k), on every n-th sentence, which is left out of training ("holdOut"), or on each group of sentences, left out
in turn ("leaveOut": "groups"). "groups" is a regular expression for sent_id: "^[a-z]+" finds the genre in "email-17"; scores are
given for each group, too. "silver" names a file to train on as well.
systems are names, or objects with their own options, their own "oracles", and a name to distinguish them: networks, beams, learners,
pipelines, whatever "stemma train" can train. graph, pointers and tags are parsers without transitions, which have no oracles.
options are those that all systems share; a system has those that have an effect on it.
report says which scores are reported: after the "last" epoch (the default) or of the "best" one, chosen on the test sentences.
baseline names the system with which the others are compared; every pair is, if nothing else is said.
results is the folder of the results; experiments may share one.
about and verdict are texts for the report, or lists of paragraphs; published has scores in percent to stand beside those of
the experiment: [{ "source": "a paper, table 1", "metric": "las", "treebank": "english", "scores": { "arc-standard": { "static": 87.6 } } }].

What systems and options may have is explained by "stemma train --help all": ${settingFields().join(", ")}.`;

const RESULTS = `Every cell of the grid is trained in a process of its own, and its result is kept in a file named by a hash of everything
that determines it: the treebanks, the options, the templates, the program. Existing results are not trained again, so an interrupted
experiment continues where it stopped, and a changed one trains only what is new. Training runs longer than two minutes have
checkpoints. Results from other builds of the program are ignored unless --any-build is given.

The command writes report.md (tables of means and standard deviations, the best in bold, differences with significance), report.json
and plots of LAS after each epoch. Sentences that cannot be read are left out, each with a message.`;

/** Adds `stemma experiment`. */
export function register(program: Command): void {
  const command = program
    .command("experiment")
    .description("train and compare a grid of treebanks, systems, oracles and seeds")
    .argument("<spec...>", "the experiment as a JSON file, see below; several are run one after the other")
    .addOption(
      new Option("--jobs <n>", "number of parallel training runs")
        .argParser(jobs)
        .default(availableParallelism(), "all cores"),
    )
    .option("-o, --output <folder>", "where to write the report (default: SPEC without .json)")
    .option(
      "--results <folder>",
      "where to keep the results (default: that of SPEC, or results in the folder of the report)",
    )
    .option("--report-only", "train nothing and report the existing results")
    .option("--status", "train and write nothing; say which training runs are missing")
    .option("--any-build", "also use results from other builds of the program")
    .option("--strict", "stop at the first error in a treebank");
  addTopics(command, {
    common: ["jobs", "output", "reportOnly", "status"],
    first: FIRST,
    topics: {
      fields: { title: "the fields of a specification, and all options", options: [], text: fieldsText() },
      results: {
        title: "what is kept and reported",
        options: ["output", "results", "reportOnly", "status", "anyBuild", "strict"],
        text: RESULTS,
      },
    },
    last: LAST,
  }).action(guarded(experiment));
}

function jobs(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("expected a whole number above 0");
  return Number(text);
}

async function experiment(paths: string[], options: Options): Promise<void> {
  if (options.output !== undefined && paths.length > 1)
    throw new FileError(`--output ${options.output}: the reports of ${paths.length} experiments need a folder each`);
  const report = new ReadReport();
  for (const path of paths) {
    await one(path, options, report);
    if (process.exitCode === 130) return;
  }
  report.finish();
}

async function one(path: string, options: Options, report: ReadReport): Promise<void> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw fileError("read", path, error);
  });
  const folder = options.output ?? (/\.json$/.test(path) ? path.slice(0, -".json".length) : `${path}.report`);
  const spec = parseSpec(text, path);
  const command = `stemma experiment ${basename(path)}`;
  const grid = await layOut(spec, { ...programIdentity(), command }, { report, strict: options.strict });
  const store = await Store.open(options.results ?? spec.results ?? join(folder, "results"), options.anyBuild === true);
  const others = store.otherBuilds(grid.cells);
  if (others > 0)
    say(`${others} training runs have results from other builds of the program; use them with --any-build`);
  if (options.status) {
    const results = await loadResults(grid, store);
    const missing = grid.cells.filter((cell) => !results.has(cell)).map(({ label }) => `missing: ${label}\n`);
    const found = `${path}: ${results.size} of ${grid.cells.length} training runs are finished\n`;
    process.stdout.write(found + missing.join(""));
    return;
  }
  const outcome = options.reportOnly ? await found(grid, store) : await runGrid(grid, store, options.jobs);
  const { results, cached, failed, interrupted } = outcome;
  const all = grid.cells.length;
  if (interrupted) {
    say(`stopped: ${results.size} of ${all} training runs are finished; run the same command again to continue`);
    process.exitCode = 130;
    return;
  }
  say(
    `${results.size} of ${all} training runs: ${cached} already there, ${results.size - cached} new, ${failed.length} failed`,
  );
  const files = await writeReport(summarize(grid, results), folder);
  say(`${join(folder, "report.md")}, report.json and ${files.length - 2} plots`);
  if (failed.length > 0) process.exitCode = 1;
}

function say(line: string): void {
  note(line);
}

async function found(grid: Grid, store: Store): Promise<Outcome> {
  const results = await loadResults(grid, store);
  return { results, cached: results.size, failed: [], interrupted: false };
}
