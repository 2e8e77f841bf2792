import { type Ability, ParserModel, type PipelineModel, searchNamed } from "@stemma/core";
import { EnhancedModel } from "@stemma/core/enhanced";
import { TEXT_FORMATS, type TextFormat } from "@stemma/server/annotation";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseCorpus } from "../../corpus/parse-corpus.js";
import { parseShard, parseSize, type Shard } from "../../corpus/shard-option.js";
import { autoModel } from "../../documents/auto-model.js";
import { addFieldOptions, type FieldOptions, fieldsOf } from "../../documents/field-options.js";
import {
  INPUT_FORMATS,
  type Input,
  type InputFormat,
  inputsOf,
  withFilesOf,
  withToldFormats,
} from "../../documents/inputs.js";
import { FileError, guarded } from "../../files/io.js";
import { AUTO, loadCombination, loadModel } from "../../files/model.js";
import { openOutput } from "../../files/output.js";
import { between } from "../../options/numbers.js";
import { checkOptions, noEffect, PARSING_RULES } from "../../options/option-rules.js";
import { type ThreadCount, threadCount, threadsOf } from "../../options/threads.js";
import { type InputKind, ParseRun } from "../../parsing/parse-run.js";
import { OUTPUT_FORMATS, type OutputFormat } from "../../parsing/text-writer.js";
import { type Color, colorOption } from "../../terminal/color.js";
import { openPool } from "../../workers/pool.js";

interface ParseCommandOptions extends FieldOptions {
  model?: string[];
  weights?: number[];
  from?: InputFormat;
  to?: OutputFormat;
  json?: boolean;
  scores?: boolean;
  offsets?: boolean;
  retag?: boolean;
  keep?: boolean;
  enhanced?: boolean;
  fluent?: boolean;
  beam?: number;
  merge?: (typeof MERGES)[number];
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
  allowSkipped?: boolean;
  gzip?: boolean;
}

const beamWidth = between(1, 4096);
/** Properties that hypotheses of a beam must share to be merged. */
const MERGES = ["states", "stack-graph", "exact"] as const;

/** The weights of models, separated by commas. */
function votes(text: string): number[] {
  const weights = text.split(",").map(Number);
  if (weights.every((weight) => Number.isFinite(weight) && weight > 0)) return weights;
  throw new InvalidArgumentError("expected numbers above 0, separated by commas, such as 2,1,1");
}

