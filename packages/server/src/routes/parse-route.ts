import { conlluOf, jsonOf } from "../annotation/numbered.js";
import { type AnnotatedSentence, type AnnotationOptions, TEXT_FORMATS, type TextFormat } from "../annotation/piece.js";
import { checkCharset, mediaType, negotiator } from "../http/headers.js";
import { invalid, Problem, shown } from "../http/problem.js";
import { decoded } from "../http/utf8.js";
import { AUTO, type LanguageWarning, languageWarning, modelForText, withBeginning } from "../pool/language.js";
import type { Models } from "../pool/models.js";
import type { PoolExchange } from "../pool/pool-exchange.js";
import { conlluInputs, type ParseRequest, parseJson, streamedText, textInputs } from "./parse-request.js";
import { checkNames, checkOptions, mergedOptions, optionsOfQuery } from "./request-options.js";
import { OPTION_NAMES, type RequestOptions } from "./request-shape.js";
import { type RunLimits, runPieces } from "./run.js";

export interface ParseSettings extends RunLimits {
  models: Models;
  maxSentence: number;
  /** Has a request done with a model that is loaded on demand; undefined if there is none of this name. */
  borrow(exchange: PoolExchange, name: string): Promise<Models | undefined>;
  /** The names of the models that are loaded on demand. */
  onDemand: readonly string[];
}

/** The models that have the one that is asked for, and its number among them. */
export async function modelFor(
  exchange: PoolExchange,
  name: string | undefined,
  { models, borrow, onDemand }: ParseSettings,
): Promise<[models: Models, model: number]> {
  const others = name === undefined || models.names.includes(name) ? undefined : await borrow(exchange, name);
  const found = others ?? models;
  return [found, found.find(name, onDemand)];
}

/** The types of answers, with the names of each; clients that do not say get the first. */
export const ANSWER_TYPES = {
  json: ["application/json"],
  ndjson: ["application/x-ndjson", "application/ndjson"],
  conllu: ["text/x-conllu", "application/x-conllu"],
} as const;
type AnswerType = keyof typeof ANSWER_TYPES;
const answerType = negotiator<AnswerType>(ANSWER_TYPES);

const PARAMETERS = [...OPTION_NAMES, "input"] as string[];

/** POST /v1/parse */
export async function parseRoute(
  exchange: PoolExchange,
  query: URLSearchParams,
  settings: ParseSettings,
): Promise<void> {
  const { req } = exchange;
  const type = answerType(req.headers.accept ?? "*/*");
  const request = await readRequest(exchange, query, settings.maxSentence);
  const { model: name, ...how } = request.options;
  if (query.has("input") && request.field !== "body") {
    const detail = `input is only for text/plain, not for ${shown(mediaType(req))}`;
    throw new Problem(400, "invalid-request", detail, "input");
  }
  checkOptions(how, request.field, type !== "conllu");
  const [beginning, inputs] = await withBeginning(request.inputs);
  const isAuto = name === AUTO && ![...settings.models.names, ...settings.onDemand].includes(AUTO);
  const named = isAuto ? modelForText(beginning, settings.models, settings.onDemand) : name;
  const [models, model] = await modelFor(exchange, named, settings);
  const info = models.get(model);
  exchange.model = info.name;
  models.checkSearch(model, how);
  const noText = request.needsSegmenter && models.refusal(model, "text");
  if (noText) throw new Problem(422, "model-needs-tokens", noText, request.field);
  const noTags = how.retag && models.refusal(model, "tags");
  if (noTags) throw new Problem(422, "model-lacks-part", noTags, "retag");
  const warning = languageWarning(beginning, info.language);
  const writer = writers[type](info.name, warning);
  const numbered = request.field !== "conllu";
  const { maxSentence } = settings;
  const to = type === "conllu" ? "conllu" : "json";
  const options: AnnotationOptions = { ...how, to, maxSentence, strict: true, standalone: true };
  const headers = { "Content-Type": `${ANSWER_TYPES[type][0]}; charset=utf-8` };
  exchange.open(200, warning ? { ...headers, [WARNING_HEADER]: warning.detail } : headers);
  exchange.breakOffWith = writer.problem;
  let [count, number] = [0, 0];
  await runPieces(exchange, inputs, { model, options }, settings, request.field, (sentences) => {
    let text = count === 0 ? writer.head : "";
    for (const sentence of sentences) {
      // The trees of a sentence have its number in common.
      if (sentence.rank === 1) number++;
      text += writer.sentence(sentence, ++count, numbered ? number : undefined);
    }
    return exchange.write(text);
  });
  if (count === 0) await exchange.write(writer.head);
  await exchange.write(writer.tail);
  exchange.end();
}

async function readRequest(exchange: PoolExchange, query: URLSearchParams, maxSentence: number): Promise<ParseRequest> {
  const { req } = exchange;
  checkCharset(req);
  checkNames(query, PARAMETERS);
  const options: RequestOptions = optionsOfQuery(query);
  const input = query.get("input") ?? "text";
  if (!TEXT_FORMATS.includes(input as TextFormat)) throw invalid("input", input, TEXT_FORMATS.join(", "));
  const type = mediaType(req);
  switch (type) {
    case "application/json": {
      const request = await parseJson((await exchange.smallBody()) ?? (await exchange.body()), maxSentence);
      return { ...request, options: mergedOptions(options, request.options) };
    }
    case "text/plain": {
      const small = await exchange.smallBody();
      const inputs = small
        ? textInputs(decoded(small), input as TextFormat)
        : streamedText(exchange.chunks(), input as TextFormat);
      return { options, field: "body", needsSegmenter: input !== "tokens", inputs };
    }
    case "text/x-conllu":
    case "application/x-conllu":
    case "application/conllu":
      return {
        options,
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

/** How sentences become an answer. */
interface Writer {
  head: string;
  tail: string;
  /** The place of the sentence in the answer, from 1, and the number that it gets, if any. */
  sentence(sentence: AnnotatedSentence, place: number, number: number | undefined): string;
  /** The last part of an answer that breaks off. */
  problem(problem: Problem): string;
}

/** The header that says what the language of a text has to do with its trees. */
const WARNING_HEADER = "X-Stemma-Warning";

const writers: Record<AnswerType, (model: string, warning: LanguageWarning | undefined) => Writer> = {
  json: (model, warning) => ({
    head: `{"model":${JSON.stringify(model)},${warning ? `"warnings":${JSON.stringify([warning])},` : ""}"sentences":[`,
    tail: "]}\n",
    sentence: (sentence, place, number) => (place === 1 ? "\n" : ",\n") + jsonOf(sentence, number),
    problem: (problem) => `],"problem":${JSON.stringify(problem)}}\n`,
  }),
  ndjson: () => ({
    head: "",
    tail: "",
    sentence: (sentence, _, number) => `${jsonOf(sentence, number)}\n`,
    problem: (problem) => `${JSON.stringify({ problem })}\n`,
  }),
  conllu: () => ({
    head: "",
    tail: "",
    sentence: (sentence, _, number) => conlluOf(sentence, number),
    problem: (problem) => `# problem = ${JSON.stringify(problem)}\n`,
  }),
};
