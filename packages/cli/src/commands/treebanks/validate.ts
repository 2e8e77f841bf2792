import { printable } from "@stemma/core";
import {
  type Block,
  BlockSplitter,
  RULES,
  type Rule,
  repairedLines,
  TreebankError,
  TreebankReader,
  type ValidationLevel,
  Validator,
  type Violation,
} from "@stemma/core/treebank";
import { type Command, InvalidArgumentError } from "commander";
import { FileError, guarded, readLines, sourceName } from "../../files/io.js";
import { openOutput } from "../../files/output.js";
import { note } from "../../terminal/messages.js";

interface ValidateOptions {
  level: ValidationLevel;
  ignore: readonly Rule[];
  errors?: boolean;
  fix?: boolean;
  json?: boolean;
  output?: string;
}

const HELP = `
Levels, as UD's own validator has them: 1 the format (lines, columns, IDs, characters), 2 names of tags, relations and
features, heads, trees, DEPS, sent_id and text, 3 the guidelines that hold for every language. The rules have the names
of that validator; it knows more for individual languages. All files are one treebank: a sent_id is used once.

--fix rewrites the files where there is only one repair: line ends, empty lines, normalization (NFC), the order of
features, of their values and of DEPS, repetitions, white space, misplaced comments, columns that must be empty. Each
file has its old content or all of the new. What is left is reported.

Lines: FILE:LINE:COLUMN: error|warning: MESSAGE [RULE] LINK. COLUMN, 1 (ID) to 10 (MISC), is left out where the whole
line is meant. With --json, one object per problem:
  {"file", "line", "column", "word", "rule", "level", "severity", "message", "link"}

Examples:
  $ stemma validate treebank.conllu
  $ stemma validate --level 2 --fix *.conllu
  $ stemma validate --errors --ignore punct-is-nonproj,leaf *.conllu
  $ stemma validate --json dev.conllu | jq -r .rule | sort | uniq -c

Exit status: 0 no errors, 1 errors found, 2 wrong usage or a file that cannot be used.`;

/** Adds `stemma validate`. */
export function register(program: Command): void {
  program
    .command("validate")
    .description("check treebanks against the guidelines of Universal Dependencies")
    .argument("[files...]", 'CoNLL-U, may be gzipped; "-" or none is standard input')
    .option("--level <n>", "highest level to check, 1 to 3", levelOf, 3)
    .option("--ignore <rules>", "rules to skip, separated by commas", ruleList, [])
    .option("--errors", "report errors only")
    .option("--fix", "repair what can be repaired in one way only, in the files")
    .option("--json", "print JSON, one object per line")
    .option("-o, --output <file>", "write to a file, which appears only when it is complete")
    .addHelpText("after", HELP)
    .action(guarded(run));
}

async function run(files: string[], options: ValidateOptions): Promise<void> {
  const { level, errors, json, output, fix } = options;
  if (fix && (files.length === 0 || files.includes("-"))) {
    throw new FileError("invalid --fix: <stdin> (expected files, which it rewrites)");
  }
  const ignored = new Set<string>(options.ignore);
  const validator = new Validator({ level });
  const out = await openOutput(output, files);
  const counts = { error: 0, warning: 0, sentences: 0, fixed: 0 };
  let source = "";
  const tell = async (found: readonly Violation[]) => {
    for (const violation of found) {
      if (ignored.has(violation.rule) || (errors && violation.severity !== "error")) continue;
      counts[violation.severity]++;
      await out.write(`${line(source, violation, json === true)}\n`);
    }
  };
  try {
    for (const file of files.length === 0 ? ["-"] : files) {
      if (fix) counts.fixed += await fixFile(file);
      source = sourceName(file);
      for await (const { block, text } of blocksOf(file)) {
        if (block.hasWords) counts.sentences++;
        await tell(text instanceof TreebankError ? [undecodable(text)] : validator.check(text, block.line));
      }
    }
    await tell(validator.end());
    await out.close();
  } catch (error) {
    await out.abort();
    throw error;
  }
  const found = [count(counts.error, "error"), ...(errors ? [] : [count(counts.warning, "warning")])];
  const fixed = fix ? `${count(counts.fixed, "sentence")} repaired, ` : "";
  note(`stemma: ${fixed}${found.join(" and ")} in ${count(counts.sentences, "sentence")}`);
  if (counts.error > 0) process.exitCode = 1;
}

/** The text of each sentence of a file, with the lines before it, or what is wrong with its bytes. */
async function* blocksOf(file: string): AsyncGenerator<{ block: Block; text: string | TreebankError }> {
  const splitter = new BlockSplitter();
  const reader = new TreebankReader({ source: sourceName(file) });
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decoded = (block: Block) => {
    try {
      return { block, text: block.tooLong ? (reader.readBlock(block) as TreebankError) : decoder.decode(block.bytes) };
    } catch {
      return { block, text: reader.readBlock(block) as TreebankError };
    }
  };
  for await (const chunk of readLines(file)) for (const block of splitter.push(chunk)) yield decoded(block);
  const last = splitter.end();
  if (last !== undefined) yield decoded(last);
}

function undecodable({ message: withPlace, source, line, column = 0 }: TreebankError): Violation {
  // Violations are printed with their place, which the message of an error has already.
  const message = withPlace.slice(withPlace.indexOf(": ", source.length) + 2);
  const link = "https://universaldependencies.org/format.html";
  return { rule: "invalid-utf", level: 1, severity: "error", line, column, word: 0, message, link };
}

/** Rewrites a file; returns the number of sentences that are different now. */
async function fixFile(file: string): Promise<number> {
  const out = await openOutput(file);
  let changed = 0;
  try {
    for await (const { block, text } of blocksOf(file)) {
      if (text instanceof TreebankError) throw text;
      const repaired = repairedLines(text);
      if (repaired !== text && block.hasWords) changed++;
      // Empty lines at the end of a file go; comments do not.
      if (block.hasWords || text.trim() !== "") await out.write(repaired);
      else if (text !== "") changed++;
    }
  } catch (error) {
    await out.abort();
    throw error;
  }
  if (changed === 0) await out.abort();
  else await out.close();
  return changed;
}

function line(file: string, violation: Violation, json: boolean): string {
  const { rule, level, severity, line, column, word, message, link } = violation;
  if (json) return JSON.stringify({ file, line, column, word, rule, level, severity, message, link });
  const place = column === 0 ? `${file}:${line}` : `${file}:${line}:${column}`;
  return `${place}: ${severity}: ${printable(message)} [${rule}] ${link}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function levelOf(text: string): ValidationLevel {
  const level = Number(text);
  if (level !== 1 && level !== 2 && level !== 3) throw new InvalidArgumentError("Expected 1, 2 or 3.");
  return level;
}

function ruleList(text: string): Rule[] {
  return text.split(",").map((name) => {
    const rule = RULES.find((known) => known === name.trim());
    if (rule === undefined) throw new InvalidArgumentError(`Unknown rule ${name}; expected ${RULES.join(", ")}.`);
    return rule;
  });
}
