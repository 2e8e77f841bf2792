// The wishes of a request to /v1/parse: from its parameters and, if it is JSON, its body.
import { isUtf8 } from "node:buffer";
import type { GivenWord } from "@stemma/core";
import { TreebankError } from "@stemma/core/treebank";
import { readPieces } from "../annotation/batches.js";
import type { PieceInput, TextFormat, TextInput } from "../annotation/piece.js";
import { checkDepth, elementsIn, membersIn, parsedJson, type Span, stringIn, valueAt } from "../http/json-body.js";
import { invalid, Problem, shown } from "../http/problem.js";
import { nextTurn, TURN } from "../http/turns.js";
import { decoded, invalidUtf8 } from "../http/utf8.js";
import { sizeOfTokens } from "../pool/server-piece.js";
import { groups, LineTooLong, slices, TextCutter } from "./cutter.js";
import { optionsOfBody } from "./request-options.js";
import {
  checkShape,
  MEMBER_NAMES,
  MEMBERS,
  type Member,
  namesOf,
  OPTION_NAMES,
  type RequestOptions,
  TOKEN,
} from "./request-shape.js";

export interface ParseRequest {
  options: RequestOptions;
  /** The member of the body that holds what to parse, for messages. */
  field: string;
  /** True if the text is to be cut into tokens, which not every model can do. */
  needsSegmenter: boolean;
  inputs: AsyncIterable<PieceInput> | Iterable<PieceInput>;
}

/** A text that need not be cut, in UTF-16 units. */
const SHORT = 1024;
const PART = 1 << 15;
/** Bytes of a JSON body that is built as a whole. */
const SMALL_JSON = 1 << 16;

/** The request of a JSON body. */
export async function parseJson(bytes: Buffer, maxSentence: number): Promise<ParseRequest> {
  if (!isUtf8(bytes)) throw invalidUtf8(0, "body");
  return bytes.length <= SMALL_JSON ? smallRequest(bytes, maxSentence) : largeRequest(bytes, maxSentence);
}

function smallRequest(bytes: Buffer, maxSentence: number): ParseRequest {
  checkDepth(bytes);
  const body = parsedJson(decoded(bytes));
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw invalid("body", body, "a JSON object");
  const values = body as Record<string, unknown>;
  const field = fieldOf(Object.keys(values).filter((name) => values[name] !== undefined));
  const value = values[field];
  const options = optionsOfBody(values);
  const request = { options, field, needsSegmenter: needsSegmenter(field) };
  if (field === "text") return { ...request, inputs: textInputs(checkedText(field, value), "text") };
  if (field === "conllu")
    return { ...request, inputs: conlluInputs(slices(Buffer.from(checkedText(field, value))), field) };
  checkShape(field, value, MEMBERS[field]);
  return { ...request, inputs: sentenceInputs(field, checkedElements(field, value as unknown[], 0, maxSentence)) };
}

/**
 * The same of a body that is not built as a whole: it is gone over twice, to check all of it before anything is
 * answered.
 */
async function largeRequest(bytes: Buffer, maxSentence: number): Promise<ParseRequest> {
  const start = bytes.indexOf("\ufeff") === 0 ? 3 : 0;
  const body = bytes.subarray(start);
  const members = await membersIn(body);
  if (!members) throw invalid("body", "something else", "a JSON object");
  const field = fieldOf([...members.keys()]);
  const span = members.get(field)!;
  members.delete(field);
  const values: Record<string, unknown> = {};
  for (const [name, { from, to }] of members) {
    values[name] = to - from > 1000 ? `${body.toString("latin1", from, from + 50)}…` : valueAt(body, { from, to });
  }
  const options = optionsOfBody(values);
  const request = { options, field, needsSegmenter: needsSegmenter(field) };
  if (field === "text" || field === "conllu") {
    if (body[span.from] !== 0x22) throw invalid(field, valueStart(body, span), "a string");
    for await (const part of stringIn(body, span)) checkedText(field, part);
    const text = stringIn(body, span);
    const inputs = field === "text" ? cutText(text, "text") : conlluInputs(encoded(text), field);
    return { ...request, inputs };
  }
  if (body[span.from] !== 0x5b) throw invalid(field, valueStart(body, span), "an array");
  // A character takes up to six bytes, a token of which nothing is left but its quotes and comma another three.
  const most = 6 * longestSentence(maxSentence) + 3 * maxSentence;
  const tooLong = (index: number) => sentenceTooLarge(`${field}[${index}]`, maxSentence);
  const elements = () => elementsIn(body, span, most, tooLong);
  let index = 0;
  for await (const values of elements()) {
    checkedElements(field, values, index, maxSentence);
    index += values.length;
  }
  return { ...request, inputs: sentenceGroups(field, elements()) };
}

