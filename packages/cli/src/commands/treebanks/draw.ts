import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type Drawable,
  latexDocument,
  printable,
  type Sentence,
  toLatex,
  toStackedSVG,
  toSVG,
  toText,
} from "@stemma/core";
import type { Format } from "@stemma/core/treebank";
import { type Command, InvalidArgumentError, Option } from "commander";
import { FileError, fileError, guarded, ReadReport, readSentences, sourceName } from "../../files/io.js";
import { type Output, openOutput, writeOutput } from "../../files/output.js";
import { fromOption } from "../../options/format-option.js";
import { positive } from "../../options/numbers.js";
import { drawn } from "../../parsing/drawn.js";
import { withGraph } from "../../parsing/drawn-graph.js";
import { type Color, colorOption, usesColor } from "../../terminal/color.js";

const EXTENSIONS = { text: "txt", svg: "svg", latex: "tex" } as const;

interface DrawOptions {
  format: keyof typeof EXTENSIONS;
  to?: keyof typeof EXTENSIONS;
  style: "vertical" | "horizontal";
  from: Format;
  sentence?: Range;
  sentences?: Range;
  id?: string;
  tags: boolean;
  roles: boolean;
  enhanced?: boolean;
  lemmas?: boolean;
  rtl?: boolean;
  standalone?: boolean;
  output?: string;
  outputDir?: string;
  color: Color;
  strict?: boolean;
}

interface Range {
  first: number;
  last: number;
}

const EXAMPLES = `
Examples:
  $ stemma draw treebank.conllu | less                           every tree, one word per line
  $ stemma draw --sentence 12 --style horizontal treebank.conllu
  $ stemma draw --id weblog-17 --format svg -o tree.svg treebank.conllu
  $ stemma draw --sentences 3-5 --format svg -o three.svg treebank.conllu      one picture, one tree below the other
  $ stemma draw --sentences 3- --format svg --output-dir trees treebank.conllu  trees/sentence-000003.svg, ...
  $ stemma draw --enhanced --format svg -o graph.svg --sentence 2 treebank.conllu
  $ stemma draw --sentence 1 --format latex --standalone treebank.conllu > tree.tex

In text, a line that starts at the left edge is the arc from the root, "·" precedes a word without a head, and an interrupted line
passes behind the one that crosses it. With --enhanced, labels are those of DEPS, empty nodes are words without a head, and every word
that has dependents besides those in the tree has a row (in text a column) of its own: "head", and the labels of their arcs. Colours are used on a terminal unless NO_COLOR is set; --color overrides this. LaTeX needs
the package tikz-dependency; scripts other than Latin need XeLaTeX or LuaLaTeX and a font.
Exit status: 0 if all sentences were drawn, 1 if some were skipped (or --strict stopped), 2 for wrong usage, a file that cannot be
opened, read or written, or a sentence that does not exist.`;

/** Adds `stemma draw`. */
export function register(program: Command): void {
  program
    .command("draw")
    .description("draw trees as text, SVG or LaTeX")
    .argument("[file]", 'treebank, may be gzipped; "-" or none for standard input', "-")
    .addOption(new Option("--format <format>", "output format").choices(Object.keys(EXTENSIONS)).default("text"))
    .addOption(new Option("--to <format>", "the same as --format").choices(Object.keys(EXTENSIONS)).conflicts("format"))
    .addOption(
      new Option("--style <style>", "style of text: one word per line, or arcs above the words (for short sentences)")
        .choices(["vertical", "horizontal"])
        .default("vertical"),
    )
    .addOption(
      new Option("--sentence <n>", "draw only the n-th sentence, from 1")
        .argParser(parseNumber)
        .conflicts(["sentences", "id"]),
    )
    .addOption(
      new Option("--sentences <from-to>", "draw only these sentences: 3-5, or 3- for all from the third")
        .argParser(parseRange)
        .conflicts("id"),
    )
    .option("--id <sent_id>", "draw only the sentence with this sent_id")
    .option("--no-tags", "omit the part-of-speech tags")
    .option("--no-roles", "omit the predicates and semantic roles")
    .option("--enhanced", "show the enhanced graph (DEPS): what it has besides the tree is below the words")
    .option("--lemmas", "show the lemmas")
    .option("--rtl", "lay the words out from right to left, for Arabic, Hebrew, … (not for vertical text)")
    .option("--standalone", "with --format latex: a complete document")
    .addOption(fromOption())
    .option("-o, --output <file>", "write to a file, which appears only once it is complete")
    .addOption(new Option("--output-dir <folder>", "write one file per sentence to this folder").conflicts("output"))
    .addOption(colorOption())
    .option("--strict", "stop at the first error")
    .addHelpText("after", EXAMPLES)
    .action(guarded(draw));
}

function parseNumber(value: string): Range {
  const number = positive(value);
  return { first: number, last: number };
}

function parseRange(value: string): Range {
  const [, first, last] = /^([1-9]\d{0,14})-([1-9]\d{0,14})?$/.exec(value) ?? [];
  const range = { first: Number(first), last: last === undefined ? Number.POSITIVE_INFINITY : Number(last) };
  if (first === undefined || range.last < range.first) throw new InvalidArgumentError("Expected FROM-TO, such as 3-5.");
  return range;
}

