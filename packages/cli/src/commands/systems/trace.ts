import { printable, type Sentence } from "@stemma/core";
import { traceRoles } from "@stemma/core/roles";
import {
  goldTreeOf,
  ORACLES,
  type OracleName,
  oraclesOf,
  ROOT_POSITIONS,
  type RootPosition,
  systemNames,
  type Trace,
  type TransitionSystem,
  traceDerivation,
  trainingOracle,
} from "@stemma/core/systems";
import { FORMATS, type Format, nonProjectiveArcs } from "@stemma/core/treebank";
import { type Command, Option } from "commander";
import { guarded, ReadReport, sourceName } from "../../files/io.js";
import { openOutput } from "../../files/output.js";
import { positive } from "../../options/numbers.js";
import { checkOptions } from "../../options/option-rules.js";
import { type Numbered, selectTrees } from "../../options/selection.js";
import { addSettingOptions, settingRules, systemOf } from "../../options/system-options.js";
import { type TableOptions, traceToLatex, traceToText } from "../../tables/trace-tables.js";
import { warn } from "../../terminal/messages.js";

interface TraceOptions extends TableOptions {
  system: string;
  root: RootPosition;
  oracle: OracleName;
  singleRoot?: boolean;
  roles?: boolean;
  sentence?: number;
  id?: string;
  format: "text" | "json" | "latex";
  to?: "text" | "json" | "latex";
  from: Format;
  output?: string;
  strict?: boolean;
}

const EXAMPLES = `
Examples:
  $ stemma trace --system arc-eager --sentence 3 treebank.conllu
  $ stemma trace --system arc-standard --root first --oracle dynamic --numbers --id weblog-17 treebank.conllu
  $ stemma trace --system swap --lazy --sentence 3 --format latex treebank.conllu > derivation.tex
  $ stemma trace --system arc-eager --roles --sentence 3 roles.conllu
  $ stemma trace --system lr-spines --json treebank.conllu | jq '.steps | length'

Each row shows a transition and the configuration that it leads to. The static oracle follows the canonical derivation. The
non-deterministic oracle follows the first of the correct transitions and lists them all. The dynamic oracle follows a
transition of lowest cost and lists the costs of all permitted transitions; in swap and arc-hybrid-swap it is the one of training,
which goes by upper bounds of the loss, and a note says where these may be wrong. In LR-spines a stack element shows its spines: the
tree "a←b→c→d" has root b, left spine b a and right spine b c d. With --roles, as soon as a word leaves the buffer it is decided whether it
is a predicate (PRED, NO-PRED), and SEM- transitions link it with what waits on the semantic stack; docs/semantic-roles.md lists
them. A tree that the system cannot build is reported and left out;
only the dynamic oracle traces it and shows what is lost.
Exit status: 0 if all trees were traced, 1 if sentences were skipped or trees could not be built, 2 for wrong usage, a file that
cannot be opened, read or written, or a sentence that does not exist.`;

/** Adds `stemma trace`. */
export function register(program: Command): void {
  const command = program
    .command("trace")
    .description("show the derivations of trees, step by step")
    .argument("[file]", 'treebank, may be gzipped; "-" or none for standard input', "-")
    .addOption(new Option("--system <system>", "transition system").choices(systemNames()).makeOptionMandatory())
    .addOption(new Option("--root <position>", "position of the root node").choices(ROOT_POSITIONS).default("last"))
    .addOption(new Option("--oracle <oracle>", "oracle to follow").choices(ORACLES).default("static"))
    .option("--single-root", "permit only trees with a single root")
    .option("--roles", "with a second stack for predicates and semantic roles; static oracle only");
  addSettingOptions(command)
    .addOption(new Option("--sentence <n>", "only the n-th sentence, from 1").argParser(positive).conflicts("id"))
    .option("--id <sent_id>", "only the sentence with this sent_id")
    .option("--numbers", "show the number of each word after it")
    .option("--full", "do not shorten long stacks and buffers")
    .addOption(new Option("--format <format>", "output format").choices(["text", "json", "latex"]).default("text"))
    .addOption(
      new Option("--to <format>", "the same as --format").choices(["text", "json", "latex"]).conflicts("format"),
    )
    .addOption(new Option("--json", "the same as --format json: one object per sentence").implies({ format: "json" }))
    .addOption(
      new Option("--latex", "the same as --format latex; needs the package booktabs").implies({ format: "latex" }),
    )
    .addOption(new Option("--from <format>", "format of the input").choices(FORMATS).default("conllu"))
    .option("-o, --output <file>", "write to a file, which appears only once it is complete")
    .option("--strict", "stop at the first error")
    .addHelpText("after", EXAMPLES)
    .action(guarded(trace));
}