function valueStart(body: Buffer, { from, to }: Span): unknown {
  return to - from > 1000
    ? body[from] === 0x7b
      ? {}
      : body[from] === 0x5b
        ? []
        : "something long"
    : valueAt(body, { from, to });
}

/** Which of the members holds what to parse. */
function fieldOf(names: readonly string[]): Member {
  for (const name of names) {
    if (([...MEMBER_NAMES, ...OPTION_NAMES] as string[]).includes(name)) continue;
    const expected = [...MEMBER_NAMES, ...OPTION_NAMES].join(", ");
    const detail = `unknown member: ${shown(name)} (expected ${expected})`;
    throw new Problem(400, "unknown-member", detail, name.slice(0, 100));
  }
  const given = MEMBER_NAMES.filter((name) => names.includes(name));
  if (given.length === 1) return given[0]!;
  const what = given.length === 0 ? "nothing to parse" : `several things to parse: ${given.join(", ")}`;
  throw new Problem(400, "invalid-request", `${what} (expected one of ${MEMBER_NAMES.join(", ")})`, given[1] ?? "text");
}

function needsSegmenter(field: Member): boolean {
  return field === "text" || field === "sentences";
}

type Elements = { kind: "sentences"; sentences: string[] } | { kind: "tokens"; sentences: (string | GivenWord)[][] };

/** Sentences, or the tokens of sentences, of which the first is number `first`. */
function checkedElements(
  field: "sentences" | "tokens",
  values: unknown[],
  first: number,
  maxSentence: number,
): unknown[] {
  values.forEach((value, i) => {
    const name = `${field}[${first + i}]`;
    if (field === "sentences") checkedSentence(name, value, maxSentence);
    else checkedTokens(name, value, maxSentence);
  });
  return values;
}

function* sentenceInputs(kind: "sentences" | "tokens", values: unknown[]): Generator<PieceInput> {
  for (const sentences of groups(values, sizeOfElement)) yield { kind, sentences } as Elements;
}

async function* sentenceGroups(
  kind: "sentences" | "tokens",
  elements: AsyncIterable<unknown[]>,
): AsyncGenerator<PieceInput> {
  for await (const values of elements) yield* sentenceInputs(kind, values);
}

function sizeOfElement(value: unknown): number {
  return typeof value === "string" ? value.length : sizeOfTokens(value as (string | GivenWord)[]);
}

function checkedSentence(field: string, value: unknown, maxSentence: number): void {
  const text = checkedText(field, value);
  if (!/\S/.test(text)) throw invalid(field, text, "a sentence");
  if (text.length > longestSentence(maxSentence)) throw sentenceTooLarge(field, maxSentence);
}

function checkedTokens(field: string, value: unknown, maxSentence: number): void {
  if (!Array.isArray(value) || value.length === 0) throw invalid(field, value, "an array of at least one token");
  if (value.length > maxSentence) throw sentenceTooLong(field, value.length, maxSentence);
  let size = 0;
  for (let i = 0; i < value.length; i++) size += checkedToken(`${field}[${i}]`, value[i], value.length);
  if (size > longestSentence(maxSentence)) throw sentenceTooLarge(field, maxSentence);
}

/** A token, or an object with what is known of it; its length. */
function checkedToken(field: string, value: unknown, words: number): number {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const token = checkedText(field, value);
    if (!/\S/.test(token)) throw invalid(field, token, "a token");
    return token.length;
  }
  const { form, head, ...rest } = value as Record<string, unknown>;
  let size = checkedToken(`${field}.form`, form, words);
  if (head !== undefined && !(Number.isInteger(head) && (head as number) >= 0 && (head as number) <= words)) {
    throw invalid(`${field}.head`, head, `a whole number from 0 to ${words}`);
  }
  for (const [name, given] of Object.entries(rest)) {
    if (!Object.hasOwn(TOKEN, name)) {
      const expected = namesOf(TOKEN).join(", ");
      throw new Problem(400, "unknown-member", `unknown member: ${shown(name)} (expected ${expected})`, field);
    }
    const text = checkedText(`${field}.${name}`, given);
    if (text === "" || /[\t\n\r]/.test(text))
      throw invalid(`${field}.${name}`, text, "a value without tabs and line ends");
    size += text.length;
  }
  return size;
}

