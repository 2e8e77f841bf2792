import type { Sentence } from "@stemma/core";
import { countLosses, FORMATS, type Format, formatSentence } from "@stemma/core/treebank";
import { type Command, Option } from "commander";
import { writeDocuments } from "../../documents/annotated.js";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../../documents/document-writer.js";
import { addFieldOptions, type FieldOptions, fieldsOf, refuseFields } from "../../documents/field-options.js";
import { isParquet } from "../../documents/parquet-reader.js";
import { type DocumentSentence, readDocumentSentences } from "../../documents/read-documents.js";
import { guarded, ReadReport, readSentences } from "../../files/io.js";
import { type Output, openOutput } from "../../files/output.js";
import { warn } from "../../terminal/messages.js";

const ALL_FORMATS = [...FORMATS, ...DOCUMENT_FORMATS] as const;
type AnyFormat = (typeof ALL_FORMATS)[number];

interface ConvertOptions extends FieldOptions {
  from?: AnyFormat;
  to: AnyFormat;
  output?: string;
  strict?: boolean;
  requireTree?: boolean;
  singleRoot?: boolean;
  allowNonTrees?: boolean;
}

const EXAMPLES = `
Examples:
  $ stemma convert treebank.conllu > copy.conllu             checks it; a correct file is copied byte for byte
  $ stemma convert --to json treebank.conllu.gz | jq .text   one JSON object per sentence
  $ stemma convert --from conllx --output new.conllu old.conll
  $ stemma convert --to parquet --output words.parquet treebank.conllu   one row per word
  $ stemma convert --from jsonl parsed.jsonl.gz > parsed.conllu           documents parsed by stemma parse
  $ cat treebank.conllu | stemma convert --strict --single-root > /dev/null

jsonl has one document per line with its sentences, parquet is a table with one row per word (docs/corpora.md). In a treebank a
document begins with "# newdoc"; without any, jsonl has one document per sentence. Parquet is read from a file, not from a pipe, and is
recognised without --from.

A sentence with an error is skipped, and the error is printed with file, line, column and what was expected.
Exit status: 0 if all sentences were written, 1 if some were skipped (or --strict stopped), 2 for wrong usage or a file that
cannot be opened, read or written.`;

/** Adds `stemma convert`. */
export function register(program: Command): void {
  const command = program
    .command("convert")
    .description("convert between CoNLL-U, CoNLL-X, CoNLL-2009, JSON, JSON Lines and Parquet, checking every sentence")
    .argument("[file]", 'treebank, may be gzipped; "-" or none for standard input', "-")
    .addOption(
      new Option("--from <format>", "format of the input (default: conllu, or parquet if it is that)").choices(
        ALL_FORMATS,
      ),
    )
    .addOption(new Option("--to <format>", "format of the output").choices(ALL_FORMATS).default("conllu"))
    .option("-o, --output <file>", "write to a file, which appears only once it is complete");
  addFieldOptions(command)
    .option("--strict", "stop at the first error")
    .option("--require-tree", "treat a word without a head as an error")
    .option("--single-root", "treat a second root in a sentence as an error")
    .option("--allow-non-trees", "accept self-loops, cycles and sentences without a root")
    .addHelpText("after", EXAMPLES)
    .action(guarded(convert));
}

async function convert(file: string, options: ConvertOptions, command: Command): Promise<void> {
  const { to, output, ...checks } = options;
  const from = options.from ?? ((await isParquet(file)) ? "parquet" : "conllu");
  if (from !== "jsonl") refuseFields(command);
  const report = new ReadReport();
  const losses = new Map<string, number>();
  const out = await openOutput(output, isDocumentFormat(from) ? [file] : []);
  const sentences = isDocumentFormat(from)
    ? readDocumentSentences(file, from, { ...checks, report, fields: fieldsOf(options, command) })
    : withoutDocuments(readSentences(file, { ...checks, format: from, report }));
  try {
    if (isDocumentFormat(to)) await writeDocuments(sentences, isDocumentFormat(from), to, out);
    else await writeSentences(sentences, from, to, out, losses);
    const orphans = report.trailer.match(/^#/gm)?.length ?? 0;
    if (from === to) await out.write(report.trailer);
    else if (orphans > 0) losses.set("comments", (losses.get("comments") ?? 0) + orphans);
  } catch (error) {
    await out.abort();
    throw error;
  }
  await out.close();
  if (losses.size > 0) {
    const counts = [...losses].map(([what, count]) => `${count} ${what}`).join(", ");
    warn(`stemma: left out because ${to} cannot represent them: ${counts}`);
  }
  report.finish();
}

async function* withoutDocuments(sentences: AsyncIterable<Sentence>): AsyncGenerator<DocumentSentence> {
  for await (const sentence of sentences) yield { sentence, place: sentence.line };
}

async function writeSentences(
  sentences: AsyncIterable<DocumentSentence>,
  from: AnyFormat,
  to: Format,
  out: Output,
  losses: Map<string, number>,
): Promise<void> {
  for await (const { sentence, begins } of sentences) {
    const fields = Object.keys(JSON.parse(begins?.fields ?? "{}")).length;
    if (fields > 0) losses.set("fields of documents", (losses.get("fields of documents") ?? 0) + fields);
    if (sentence === undefined) continue;
    if (from !== to) countLosses(sentence, to, losses);
    await out.write(formatSentence(sentence, to));
  }
}

function isDocumentFormat(format: AnyFormat): format is DocumentFormat {
  return DOCUMENT_FORMATS.includes(format as DocumentFormat);
}
