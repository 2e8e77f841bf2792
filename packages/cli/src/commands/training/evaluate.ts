import { mkdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  Agreement,
  compareSystems,
  DisfluencyScores,
  Evaluation,
  evaluationPlots,
  LABEL_SETS,
  type LabelSet,
  type NamedEvaluation,
  type Punctuation,
  RoleScores,
  SIGNIFICANCE_TESTS,
  type SignificanceTest,
} from "@stemma/core/evaluation";
import type { Format } from "@stemma/core/treebank";
import { type Command, InvalidArgumentError, Option } from "commander";
import { FileError, fileError, guarded, readSentences, sourceName } from "../../files/io.js";
import { refuseInputs, writeOutput } from "../../files/output.js";
import { fromOption } from "../../options/format-option.js";
import { BREAKDOWNS, type BreakdownName, type Comparison, evaluationTables } from "../../tables/evaluation-tables.js";
import { warn } from "../../terminal/messages.js";

interface EvaluateOptions {
  from: Format;
  labels: LabelSet;
  by?: BreakdownName[];
  punctuation?: boolean;
  sameWords?: boolean;
  allowNonTrees?: boolean;
  top: number;
  examples: number;
  disfluencies?: boolean;
  roles?: boolean;
  strictRoles?: boolean;
  agreement?: boolean;
  test: SignificanceTest;
  samples: number;
  seed: number;
  json?: boolean;
  plots?: string;
  output?: string;
}

const HELP = `
UAS: words with the right head. LAS: words with the right head and label. CLAS: LAS of words with content labels. MLAS: CLAS
with UPOS, universal features and function words also right. BLEX: CLAS with the right lemma. ELAS and EULAS: arcs of the
enhanced graphs (DEPS) with the right head and label, in full and up to ":"; paths through empty nodes count as one arc, as in the
IWPT shared tasks. Exact match: sentences with every arc right. Punctuation: words whose UPOS in GOLD is PUNCT; with --punctuation unicode, words that consist of
punctuation characters; with a file, words whose form, UPOS or XPOS is a line of the file. Precision is the share of the system's
words that are right, recall the share of the gold words, and "aligned" the share of the words that both have. When the words are
the same, these three are equal. Otherwise words are aligned by characters, as in the CoNLL 2018 shared task, whose scorer
gives the same numbers; it also compares labels up to ":", which is the default of --labels.

If words have scores (Score=0.973 in MISC, "score" in JSON, as stemma parse --scores writes them), the scores are evaluated as
probabilities that head and full label are right: expected calibration error (accuracy against mean score in bins,
averaged over words), Brier score, and the area under the ROC curve for separating right from wrong.

With --roles the semantic dependencies are scored as in the CoNLL-2009 shared task: an arc from a virtual root to every predicate,
labelled with its sense, of which the number counts (evacuate.01 is evacuation.01), and one from the predicate to each argument for
each of its roles (A0|A1 are two). With --strict-roles, whole senses and joined roles are compared. Labelled: words and label are right;
unlabelled: the words are. Sense accuracy is the share of the predicates that both have whose sense is right. A proposition is
right if its sense and all its arguments are. Tables follow by role and by the number of words between predicate and argument.

Tags are "gold" if UPOS, XPOS or FEATS in the system file are those of GOLD for every word. A score with gold tags is not
comparable to one with predicted tags.

With --disfluencies, words with the labels discourse:filler (interjections), discourse and parataxis:discourse (discourse markers)
and reparandum (reparanda), each with the words below them, are taken for removed from the sentence, in the gold treebank and in
the output alike. "removed words" does not ask as what; a word of what remains is right if neither has it removed and its head is
right.

With --agreement neither file need be gold: UAS, LAS and the share of equal labels are those of the words that both have, and
Cohen's κ corrects the agreement of the labels for chance, (observed - expected) / (1 - expected), in all and for each relation
against all others ("-" where only one outcome is possible). Same arc: both have the relation, with the same head.

With several systems the columns are F1, and each pair is tested for UAS and LAS: p is the probability of a difference at
least as large between two equally good systems (two-sided test over sentences).

Names for --by: ${BREAKDOWNS.join(", ")}, or all.
JSON has every breakdown: {"gold", "systems": [{"file", "name", "tags", "scores", "withoutPunctuation", "calibration",
"roles", "agreement", "breakdowns", "disfluencies", …}], "comparisons": [{"first", "second", "uas": {"difference", "p", …}, "las"}]}; shares lie between 0 and 1.

Examples:
  $ stemma evaluate dev.conllu parsed.conllu
  $ stemma evaluate dev.conllu parsed.conllu --by label,confusions --top 10
  $ stemma evaluate dev.conllu eager.conllu swap.conllu --by length --plots plots
  $ stemma evaluate dev.conllu parsed.conllu --labels full --no-punctuation --by all
  $ stemma evaluate dev.conllu spoken.conllu --disfluencies
  $ stemma evaluate dev.conllu parsed.conllu --roles
  $ stemma evaluate first-annotator.conllu second-annotator.conllu --agreement --labels full
  $ stemma evaluate dev.conllu from-raw-text.conllu          different tokens and sentences: scores are F1
  $ stemma evaluate --json dev.conllu parsed.conllu | jq .systems[0].scores.las.f1

Nothing is skipped: an error in a file, a word without a head, or a difference in the text stops the evaluation with a message
that gives its place.
Exit status: 0 for success, 1 for an error in a treebank, 2 for wrong usage or a file that cannot be opened, read or written.`;