async function trace(file: string, options: TraceOptions, command: Command): Promise<void> {
  options.format = options.to ?? options.format;
  checkOptions(settingRules(), options, (name) => command.getOptionValueSource(name) === "cli");
  const system = systemOf(options.system, options);
  const exact = oraclesOf(system);
  const oracles = ORACLES.filter((name) => exact.includes(name) || (name === "dynamic" && trainingOracle(system)));
  if (!oracles.includes(options.oracle)) {
    const expected = `none is known for ${system.name}; expected ${oracles.join(" or ")}`;
    command.error(`error: invalid oracle: ${options.oracle} (${expected})`, { exitCode: 2 });
  }
  if (options.roles && options.oracle !== "static") {
    command.error(`error: invalid oracle: ${options.oracle} (expected static with --roles)`, { exitCode: 2 });
  }
  if (options.roles && system.description.reordersWords) {
    const expected = "expected a system that takes the words in their order with --roles";
    command.error(`error: invalid system: ${system.name} (${expected})`, { exitCode: 2 });
  }
  const report = new ReadReport();
  const out = await openOutput(options.output, [file]);
  let failed = 0;
  let written = 0;
  try {
    for await (const numbered of selectTrees(file, options, { format: options.from, strict: options.strict, report })) {
      const { sentence } = numbered;
      const gold = goldTreeOf(system, sentence);
      const predicates = sentence.predicates.map((predicate) => predicate.toJSON());
      const roles = options.roles ? traceRoles(system, gold, predicates) : undefined;
      const derivation = options.roles ? roles : traceDerivation(system, gold, options.oracle);
      if (roles && roles.lost.length > 0) {
        const arcs = roles.lost.map(([predicate, argument]) => `${predicate} → ${argument}`);
        warn(`${sourceName(file)}:${sentence.line}: the semantic stack cannot build ${arcs.join(", ")}`);
      }
      if (!derivation) {
        failed++;
        warn(`${sourceName(file)}:${sentence.line}: ${whyNot(system, sentence)}`);
        continue;
      }
      const separator = written++ > 0 && options.format !== "json" ? "\n" : "";
      await out.write(separator + formatTrace(numbered, derivation, options));
    }
  } catch (error) {
    await out.abort();
    throw error;
  }
  await out.close();
  if (failed > 0) process.exitCode = 1;
  report.finish();
}

function whyNot(system: TransitionSystem, sentence: Sentence): string {
  const problem = `${system.name} cannot build this tree`;
  const roots = sentence.heads.reduce((count, head) => count + (head === 0 ? 1 : 0), 0);
  const arcs = nonProjectiveArcs(sentence.heads).map((d) => `${sentence.heads[d]} → ${d}`);
  if (roots > 1 && system.buildsOneRoot) {
    return `${problem}: ${roots} words depend on the root (expected one, ${system.singleRoot ? "as --single-root says" : "with --root none"})`;
  }
  return `${problem}: non-projective ${arcs.length === 1 ? "arc" : "arcs"} ${arcs.join(", ")}`;
}

function formatTrace({ number, sentence }: Numbered, derivation: Trace, options: TraceOptions): string {
  if (options.format === "json") return `${JSON.stringify(traceToJSON(number, sentence, derivation, options))}\n`;
  const latex = options.format === "latex";
  const title = `${latex ? "%" : "#"} ${number}${sentence.id === undefined ? "" : ` ${printable(sentence.id)}`}\n`;
  return title + (latex ? traceToLatex : traceToText)(derivation, sentence, options);
}

function traceToJSON(number: number, sentence: Sentence, derivation: Trace, options: TraceOptions) {
  const { initial, steps, headless, wrong } = derivation;
  return {
    sentence: number,
    id: sentence.id,
    system: options.system,
    root: options.root,
    oracle: options.oracle,
    words: Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1)),
    initial,
    steps: steps.map(({ transition, arc, stack, buffer, label, ...rest }) => ({
      transition,
      label: label ?? (arc && sentence.heads[arc[1]] === arc[0] ? sentence.deprel(arc[1]) : null),
      stack,
      buffer,
      arc: arc ?? null,
      ...rest,
    })),
    headless,
    wrong,
  };
}
