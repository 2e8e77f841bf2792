// The parameters of UDPipe's REST service: https://lindat.mff.cuni.cz/services/udpipe/api-reference.php
import type { OutputName, PieceInput, UdpipeOptions } from "../annotation/piece.js";
import type { Exchange } from "../http/exchange.js";
import { parseMultipart, parseUrlEncoded } from "../http/form.js";
import { checkCharset, mediaParameter, mediaType } from "../http/headers.js";
import { Problem, shown } from "../http/problem.js";
import { nextTurn, TURN } from "../http/turns.js";
import { sizeOfTokens } from "../pool/server-piece.js";
import { groups, slices } from "./cutter.js";
import { normalized } from "./nfc.js";
import { conlluInputs, largeText, longestSentence, sentenceTooLarge, sentenceTooLong } from "./parse-request.js";

const INPUTS = ["conllu", "generic_tokenizer", "horizontal", "vertical"] as const;
/** Formats of programs that are hardly used any more. */
const LEFT_OUT: readonly string[] = ["epe", "matxin"];
const OUTPUTS = ["conllu", "horizontal", "plaintext", "vertical"] as const;

export interface UdpipeRequest {
  to: OutputName;
  options: UdpipeOptions;
  /** The text is cut into tokens by the model. */
  tokenize: boolean;
  inputs: AsyncIterable<PieceInput>;
  /** Begin the output with a sentence that opens a document and a paragraph. */
  newDocument: boolean;
  /** Characters of the data, which LINDAT's service says in a header. */
  characters: number;
}

/** All parameters; those of the body come after those of the address. */
export async function readParameters(exchange: Exchange, query: string): Promise<Map<string, string>> {
  const { req } = exchange;
  const values = await parseUrlEncoded(Buffer.from(query), "query");
  if (req.method !== "POST") return values;
  checkCharset(req);
  const type = mediaType(req);
  if (type === undefined && (req.headers["content-length"] ?? "0") === "0") return values;
  let more: Map<string, string>;
  if (type === "application/x-www-form-urlencoded") more = await parseUrlEncoded(await exchange.body(), "body");
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

/** The options in the parameters. */
export async function udpipeRequest(values: ReadonlyMap<string, string>, maxSentence: number): Promise<UdpipeRequest> {
  const given = values.get("data");
  if (given === undefined) throw new Problem(400, "missing-parameter", "Required argument 'data' is missing.", "data");
  const { text: data, characters } = await normalized(given, "data");
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
  const inputs = tokenize ? largeText(data, kind) : readInput(input, data, maxSentence);
  return {
    to,
    options,
    tokenize,
    inputs,
    newDocument: tokenize || input !== "conllu",
    characters,
  };
}

function formatOf<T extends string>(name: string, value: string, known: readonly T[]): [T, string] {
  const [format, options = ""] = value.split("=", 2) as [T, string?];
  if (known.includes(format)) return [format, options];
  const what = LEFT_OUT.includes(format) ? "format that UDPipe has and Stemma does not:" : "format";
  const detail = `Unknown ${name} ${what} ${shown(value)} (expected ${known.join(", ")}).`;
  throw new Problem(400, "unknown-format", detail, name);
}

/** "presegmented;ranges", with values that are not used here: "normalized_spaces=1". */
function optionsOf(text: string): Set<string> {
  return new Set(text.split(";").map((option) => option.split("=", 1)[0]!.trim()));
}

function asked(value: string | undefined): boolean {
  return value !== undefined && value !== "none";
}

function readInput(input: (typeof INPUTS)[number], data: string, maxSentence: number): AsyncIterable<PieceInput> {
  if (input === "conllu") return conlluInputs(slices(Buffer.from(data)), "data");
  return tokenInputs(data, input === "vertical" ? new Vertical(maxSentence) : new Horizontal(maxSentence));
}

/** Reads tokens from a text that comes in parts of whole lines. */
interface TokenReader {
  push(part: string): Iterable<string[]>;
  end(): string[];
}

async function* tokenInputs(data: string, reader: TokenReader): AsyncGenerator<PieceInput> {
  const inputs = function* (sentences: Iterable<string[]>): Generator<PieceInput> {
    for (const group of groups(sentences, sizeOfTokens)) yield { kind: "tokens", sentences: group };
  };
  for await (const part of partsOf(data)) yield* inputs(reader.push(part));
  const last = reader.end();
  if (last.length > 0) yield* inputs([last]);
}

/** Parts of a text with whole lines, as much at a time as may be looked at in one go. */
async function* partsOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.indexOf("\n", at + TURN);
    const end = lineEnd < 0 ? text.length : lineEnd + 1;
    yield text.slice(at, end);
    at = end;
    if (at < text.length) await nextTurn();
  }
}

/** The lines of a text, one at a time: all of them at once may take far more memory than the text. */
function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next;
    yield text.slice(at, text[end - 1] === "\r" ? end - 1 : end);
    at = end + 1;
  }
}

class Horizontal implements TokenReader {
  constructor(private readonly maxSentence: number) {}

  *push(part: string): Generator<string[]> {
    const { maxSentence } = this;
    for (const line of linesOf(part)) {
      if (line.length > longestSentence(maxSentence)) throw sentenceTooLarge("a sentence of data", maxSentence);
      const tokens = line.split(/[ \t]+/).filter((token) => /\S/.test(token));
      if (tokens.length > 0) yield tokens;
    }
  }

  end(): string[] {
    return [];
  }
}

/** Lines may have more columns than the form. */
class Vertical implements TokenReader {
  private tokens: string[] = [];

  constructor(private readonly maxSentence: number) {}

  *push(part: string): Generator<string[]> {
    const { maxSentence } = this;
    for (const line of linesOf(part)) {
      const form = line.split("\t", 1)[0]!;
      if (/\S/.test(form)) {
        const words = this.tokens.push(form);
        if (words > maxSentence) throw sentenceTooLong("a sentence of data", words, maxSentence);
        if (form.length > longestSentence(maxSentence)) throw sentenceTooLarge("a token of data", maxSentence);
      } else if (this.tokens.length > 0 && !/[^ \t]/.test(line)) yield this.end();
    }
  }

  end(): string[] {
    const { tokens } = this;
    this.tokens = [];
    return tokens;
  }
}