/** Adds `stemma evaluate`. */
export function register(program: Command): void {
  // --punctuation and --no-punctuation would be one option to commander; they may be given together, in any order.
  let rule = "upos";
  program
    .command("evaluate")
    .description("score parser output against a gold treebank, analyse errors, compare systems")
    .argument("<gold>", 'gold treebank, may be gzipped; "-" for standard input')
    .argument("<systems...>", "the same text as parsed by each system, one file per system")
    .addOption(
      new Option("--labels <set>", 'compare labels up to ":" (universal) or in full')
        .choices(LABEL_SETS)
        .default("universal"),
    )
    .option("--by <names>", "break scores down by these names, separated by commas, or all", breakdownNames)
    .addOption(
      new Option(
        "--punctuation <how>",
        "what counts as punctuation: upos, unicode, or a file of forms and tags (default: upos)",
      ).argParser((how: string, before: boolean | undefined) => {
        rule = how;
        return before !== false;
      }),
    )
    .option("--disfluencies", "score disfluent words by kind, and UAS and LAS of what remains without them")
    .option("--no-punctuation", "exclude punctuation from breakdowns, tests, plots and arc scores")
    .option("--top <n>", "number of rows in the tables of labels, tags and confusions", wholeNumber, 20)
    .option("--examples <n>", "number of examples for each pair of confused labels", wholeNumber, 3)
    .addOption(
      new Option("--test <test>", "significance test for comparing systems")
        .choices(SIGNIFICANCE_TESTS)
        .default("randomisation"),
    )
    .option("--samples <n>", "number of samples of the test", positiveNumber, 10_000)
    .option("--seed <n>", "random seed of the test", wholeNumber, 1)
    .option("--plots <folder>", "write precision and recall curves, and a reliability diagram, as SVG files")
    .option("--roles", "score predicates, senses and semantic roles as well (see below)")
    .option("--strict-roles", "the same with whole senses and joined roles")
    .option("--agreement", "score the agreement of two annotators: labels by chance-corrected κ, by relation as well")
    .option("--same-words", "treat different words as an error instead of aligning them")
    .option("--allow-non-trees", "accept self-loops, cycles and sentences without a root")
    .addOption(fromOption("format of all files"))
    .option("--json", "print JSON")
    .option("-o, --output <file>", "write to a file, which appears only once it is complete")
    .addHelpText("after", HELP)
    .action(
      guarded((gold: string, files: string[], options: EvaluateOptions, command: Command) =>
        run(gold, files, options, command, rule),
      ),
    );
}

async function run(
  gold: string,
  files: string[],
  options: EvaluateOptions,
  command: Command,
  rule: string,
): Promise<void> {
  if ([gold, ...files].filter((file) => file === "-").length > 1) {
    command.error('error: only one of the files can be "-", standard input', { exitCode: 2 });
  }
  const { json, output, plots, by = [], top } = options;
  await refuseInputs(output, "--output", [gold, ...files]);
  const systems = await evaluateFiles(gold, files, options, await punctuationOf(rule));
  const { counted, written } = systems[0]!.evaluation.punctuation;
  if (counted === 0 && written > 0) {
    const missing = rule === "upos" ? "has the UPOS PUNCT" : "is punctuation by --punctuation";
    warn(
      `${sourceName(gold)}: no word ${missing}, but ${written} have punctuation characters only: scores without punctuation ` +
        "are those of all words (--punctuation unicode goes by characters)",
    );
  }
  const comparisons = compareAll(systems, options);
  if (plots !== undefined) await writePlots(systems, plots);
  const text = json
    ? `${JSON.stringify(summaryOf(gold, files, systems, comparisons), null, 2)}\n`
    : evaluationTables(systems, comparisons, { gold: sourceName(gold), by, top });
  await writeOutput(output, text);
}

