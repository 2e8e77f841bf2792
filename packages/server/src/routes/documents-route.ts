// Documents in JSON Lines: what comes is answered as it comes, and what is wrong with one is said in its place.
import { TreebankError } from "@stemma/core/treebank";
import { documentStart, faultyDocument } from "../annotation/documents/document-json.js";
import {
  DEFAULT_FIELDS,
  type DocumentFields,
  type DocumentLine,
  readDocument,
} from "../annotation/documents/document-line.js";
import { type Line, readLinesOf } from "../annotation/documents/lines.js";
import { sentenceId } from "../annotation/names.js";
import { jsonOf } from "../annotation/numbered.js";
import {
  type AnnotationOptions,
  type DocumentsInput,
  emptyResult,
  type PieceInput,
  type PieceProblem,
  type PieceResult,
} from "../annotation/piece.js";
import { checkCharset, mediaType, negotiator } from "../http/headers.js";
import { checkDepth } from "../http/json-body.js";
import { invalid, Problem, shown } from "../http/problem.js";
import type { PoolExchange } from "../pool/pool-exchange.js";
import { answerSize, type ServerPiece, weightOf, wordsOf } from "../pool/server-piece.js";
import { PIECE, TextCutter } from "./cutter.js";
import { modelFor, type ParseSettings } from "./parse-route.js";
import { checkNames, checkOptions, optionsOfQuery } from "./request-options.js";
import { DOCUMENT_FIELDS, DOCUMENT_OPTIONS, namesOf } from "./request-shape.js";
import { type PieceTask, problemOf, runEach, tooMuchAnswer, tooMuchWork } from "./run.js";

/** The types of JSON Lines; answers have the first. */
export const JSON_LINES = [
  "application/x-ndjson",
  "application/ndjson",
  "application/jsonl",
  "application/x-jsonlines",
] as const;
const answerType = negotiator({ ndjson: JSON_LINES });

/** Bytes of the line of a document: one that is built in one go must not hold up others. */
const LONGEST_DOCUMENT = 1 << 20;
/** Documents of a piece, if they are very short, or wrong. */
const MOST_ITEMS = 256;
/** The field of an answer that says what is wrong with its document. */
const PROBLEM = "problem";

type Text = DocumentsInput["texts"][number];

/** A document or a part of one that is long, or a line that is none. */
interface Item {
  document?: DocumentLine;
  line?: string | undefined;
  begins: boolean;
  ends: boolean;
  problem?: Problem;
}

/** POST /v1/documents */
export async function documentsRoute(
  exchange: PoolExchange,
  query: URLSearchParams,
  settings: ParseSettings,
): Promise<void> {
  const { req } = exchange;
  answerType(req.headers.accept ?? "*/*");
  checkCharset(req);
  const type = mediaType(req);
  if (!(JSON_LINES as readonly (string | undefined)[]).includes(type)) {
    const detail = `unknown type of body: ${shown(type)} (expected ${JSON_LINES[0]}, JSON Lines)`;
    throw new Problem(415, "unsupported-type", detail, "Content-Type");
  }
  const { fields, model: name, ...how } = requestOf(query);
  const { maxSentence } = settings;
  const [models, model] = await modelFor(exchange, name, settings);
  exchange.model = models.get(model).name;
  models.checkSearch(model, how);
  const noText = models.refusal(model, "text");
  if (noText) throw new Problem(422, "model-needs-tokens", noText, "model");
  const options: AnnotationOptions = { ...how, to: "json", maxSentence, strict: true, standalone: true };
  exchange.open(200, { "Content-Type": `${JSON_LINES[0]}; charset=utf-8` });
  exchange.breakOffWith = (problem) => `${JSON.stringify({ problem })}\n`;
  const documents = new Documents(exchange, { model, options }, settings, fields);
  await documents.run();
  await exchange.write("");
  exchange.end();
}