const EXAMPLES = `
Examples:
  $ stemma parse "The old mill wheel turns slowly in the spring."
  $ stemma parse article.txt > article.conllu
  $ stemma parse --to svg --output tree.svg "A picture says it better."
  $ echo "One sentence , its tokens known ." | stemma parse --from tokens
  $ stemma parse --model basque.stemma --threads 0 tagged.conllu > parsed.conllu
  $ stemma parse --model auto brief.txt > brief.conllu
  $ stemma parse --keep half-annotated.conllu > annotated.conllu
  $ stemma parse --k-best 3 "They saw her duck."
  $ stemma parse --model a.stemma --model b.stemma --model c.stemma dev.conllu > voted.conllu
  $ stemma parse --json --scores article.txt | jq '.words[] | select(.score < 0.5)'
  $ stemma parse --from jsonl --text-field body.text --to parquet --output words.parquet documents.jsonl.gz
  $ stemma parse corpus/*.jsonl.gz --output-dir parsed --to parquet --shard 0/8 --resume

An argument that does not name a file is taken as text. The type of a file follows from its name (.txt is text, .conllu a
treebank) or else from its content: in a treebank the first line after the comments has the columns of a word. --from overrides
this. When there are several inputs, the output for each text begins with "# newdoc id = NAME". Input from a pipe is parsed as it
arrives: with --from lines or tokens when a line is complete, otherwise a paragraph when the next one begins, and a sentence of a
long paragraph when what follows cannot change it any more. Text is written as drawn trees on a terminal and as CoNLL-U elsewhere;
the white space recorded in MISC (SpaceAfter, SpacesAfter) makes it possible to restore the text exactly.

In a treebank, words without tags are tagged (if the model has a tagger), and existing tags are kept; HEAD and DEPREL are replaced,
DEPS is emptied, and everything else is copied. With --keep, values of HEAD and DEPREL other than _ are kept as well, independently
of each other. Every sentence gets a tree with one root. A sentence is skipped if it cannot be read, or if the parser cannot build a
tree with the heads to be kept; the error is printed with file, line, column and what was expected.

With --beam several hypotheses are kept at every step, which helps networks and linear models, but not linear ones that were trained
without a beam by the passive-aggressive learner, or to choose tags. With --merge stack-graph, hypotheses with the same words on top of
their stacks are merged, whatever is below (a graph-structured stack): a beam then finds what one several times as wide finds, at the price of one twice as wide, but only the best
tree. This needs a linear model for arc-standard or arc-hybrid. With --merge exact no hypothesis is given up, and the best tree of all is
found, for linear models of arc-hybrid and arc-eager trained with --features two-words and --merge exact. With --k-best 3 each sentence is written up to three times, best tree first, with the
comments "# tree = 1 of 3" and "# score = …" in CoNLL-U, and "tree": {"rank": 1, "of": 3, "score": …} in JSON, one object per line
for each tree; all have the sent_id of the sentence. Scores are sums over transitions (with models that were trained step by
step, logarithms of probabilities): higher is better, and only scores of the same sentence can be compared. The beam is at least as
wide as the number of trees.

With several models (--model A --model B …) every sentence gets one tree, which the models vote on: of all trees made of arcs that a
model gives, the one with most votes (Sagae & Lavie 2006). Score=… in MISC is then the share of the votes that head and label have, where
the output has a place for it, with or without --scores. The first model gives sentences, tokens, tags and lemmas; words that it tags, the
others tag for themselves. Where votes are equal, earlier models count more: two models differ from the first one alone only with --weights.

A text whose letters are those of another language than the model's is parsed, but with a warning: its trees mean nothing. With --model auto
the beginning of the inputs decides which installed model is used (stemma models lists them); if none is for the language, nothing is parsed.

Models trained with --joint disfluencies find the words that are no part of the sentence (Removed=IJ, DM or RP in MISC: interjection,
discourse marker, reparandum) and attach them as discourse:filler, discourse and reparandum. With --fluent such words are left
out, whichever model labelled them; a sentence without other words is not written. These models have no scores (--scores) and keep
no heads (--keep). Models trained with --joint roles find one tree, with its roles: they have no beam, no --k-best above 1 and no scores.

With --from jsonl every line is a document: an object with the text in one field and the name in another (a.b is field b of object
a). Other fields and the order of documents are kept. The output is JSON Lines with "sentences" added to each object (the default),
CoNLL-U with "# newdoc id", or with --to parquet a table with one row per word (docs/corpora.md); --to columns writes the same columns
as JSON, one line per document, for programs that build tables. A line that is not such a document is reported with its number and
skipped; with --error-field it is written with the error in that field. A document without a name is called FILE@BYTE, after the
place of its line.

With --output-dir the input is divided into parts of about --part-size: whole files, and ranges of large files that are not
compressed; a directory stands for the files in it. Each part becomes a file in that directory, with a manifest. --shard 2/8 does the third of eight equal shares of the parts
(counted from 0), on any machine that sees the directory. A part appears once it is complete, and has the same bytes however often it
is made; --resume skips parts that are there and undamaged. stemma corpus check tells whether everything is there.

Options that would have no effect are rejected. If the name given with --output ends in .gz, the output is compressed.
Exit status: 0 if all sentences and documents were written, 1 if some were skipped (or --strict stopped), 2 for wrong usage or a file that cannot
be opened, read or written, 141 if the reader of the output has gone away.`;

