import { type Command, InvalidArgumentError, Option } from "commander";
import { INPUT_FORMATS, type InputFormat, inputsOf } from "../inputs.js";
import { FileError, guarded, openOutput } from "../io.js";
import { loadModel } from "../model.js";
import { ParseRun } from "../parsing/parse-run.js";
import { OUTPUT_FORMATS, type OutputFormat } from "../parsing/text-writer.js";
import { openPool } from "../workers/pool.js";

interface ParseCommandOptions {
  model?: string;
  from?: InputFormat;
  to?: OutputFormat;
  json?: boolean;
  scores?: boolean;
  offsets?: boolean;
  retag?: boolean;
  keep?: boolean;
  beam?: number;
  kBest?: number;
  threads: number;
  output?: string;
  strict?: boolean;
}

const MOST_THREADS = 256;
const MOST_HYPOTHESES = 4096;

const EXAMPLES = `
Examples:
  $ stemma parse "The old mill wheel turns slowly in the spring."
  $ stemma parse article.txt > article.conllu
  $ stemma parse --to svg --output tree.svg "A picture says it better."
  $ echo "One sentence , its tokens known ." | stemma parse --from tokens
  $ stemma parse --model basque.stemma --threads 0 tagged.conllu > parsed.conllu
  $ stemma parse --keep half-annotated.conllu > annotated.conllu
  $ stemma parse --k-best 3 "They saw her duck."
  $ stemma parse --json --scores article.txt | jq '.words[] | select(.score < 0.5)'

An argument that is no file is text. What a file holds is told by its name (.txt is text, .conllu a treebank), on standard
input by its first line; --from says it otherwise. Text comes out as trees to look at on a terminal, as CoNLL-U elsewhere; the
white space in MISC (SpaceAfter, SpacesAfter) lets the text be rebuilt exactly.
In a treebank words without tags get them (if the model has a tagger), and those that are there are kept; HEAD and DEPREL are replaced, DEPS is
emptied, and everything else comes out as it went in. With --keep HEAD and DEPREL that are not _ are kept as well, each for itself. Every sentence gets a tree with one root. A sentence that cannot be read, or whose heads are
to be kept and are in no tree that the parser can build, is skipped and the error printed with file, line, column and what was expected.
With --beam several hypotheses are kept at every step, which pays for networks and for linear models that were trained with a beam (stemma train --beam); other
models are best without. With --k-best 3 each sentence comes up to three times, best tree first, with the comments "# tree = 1 of 3" and "# score = …" in CoNLL-U, and
"tree": {"rank": 1, "of": 3, "score": …} in JSON, an object a line for each tree; sent_id is that of the sentence. Scores are sums over transitions
(of networks logarithms of probabilities): higher is better, and only those of the same sentence can be compared. The beam is as wide as the number of trees at least.
Exit status: 0 all sentences written, 1 some skipped (or --strict stopped), 2 wrong usage or a file that cannot be used.`;

/** Adds `stemma parse`. */
export function register(program: Command): void {
  program
    .command("parse")
    .description("parse text, or the sentences of a treebank")
    .argument("[input...]", 'text, or files, may be gzipped; "-" or none is standard input')
    .option("-m, --model <file>", "the model, made by stemma train (default: the English model that ships)")
    .addOption(new Option("--from <format>", "what the input is (default: see below)").choices(INPUT_FORMATS))
    .addOption(new Option("--to <format>", "format of the output (default: see below)").choices(OUTPUT_FORMATS))
    .option("--json", "the same as --to json")
    .option("--scores", "say how sure each head and label is, 0 to 1: Score=… in MISC, score in JSON")
    .option("--offsets", "say where each token is in the text: TokenRange=… in MISC (JSON always says it)")
    .option("--retag", "tag words of a treebank that have tags again")
    .option("--keep", "keep the heads and labels that a treebank has, and find the others; _ is none")
    .option("--beam <width>", "keep so many hypotheses while parsing; 1 is greedy (default: as trained)", beamWidth)
    .option("--k-best <number>", "give the best trees of each sentence, so many or fewer, with scores", beamWidth)
    .option("--threads <number>", "threads that parse, on one copy of the model; 0 for all cores", threadCount, 1)
    .option("-o, --output <file>", "write to a file, which appears only when it is complete")
    .option("--strict", "stop at the first error")
    .addHelpText("after", EXAMPLES)
    .action(guarded(parse));
}

function threadCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count <= MOST_THREADS) return count;
  throw new InvalidArgumentError(`expected a whole number from 0 to ${MOST_THREADS}`);
}

function beamWidth(text: string): number {
  const width = Number(text);
  if (/^\d+$/.test(text) && width >= 1 && width <= MOST_HYPOTHESES) return width;
  throw new InvalidArgumentError(`expected a whole number from 1 to ${MOST_HYPOTHESES}`);
}

async function parse(args: string[], options: ParseCommandOptions, command: Command): Promise<void> {
  if (options.json && options.to !== undefined && options.to !== "json") {
    command.error(`error: --json and --to ${options.to} contradict each other`);
  }
  const to = options.json ? "json" : options.to;
  if (options.scores && to !== undefined && to !== "conllu" && to !== "json") {
    command.error(`error: --scores needs --to conllu or json: ${to} has no place for them`);
  }
  const { beam, kBest } = options;
  if (kBest !== undefined && (to === "conllx" || to === "conll09")) {
    command.error(`error: --k-best needs --to conllu or json, or a drawing: ${to} has no place for scores`);
  }
  if (kBest !== undefined && options.scores) command.error("error: --k-best and --scores contradict each other");
  if (kBest !== undefined && beam !== undefined && beam < kBest) {
    command.error(`error: --k-best ${kBest} needs a beam as wide, not --beam ${beam}`);
  }
  const inputs = inputsOf(args, options.from);
  const model = await loadModel(options.model);
  if (options.retag && !model.tagger) {
    throw new FileError(
      `${options.model}: cannot --retag: the model has no tagger (train one with stemma train --pipeline)`,
    );
  }
  const out = await openOutput(options.output);
  const width = beam ?? Math.max(kBest ?? 1, model.parser.header.beam ?? 1);
  const pool = openPool(model, options.threads, { beam: width });
  const terminal = (options.output ?? "-") === "-" && process.stdout.isTTY === true;
  const run = new ParseRun(pool, out, { ...options, to, terminal });
  try {
    for (const input of inputs) await run.parse(input);
    await run.finish();
  } catch (error) {
    await out.abort();
    throw error;
  } finally {
    await pool.close();
  }
  await out.close();
  run.report();
}
