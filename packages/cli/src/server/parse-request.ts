// What a request to /v1/parse asks for: from its parameters and, if it is JSON, its body.
import { isUtf8 } from "node:buffer";
import { TreebankError } from "@stemma/core";
import type { PieceInput, TextFormat } from "../annotation/piece.js";
import { readPieces } from "../workers/batches.js";
import { groups, slices, TextCutter } from "./cutter.js";
import { invalid, Problem, shown } from "./problem.js";
import { OPTION_NAMES, optionsOfBody, type RequestOptions } from "./request-options.js";

export interface ParseRequest {
  options: RequestOptions;
  /** The member of the body that holds what to parse, for messages. */
  field: string;
  /** True if the text is to be cut into tokens, which not every model can do. */
  needsSegmenter: boolean;
  inputs: AsyncIterable<PieceInput> | Iterable<PieceInput>;
}

const MEMBERS = ["text", "sentences", "tokens", "conllu"] as const;
/** JSON deeper than this is not read at all: what is asked for has three levels. */
const DEEPEST = 16;
/** A text that need not be cut, in UTF-16 units. */
const SHORT = 1024;
const PART = 1 << 15;

/** The request of a JSON body. */
export function parseJson(bytes: Buffer, maxSentence: number): ParseRequest {
  const body = readJson(bytes);
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalid("body", body, "a JSON object");
  }
  const values = body as Record<string, unknown>;
  for (const name of Object.keys(values)) {
    if (!([...MEMBERS, ...OPTION_NAMES] as string[]).includes(name)) {
      const expected = [...MEMBERS, ...OPTION_NAMES].join(", ");
      throw new Problem(
        400,
        "unknown-member",
        `unknown member: ${shown(name)} (expected ${expected})`,
        name.slice(0, 100),
      );
    }
  }
  const given = MEMBERS.filter((name) => values[name] !== undefined);
  if (given.length !== 1) {
    const what = given.length === 0 ? "nothing to parse" : `more than one thing to parse: ${given.join(", ")}`;
    throw new Problem(400, "invalid-request", `${what} (expected one of ${MEMBERS.join(", ")})`, given[1] ?? "text");
  }
  const options = optionsOfBody(values);
  const field = given[0]!;
  const value = values[field];
  const needsSegmenter = field === "text" || field === "sentences";
  return { options, field, needsSegmenter, inputs: inputsOf(field, value, maxSentence) };
}

function inputsOf(
  field: (typeof MEMBERS)[number],
  value: unknown,
  maxSentence: number,
): Iterable<PieceInput> | AsyncIterable<PieceInput> {
  if (field === "text") return textInputs(checkedText(field, value), "text");
  if (field === "conllu") return conlluInputs(slices(Buffer.from(checkedText(field, value))), field);
  if (!Array.isArray(value)) throw invalid(field, value, "an array");
  if (field === "sentences") {
    const sentences = value.map((sentence, i) => {
      const text = checkedText(`sentences[${i}]`, sentence);
      if (!/\S/.test(text)) throw invalid(`sentences[${i}]`, text, "a sentence");
      return text;
    });
    return inputsOfGroups(
      "sentences",
      groups(sentences, (sentence) => sentence.length),
    );
  }
  const tokens = value.map((sentence, i) => checkedTokens(`tokens[${i}]`, sentence, maxSentence));
  return inputsOfGroups(
    "tokens",
    groups(tokens, (sentence) => 6 * sentence.length),
  );
}

function* inputsOfGroups(kind: "sentences" | "tokens", all: Iterable<unknown[]>): Generator<PieceInput> {
  for (const sentences of all) yield { kind, sentences } as PieceInput;
}

function checkedTokens(field: string, value: unknown, maxSentence: number): string[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid(field, value, "an array of at least one token");
  if (value.length > maxSentence) throw sentenceTooLong(field, value.length, maxSentence);
  for (let i = 0; i < value.length; i++) {
    const token = checkedText(`${field}[${i}]`, value[i]);
    if (!/\S/.test(token)) throw invalid(`${field}[${i}]`, token, "a token");
  }
  return value as string[];
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

function readJson(bytes: Buffer): unknown {
  checkDepth(bytes);
  const text = decoded(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(400, "invalid-json", `the body is no JSON: ${oneLine((error as Error).message)}`, "body");
  }
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{C}]+/gu, " ").slice(0, 200);
}

// Arrays in arrays in … take forty times the memory of their text.
function checkDepth(bytes: Buffer): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > DEEPEST) {
        const detail = `the body is nested too deeply at byte ${i} (expected at most ${DEEPEST} levels)`;
        throw new Problem(400, "invalid-json", detail, "body");
      }
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
}

/** Bytes as text, without a byte order mark. */
export function decoded(bytes: Uint8Array, field = "body"): string {
  if (!isUtf8(bytes)) throw invalidUtf8(0, field);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function invalidUtf8(at: number, field: string): Problem {
  return new Problem(400, "invalid-utf-8", `the text is not UTF-8, after byte ${at} (expected UTF-8)`, field);
}

/** A text that is there as a whole. */
export function* textInputs(text: string, from: TextFormat, characters = false): Generator<PieceInput> {
  if (from === "tokens") {
    for (const input of textInputs(text, "lines")) yield tokensOf(input as { text: string });
    return;
  }
  if (text.length < SHORT && /\S/.test(text)) {
    yield { kind: "text", from, text, offset: 0, continues: from === "lines" && !characters };
    return;
  }
  const cutter = new TextCutter(from, characters);
  // In parts, so that others have their turn before all of it has been looked at.
  for (let at = 0; at < text.length; at += PART) yield* cutter.push(text.slice(at, at + PART));
  yield* cutter.end();
}

/** A text as it comes. */
export async function* streamedText(chunks: AsyncIterable<Uint8Array>, from: TextFormat): AsyncGenerator<PieceInput> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const cutter = new TextCutter(from === "text" ? "text" : "lines");
  let read = 0;
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw invalidUtf8(read, "body");
    }
  };
  const pieces = function* (inputs: Generator<PieceInput>): Generator<PieceInput> {
    if (from === "tokens") for (const input of inputs) yield tokensOf(input as { text: string });
    else yield* inputs;
  };
  for await (const chunk of chunks) {
    yield* pieces(cutter.push(decode(chunk)));
    read += chunk.length;
  }
  yield* pieces(cutter.push(decode()));
  yield* pieces(cutter.end());
}

/** Lines of tokens with white space between them. */
function tokensOf({ text }: { text: string }): PieceInput {
  const sentences = text
    .split(/[\n\r]+/)
    .map((line) => line.split(/\s+/).filter((token) => token !== ""))
    .filter((tokens) => tokens.length > 0);
  return { kind: "tokens", sentences };
}

/** The sentences of CoNLL-U as it comes. */
export async function* conlluInputs(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  field: string,
): AsyncGenerator<PieceInput> {
  const parts = (async function* () {
    for await (const chunk of chunks) yield* slices(chunk);
  })();
  for await (const piece of readPieces(parts, field, "conllu")) {
    if (piece instanceof TreebankError) throw new Problem(422, "invalid-conllu", piece.message, field);
    yield { kind: "treebank", from: "conllu", source: field, ...piece };
  }
}
