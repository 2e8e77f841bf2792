import { numberedJson } from "../numbered-json.js";
import type { Exchange } from "./exchange.js";
import { checkEncoding, mediaType, negotiator } from "./headers.js";
import type { Models } from "./models.js";
import {
  conlluInputs,
  decoded,
  invalid,
  type ParseRequest,
  parseJson,
  streamedText,
  textInputs,
} from "./parse-request.js";
import type { OutputName } from "./piece.js";
import { Problem, shown } from "./problem.js";
import { runPieces } from "./run.js";

export interface ParseSettings {
  models: Models;
  maxSentence: number;
  /** How many pieces of a request are under way at a time. */
  window: number;
}

/** What can be answered, with the names of each; the first is what clients get that do not say. */
export const ANSWER_TYPES = {
  json: ["application/json"],
  ndjson: ["application/x-ndjson", "application/ndjson"],
  conllu: ["text/x-conllu", "application/x-conllu"],
} as const;
type AnswerType = keyof typeof ANSWER_TYPES;
const answerType = negotiator<AnswerType>(ANSWER_TYPES);

export const TEXT_INPUTS = ["text", "lines", "tokens"] as const;
const PARAMETERS = ["model", "scores", "input"];

/** POST /v1/parse */
export async function parseRoute(exchange: Exchange, query: URLSearchParams, settings: ParseSettings): Promise<void> {
  const { req } = exchange;
  const type = answerType(req.headers.accept ?? "*/*");
  const request = await readRequest(exchange, query, settings.maxSentence);
  const model = settings.models.find(request.model);
  const info = settings.models.get(model);
  if (request.needsSegmenter && !info.parts.includes("segmenter")) {
    const detail = `the model ${info.name} cannot cut text into tokens (expected tokens or CoNLL-U)`;
    throw new Problem(422, "model-needs-tokens", detail, request.field);
  }
  const writer = writers[type](info.name);
  const to: OutputName = type === "conllu" ? "conllu" : "json";
  const numbered = request.field !== "conllu";
  const { scores } = request;
  const options = { model, to, scores, maxSentence: settings.maxSentence };
  exchange.open(200, { "Content-Type": `${ANSWER_TYPES[type][0]}; charset=utf-8` });
  exchange.breakOffWith = writer.problem;
  let count = 0;
  await runPieces(exchange, request.inputs, options, settings.window, request.field, (sentences) => {
    let text = count === 0 ? writer.head : "";
    for (const sentence of sentences) text += writer.sentence(sentence, ++count, numbered);
    return exchange.write(text);
  });
  if (count === 0) await exchange.write(writer.head);
  await exchange.write(writer.tail);
  exchange.end();
}

async function readRequest(exchange: Exchange, query: URLSearchParams, maxSentence: number): Promise<ParseRequest> {
  const { req } = exchange;
  checkEncoding(req);
  for (const name of query.keys()) {
    if (!PARAMETERS.includes(name)) {
      const detail = `unknown parameter: ${shown(name)} (expected ${PARAMETERS.join(", ")})`;
      throw new Problem(400, "unknown-parameter", detail, name.slice(0, 100));
    }
  }
  const model = query.get("model") ?? undefined;
  const scores = flag("scores", query.get("scores"));
  const input = query.get("input") ?? "text";
  if (!TEXT_INPUTS.includes(input as "text")) throw invalid("input", input, TEXT_INPUTS.join(", "));
  const type = mediaType(req);
  switch (type) {
    case "application/json": {
      const request = parseJson((await exchange.smallBody()) ?? (await exchange.body()), maxSentence);
      return { ...request, model: request.model ?? model, scores: request.scores || scores };
    }
    case "text/plain": {
      const small = await exchange.smallBody();
      const inputs = small
        ? textInputs(decoded(small), input as "text")
        : streamedText(exchange.chunks(), input as "text");
      return { model, scores, field: "body", needsSegmenter: input !== "tokens", inputs };
    }
    case "text/x-conllu":
    case "application/x-conllu":
    case "application/conllu":
      return {
        model,
        scores,
        field: "conllu",
        needsSegmenter: false,
        inputs: conlluInputs(exchange.chunks(), "conllu"),
      };
    default: {
      const expected = "application/json, text/plain or text/x-conllu";
      const detail = `unknown type of body: ${shown(type)} (expected ${expected})`;
      throw new Problem(415, "unsupported-type", detail, "Content-Type");
    }
  }
}

function flag(name: string, value: string | null): boolean {
  if (value === null || value === "false" || value === "0") return false;
  if (value === "" || value === "true" || value === "1") return true;
  throw invalid(name, value, "true or false");
}

/** How sentences become an answer. */
interface Writer {
  head: string;
  tail: string;
  sentence(text: string, number: number, numbered: boolean): string;
  /** The last part of an answer that breaks off. */
  problem(problem: Problem): string;
}

const withId = (json: string, number: number, numbered: boolean) => (numbered ? numberedJson(json, number) : json);

const writers: Record<AnswerType, (model: string) => Writer> = {
  json: (model) => ({
    head: `{"model":${JSON.stringify(model)},"sentences":[`,
    tail: "]}\n",
    sentence: (text, number, numbered) => (number === 1 ? "\n" : ",\n") + withId(text, number, numbered),
    problem: (problem) => `],"problem":${JSON.stringify(problem)}}\n`,
  }),
  ndjson: () => ({
    head: "",
    tail: "",
    sentence: (text, number, numbered) => `${withId(text, number, numbered)}\n`,
    problem: (problem) => `${JSON.stringify({ problem })}\n`,
  }),
  conllu: () => ({
    head: "",
    tail: "",
    sentence: (text, number, numbered) => {
      if (!numbered) return text;
      const id = `# sent_id = ${number}\n`;
      return text.startsWith("# newpar\n") ? `# newpar\n${id}${text.slice("# newpar\n".length)}` : id + text;
    },
    problem: (problem) => `# problem = ${JSON.stringify(problem)}\n`,
  }),
};