/** Adds `stemma parse`. */
export function register(program: Command): void {
  const command = program
    .command("parse")
    .description("parse text, or the sentences of a treebank")
    .argument("[input...]", 'text, or files, which may be gzipped; "-" or none for standard input')
    .option(
      "-m, --model <file>",
      "model file, written by stemma train, a name such as en-large, or auto for the installed model that fits the text (default: the English model that comes with Stemma); given several times, the models vote on every tree",
      (model: string, before: string[] = []) => [...before, model],
    )
    .option("--weights <numbers>", "with several models: how much each counts, such as 2,1,1 (default: 1 each)", votes)
    .addOption(new Option("--from <format>", "format of the input (default: see below)").choices(INPUT_FORMATS))
    .addOption(new Option("--to <format>", "format of the output (default: see below)").choices(OUTPUT_FORMATS))
    .option("--json", "the same as --to json")
    .option("--scores", "add a confidence from 0 to 1 for each head and label: Score=… in MISC, score in JSON")
    .option("--offsets", "add the position of each token in the text: TokenRange=… in MISC (JSON always has it)")
    .option("--retag", "replace the tags of a treebank by predicted ones")
    .option("--keep", "keep the heads and labels that are given in a treebank and predict the others (_)")
    .option("--enhanced", "make sure that the model gives enhanced dependencies, which are then in DEPS")
    .option("--fluent", "leave out disfluent words: interjections, discourse markers and what a speaker took back")
    .option(
      "--beam <width>",
      "number of hypotheses to keep while parsing; 1 is greedy (default: as trained)",
      beamWidth,
    )
    .addOption(
      new Option(
        "--merge <what>",
        'with --beam: what hypotheses that are merged have in common (default: "states")',
      ).choices(MERGES),
    )
    .option("--k-best <number>", "maximum number of trees for each sentence, best first, with scores", beamWidth)
    .option(
      "--threads <number>",
      "number of parsing threads, which share one copy of the model; 0 for all cores; limited to the number of cores unless given twice (default: 1)",
      threadCount,
    )
    .option("-o, --output <file>", "write to a file, which appears only once it is complete");
  addFieldOptions(command)
    .option("--error-field <name>", "also write documents that cannot be parsed, with the error in this field")
    .option("--output-dir <directory>", "write parts with manifests to a directory")
    .option("--shard <i/n>", "parse only one of n equal shares of the parts, i from 0 to n - 1", parseShard)
    .option(
      "--part-size <bytes>",
      "size of a part of the input, such as 64m (default: depends on the total)",
      parseSize,
    )
    .option("--resume", "skip parts that are there and undamaged")
    .option("--allow-skipped", "exit with 0 although documents or sentences were skipped, which the manifests name")
    .option("--gzip", "compress the parts")
    .addOption(colorOption())
    .option("--strict", "stop at the first error")
    .addHelpText("after", EXAMPLES)
    .action(guarded(parse));
}

