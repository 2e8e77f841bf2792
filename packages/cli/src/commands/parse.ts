import { type Command, Option } from "commander";
import { TEXT_FORMATS, type TextFormat } from "../annotation/piece.js";
import { type Color, colorOption } from "../color.js";
import { parseCorpus } from "../corpus/parse-corpus.js";
import { parseShard, parseSize, type Shard } from "../corpus/shard-option.js";
import { addFieldOptions, type FieldOptions, fieldsOf } from "../documents/field-options.js";
import { INPUT_FORMATS, type Input, type InputFormat, inputsOf, withToldFormats } from "../inputs.js";
import { FileError, guarded } from "../io.js";
import { loadModel } from "../model.js";
import { between } from "../numbers.js";
import { checkOptions, PARSING_RULES } from "../option-rules.js";
import { openOutput } from "../output.js";
import { type InputKind, ParseRun } from "../parsing/parse-run.js";
import { OUTPUT_FORMATS, type OutputFormat } from "../parsing/text-writer.js";
import { type ThreadCount, threadCount, threadsOf } from "../threads.js";
import { openPool } from "../workers/pool.js";

interface ParseCommandOptions extends FieldOptions {
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
  threads?: ThreadCount;
  output?: string;
  color: Color;
  strict?: boolean;
  errorField?: string;
  outputDir?: string;
  shard?: Shard;
  partSize?: number;
  resume?: boolean;
  gzip?: boolean;
}

const beamWidth = between(1, 4096);

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
  $ stemma parse --from jsonl --text-field body.text --to parquet --output words.parquet documents.jsonl.gz
  $ stemma parse corpus/*.jsonl.gz --output-dir parsed --to parquet --shard 0/8 --resume

An argument that is no file is text. What a file holds is told by its name (.txt is text, .conllu a treebank), or else by its
content: a treebank has the columns of a word in its first line but for comments; --from says it otherwise. Of several texts each begins with
"# newdoc id = NAME". What comes through a pipe is answered as it comes: a line of --from lines or tokens when it is whole, a paragraph when the
next one begins, a sentence of a long paragraph when what follows cannot change it. Text comes out as trees to look at on a terminal, as CoNLL-U elsewhere; the
white space in MISC (SpaceAfter, SpacesAfter) lets the text be rebuilt exactly.
In a treebank words without tags get them (if the model has a tagger), and those that are there are kept; HEAD and DEPREL are replaced, DEPS is
emptied, and everything else comes out as it went in. With --keep HEAD and DEPREL that are not _ are kept as well, each for itself. Every sentence gets a tree with one root. A sentence that cannot be read, or whose heads are
to be kept and are in no tree that the parser can build, is skipped and the error printed with file, line, column and what was expected.
With --beam several hypotheses are kept at every step, which pays for networks and for linear models that were trained with a beam (stemma train --beam); other
models are best without. With --k-best 3 each sentence comes up to three times, best tree first, with the comments "# tree = 1 of 3" and "# score = …" in CoNLL-U, and
"tree": {"rank": 1, "of": 3, "score": …} in JSON, an object a line for each tree; sent_id is that of the sentence. Scores are sums over transitions
(of networks logarithms of probabilities): higher is better, and only those of the same sentence can be compared. The beam is as wide as the number of trees at least.
With --from jsonl every line is a document: an object with its text in one field and its name in another (a.b is the field b of the object a). Other fields are
kept, and so is the order. It comes out as JSON Lines with "sentences" in each object (the default), as CoNLL-U with "# newdoc id", or with --to parquet as a table
with a row for each word (docs/corpora.md); --to columns has the same columns in JSON, a line for each document, for programs that make tables of them. A line that is no such document is reported with its number and skipped; with --error-field it comes out
with what is wrong with it. A document without a name is called after the place of its line, FILE@BYTE.
With --output-dir the inputs are divided into parts of about --part-size, whole files and ranges of large ones that are not packed, and each becomes a file in that
directory with a manifest beside it. --shard 2/8 does the third of eight equal shares of them (from 0), on any machine that sees the directory. A part appears when it is complete, and comes out the
same however often it is done; --resume leaves those alone that are there and undamaged. stemma corpus check tells whether all of it is there.
An option that would have no effect is refused. A name of --output that ends in .gz is that of a compressed file.
Exit status: 0 all sentences and documents written, 1 some skipped (or --strict stopped), 2 wrong usage or a file that cannot be used, 141 the
reader of the output has gone.`;

/** Adds `stemma parse`. */
export function register(program: Command): void {
  const command = program
    .command("parse")
    .description("parse text, or the sentences of a treebank")
    .argument("[input...]", 'text, or files, may be gzipped; "-" or none is standard input')
    .option("-m, --model <file>", "the model, made by stemma train (default: the English model that ships)")
    .addOption(new Option("--from <format>", "what the input is (default: see below)").choices(INPUT_FORMATS))
    .addOption(new Option("--to <format>", "format of the output (default: see below)").choices(OUTPUT_FORMATS))
    .option("--json", "the same as --to json")
    .option("--scores", "add a confidence from 0 to 1 for each head and label: Score=… in MISC, score in JSON")
    .option("--offsets", "add the position of each token in the text: TokenRange=… in MISC (JSON always has it)")
    .option("--retag", "replace the tags of a treebank by predicted ones")
    .option("--keep", "keep the heads and labels that are given in a treebank and predict the others (_)")
    .option(
      "--beam <width>",
      "number of hypotheses to keep while parsing; 1 is greedy (default: as trained)",
      beamWidth,
    )
    .option("--k-best <number>", "maximum number of trees for each sentence, best first, with scores", beamWidth)
    .option(
      "--threads <number>",
      "number of parsing threads, which share one copy of the model; 0 for all cores; limited to the number of cores unless given twice (default: 1)",
      threadCount,
    )
    .option("-o, --output <file>", "write to a file, which appears only when it is complete");
  addFieldOptions(command)
    .option("--error-field <name>", "write documents that cannot be parsed too, with what is wrong in this field")
    .option("--output-dir <directory>", "write parts with manifests into a directory")
    .option("--shard <i/n>", "do only one of n equal shares of the parts, i from 0 to n - 1", parseShard)
    .option("--part-size <bytes>", "size of a part of the input, as 64m (default: by the size of all)", parseSize)
    .option("--resume", "leave parts alone that are there and undamaged")
    .option("--gzip", "compress the parts")
    .addOption(colorOption())
    .option("--strict", "stop at the first error")
    .addHelpText("after", EXAMPLES)
    .action(guarded(parse));
}

