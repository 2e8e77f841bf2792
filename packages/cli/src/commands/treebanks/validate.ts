import { printable, type Sentence } from "@stemma/core";
import { RULES, type Rule, type Violation, validate } from "@stemma/core/treebank";
import { type Command, InvalidArgumentError } from "commander";
import { guarded, ReadReport, readSentences, sourceName } from "../../files/io.js";
import { openOutput } from "../../files/output.js";
import { note } from "../../terminal/messages.js";

interface ValidateOptions {
  ignore: readonly Rule[];
  errors?: boolean;
  json?: boolean;
  output?: string;
  strict?: boolean;
}

const HELP = `
The rules hold for every language; each problem comes with a link to the guidelines. They cover the tree (head, one-root,
root-label, cycle, punct-projective), the columns (upos, lemma, feature-form, feature-order, feature-upos), the relations
with the parts of speech they go with, their direction, dependents of function words, and second subjects or objects
(label, label-upos, leaf, left-to-right, goeswith-gap, too-many), and the name and text of the sentence (sent-id, text).
The validator of Universal Dependencies checks more, some of it for individual languages. Older treebanks follow older
guidelines.

Lines: FILE:LINE: error|warning: MESSAGE [RULE] LINK. With --json, one object per problem:
  {"file", "line", "id", "word", "rule", "level", "message", "link"}    word 0 stands for the whole sentence

Examples:
  $ stemma validate treebank.conllu
  $ stemma validate --errors --ignore punct-projective,lemma *.conllu
  $ stemma validate --json dev.conllu | jq -r .rule | sort | uniq -c

Exit status: 0 no errors, 1 errors found or sentences skipped, 2 wrong usage or a file that cannot be used.`;

/** Adds `stemma validate`. */
export function register(program: Command): void {
  program
    .command("validate")
    .description("check treebanks against the guidelines of Universal Dependencies")
    .argument("[files...]", 'CoNLL-U, may be gzipped; "-" or none is standard input')
    .option("--ignore <rules>", "rules to skip, separated by commas", ruleList, [])
    .option("--errors", "report errors only")
    .option("--json", "print JSON, one object per line")
    .option("-o, --output <file>", "write to a file, which appears only when it is complete")
    .option("--strict", "stop at the first sentence that cannot be read")
    .addHelpText("after", HELP)
    .action(guarded(run));
}

async function run(files: string[], { ignore, errors, json, output, strict }: ValidateOptions): Promise<void> {
  const ignored = new Set<string>(ignore);
  const report = new ReadReport();
  const out = await openOutput(output, files);
  const counts = { error: 0, warning: 0 };
  try {
    for (const file of files.length === 0 ? ["-"] : files) {
      for await (const sentence of readSentences(file, { strict, report, allowNonTrees: true })) {
        for (const violation of validate(sentence)) {
          if (ignored.has(violation.rule) || (errors && violation.level !== "error")) continue;
          counts[violation.level]++;
          await out.write(`${line(sourceName(file), sentence, violation, json === true)}\n`);
        }
      }
    }
    await out.close();
  } catch (error) {
    await out.abort();
    throw error;
  }
  const found = [count(counts.error, "error"), ...(errors ? [] : [count(counts.warning, "warning")])];
  note(`stemma: ${found.join(" and ")} in ${count(report.read, "sentence")}`);
  report.finish();
  if (counts.error > 0) process.exitCode = 1;
}

function line(file: string, sentence: Sentence, violation: Violation, json: boolean): string {
  const { rule, level, word, message, link } = violation;
  const place = word === 0 ? sentence.line : sentence.lineOf(word);
  if (json) return JSON.stringify({ file, line: place, id: sentence.id ?? null, word, rule, level, message, link });
  return `${file}:${place}: ${level}: ${printable(message)} [${rule}] ${link}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function ruleList(text: string): Rule[] {
  return text.split(",").map((name) => {
    const rule = RULES.find((known) => known === name.trim());
    if (rule === undefined) throw new InvalidArgumentError(`Unknown rule ${name}; expected ${RULES.join(", ")}.`);
    return rule;
  });
}