async function draw(file: string, options: DrawOptions, command: Command): Promise<void> {
  options.format = options.to ?? options.format;
  if (options.standalone && options.format !== "latex")
    command.error("error: --standalone needs --format latex", { exitCode: 2 });
  const report = new ReadReport();
  const chosen = select(file, options, report);
  if (options.outputDir !== undefined) await drawEach(chosen, options.outputDir, options);
  else await whole(options.output, [file], (output) => drawAll(chosen, options, output));
  report.finish();
}

interface Numbered {
  /** Position in the file, from 1; sentences that were skipped count. */
  readonly number: number;
  readonly sentence: Sentence;
}

/** The chosen sentences; reads no further than the last of them. */
async function* select(file: string, options: DrawOptions, report: ReadReport): AsyncGenerator<Numbered, void, void> {
  const { from, strict, id } = options;
  const range = options.sentence ?? options.sentences;
  let found = false;
  for await (const sentence of readSentences(file, { format: from, strict, report })) {
    const number = report.read + report.skipped;
    if (range ? number < range.first : id !== undefined && sentence.id !== id) continue;
    if (range && number > range.last) break;
    found = true;
    yield { number, sentence };
    if (id !== undefined || number === range?.last) return;
  }
  if (found) return;
  if (id !== undefined) throw new FileError(`${sourceName(file)}: no sentence with sent_id ${JSON.stringify(id)}`);
  if (!range) return;
  const count = report.read + report.skipped;
  const problem = count >= range.first ? "cannot be drawn: it was skipped" : `does not exist: there are ${count}`;
  throw new FileError(`${sourceName(file)}: sentence ${range.first} ${problem}`);
}

/** Writes a file, or standard output, that is complete or not there. */
async function whole(
  path: string | undefined,
  inputs: readonly string[],
  write: (output: Output) => Promise<void>,
): Promise<void> {
  const output = await openOutput(path, inputs);
  try {
    await write(output);
  } catch (error) {
    await output.abort();
    throw error;
  }
  await output.close();
}

async function drawAll(sentences: AsyncIterable<Numbered>, options: DrawOptions, output: Output): Promise<void> {
  const terminal = process.stdout.isTTY === true && (options.output ?? "-") === "-";
  const color = usesColor(options.color, terminal);
  // The size of a stacked SVG and the frame of a document stand before the trees, so these wait for the last one.
  const trees: Drawable[] = [];
  let count = 0;
  for await (const { number, sentence } of sentences) {
    const tree = drawable(sentence, options);
    if (options.format === "svg" || options.standalone) trees.push(tree);
    else {
      const separator = count++ === 0 ? "" : "\n";
      const comment = options.format === "latex" ? "%" : "#";
      const title = `${comment} ${number}${sentence.id === undefined ? "" : ` ${printable(sentence.id)}`}\n`;
      await output.write(separator + title + drawn(number, () => picture(tree, options, color)), color);
    }
  }
  if (options.format === "svg" && trees.length !== 1)
    await output.write(toStackedSVG(trees, { ...layoutOptions(options), standalone: true }));
  else if (options.format === "svg") await output.write(picture(trees[0]!, options));
  else if (options.standalone)
    await output.write(latexDocument(trees.map((tree) => toLatex(tree, layoutOptions(options)))));
}

async function drawEach(sentences: AsyncIterable<Numbered>, folder: string, options: DrawOptions): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw fileError("create the folder", folder, error);
  });
  for await (const { number, sentence } of sentences) {
    const name = `sentence-${String(number).padStart(6, "0")}.${EXTENSIONS[options.format]}`;
    const text = drawn(number, () => picture(drawable(sentence, options), options, usesColor(options.color, false)));
    await writeOutput(join(folder, name), options.standalone ? latexDocument([text]) : text);
  }
}

function layoutOptions(options: DrawOptions) {
  return { direction: options.rtl ? "rtl" : "ltr" } as const;
}

function picture(tree: Drawable, options: DrawOptions, color = false): string {
  const direction = layoutOptions(options);
  if (options.format === "svg") return toSVG(tree, { ...direction, standalone: true });
  if (options.format === "latex") return toLatex(tree, direction);
  return toText(tree, { ...direction, style: options.style, color });
}

/** The sentence as it is drawn; "_" is nothing, and a row of nothing is left out. */
function drawable(sentence: Sentence, options: DrawOptions): Drawable {
  const values = (value: (i: number) => string) => {
    const row = Array.from({ length: sentence.length + 1 }, (_, i) => (i === 0 || value(i) === "_" ? "" : value(i)));
    return row.some((text) => text !== "") ? row : undefined;
  };
  const tree = {
    forms: Array.from({ length: sentence.length + 1 }, (_, i) => (i === 0 ? "" : sentence.form(i))),
    heads: sentence.heads,
    labels: values((i) => sentence.deprel(i)),
    tags: options.tags ? values((i) => sentence.upos(i)) : undefined,
    predicates: options.roles ? sentence.predicates.map((predicate) => predicate.toJSON()) : undefined,
    lemmas: options.lemmas ? values((i) => sentence.lemma(i)) : undefined,
    title: sentence.text,
  };
  return options.enhanced ? withGraph(tree, sentence) : tree;
}
