import { PatternError } from "@stemma/core";
import { type EDIT_ACTIONS, type EditAction, editAction, TreeEditor } from "@stemma/core/search";
import { FORMATS, type Format, formatSentence, TreebankError } from "@stemma/core/treebank";
import { type Command, InvalidArgumentError, Option } from "commander";
import { guarded, ReadReport, readSentences, sourceName } from "../../files/io.js";
import { openOutput } from "../../files/output.js";
import { hunks, linesOf } from "../../searching/unified-diff.js";
import { wrongPattern } from "../../searching/wrong-pattern.js";
import { type Color, colorOption, usesColor } from "../../terminal/color.js";
import { note, warn } from "../../terminal/messages.js";
import { shownText } from "../../terminal/shown-text.js";

interface EditOptions {
  actions?: EditAction[];
  format: Format;
  dryRun?: boolean;
  output?: string;
  color: Color;
  strict?: boolean;
}

const HELP = `
Patterns are those of stemma search (docs/search.md). All matches in a sentence are found first; then all actions are applied to
each match, in the order given. Refer to words by their names in the pattern; an attribute without a name belongs to the first
word. In values and comments, {verb.lemma} stands for a value of the match.

Examples:
  $ stemma edit '{upos:VERB}=a <aux {}' --set a.upos=AUX treebank.conllu > fixed.conllu
  $ stemma edit '{upos:VERB}=v >obj {Case:Nom}=s !>nsubj {}' --set s.deprel=nsubj --dry-run treebank.conllu
  $ stemma edit '{}=p <punct ({upos:ADP} < {}=n)' --attach p=n -o treebank.conllu treebank.conllu
  $ stemma edit '{deprel:reparandum}=r' --delete-subtree r spoken.conllu
  $ stemma edit '{upos:X}=x' --set 'x.misc.Check=Yes' --comment 'todo = tag of {x.form}' treebank.conllu

Everything that is not edited is copied byte for byte. A sentence is left as it was, with a message that gives its place, if the
edit would make a cycle, a word its own head, or more than one root, or if two matches call for conflicting changes. --delete
attaches the dependents of a word to its head and renumbers all words; "# text" is updated if it was the text of the words. DEPS
follow: a word takes its arc along to its new head, and what depended on a deleted word depends on the heads of that one.
Exit status: 0 for success, 1 if sentences were skipped or left as they were (or --strict stopped), 2 for wrong usage or a file that
cannot be opened, read or written.`;

/** Adds `stemma edit`. */
export function register(program: Command): void {
  const command = program
    .command("edit")
    .description("change a treebank wherever a pattern matches")
    .argument("<pattern>", "pattern that describes what to change")
    .argument("[file]", 'treebank, may be gzipped; "-" or none for standard input', "-");
  // All actions go to one list, so that they keep their order.
  const add = (name: (typeof EDIT_ACTIONS)[number]) => (text: string) => {
    const action = written(name, text);
    command.setOptionValue("actions", [...(command.getOptionValue("actions") ?? []), action]);
    return text;
  };
  command
    .option("--set <attribute=value>", "set a column, a feature or misc.NAME; an empty value removes it", add("set"))
    .option("--attach <word=head>", "attach a word to another head: a word of the pattern, or root", add("attach"))
    .option("--delete <word>", "delete a word and attach its dependents to its head", add("delete"))
    .option("--delete-subtree <word>", "delete a word and all its descendants", add("delete-subtree"))
    .option("--comment <text>", "add a comment line to the sentence", add("comment"))
    .option("--dry-run", "show the changes as a unified diff, without making them")
    .addOption(new Option("--format <format>", "format of input and output").choices(FORMATS).default("conllu"))
    .option("-o, --output <file>", "write to a file, which appears only once it is complete")
    .addOption(colorOption())
    .option("--strict", "stop at the first sentence that cannot be read or changed")
    .addHelpText("after", HELP)
    .action(guarded(edit));
}

function written(name: (typeof EDIT_ACTIONS)[number], text: string): EditAction {
  try {
    return editAction(name, text);
  } catch (error) {
    if (error instanceof PatternError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

async function edit(pattern: string, file: string, options: EditOptions, command: Command): Promise<void> {
  const { actions = [], format, dryRun = false, output, strict = false } = options;
  if (actions.length === 0) {
    command.error("error: nothing to do: use --set, --attach, --delete, --delete-subtree or --comment");
  }
  if (dryRun && format === "json") command.error("error: --dry-run shows lines and needs a format other than json");
  let editor: TreeEditor;
  try {
    editor = new TreeEditor(pattern, actions);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return wrongPattern(error);
  }
  const source = sourceName(file);
  const report = new ReadReport();
  const out = await openOutput(output);
  const color = usesColor(options.color, (output ?? "-") === "-" && process.stdout.isTTY === true);
  const diff = new DiffWriter(source, color);
  let changed = 0;
  let matches = 0;
  let refused = 0;
  try {
    for await (const sentence of readSentences(file, { format, strict, report, allowNonTrees: true })) {
      const before = formatSentence(sentence, format);
      let after = before;
      try {
        const edited = editor.edit(sentence, source);
        matches += edited.matches;
        if (edited.isChanged) {
          changed++;
          after = formatSentence(edited.sentence, format);
        }
      } catch (error) {
        if (strict || !(error instanceof TreebankError)) throw error;
        refused++;
        warn(`${error.message}: sentence left as it was`);
      }
      if (dryRun) await out.write(diff.add(before, after, sentence.line), color);
      else await out.write(after);
    }
    if (!dryRun) await out.write(report.trailer);
  } catch (error) {
    await out.abort();
    throw error;
  }
  await out.close();
  const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
  const left = refused > 0 ? `, ${refused} left as ${refused === 1 ? "it was" : "they were"}` : "";
  note(
    `stemma: ${counted(matches, "match", "matches")}; ${changed} of ${counted(report.read, "sentence", "sentences")} ${dryRun ? "would be changed" : "changed"}${left}`,
  );
  report.finish();
  if (refused > 0) process.exitCode = 1;
}

/** A unified diff of a file, sentence by sentence. */
class DiffWriter {
  private isFirst = true;
  /** Lines that were added so far, less those that were removed. */
  private shift = 0;
  private before: string[] = [];
  private next = 1;

  constructor(
    private readonly source: string,
    private readonly color: boolean,
  ) {}

  /** `line`: where the first line is that is not blank. */
  add(old: string, edited: string, line: number): string {
    const blank = /^\ufeff?\s*/.exec(old)![0].match(/\n/g)?.length ?? 0;
    const start = line - blank;
    // The text skipped in between is not known.
    const before = start === this.next ? this.before : [];
    const lines = linesOf(old);
    this.next = start + lines.length;
    // Hunks must not overlap.
    this.before = edited === old ? lines : [];
    if (edited === old) return "";
    const source = this.color ? shownText(this.source) : this.source;
    const header = this.isFirst ? `--- ${source}\n+++ ${source}\n` : "";
    const newLine = start + this.shift;
    this.isFirst = false;
    this.shift += linesOf(edited).length - lines.length;
    return header + hunks(old, edited, { oldLine: start, newLine, before }, this.color);
  }
}
