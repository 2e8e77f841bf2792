import { type PipelineModel, shareModel } from "@stemma/core";
import { type Format, formatSentence, TreebankError } from "@stemma/core/treebank";
import type { DocumentFields } from "@stemma/server/annotation";
import { InOrder, readPieces, TEXT_FORMATS, type TextFormat } from "@stemma/server/annotation";
import type { DocumentFormat } from "../documents/document-writer.js";
import { type Input, withFormat } from "../documents/inputs.js";
import { readDocumentSentences } from "../documents/read-documents.js";
import { TableColumns } from "../documents/table-columns.js";
import { FileError, ReadReport, readBytes, sourceName } from "../files/io.js";
import type { Output } from "../files/output.js";
import { scriptFile } from "../files/package-files.js";
import { warn } from "../terminal/messages.js";
import { shownText } from "../terminal/shown-text.js";
import { readText, TextBatcher } from "../workers/text-batcher.js";
import { WorkerPool } from "../workers/worker-pool.js";
import type { MatchDocuments } from "./match-documents.js";
import { BatchSearcher, type Found, type SearchBatch, type SearchOptions, type SearchResult } from "./search-batch.js";

interface Searcher {
  readonly capacity: number;
  run(batch: SearchBatch): Promise<SearchResult>;
  close(): Promise<void>;
}

/** Matches with the same values: how many, and the first of them. */
export interface GroupTotal {
  values: string[];
  count: number;
  lines: string[];
}

/** An input whose format is known; what was read to tell it is in `chunks`. */
export interface OpenInput extends Input {
  format: NonNullable<Input["format"]>;
  chunks?: AsyncIterable<Uint8Array>;
}

/** Inputs with their formats. Files are not opened yet, unless their beginning has to tell what they are. */
export async function openInputs(inputs: readonly Input[]): Promise<OpenInput[]> {
  const open: OpenInput[] = [];
  for (const input of inputs) {
    const { format } = input;
    open.push(format === undefined ? { ...input, ...(await withFormat(input)) } : { ...input, format });
  }
  return open;
}

export function isText({ format }: OpenInput): boolean {
  return TEXT_FORMATS.includes(format as TextFormat);
}

/** Whether there may be something to parse. */
export function needsModel(input: OpenInput): boolean {
  return isText(input) || input.format === "jsonl";
}

/** Sentences of documents that are searched together. */
const DOCUMENT_BATCH = 256;

/** Enough was found: reading stops. */
class Enough extends Error {}

/**
 * One run of `stemma search`: batches of the input go to threads, and what they find is written in the order of the
 * input.
 */
export class SearchRun {
  matches = 0;
  matching = 0;
  sentences = 0;
  skipped = 0;
  readonly groups = new Map<string, GroupTotal>();
  private readonly searcher: Searcher;
  private readonly results: InOrder;
  private written = 0;

  /** `model`: needed if one of the inputs is text. */
  constructor(
    private readonly options: SearchOptions,
    private readonly out: Output,
    threads: number,
    model: PipelineModel | undefined,
    /** Where sentences go that are to be documents again. */
    private readonly documents?: MatchDocuments | undefined,
    private readonly fields?: DocumentFields | undefined,
  ) {
    if (threads === 1) {
      const own = new BatchSearcher(options, model);
      this.searcher = { capacity: 1, run: async (batch) => own.run(batch), close: async () => {} };
    } else {
      const script = scriptFile("searching/search-worker");
      const sharedModel = model && shareModel(model, threads);
      const workerData = (thread: number) => ({ options, thread, ...(sharedModel ? { model: sharedModel } : {}) });
      const bytesOf = (batch: SearchBatch) => (batch.kind === "treebank" ? batch.bytes : undefined);
      this.searcher = new WorkerPool<SearchBatch, SearchResult>(script, threads, workerData, bytesOf);
    }
    this.results = new InOrder(this.searcher.capacity);
  }

  /** Searches all inputs, or as much of them as is needed. */
  async search(inputs: readonly OpenInput[]): Promise<void> {
    try {
      for (const input of inputs) await this.searchInput(input);
    } catch (error) {
      if (!(error instanceof Enough)) throw error;
    } finally {
      await this.searcher.close();
    }
  }

  private async searchInput(input: OpenInput): Promise<void> {
    const { path = "-", text, format } = input;
    if (format === "parquet" && path !== "-" && (await this.searchTable(path))) return;
    if (format === "jsonl" || format === "parquet") return this.searchDocuments(path, format, input.chunks);
    const { chunks = readBytes(path) } = input;
    if (text !== undefined) await this.searchText([text], format as TextFormat, "");
    else if (!isText(input)) await this.searchTreebank(path, format as Format, chunks);
    else await this.searchText(readText(path, chunks), format as TextFormat, `${sourceName(path)}:`);
    await this.results.finish();
  }

  private async searchText(chunks: AsyncIterable<string> | Iterable<string>, from: TextFormat, place: string) {
    const batcher = new TextBatcher(from);
    let count = 0;
    const run = async (pieces: Iterable<{ text: string }>) => {
      for (const { text } of pieces) {
        await this.add({ kind: "text", from, text }, async (result) => {
          const before = count + 1;
          count += result.sentences;
          const placeOf = ({ sentence }: Found) => ({
            text: `${place}${before + sentence}: `,
            number: before + sentence,
          });
          await this.take(result, placeOf);
        });
      }
    };
    for await (const chunk of chunks) await run(batcher.push(chunk));
    await run(batcher.end());
  }

