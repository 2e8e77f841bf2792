import {
  countDerivations,
  DERIVATION_LIMIT,
  goldTreeOf,
  ROOT_POSITIONS,
  type RootPosition,
  systemNames,
  systemSettings,
} from "@stemma/core/systems";
import { FORMATS, type Format } from "@stemma/core/treebank";
import { type Command, Option } from "commander";
import { guarded, ReadReport, sourceName } from "../../files/io.js";
import { refuseInputs, writeOutput } from "../../files/output.js";
import { positive } from "../../options/numbers.js";
import { checkOptions } from "../../options/option-rules.js";
import { selectTrees } from "../../options/selection.js";
import { addSettingOptions, settingRules, systemOf } from "../../options/system-options.js";
import { type Counted, derivationsTables, summarize } from "../../tables/derivations-tables.js";

interface DerivationsOptions {
  system?: string;
  root: RootPosition;
  singleRoot?: boolean;
  limit: number;
  sentence?: number;
  id?: string;
  summary?: boolean;
  json?: boolean;
  from: Format;
  output?: string;
  strict?: boolean;
}

const HELP = `
A derivation of a tree is a sequence of transitions that leads from the initial to a terminal configuration and builds its arcs
and no others. A tree that the system cannot build has 0 derivations. Counts are exact, however large. For systems with SWAP,
2-planar, --no-monotonic, --no-tree-constraint and trees with words to remove, the configurations of a sentence are counted one by
one; beyond --limit the sentence is not counted ("?"), which with the default happens from six or seven words on. The other systems
are counted in polynomial time. Attardi has a limit, too (100 times as many combinations), which only very unusual sentences reach.
With an auxiliary stack nothing is counted from two words on, because EXTRACT and INSERT can undo each other again and again.

JSON: {"file", "root", "sentences": [{"sentence", "id", "words", "derivations": {system: "digits", or null if not counted},
"limits": {system: the limit that was reached, such as "20000 configurations", or why there is no number}, if there are any}], "summary": {system: {sentences, notCounted, buildable, unambiguous, meanLog10, median, max}}}. All values from buildable on are over the sentences that were counted; mean, median and maximum are over the buildable ones.

Examples:
  $ stemma derivations treebank.conllu                              all systems
  $ stemma derivations --system arc-eager --root first --summary treebank.conllu
  $ stemma derivations --system swap --limit 1000000 --sentence 12 treebank.conllu

Exit status: 0 if all sentences were read, 1 if some were skipped (or --strict stopped), 2 for wrong usage, a file that cannot be
opened, read or written, or a sentence that does not exist.`;

/** Adds `stemma derivations`. */
export function register(program: Command): void {
  const command = program
    .command("derivations")
    .description("count the derivations of trees (spurious ambiguity) in each transition system")
    .argument("[file]", 'treebank, may be gzipped; "-" or none for standard input', "-")
    .addOption(new Option("--system <system>", "transition system (default: all)").choices(systemNames()))
    .addOption(new Option("--root <position>", "position of the root node").choices(ROOT_POSITIONS).default("last"))
    .option("--single-root", "permit only trees with a single root");
  // All derivations are counted, not that of the static oracle alone.
  const counted = systemSettings().filter(({ isOfOracle }) => !isOfOracle);
  addSettingOptions(command, counted)
    .option("--limit <n>", "swap, attardi: maximum work for a sentence, in configurations", positive, DERIVATION_LIMIT)
    .addOption(new Option("--sentence <n>", "only the n-th sentence, from 1").argParser(positive).conflicts("id"))
    .option("--id <sent_id>", "only the sentence with this sent_id")
    .option("--summary", "omit the rows for single sentences")
    .option("--json", "print JSON")
    .addOption(new Option("--from <format>", "format of the input").choices(FORMATS).default("conllu"))
    .option("-o, --output <file>", "write to a file, which appears only once it is complete")
    .option("--strict", "stop at the first error")
    .addHelpText("after", HELP)
    .action(guarded(derivations));
}

async function derivations(file: string, options: DerivationsOptions, command: Command): Promise<void> {
  checkOptions(settingRules(), options, (name) => command.getOptionValueSource(name) === "cli");
  await refuseInputs(options.output, "--output", [file]);
  const systems = (options.system === undefined ? systemNames() : [options.system]).map((name) =>
    systemOf(name, options),
  );
  const names = systems.map(({ name }) => name);
  const report = new ReadReport();
  const counted: Counted[] = [];
  for await (const { number, sentence } of selectTrees(file, options, {
    format: options.from,
    strict: options.strict,
    report,
  })) {
    const results = systems.map((system) => countDerivations(system, goldTreeOf(system, sentence), options.limit));
    const counts = results.map(({ count }) => count);
    const limits = results.map(({ limit }) => limit);
    counted.push({ number, id: sentence.id, words: sentence.length, counts, limits });
  }
  let text: string;
  if (options.json) {
    const sentences = counted.map(({ number, id, words, counts, limits }) => ({
      sentence: number,
      id,
      words,
      derivations: Object.fromEntries(names.map((name, k) => [name, counts[k]?.toString() ?? null])),
      ...(limits.some((limit) => limit !== undefined)
        ? {
            limits: Object.fromEntries(
              names.flatMap((name, k) => (limits[k] === undefined ? [] : [[name, limits[k]]])),
            ),
          }
        : {}),
    }));
    const summary = Object.fromEntries(
      names.map((name, k) => [name, summarize(counted.map(({ counts }) => counts[k]))]),
    );
    const json = { file: sourceName(file), root: options.root, ...(options.summary ? {} : { sentences }), summary };
    const digits = (_: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);
    text = `${JSON.stringify(json, digits, 2)}\n`;
  } else text = derivationsTables(names, counted, options.summary ?? false, options.limit);
  await writeOutput(options.output, text);
  report.finish();
}
