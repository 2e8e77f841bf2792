import { type Format, StatisticsWithDisfluencies, type TreeBuilder } from "@stemma/core/treebank";
import { type Command, InvalidArgumentError } from "commander";
import { guarded, ReadReport, readSentences, sourceName } from "../../files/io.js";
import { refuseInputs, writeOutput } from "../../files/output.js";
import { fromOption } from "../../options/format-option.js";
import { treeBuilders } from "../../tables/coverage.js";
import { RoleStatistics, roleTable } from "../../tables/role-statistics.js";
import { statisticsTables } from "../../tables/statistics-tables.js";

interface StatsOptions {
  from: Format;
  json?: boolean;
  output?: string;
  strict?: boolean;
  top: number;
}

const HELP = `
With several files there is a column for each file and one for the total. An arc is non-projective when a word between
head and dependent does not descend from the head; gap degree and edge degree are those of Kuhlmann & Nivre (2006).
A tree is well-nested if no two disjoint subtrees interleave.
Disfluent words are those with the labels discourse:filler (interjections, IJ), discourse and parataxis:discourse (discourse
markers, DM) and reparandum (RP), each with the words below it; below several, the nearest counts. What removal cannot express is
counted: words with such a label below another, gaps among the words below one, and heads other than those that parse gives back.
Arcs from the root have no length. Sentences that are not trees (cycles, missing heads) count for size, inventories and
non-projectivity, and are left out of the other measures. "_" is not listed in any inventory.

JSON: {"files": [{"file", …}], "total": {…}} with, for each file and the total:
  sentences, words, forms, trees, notTrees, treesWithSeveralRoots, featureBundles    counts; forms and bundles distinct
  upos, xpos, feats, deprel                  {name: count}, the most frequent first
  nonProjective                              {sentences, sentenceShare, arcs, arcShare}
  wellNested: {"trees", "share"}, gapDegree, edgeDegree, depth, sentenceLength, arcLength
                                             {mean, median, max, counts: {value: count}}
  leftArcs                                   {arcs, share}: arcs between words with the dependent first
  disfluencies                               {sentences, IJ, DM, RP: {words, spans, lengths: {length: count}}, labelled, nested,
                                             discontinuous, otherHeads}: words that --joint disfluencies removes
  coverage                                   {system: {trees, share}}: trees that the transition system can build
  notJudged                                  trees of more than 500 words, which the coverage leaves out, and
                                             edgeDegree too if arcs cross
If there are predicates, also for all files together:
  roles                                      {predicates, arguments, senses, roles: {name: count}, coverage: {graphs, arguments}}: what
                                             the semantic stack can build (docs/semantic-roles.md)
Shares lie between 0 and 1.

Examples:
  $ stemma stats treebank.conllu
  $ stemma stats train.conllu dev.conllu --top 50
  $ stemma stats --json train.conllu | jq .total.nonProjective.sentenceShare

Exit status: 0 if all sentences were counted, 1 if some were skipped (or --strict stopped), 2 for wrong usage or a file that cannot
be opened, read or written.`;

/** Adds `stemma stats`; the builders, made when the command runs, are asked which trees they can build. */
export function register(program: Command, builders: () => readonly TreeBuilder[] = treeBuilders): void {
  program
    .command("stats")
    .description("print sizes, inventories, non-projectivity and other measures of treebanks")
    .argument("[files...]", 'treebanks, may be gzipped; "-" or none for standard input')
    .option("--json", "print JSON")
    .option("--top <n>", "number of rows in each inventory of the text output", wholeNumber, 20)
    .addOption(fromOption())
    .option("-o, --output <file>", "write to a file, which appears only once it is complete")
    .option("--strict", "stop at the first error")
    .addHelpText("after", HELP)
    .action(guarded((files: string[], options: StatsOptions) => run(files, options, builders())));
}

async function run(files: string[], options: StatsOptions, builders: readonly TreeBuilder[]): Promise<void> {
  const format = options.from;
  const { json, output, strict, top } = options;
  await refuseInputs(output, "--output", files);
  const report = new ReadReport();
  const total = new StatisticsWithDisfluencies(builders);
  const roles = new RoleStatistics();
  const parts: { file: string; statistics: StatisticsWithDisfluencies }[] = [];
  for (const file of files.length === 0 ? ["-"] : files) {
    const statistics = new StatisticsWithDisfluencies(builders);
    for await (const sentence of readSentences(file, { format, strict, report, allowNonTrees: true })) {
      statistics.add(sentence);
      roles.add(sentence);
    }
    total.merge(statistics);
    parts.push({ file: sourceName(file), statistics });
  }
  const summary = () => ({
    files: parts.map(({ file, statistics }) => ({ file, ...statistics.toJSON() })),
    total,
    ...(roles.predicates > 0 ? { roles } : {}),
  });
  const text = json
    ? `${JSON.stringify(summary(), null, 2)}\n`
    : statisticsTables(parts, total, top) + (roles.predicates > 0 ? roleTable(roles, top) : "");
  await writeOutput(output, text);
  report.finish();
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}