function requestOf(query: URLSearchParams) {
  checkNames(query, [...namesOf(DOCUMENT_OPTIONS), ...namesOf(DOCUMENT_FIELDS)]);
  const options = optionsOfQuery(query);
  checkOptions(options, "documents", true);
  const field = (name: keyof typeof DOCUMENT_FIELDS) => {
    const value = query.get(name);
    if (value === "" || (value?.length ?? 0) > 100) throw invalid(name, value, "the name of a field");
    return value;
  };
  const id = field("idField");
  const fields: DocumentFields = {
    text: field("textField") ?? DEFAULT_FIELDS.text,
    id: id ?? DEFAULT_FIELDS.id,
    needsId: id !== null,
    options: { text: "textField", id: "idField" },
  };
  return { ...options, fields };
}

/** The documents of a request, from their lines to their answers. */
class Documents {
  /** The items of the pieces that are under way. */
  private readonly itemsOf = new Map<PieceInput, Item[]>();
  private items: Item[] = [];
  private texts: Text[] = [];
  private size = 0;
  private words = 0;
  /** Of the document that is being written. */
  private sentences = 0;
  private isFirst = true;
  private isBroken = false;

  constructor(
    private readonly exchange: PoolExchange,
    private readonly how: PieceTask,
    private readonly settings: ParseSettings,
    private readonly fields: DocumentFields,
  ) {}

  run(): Promise<void> {
    return runEach(this.exchange, this.inputs(), this.how, this.settings, "documents", {
      run: (piece) => this.runPiece(piece),
      take: (result, input) => this.take(result, input),
      more: (input) => this.itemsOf.get(input)?.reduce((sum, item) => sum + moreOf(item), 0) ?? 0,
    });
  }

  private async *inputs(): AsyncGenerator<PieceInput> {
    for await (const lines of readLinesOf(this.held(), LONGEST_DOCUMENT)) {
      for (const line of lines) yield* this.line(line);
      // The sender may wait for the answers before it sends more.
      yield* this.flush();
    }
  }

  /** The body, of which a line without an end is held in memory. */
  private async *held(): AsyncGenerator<Buffer> {
    let open = 0;
    for await (const chunk of this.exchange.chunks()) {
      const end = chunk.lastIndexOf(0x0a);
      open = Math.min(LONGEST_DOCUMENT, end < 0 ? open + chunk.length : chunk.length - end - 1);
      this.exchange.hold(open);
      yield chunk;
    }
  }

  private *line(line: Line): Generator<PieceInput> {
    let document: DocumentLine;
    try {
      if (line.text !== undefined) checkDepth(Buffer.from(line.text));
      document = readDocument(line, this.fields, "documents", "text", LONGEST_DOCUMENT);
    } catch (error) {
      yield* this.add({ line: line.text, begins: true, ends: true, problem: problemIn(error as Error) });
      return;
    }
    const text = document.text!;
    if (text.length <= PIECE) {
      yield* this.addText({ document, begins: true, ends: true }, { text, offset: 0, continues: false });
      return;
    }
    const cutter = new TextCutter("text");
    let [begins, last]: [boolean, Text | undefined] = [true, undefined];
    for (const pieces of [cutter.push(text), cutter.end()]) {
      for (const { text, offset, continues } of pieces) {
        if (last) yield* this.addText({ document, begins, ends: false }, last);
        if (last) begins = false;
        last = { text, offset, continues };
      }
    }
    yield* this.addText({ document, begins, ends: true }, last ?? { text: "", offset: 0, continues: false });
  }

  /** Adds a text, unless it would cost too much. */
  private *addText(item: Item, text: Text): Generator<PieceInput> {
    const { exchange, how, settings } = this;
    const weight = weightOf(how.options);
    const words = wordsOf({ input: { kind: "documents", texts: [text] }, options: how.options });
    const size = answerSize(words, how.options) + moreOf(item);
    if (words * weight > settings.maxWork) {
      yield* this.add({ ...item, problem: tooMuchWork(words, weight, settings.maxWork, this.fields.text) });
      return;
    }
    if (size > exchange.mostAnswer) {
      yield* this.add({ ...item, problem: tooMuchAnswer(size, exchange.mostAnswer, this.fields.text) });
      return;
    }
    // All of a piece together must not cost too much either.
    const isFull = this.size + size > exchange.mostAnswer || (this.words + words) * weight > settings.maxWork;
    if (isFull || weight > 1) yield* this.flush();
    this.size += size;
    this.words += words;
    this.texts.push(text);
    yield* this.add(item);
  }