/** Reads all files side by side, so that none has to be held in memory. */
async function evaluateFiles(
  gold: string,
  files: string[],
  options: EvaluateOptions,
  punctuationBy: Punctuation,
): Promise<NamedEvaluation[]> {
  const {
    labels,
    punctuation = true,
    sameWords,
    examples,
    allowNonTrees,
    disfluencies,
    roles,
    strictRoles,
    agreement,
  } = options;
  // A sentence that is skipped on one side would pair the rest wrongly, so every error ends the evaluation.
  const reading = { format: options.from, allowNonTrees, strict: true, requireTree: true };
  const names = shortNames(files);
  const systems = files.map((file, i) => ({
    name: names[i]!,
    evaluation: new Evaluation({
      labels,
      punctuation,
      punctuationBy,
      sameWords,
      examples,
      also: [
        ...(agreement ? [new Agreement()] : []),
        ...(disfluencies ? [new DisfluencyScores()] : []),
        ...(roles || strictRoles ? [new RoleScores({ strict: strictRoles })] : []),
      ],
      goldSource: sourceName(gold),
      systemSource: sourceName(file),
    }),
    sentences: readSentences(file, reading),
  }));
  try {
    for await (const sentence of readSentences(gold, reading)) {
      for (const { evaluation, sentences } of systems) {
        evaluation.addGold(sentence);
        while (evaluation.needsSystem) {
          const next = await sentences.next();
          if (next.done) evaluation.end();
          else evaluation.addSystem(next.value);
        }
      }
    }
    for (const { evaluation, sentences } of systems) {
      const next = await sentences.next();
      if (!next.done) evaluation.addSystem(next.value);
      evaluation.end();
    }
  } finally {
    for (const { sentences } of systems) await sentences.return();
  }
  if (systems[0]!.evaluation.scores.words.gold === 0) throw new FileError(`${sourceName(gold)}: has no sentences`);
  return systems.map(({ name, evaluation }) => ({ name, evaluation }));
}

/** A rule by its name, or the lines of a file. */
async function punctuationOf(rule: string): Promise<Punctuation> {
  if (rule === "upos" || rule === "unicode") return rule;
  const text = await readFile(rule, "utf8").catch((error: Error) => {
    throw fileError("read", rule, error, " (expected upos, unicode or a file)");
  });
  return new Set(text.split(/\r?\n/).filter((line) => line !== ""));
}

function compareAll(systems: readonly NamedEvaluation[], options: EvaluateOptions): Comparison[] {
  const { test, samples, seed } = options;
  return systems.flatMap((first, i) =>
    systems.slice(i + 1).map((second) => {
      const compare = (metric: "uas" | "las") =>
        compareSystems(first.evaluation.counts, second.evaluation.counts, metric, { test, samples, seed });
      return { first: first.name, second: second.name, uas: compare("uas"), las: compare("las") };
    }),
  );
}

function summaryOf(
  gold: string,
  files: readonly string[],
  systems: readonly NamedEvaluation[],
  comparisons: readonly Comparison[],
) {
  return {
    gold: sourceName(gold),
    systems: systems.map(({ name, evaluation }, i) => ({ file: sourceName(files[i]!), name, ...evaluation.toJSON() })),
    comparisons,
  };
}

async function writePlots(systems: readonly NamedEvaluation[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw fileError("create the folder", folder, error);
  });
  for (const [file, svg] of evaluationPlots(systems)) {
    await writeOutput(join(folder, file), svg);
  }
}

/** File names without folders and endings, or with them where they would be the same. */
function shortNames(files: readonly string[]): string[] {
  const short = files.map((file) => basename(sourceName(file)).replace(/(\.(conllu|conllx?|conll09|json|gz))+$/, ""));
  return short.map((name, i) => (short.filter((other) => other === name).length > 1 ? sourceName(files[i]!) : name));
}

function breakdownNames(text: string): BreakdownName[] {
  if (text === "all") return [...BREAKDOWNS];
  return text.split(",").map((name) => {
    const known = BREAKDOWNS.find((one) => one === name.trim());
    if (known === undefined) throw new InvalidArgumentError(`Expected all, or some of ${BREAKDOWNS.join(", ")}.`);
    return known;
  });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}

function positiveNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 1.");
  return Number(text);
}
