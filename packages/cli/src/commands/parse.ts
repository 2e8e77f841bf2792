import { FORMATS, type Format, TreebankError } from "@stemma/core";
import { type Command, InvalidArgumentError, Option } from "commander";
import { guarded, type Output, openOutput, ReadReport, sourceName } from "../io.js";
import { loadModel } from "../model.js";
import { ParseProgress } from "../parse-progress.js";
import type { BatchResult } from "../workers/batch.js";
import { readPieces } from "../workers/batches.js";
import { openPool, type ParserPool } from "../workers/pool.js";

interface ParseCommandOptions {
  model: string;
  from: Format;
  to: Format;
  json?: boolean;
  scores?: boolean;
  threads: number;
  output?: string;
  strict?: boolean;
}

const MOST_THREADS = 256;

const EXAMPLES = `
Examples:
  $ stemma parse --model english.stemma tagged.conllu > parsed.conllu
  $ cat tagged.conllu | stemma parse --model english.stemma --threads 0 | stemma draw -
  $ stemma parse --model english.stemma --json --scores tagged.conllu | jq '.words[] | select(.score < 0.5)'

The words need the columns that the model was trained with (tags, features); HEAD and DEPREL are replaced, DEPS is
emptied, and everything else comes out as it went in. Every sentence gets a tree with one root.
A sentence that cannot be read is skipped and the error printed with file, line, column and what was expected.
Exit status: 0 all sentences written, 1 some skipped (or --strict stopped), 2 wrong usage or a file that cannot be used.`;

/** Adds `stemma parse`. */
export function register(program: Command): void {
  program
    .command("parse")
    .description("parse tagged sentences with a model")
    .argument("[files...]", 'sentences, may be gzipped; "-" or none is standard input')
    .requiredOption("-m, --model <file>", "the model, made by stemma train")
    .addOption(new Option("--from <format>", "format of the input").choices(FORMATS).default("conllu"))
    .addOption(new Option("--to <format>", "format of the output").choices(FORMATS).default("conllu"))
    .option("--json", "the same as --to json")
    .option("--scores", "say how sure each head and label is, 0 to 1: Score=… in MISC, score in JSON")
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

async function parse(files: string[], options: ParseCommandOptions, command: Command): Promise<void> {
  const to = options.json ? "json" : options.to;
  if (options.scores && (to === "conllx" || to === "conll09")) {
    command.error(`error: --scores needs --to conllu or json: ${to} has no place for them`);
  }
  const model = await loadModel(options.model);
  const out = await openOutput(options.output);
  const pool = openPool(model, options.threads);
  let say: () => void;
  try {
    say = await parseFiles(files.length > 0 ? files : ["-"], { ...options, to }, pool, out);
  } catch (error) {
    await out.abort();
    throw error;
  } finally {
    await pool.close();
  }
  await out.close();
  say();
}

/** Returns what says on standard error how it went. */
async function parseFiles(
  files: string[],
  options: ParseCommandOptions,
  pool: ParserPool,
  out: Output,
): Promise<() => void> {
  const { from, to, strict = false, scores = false } = options;
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
  const write = async (text: string) => {
    if (text === "") return;
    let next = text;
    if (newFile && ended !== "" && from === to && to !== "json") {
      // The last sentence of a file needs no blank line after it and the first may have a byte order mark, but not in between.
      if (!/\n\r?\n$/.test(ended)) await out.write(ended.endsWith("\n") ? "\n" : "\n\n");
      next = text.replace(/^\ufeff/, "");
    }
    newFile = false;
    ended = text.slice(-3);
    await out.write(next);
  };
  const finished = async (result: BatchResult, source: string) => {
    report.read += result.sentences;
    await write(result.text);
    for (const problem of result.problems) fail(new TreebankError(source, problem));
    for (const [what, count] of result.losses) lose(what, count);
    const orphans = result.trailer.match(/^#/gm)?.length ?? 0;
    if (from === to) await write(result.trailer);
    else if (orphans > 0) lose("comments", orphans);
    progress.add(result.sentences, result.words);
  };

  // Results are written in the order of the input; the oldest is waited for when there are enough under way.
  const underWay: Promise<void>[] = [];
  let previous: Promise<unknown> = Promise.resolve();
  const enqueue = async (result: Promise<BatchResult | TreebankError>, source: string) => {
    const before = previous;
    const written = (async () => {
      const [done] = await Promise.all([result, before]);
      if (done instanceof TreebankError) fail(done);
      else await finished(done, source);
    })();
    written.catch(() => {});
    previous = written;
    underWay.push(written);
    if (underWay.length >= pool.capacity) await underWay.shift();
  };
  for (const file of files) {
    const source = sourceName(file);
    for await (const piece of readPieces(file, from)) {
      const result =
        piece instanceof TreebankError
          ? Promise.resolve(piece)
          : pool.run({ ...piece, source, from, to, strict, scores });
      await enqueue(result, source);
    }
    await Promise.all(underWay.splice(0));
    newFile = true;
  }
  return () => {
    progress.finish();
    if (losses.size > 0) {
      const counts = [...losses].map(([what, count]) => `${count} ${what}`).join(", ");
      process.stderr.write(`stemma: left out, as ${to} cannot hold them: ${counts}\n`);
    }
    report.finish();
  };
}