  private *add(item: Item): Generator<PieceInput> {
    this.items.push(item);
    const length = this.texts.reduce((sum, { text }) => sum + text.length, 0);
    if (length >= PIECE || this.items.length >= MOST_ITEMS) yield* this.flush();
  }

  private *flush(): Generator<PieceInput> {
    if (this.items.length === 0) return;
    const input: DocumentsInput = { kind: "documents", texts: this.texts };
    this.itemsOf.set(input, this.items);
    [this.items, this.texts, this.size, this.words] = [[], [], 0, 0];
    yield input;
  }

  /** A document that ends its worker takes no other with it. */
  private async runPiece(piece: ServerPiece): Promise<PieceResult> {
    const { texts } = piece.input as DocumentsInput;
    if (texts.length === 0) return emptyResult();
    try {
      const result = await this.exchange.lane.run(piece);
      if (texts.length === 1 || !result.problems.some(({ kind, item }) => kind === "failure" && item === undefined))
        return result;
    } catch (error) {
      if (!isOfPiece(error)) throw error;
      if (texts.length === 1)
        return {
          ...emptyResult(),
          problems: [{ kind: "failure", message: error.message, problem: error } as PieceProblem],
        };
    }
    const all = emptyResult();
    for (const [item, text] of texts.entries()) {
      const one = await this.runPiece({ ...piece, input: { kind: "documents", texts: [text] } });
      all.words += one.words;
      for (const sentence of one.sentences) all.sentences.push({ ...sentence, item });
      for (const problem of one.problems) all.problems.push({ ...problem, item });
    }
    return all;
  }

  /** Writes the answers to the documents of a piece. */
  private async take(result: PieceResult, input: PieceInput): Promise<void> {
    const items = this.itemsOf.get(input)!;
    this.itemsOf.delete(input);
    const sentencesOf = grouped(result.sentences);
    let answer = "";
    let place = 0;
    for (const item of items) {
      const { document } = item;
      if (!document) {
        answer += faultyDocument(item.line, PROBLEM, JSON.stringify(item.problem));
        continue;
      }
      const number = item.problem ? -1 : place++;
      if (item.begins) {
        [this.sentences, this.isFirst, this.isBroken] = [0, true, false];
        answer += documentStart(document.json);
      }
      if (this.isBroken) continue;
      const before = this.sentences;
      for (const sentence of sentencesOf.get(number) ?? []) {
        if (sentence.rank === 1) this.sentences++;
        answer += `${this.isFirst ? "" : ","}${jsonOf(sentence, sentenceId(document.id, this.sentences))}`;
        this.isFirst = false;
      }
      const found = result.problems.find(({ item = 0 }) => item === number);
      const problem = item.problem ?? (found && this.problemOf(found, before));
      if (problem) {
        this.isBroken = true;
        answer += `],"${PROBLEM}":${JSON.stringify(problem)}}\n`;
      } else if (item.ends) answer += "]}\n";
    }
    await this.exchange.write(answer);
  }

  private problemOf(found: PieceProblem, before: number): Problem {
    if ("problem" in found) return found.problem as Problem;
    const error = problemOf(found, this.fields.text, this.settings.maxSentence, before);
    return error instanceof Problem ? error : new Problem(500, "failure", "the document could not be parsed");
  }
}

function moreOf({ document, line, begins }: Item): number {
  return begins ? (document?.json ?? line ?? "").length + 64 : 0;
}

function grouped(sentences: PieceResult["sentences"]): Map<number | undefined, PieceResult["sentences"]> {
  const groups = new Map<number | undefined, PieceResult["sentences"]>();
  for (const sentence of sentences) {
    const group = groups.get(sentence.item);
    if (group) group.push(sentence);
    else groups.set(sentence.item, [sentence]);
  }
  return groups;
}

/** Whether a piece has failed, and not the request. */
function isOfPiece(error: unknown): error is Problem {
  return error instanceof Problem && (error.kind === "piece-too-slow" || error.kind === "worker-ended");
}

function problemIn(error: Error): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof TreebankError)) throw error;
  return new Problem(400, "invalid-document", error.message);
}
