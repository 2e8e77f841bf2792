import {
  type Drawable,
  FORMATS,
  type Format,
  latexDocument,
  TreebankError,
  toLatex,
  toStackedSVG,
  toSVG,
  toText,
} from "@stemma/core";
import { type Command, InvalidArgumentError, Option } from "commander";
import { INPUT_FORMATS, type Input, type InputFormat, inputsOf, withFormat } from "../inputs.js";
import { FileError, guarded, type Output, openOutput, ReadReport, sourceName } from "../io.js";
import { loadModel } from "../model.js";
import { numberedJson } from "../numbered-json.js";
import { ParseProgress } from "../parse-progress.js";
import { type BatchResult, TEXT_FORMATS, type TextFormat } from "../workers/batch.js";
import { readPieces } from "../workers/batches.js";
import { openPool, type ParserPool } from "../workers/pool.js";
import { readText, TextCutter } from "../workers/text-pieces.js";

const DRAWINGS = ["tree", "svg", "latex"] as const;
const OUTPUT_FORMATS = [...FORMATS, ...DRAWINGS] as const;
type OutputFormat = (typeof OUTPUT_FORMATS)[number];

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
  let say: () => void;
  try {
    const writer = new TreeWriter(out, (options.output ?? "-") === "-" && process.stdout.isTTY === true);
    say = await parseInputs(inputs, { ...options, ...(to ? { to } : {}) }, pool, writer);
    await writer.finish();
  } catch (error) {
    await out.abort();
    throw error;
  } finally {
    await pool.close();
  }
  await out.close();
  say();
}

/** Writes trees as they come, or all at once where the format has something before the first that depends on the last. */
class TreeWriter {
  private readonly drawings: Drawable[] = [];
  private to: OutputFormat = "conllu";
  private count = 0;

  constructor(
    readonly out: Output,
    readonly terminal: boolean,
  ) {}

  /** A tree of a sentence: the first, or a further one. */
  async sentence(piece: string, to: OutputFormat, rank = 1): Promise<void> {
    if (rank === 1) this.count++;
    const id = this.count;
    this.to = to;
    if (to === "conllu")
      await this.out.write(
        `${piece.startsWith("# newpar") ? "# newpar\n" : ""}# sent_id = ${id}\n${piece.replace(/^# newpar\n/, "")}`,
      );
    else if (to === "json") await this.out.write(numberedJson(piece, id));
    else if (to === "tree") {
      const color = this.terminal && !process.env.NO_COLOR;
      await this.out.write(`${id > 1 || rank > 1 ? "\n" : ""}${toText(JSON.parse(piece) as Drawable, { color })}`);
    } else this.drawings.push(JSON.parse(piece) as Drawable);
  }

  async finish(): Promise<void> {
    const { to, drawings, out } = this;
    if (to === "latex") await out.write(latexDocument(drawings.map((tree) => toLatex(tree))));
    else if (to === "svg" && drawings.length === 1) await out.write(toSVG(drawings[0]!, { standalone: true }));
    else if (to === "svg") await out.write(toStackedSVG(drawings, { standalone: true }));
  }
}

