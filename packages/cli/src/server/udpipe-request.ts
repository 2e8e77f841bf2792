// The parameters of UDPipe's REST service: https://lindat.mff.cuni.cz/services/udpipe/api-reference.php
import type { OutputName, PieceInput, UdpipeOptions } from "../annotation/piece.js";
import { characterCounter } from "../annotation/udpipe-output.js";
import { groups, slices } from "./cutter.js";
import type { Exchange } from "./exchange.js";
import { parseMultipart, parseUrlEncoded } from "./form.js";
import { checkEncoding, mediaParameter, mediaType } from "./headers.js";
import { conlluInputs, decoded, textInputs } from "./parse-request.js";
import { Problem, shown } from "./problem.js";

const INPUTS = ["conllu", "generic_tokenizer", "horizontal", "vertical"] as const;
const OUTPUTS = ["conllu", "horizontal", "plaintext", "vertical"] as const;

export interface UdpipeRequest {
  to: OutputName;
  options: UdpipeOptions;
  /** The text is cut into tokens by the model. */
  tokenize: boolean;
  inputs: AsyncIterable<PieceInput> | Iterable<PieceInput>;
  /** Begin the output with a sentence that opens a document and a paragraph. */
  newDocument: boolean;
  /** Characters of the data, which LINDAT's service says in a header. */
  characters: number;
}

/** All parameters; those of the body come after those of the address. */
export async function readParameters(exchange: Exchange, query: string): Promise<Map<string, string>> {
  const { req } = exchange;
  const values = parseUrlEncoded(query, "query");
  if (req.method !== "POST") return values;
  checkEncoding(req);
  const type = mediaType(req);
  if (type === undefined && (req.headers["content-length"] ?? "0") === "0") return values;
  let more: Map<string, string>;
  if (type === "application/x-www-form-urlencoded") more = parseUrlEncoded(decoded(await exchange.body()), "body");
  else if (type === "multipart/form-data") {
    more = parseMultipart(await exchange.body(), mediaParameter(req, "boundary"));
  } else {
    const expected = "application/x-www-form-urlencoded or multipart/form-data";
    throw new Problem(
      415,
      "unsupported-type",
      `Unsupported payload Content-Type ${shown(type)} (expected ${expected}).`,
    );
  }
  for (const [name, value] of more) values.set(name, value);
  return values;
}

/** What the parameters ask for. */
export function udpipeRequest(values: ReadonlyMap<string, string>): UdpipeRequest {
  const given = values.get("data");
  if (given === undefined) throw new Problem(400, "missing-parameter", "Required argument 'data' is missing.", "data");
  const data = given.normalize("NFC");
  const tokenizer = values.get("tokenizer");
  const [input, inputOptions] = formatOf("input", values.get("input") ?? "conllu", INPUTS);
  const [to, outputOptions] = formatOf("output", values.get("output") ?? "conllu", OUTPUTS);
  const tokenize = tokenizer !== undefined || input === "generic_tokenizer";
  const tokenizing = optionsOf(tokenizer ?? inputOptions);
  const options: UdpipeOptions = {
    tag: asked(values.get("tagger")),
    parse: asked(values.get("parser")),
    ranges: tokenize && tokenizing.has("ranges"),
    normalizedSpaces: tokenizing.has("normalized_spaces") || optionsOf(outputOptions).has("normalized_spaces"),
  };
  const kind = tokenizing.has("presegmented") ? "lines" : "text";
  const inputs = tokenize ? textInputs(data, kind, true) : readInput(input, data);
  return {
    to,
    options,
    tokenize,
    inputs,
    newDocument: tokenize || input !== "conllu",
    characters: characterCounter(data, 0)(data.length),
  };
}

function formatOf<T extends string>(name: string, value: string, known: readonly T[]): [T, string] {
  const [format, options = ""] = value.split("=", 2) as [T, string?];
  if (known.includes(format)) return [format, options];
  const detail = `Unknown ${name} format ${shown(value)} (expected ${known.join(", ")}).`;
  throw new Problem(400, "unknown-format", detail, name);
}

/** "presegmented;ranges", with values that are not used here: "normalized_spaces=1". */
function optionsOf(text: string): Set<string> {
  return new Set(text.split(";").map((option) => option.split("=", 1)[0]!.trim()));
}

function asked(value: string | undefined): boolean {
  return value !== undefined && value !== "none";
}

function readInput(input: (typeof INPUTS)[number], data: string): AsyncIterable<PieceInput> | Iterable<PieceInput> {
  if (input === "conllu") return conlluInputs(slices(Buffer.from(data)), "data");
  const blocks = input === "vertical" ? data.split(/\r?\n[ \t]*\r?\n/) : data.split(/\r?\n/);
  const sentences = blocks
    .map((block) => (input === "vertical" ? firstColumns(block) : block.split(/[ \t]+/)))
    .map((tokens) => tokens.filter((token) => /\S/.test(token)))
    .filter((tokens) => tokens.length > 0);
  return tokenInputs(sentences);
}

// A vertical file may have more columns than the form.
function firstColumns(block: string): string[] {
  return block.split(/\r?\n/).map((line) => line.split("\t", 1)[0]!);
}

function* tokenInputs(sentences: string[][]): Generator<PieceInput> {
  for (const group of groups(sentences, (tokens) => 6 * tokens.length)) yield { kind: "tokens", sentences: group };
}