  private async searchTreebank(path: string, from: Format, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const source = sourceName(path);
    for await (const piece of readPieces(chunks, source, from)) {
      if (piece instanceof TreebankError) await this.results.add(Promise.resolve(piece), (error) => this.skip(error));
      else {
        await this.add({ kind: "treebank", from, source, ...piece }, async (result) => {
          await this.take(result, ({ line }) => ({ text: `${source}:${line}: `, file: source, line }), source);
        });
      }
    }
  }

  /** The row groups of a table; false if its columns are of types that only the rows can be made of. */
  private async searchTable(path: string): Promise<boolean> {
    const table = TableColumns.open(path);
    if (table === undefined) return false;
    table.close();
    const source = sourceName(path);
    for (let group = 0; group < table.groups; group++) {
      const run = this.searcher.run({ kind: "table", path, group }).catch((error: Error) => {
        // Errors lose their class on the way from a thread.
        throw error.message.startsWith(`${path}: cannot read`) ? new FileError(error.message) : error;
      });
      await this.results.add(run, (result) =>
        this.take(
          result,
          ({ line, document }) => ({ text: `${source}:${line}: `, file: source, line, document }),
          source,
        ),
      );
    }
    await this.results.finish();
    return true;
  }

  /** Documents with sentences, or whose text is parsed first. */
  private async searchDocuments(
    path: string,
    from: DocumentFormat,
    chunks: AsyncIterable<Uint8Array> | undefined,
  ): Promise<void> {
    const source = sourceName(path);
    const report = new ReadReport();
    let lines: string[] = [];
    let places: { line: number; document: string | undefined }[] = [];
    const placeOf = ({ line, document }: { line: number; document: string | undefined }): Place => ({
      text: `${source}:${line}: `,
      file: source,
      line,
      document,
    });
    const send = async () => {
      if (lines.length === 0) return;
      const bytes = new Uint8Array(Buffer.from(lines.join("")));
      const here = places;
      [lines, places] = [[], []];
      await this.add({ kind: "treebank", from: "json", bytes, source, line: 1 }, (result) => {
        const problems = result.problems.map((problem) => ({ ...problem, line: here[problem.line - 1]!.line }));
        return this.take({ ...result, problems }, ({ line }) => placeOf(here[line - 1]!), source);
      });
    };
    const how = { strict: this.options.strict, report, texts: true, allowNonTrees: true, fields: this.fields, chunks };
    let document: string | undefined;
    for await (const each of readDocumentSentences(path, from, how)) {
      const { begins, sentence, text, place: line } = each;
      if (begins) document = begins.id;
      if (text !== undefined) {
        await send();
        const name = document;
        await this.add({ kind: "text", from: "text", text }, (result) =>
          this.take(result, ({ sentence: k }) => ({
            ...placeOf({ line, document: name }),
            number: name === undefined ? k + 1 : `${name}-${k + 1}`,
          })),
        );
      } else if (sentence) {
        lines.push(formatSentence(sentence, "json"));
        places.push({ line, document });
        if (lines.length === DOCUMENT_BATCH) await send();
      }
    }
    await send();
    await this.results.finish();
    this.skipped += report.skipped + report.skippedDocuments;
  }

  /** Sends a batch off; waits if enough are under way. */
  private async add(batch: SearchBatch, take: (result: SearchResult) => Promise<void>): Promise<void> {
    await this.results.add(this.searcher.run(batch), take);
  }

  private skip(error: TreebankError): void {
    if (this.options.strict) throw error;
    this.skipped++;
    warn(`${error.message}: sentence skipped`);
  }

  private async take(result: SearchResult, place: (found: Found) => Place, source = "input"): Promise<void> {
    this.matches += result.matches;
    this.matching += result.matching;
    this.sentences += result.sentences;
    const { limit } = this.options;
    for (const { values, count, found } of result.groups) {
      const key = values.join("\t");
      const group = this.groups.get(key) ?? { values, count: 0, lines: [] };
      this.groups.set(key, group);
      group.count += count;
      for (const one of found.slice(0, limit - group.lines.length)) group.lines.push(this.placed(one, place(one)));
    }
    for (const one of result.found.slice(0, limit - this.written)) {
      const at = place(one);
      await (this.documents?.write(this.placed(one, at), at.document) ??
        this.out.write(this.placed(one, at), this.options.color));
    }
    this.written += result.found.length;
    for (const problem of result.problems) this.skip(new TreebankError(source, problem));
    if (this.written >= limit) throw new Enough();
  }

  private placed({ body }: Found, place: Place): string {
    const { to } = this.options;
    if (to === "text") return (this.options.color ? shownText(place.text) : place.text) + body;
    if (to === "conllu") return place.number === undefined ? complete(body) : `# sent_id = ${place.number}\n${body}`;
    const { file, line, number, document } = place;
    const known = file === undefined ? { sentence: number } : { file, line, ...(document ? { document } : {}) };
    return `${JSON.stringify(known).slice(0, -1)},${body.slice(1)}\n`;
  }
}

interface Place {
  text: string;
  file?: string;
  line?: number;
  /** Of a text: the number of the sentence, or what it is called. */
  number?: number | string;
  document?: string | undefined;
}

/**
 * Text from the middle or the end of a file can stand before other sentences: no byte order mark, a blank line
 * at the end.
 */
function complete(text: string): string {
  const body = text.replace(/^\ufeff/, "").replace(/^(?:[ \t\r]*\n)+/, "");
  if (/\n\r?\n$/.test(body)) return body;
  return body.endsWith("\n") ? `${body}\n` : `${body}\n\n`;
}