async function parse(args: string[], given: ParseCommandOptions, command: Command): Promise<void> {
  let options = given;
  if (options.json && options.to !== undefined && options.to !== "json") {
    command.error(`error: --json and --to ${options.to} cannot be combined`);
  }
  const to = options.json ? "json" : options.to;
  const { beam, kBest } = options;
  const isGiven = (name: string) => command.getOptionValueSource(name) === "cli";
  const check = (input: InputKind, target: OutputFormat) =>
    checkOptions(PARSING_RULES, { ...options, to: target, input }, isGiven);
  checkOptions(PARSING_RULES, { ...options, to }, isGiven, (message) => command.error(`error: ${message}`));
  if (kBest !== undefined && beam !== undefined && beam < kBest) {
    command.error(`error: --k-best ${kBest} needs a beam at least as wide, not --beam ${beam}`);
  }
  const merge = options.merge === "states" ? undefined : options.merge;
  if (merge && (kBest ?? 1) > 1) {
    command.error(`error: --merge ${merge} finds one tree only, not --k-best ${kBest} (use --merge states)`);
  }
  const files = options.outputDir === undefined ? args : withFilesOf(args);
  const inputs = await withToldFormats(inputsOf(files, options.from));
  if (options.model?.includes(AUTO)) {
    if (options.model.length > 1) throw new FileError(`invalid --model ${AUTO} with others (expected it alone)`);
    options = { ...options, model: [await autoModel(inputs, options.textField)] };
  }
  const model = await votingModel(options);
  const named = options.model?.join(" + ");
  // A vote without its shares would leave out half of what it says.
  const votes = (options.model?.length ?? 1) > 1;
  const asked: [Ability, string | false | undefined][] = [
    ["scores", options.scores && "--scores"],
    ["heads", options.keep && "--keep"],
    ["tags", options.retag && "--retag"],
    ["beam", options.merge && `--merge ${options.merge}`],
    ["beam", (beam ?? 1) > 1 && `--beam ${beam}`],
    ["trees", (kBest ?? 1) > 1 && `--k-best ${kBest}`],
  ];
  for (const [ability, option] of asked) {
    const refused = option && model.refusal(ability);
    if (refused) throw new FileError(`${named ?? "the English model"}: invalid ${option}: ${refused}`);
  }
  if (options.enhanced && !model.steps.some((step) => step instanceof EnhancedModel)) {
    throw new FileError(
      `${named ?? "the English model"}: invalid --enhanced: the model has no enhanced dependencies (take en-roles for English, or add them: stemma train TREEBANK --enhanced --add-to MODEL --model NEW)`,
    );
  }
  const width = beam ?? (model.limits.beam ? 1 : Math.max(kBest ?? 1, model.parser.header.beam ?? 1));
  if (options.merge && width === 1) {
    throw new FileError(`invalid --merge ${options.merge}: the parser is greedy (expected --beam 2 or more)`);
  }
  const search = await searchNamed({ beam: width, merge });
  if (typeof search.merge === "object") {
    const { parser } = model;
    const obstacle = parser instanceof ParserModel ? search.merge.obstacle(parser) : "no transitions";
    if (obstacle) throw new FileError(`${named ?? "the English model"}: invalid --merge ${merge}: it has ${obstacle}`);
  }
  const threads = options.threads ? threadsOf(options.threads) : 1;
  const fields = fieldsOf(options, command);
  if (options.outputDir !== undefined) {
    const pool = () => openPool(model, threads, search);
    await parseCorpus(inputs, model, pool, {
      ...options,
      ...{ model: named, models: options.model ?? [undefined], votes },
      outputDir: options.outputDir,
      to,
      fields,
      check,
      beam: width,
      merge,
    });
    if (options.allowSkipped && process.exitCode === 1) process.exitCode = 0;
    return;
  }
  const texts = inputs.filter(({ format }) => isReadAsIs(format)).map(({ path }) => path);
  const out = await openOutput(options.output, [...(options.model ?? []), ...texts]);
  const pool = openPool(model, threads, search);
  const terminal = (options.output ?? "-") === "-" && process.stdout.isTTY === true;
  const run = new ParseRun(pool, out, inputs, model, { ...options, model: named, votes, to, terminal, check, fields });
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

/** The model, or the combination of several. */
async function votingModel({ model: files = [], weights }: ParseCommandOptions): Promise<PipelineModel> {
  if (files.length > 1) return loadCombination(files, weights);
  if (weights) throw new FileError(noEffect("weights", weights.join(), "several models: --model A --model B"));
  return loadModel(files[0]);
}

/** Whether an output of the same name would destroy the input: of a treebank all can be read and written again. */
function isReadAsIs(format: Input["format"]): boolean {
  return format === "jsonl" || TEXT_FORMATS.includes(format as TextFormat);
}