/** UTF-16 units of a sentence: far more than its words need, and few enough to be looked at in one go. */
export function longestSentence(maxSentence: number): number {
  return Math.max(1 << 16, 16 * maxSentence);
}

export function sentenceTooLarge(field: string, maxSentence: number): Problem {
  const detail = `${field} has more than ${longestSentence(maxSentence)} characters (expected a sentence)`;
  return new Problem(422, "sentence-too-long", detail, field);
}

export function sentenceTooLong(field: string, words: number, limit: number, sentence?: number): Problem {
  const which = sentence === undefined ? field : `sentence ${sentence}`;
  return new Problem(422, "sentence-too-long", `${which} has ${words} words (expected at most ${limit})`, field);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function checkedText(field: string, value: unknown): string {
  if (typeof value !== "string") throw invalid(field, value, "a string");
  if (LONE_SURROGATE.test(value)) throw invalid(field, "half of a surrogate pair", "characters");
  return value;
}

/** A short text that is there as a whole. */
export function* textInputs(text: string, from: TextFormat): Generator<PieceInput> {
  if (text.length < SHORT && /\S/.test(text)) {
    yield { kind: "text", from, text, offset: 0, continues: from !== "text" };
    return;
  }
  const cutter = new TextCutter(from);
  // In parts, so that the first pieces are with workers before all of it has been looked at.
  for (let at = 0; at < text.length; at += PART) yield* inLimits(cutter.push(text.slice(at, at + PART)), "body");
  yield* cutter.end();
}

/** A text that is there as a whole, of UDPipe's clients; others have their turn before all of it is looked at. */
export async function* largeText(text: string, from: "text" | "lines"): AsyncGenerator<PieceInput> {
  const cutter = new TextCutter(from, true);
  for (let at = 0; at < text.length; at += PART) {
    if (at > 0) await nextTurn();
    yield* inLimits(cutter.push(text.slice(at, at + PART)), "data");
  }
  yield* cutter.end();
}

/** Says in an answer what is wrong with a text that cannot be cut. */
function* inLimits(pieces: Generator<TextInput>, field: string): Generator<TextInput> {
  try {
    yield* pieces;
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error;
    const detail = `${error.message} (expected a sentence in each line)`;
    throw new Problem(422, "sentence-too-long", detail, field);
  }
}

/** A text as its bytes come. */
export async function* streamedText(chunks: AsyncIterable<Uint8Array>, from: TextFormat): AsyncGenerator<PieceInput> {
  yield* cutText(decodedChunks(chunks), from);
}

async function* decodedChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let read = 0;
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw invalidUtf8(read, "body");
    }
  };
  for await (const chunk of chunks) {
    yield decode(chunk);
    read += chunk.length;
  }
  yield decode();
}

/** A text as its parts come. */
async function* cutText(parts: AsyncIterable<string>, from: TextFormat): AsyncGenerator<PieceInput> {
  const cutter = new TextCutter(from);
  for await (const part of parts) yield* inLimits(cutter.push(part), "body");
  yield* inLimits(cutter.end(), "body");
}

async function* encoded(parts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) yield Buffer.from(part);
}

/** The sentences of CoNLL-U as it comes. */
export async function* conlluInputs(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  field: string,
): AsyncGenerator<PieceInput> {
  const parts = (async function* () {
    let looked = 0;
    for await (const chunk of chunks) {
      for (const slice of slices(chunk)) {
        yield slice;
        looked += slice.length;
        if (looked < TURN) continue;
        looked = 0;
        await nextTurn();
      }
    }
  })();
  for await (const piece of readPieces(parts, field, "conllu")) {
    if (piece instanceof TreebankError) throw new Problem(422, "invalid-conllu", piece.message, field);
    yield { kind: "treebank", from: "conllu", source: field, ...piece };
  }
}
