import { PatternError } from "@stemma/core";
import { type Command, Option } from "commander";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../../documents/document-writer.js";
import { addFieldOptions, type FieldOptions, fieldsOf, refuseFields } from "../../documents/field-options.js";
import { type Input, inputsOf, SEARCHED_FORMATS } from "../../documents/inputs.js";
import { guarded } from "../../files/io.js";
import { loadModel } from "../../files/model.js";
import { type Output, openOutput } from "../../files/output.js";
import { positive } from "../../options/numbers.js";
import { type ThreadCount, threadCount, threadsOf } from "../../options/threads.js";
import { MatchDocuments } from "../../searching/match-documents.js";
import { BatchSearcher, SEARCH_OUTPUTS, type SearchOptions, type SearchOutput } from "../../searching/search-batch.js";
import { type GroupTotal, needsModel, openInputs, SearchRun } from "../../searching/search-run.js";
import { wrongPattern } from "../../searching/wrong-pattern.js";
import { type Color, colorOption, usesColor } from "../../terminal/color.js";
import { warn } from "../../terminal/messages.js";
import { alignedLines } from "../../terminal/text-table.js";

interface SearchCommandOptions extends FieldOptions {
  from?: NonNullable<Input["format"]>;
  to?: SearchOutput;
  json?: boolean;
  not?: boolean;
  count?: boolean;
  countBy?: string;
  groupBy?: string;
  limit?: number;
  model?: string;
  threads?: ThreadCount;
  output?: string;
  color: Color;
  strict?: boolean;
}

/** Matches of each group that --group-by shows without --limit. */
const EXAMPLES_OF_GROUP = 5;

const HELP = `
Patterns (see docs/search.md for the whole language):
  {upos:VERB; lemma:/^re/; Tense:Past; !Voice}=verb    a word, with tests and a name
  A >nsubj B   B is a dependent of A, its label nsubj or a subtype; >=nsubj without subtypes; >nsubj|csubj, >!punct, >/subj/
  A < B        B is the head of A            A >> B   B is a descendant          A << B   an ancestor
  A $ B        siblings                      A . B    immediately before         A .. B   before (- and -- are after)
  A @>nsubj B  an arc in DEPS                A >>{2,3} B, A ..{1,5} B            bounds on the distance
  !>obj {}     there is none                 ?>obj {}=o   if there is one        [ >obj {} | >ccomp {} ]   alternatives
  ; a.lemma = b.lemma ; a.Number != b.Number ; sentence.length > 20              further words and conditions
Relations in a chain belong to its first word: {} >nsubj {} >obj {} is a head with two dependents. Use
parentheses for other words: {} >obj ({} >amod {}).

Examples:
  $ stemma search '{upos:VERB} >nsubj:pass {}=subject !>obl:agent {}' treebank.conllu
  $ stemma search '{upos:VERB}=verb >obj {}=object' --count-by verb.lemma,object.lemma train.conllu.gz
  $ stemma search '{lemma:take}=verb >obj {}=object' --group-by object.lemma --limit 3 article.txt
  $ stemma search --not '{upos:VERB}' --to conllu treebank.conllu > without-verbs.conllu
  $ stemma search --json '{}=a >conj {}=b ; a.upos != b.upos' treebank.conllu | jq .text
  $ stemma search '{upos:VERB}=verb >obj {}' --count-by verb.lemma words.parquet
  $ echo "They saw her duck." | stemma search '{}=verb >obj {}=object'

Every match is printed on a line, with its place (file and line of a treebank, number of the sentence in a text) and the matched
words in brackets, or in colours on a terminal. With --to conllu every matching sentence is written once, with a comment
"# match = verb:3 subject:1" for each match; --to jsonl and parquet write the same sentences as documents or as a table of words. The
place of a match in documents (--from jsonl) or in a table (.parquet) is the line or the row. Text, and documents without sentences,
are parsed first, with the English model or the one given with --model.
Exit status: 0 if something was found, 1 if nothing was found (as with grep), 2 for wrong usage, or a file or sentence that cannot be
read.`;

/** Adds `stemma search`. */
export function register(program: Command): void {
  const command = program
    .command("search")
    .description("find words and constructions in treebanks or text")
    .argument("<pattern>", "pattern to search for")
    .argument("[input...]", 'files, may be gzipped, or text; "-" or none for standard input')
    .addOption(
      new Option("--from <format>", "format of the input (default: see stemma parse --help)").choices(SEARCHED_FORMATS),
    )
    .addOption(new Option("--to <format>", "output format").choices(SEARCH_OUTPUTS).default("text"))
    .option("--json", "the same as --to json: one object per line for each match")
    .option("--not", "show the sentences without a match")
    .option("--count", "print only the number of matches, or with --not the number of sentences")
    .option(
      "--count-by <values>",
      "print how many matches have each value: subject.lemma, or several separated by commas",
    )
    .option("--group-by <values>", `group matches by their values, ${EXAMPLES_OF_GROUP} of each group`)
    .option(
      "--limit <number>",
      "stop after this number of matches (--to conllu: sentences; --group-by: matches per group)",
      positive,
    )
    .option(
      "-m, --model <file>",
      "model for parsing text: a file, or a name such as en-large (default: the English model that comes with Stemma)",
    )
    .option(
      "--threads <number>",
      "number of search threads; 0 for all cores; limited to the number of cores unless given twice (default: 1)",
      threadCount,
    )
    .option("-o, --output <file>", "write to a file, which appears only once it is complete");
  addFieldOptions(command)
    .addOption(colorOption())
    .option("--strict", "stop at the first sentence that cannot be read")
    .addHelpText("after", HELP)
    .action(guarded(search));
}