/** Returns what says on standard error how it went. */
async function parseInputs(
  inputs: Input[],
  options: ParseCommandOptions,
  pool: ParserPool,
  writer: TreeWriter,
): Promise<() => void> {
  const { strict = false, scores = false, offsets = false, retag = false, keep = false, kBest } = options;
  const { out } = writer;
  const report = new ReadReport();
  const progress = new ParseProgress();
  const losses = new Map<string, number>();
  const fail = (error: TreebankError) => {
    if (strict) throw error;
    report.skipped++;
    progress.clear();
    process.stderr.write(`${error.message}: sentence skipped\n`);
  };
  const lose = (what: string, count: number) => losses.set(what, (losses.get(what) ?? 0) + count);
  let newFile = false;
  let ended = "";
  const write = async (text: string, keepsLayout: boolean) => {
    if (text === "") return;
    let next = text;
    if (newFile && ended !== "" && keepsLayout) {
      // The last sentence of a file needs no blank line after it and the first may have a byte order mark, but not in between.
      if (!/\n\r?\n$/.test(ended)) await out.write(ended.endsWith("\n") ? "\n" : "\n\n");
      next = text.replace(/^\ufeff/, "");
    }
    newFile = false;
    ended = text.slice(-3);
    await out.write(next);
  };
  const writeTreebank = async (result: BatchResult, source: string, from: Format, to: Format) => {
    const same = from === to;
    await write(result.pieces[0]!, same && to !== "json");
    for (const problem of result.problems) fail(new TreebankError(source, problem));
    for (const [what, count] of result.losses) lose(what, count);
    const orphans = result.trailer.match(/^#/gm)?.length ?? 0;
    if (same) await write(result.trailer, to !== "json");
    else if (orphans > 0) lose("comments", orphans);
  };

  // Results are written in the order of the input; the oldest is waited for when there are enough under way.
  const underWay: Promise<void>[] = [];
  let previous: Promise<unknown> = Promise.resolve();
  const enqueue = async (
    result: Promise<BatchResult | TreebankError>,
    finish: (result: BatchResult) => Promise<void>,
  ): Promise<void> => {
    const before = previous;
    const written = (async () => {
      const [done] = await Promise.all([result, before]);
      if (done instanceof TreebankError) return fail(done);
      report.read += done.sentences;
      await finish(done);
      progress.add(done.sentences, done.words);
    })();
    written.catch(() => {});
    previous = written;
    underWay.push(written);
    if (underWay.length >= pool.capacity) await underWay.shift();
  };

  const parseText = async (chunks: AsyncIterable<string> | Iterable<string>, from: TextFormat) => {
    const to = options.to ?? (writer.terminal ? "tree" : "conllu");
    if (keep)
      throw new FileError(
        "invalid --keep: text has no heads to keep (it is for treebanks; --from lines keeps lines as sentences)",
      );
    if (to === "conllx" || to === "conll09") {
      throw new FileError(`text cannot be written as ${to} (use --to conllu, then stemma convert --to ${to})`);
    }
    const how = to === "conllu" || to === "json" ? to : "drawing";
    const cutter = new TextCutter(from);
    const finish = async (result: BatchResult) => {
      for (let i = 0; i < result.pieces.length; i++) await writer.sentence(result.pieces[i]!, to, result.ranks?.[i]);
    };
    const run = async (pieces: Iterable<{ text: string; offset: number }>) => {
      for (const piece of pieces)
        await enqueue(pool.run({ kind: "text", from, to: how, scores, kBest, offsets, ...piece }), finish);
    };
    try {
      for await (const chunk of chunks) await run(cutter.push(chunk));
    } finally {
      // What came before an invalid byte is not lost.
      await run(cutter.end());
      await Promise.all(underWay.splice(0));
    }
  };

  const parseTreebank = async (path: string, from: Format, chunks: AsyncIterable<Uint8Array>) => {
    const to = options.to ?? "conllu";
    const source = sourceName(path);
    if (!FORMATS.includes(to as Format)) {
      throw new FileError(`${source}: a treebank cannot be written as ${to} (pipe it to stemma draw)`);
    }
    for await (const piece of readPieces(chunks, source, from)) {
      const result =
        piece instanceof TreebankError
          ? Promise.resolve(piece)
          : pool.run({
              kind: "treebank",
              ...piece,
              source,
              from,
              to: to as Format,
              strict,
              scores,
              kBest,
              retag,
              keep,
            });
      await enqueue(result, (done) => writeTreebank(done, source, from, to as Format));
    }
  };

  for (const input of inputs) {
    if (input.text !== undefined) await parseText([input.text], input.format as TextFormat);
    else {
      const path = input.path!;
      const { format, chunks } = await withFormat(input);
      if (TEXT_FORMATS.includes(format as TextFormat)) await parseText(readText(path, chunks), format as TextFormat);
      else await parseTreebank(path, format as Format, chunks);
    }
    await Promise.all(underWay.splice(0));
    newFile = true;
  }
  return () => {
    progress.finish();
    if (losses.size > 0) {
      const counts = [...losses].map(([what, count]) => `${count} ${what}`).join(", ");
      process.stderr.write(`stemma: left out, as ${options.to ?? "conllu"} cannot hold them: ${counts}\n`);
    }
    report.finish();
  };
}