async function parse(args: string[], options: ParseCommandOptions, command: Command): Promise<void> {
  if (options.json && options.to !== undefined && options.to !== "json") {
    command.error(`error: --json and --to ${options.to} contradict each other`);
  }
  const to = options.json ? "json" : options.to;
  const { beam, kBest } = options;
  const isGiven = (name: string) => command.getOptionValueSource(name) === "cli";
  const check = (input: InputKind, target: OutputFormat) =>
    checkOptions(PARSING_RULES, { ...options, to: target, input }, isGiven);
  checkOptions(PARSING_RULES, { ...options, to }, isGiven, (message) => command.error(`error: ${message}`));
  if (kBest !== undefined && beam !== undefined && beam < kBest) {
    command.error(`error: --k-best ${kBest} needs a beam as wide, not --beam ${beam}`);
  }
  const inputs = await withToldFormats(inputsOf(args, options.from));
  const model = await loadModel(options.model);
  if (options.retag && !model.tagger) {
    throw new FileError(
      `${options.model}: cannot --retag: the model has no tagger (train one with stemma train --pipeline)`,
    );
  }
  const width = beam ?? Math.max(kBest ?? 1, model.parser.header.beam ?? 1);
  const threads = options.threads ? threadsOf(options.threads) : 1;
  const fields = fieldsOf(options, command);
  if (options.outputDir !== undefined) {
    const pool = () => openPool(model, threads, { beam: width });
    return parseCorpus(inputs, model, pool, {
      ...options,
      outputDir: options.outputDir,
      to,
      fields,
      check,
      beam: width,
    });
  }
  const texts = inputs.filter(({ format }) => isReadAsIs(format)).map(({ path }) => path);
  const out = await openOutput(options.output, [options.model, ...texts]);
  const pool = openPool(model, threads, { beam: width });
  const terminal = (options.output ?? "-") === "-" && process.stdout.isTTY === true;
  const run = new ParseRun(pool, out, inputs, model, { ...options, to, terminal, check, fields });
  try {
    await run.parse();
  } catch (error) {
    await out.abort();
    throw error;
  } finally {
    await pool.close();
  }
  await out.close();
  run.report();
}

/** Whether an output of the same name would destroy the input: of a treebank all can be read and written again. */
function isReadAsIs(format: Input["format"]): boolean {
  return format === "jsonl" || TEXT_FORMATS.includes(format as TextFormat);
}