async function search(pattern: string, args: string[], options: SearchCommandOptions, command: Command): Promise<void> {
  const { count, countBy, groupBy, not, json } = options;
  const chosen = { "--count": count, "--count-by": countBy, "--group-by": groupBy };
  const [first, second] = Object.entries(chosen).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (second !== undefined) command.error(`error: ${first} and ${second} cannot be combined`);
  if (not && (countBy ?? groupBy) !== undefined) command.error(`error: --not and ${first} cannot be combined`);
  if (json && command.getOptionValueSource("to") === "cli" && options.to !== "json") {
    command.error(`error: --json and --to ${options.to} cannot be combined`);
  }
  const to = json ? "json" : options.to!;
  const documents = DOCUMENT_FORMATS.find((format) => format === to) as DocumentFormat | undefined;
  if (first !== undefined && (to === "conllu" || documents)) {
    command.error(`error: --to ${to} and ${first} cannot be combined`);
  }
  const isTerminal = (options.output ?? "-") === "-" && process.stdout.isTTY === true;
  const searchOptions: SearchOptions = {
    pattern,
    to: to === "text" || to === "json" ? to : "conllu",
    color: to === "text" && usesColor(options.color, isTerminal),
    not: not === true,
    by: (countBy ?? groupBy)?.split(",").map((value) => value.trim()) ?? [],
    countOnly: count === true || countBy !== undefined,
    limit: options.limit ?? (groupBy === undefined ? Number.MAX_SAFE_INTEGER : EXAMPLES_OF_GROUP),
    strict: options.strict === true,
  };
  try {
    // Errors in the pattern are reported before anything is read.
    new BatchSearcher(searchOptions);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return wrongPattern(error);
  }
  const inputs = await openInputs(inputsOf(args, options.from));
  if (!inputs.some(({ format }) => format === "jsonl")) refuseFields(command);
  const model = inputs.some(needsModel) ? await loadModel(options.model) : undefined;
  const out = await openOutput(options.output);
  let run: SearchRun;
  try {
    const found = documents && new MatchDocuments(documents, out);
    const threads = options.threads ? threadsOf(options.threads) : 1;
    run = new SearchRun(searchOptions, out, threads, model, found, fieldsOf(options, command));
    await run.search(inputs);
    await found?.finish();
    await writeTotals(run, { ...options, color: searchOptions.color }, to, out);
  } catch (error) {
    await out.abort();
    throw error;
  }
  await out.close();
  const found = not ? run.sentences - run.matching : run.matches;
  if (run.skipped > 0) {
    const sentences = run.skipped === 1 ? "sentence" : "sentences";
    warn(`stemma: ${run.skipped} ${sentences} skipped, ${run.sentences} read`);
    process.exitCode = 2;
  } else process.exitCode = found > 0 ? 0 : 1;
}

async function writeTotals(
  run: SearchRun,
  options: Omit<SearchCommandOptions, "color"> & { color: boolean },
  to: SearchOutput,
  out: Output,
): Promise<void> {
  const { count, countBy, groupBy, not } = options;
  const isJson = to === "json";
  if (count) {
    const { matches, matching, sentences } = run;
    if (isJson) await out.write(`${JSON.stringify({ matches, matching, sentences })}\n`);
    else await out.write(`${not ? sentences - matching : matches}\n`);
  }
  if (countBy === undefined && groupBy === undefined) return;
  // The most frequent first, and where there are as many in the order of the values: the same for any number of
  // threads.
  const groups = [...run.groups.values()].sort((a, b) => b.count - a.count || compareValues(a, b));
  const shown = countBy === undefined ? groups : groups.slice(0, options.limit);
  if (isJson) {
    for (const { values, count, lines } of shown) {
      const matches = groupBy === undefined ? {} : { matches: lines.map((line) => JSON.parse(line)) };
      await out.write(`${JSON.stringify({ values, count, ...matches })}\n`);
    }
  } else if (countBy !== undefined) {
    const rows = shown.map(({ values, count }) => [...values, String(count)]);
    for (const line of alignedCounts(rows)) await out.write(`${line}\n`);
  } else {
    let isFirst = true;
    for (const { values, count, lines } of shown) {
      await out.write(`${isFirst ? "" : "\n"}${values.join("  ")} (${count})\n`);
      await out.write(lines.map((line) => `  ${line}`).join(""), options.color);
      isFirst = false;
    }
  }
}

/** Numbers first, to the right, so that the columns of values can have any width. */
function alignedCounts(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(0, ...rows.map((row) => row[row.length - 1]!.length));
  return alignedLines(
    rows.map((row) => [row[row.length - 1]!.padStart(width), ...row.slice(0, -1)]),
    "left",
  );
}

function compareValues(a: GroupTotal, b: GroupTotal): number {
  const [x, y] = [a.values.join("\t"), b.values.join("\t")];
  return x < y ? -1 : x > y ? 1 : 0;
}
