// The description of the server for programs (OpenAPI 3.1).
import { PARTS } from "@stemma/core";
import { SENTENCE_SCHEMA } from "@stemma/core/treebank";
import { TEXT_FORMATS } from "../annotation/piece.js";
import { AUTO } from "../pool/language.js";
import { JSON_LINES } from "./documents-route.js";
import { ANSWER_TYPES } from "./parse-route.js";
import { OPTIONS as ALL_OPTIONS, DOCUMENT_FIELDS, DOCUMENT_OPTIONS, MEMBERS } from "./request-shape.js";

type Schema = Record<string, unknown>;

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const text = (description: string, more: Schema = {}): Schema => ({ type: "string", description, ...more });
const number = (description: string, minimum = 0): Schema => ({ type: "integer", description, minimum });
const list = (items: Schema, description: string, more: Schema = {}): Schema => ({
  type: "array",
  items,
  description,
  ...more,
});
const object = (properties: Record<string, Schema>, required = Object.keys(properties), more: Schema = {}): Schema => ({
  type: "object",
  properties,
  required,
  ...more,
});

/** The document for a server with these models and limits. */
export function openapi(
  names: readonly string[],
  { version, maxBody, maxSentence }: { version: string; maxBody: number; maxSentence: number },
): object {
  const model = { ...MODEL, enum: [...names, AUTO], default: names[0] };
  // Documents may be in different languages.
  const ofDocuments = { ...model, enum: names, description: "Name of a model; the default is the first." };
  return {
    openapi: "3.1.0",
    info: {
      title: "Stemma",
      version,
      summary: "Dependency trees over HTTP.",
      description:
        `Bodies have at most ${maxBody} bytes, sentences at most ${maxSentence} words. ` +
        "Every answer has the X-Request-Id of its request, or a new one.",
      license: { name: "MIT", identifier: "MIT" },
    },
    // From where this document is: the server may be mounted at a path.
    servers: [{ url: "./" }],
    paths: {
      "/v1/parse": { post: parseOperation(model) },
      "/v1/documents": { post: documentsOperation(ofDocuments) },
      "/v1/models": {
        get: operation("models", "The available models.", { 200: json(ref("Models"), "The models.") }),
      },
      "/health": readiness("health"),
      "/health/ready": readiness("ready"),
      "/health/live": {
        get: operation("live", "Liveness: whether the server answers at all.", {
          200: json(object({ status: { enum: ["live"] }, version: text("Version of Stemma.") }), "It does."),
        }),
      },
      "/metrics": {
        get: operation("metrics", "Counters for Prometheus.", {
          200: {
            description: "Prometheus text format 0.0.4.",
            content: { "text/plain": { schema: { type: "string" } } },
          },
        }),
      },
      "/openapi.json": {
        get: operation("openapi", "This document.", { 200: json({ type: "object" }, "OpenAPI 3.1.") }),
      },
      "/page.css": pagePath("pageStyle", "The style of the page.", "text/css"),
      "/page.js": pagePath("pageScript", "The script of the page.", "text/javascript"),
      "/": pagePath("page", "A page to try the server.", "text/html"),
      "/process": udpipePath("process"),
      "/services/udpipe/api/process": udpipePath("processAtLindatPath"),
      "/models": udpipeModelsPath("udpipeModels"),
      "/services/udpipe/api/models": udpipeModelsPath("udpipeModelsAtLindatPath"),
    },
    components: { schemas: schemas(model), responses: { Problem: problem("What is wrong with the request.") } },
  };
}

function readiness(id: string): Schema {
  return {
    get: operation(id, "Readiness: whether the server can take requests.", {
      200: json(ref("Health"), "They should."),
      503: json(ref("Health"), "The workers are starting, the server is overloaded, or it is shutting down."),
    }),
  };
}

function pagePath(id: string, summary: string, type: string): Schema {
  return {
    get: operation(id, summary, { 200: { description: summary, content: { [type]: { schema: { type: "string" } } } } }),
  };
}

function operation(operationId: string, summary: string, responses: Record<number, Schema>, more: Schema = {}): Schema {
  return {
    operationId,
    summary,
    ...more,
    responses: { ...responses, default: { $ref: "#/components/responses/Problem" } },
  };
}

function json(schema: Schema, description: string): Schema {
  return { description, content: { "application/json": { schema } } };
}

function problem(description: string, headers?: Schema): Schema {
  const content = { "application/problem+json": { schema: ref("Problem") } };
  return headers ? { description, headers, content } : { description, content };
}

/** Options of every request; which models there are is known when the server runs. */
const { model: MODEL, ...OPTIONS } = ALL_OPTIONS;

const BUSY = { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } } };

function documentsOperation(model: Schema): Schema {
  const parameter = (name: string, { description, ...schema }: Schema) => ({ name, in: "query", description, schema });
  const lines = (description: string) => ({ [JSON_LINES[0]]: { schema: text(description) } });
  const { model: _, ...options } = DOCUMENT_OPTIONS;
  return operation(
    "documents",
    "Parse documents in JSON Lines, one object per line.",
    {
      200: {
        description:
          "A line for each document, in their order and as they come: its object with `sentences` added, and with " +
          '`problem` if something is wrong with it. If the request fails, the last line is `{"problem": …}`, and the ' +
          "last HTTP chunk is missing.",
        content: lines("Documents with their sentences (as in ParseResult)."),
      },
      400: problem("A parameter that is unknown or of another type; `field` names it."),
      404: problem("There is no such model."),
      406: problem("None of the types in Accept is available."),
      408: problem("The body arrived too slowly."),
      413: problem("The body is too large."),
      415: problem("The type, character set or encoding of the body is not supported."),
      422: problem("The model cannot parse text."),
      503: problem("Too many requests are waiting, or the server is shutting down.", BUSY),
      504: problem("It took too long."),
    },
    {
      parameters: Object.entries({ model, ...options, ...DOCUMENT_FIELDS }).map(([name, schema]) =>
        parameter(name, schema),
      ),
      requestBody: { required: true, content: lines("Objects with a text, one per line, UTF-8.") },
    },
  );
}

function parseOperation(model: Schema): Schema {
  const parameter = (name: string, schema: Schema, description: string) => ({ name, in: "query", description, schema });
  const conllu = { schema: text("Sentences in CoNLL-U, UTF-8.") };
  const [ndjson] = ANSWER_TYPES.ndjson;
  return operation(
    "parse",
    "Parse text, sentences, tokens or CoNLL-U.",
    {
      200: {
        description:
          "The trees, in the order of the input. If an error occurs after part of the answer was sent, the answer ends with " +
          "the problem (a member `problem`, a line with it, or a comment) and without the last HTTP chunk.",
        content: {
          [ANSWER_TYPES.json[0]]: { schema: ref("ParseResult") },
          [ndjson]: { schema: text("One sentence (as in ParseResult) per line.") },
          [ANSWER_TYPES.conllu[0]]: conllu,
        },
      },
      400: problem("Not JSON, not UTF-8, or a member that is missing, unknown or of another type; `field` names it."),
      404: problem("There is no such model."),
      406: problem("None of the types in Accept is available."),
      408: problem("The body arrived too slowly."),
      413: problem("The body is too large."),
      415: problem("The type, character set or encoding of the body is not supported."),
      422: problem(
        "A sentence is too long, the CoNLL-U is invalid (with line and column), the model cannot parse text, no model is for " +
          "the text (`auto`), or a part " +
          "that cannot be divided costs too much (words times beam, or the size of the answer).",
      ),
      503: problem("Too many requests are waiting, or the server is shutting down.", BUSY),
      504: problem("It took too long."),
    },
    {
      description:
        "text/plain and CoNLL-U are read in parts: with Accept application/x-ndjson or text/x-conllu trees come back " +
        "while the rest is still being sent.",
      parameters: [
        parameter("model", model, "Name of a model (a member of the body in JSON)."),
        ...Object.entries(OPTIONS).map(([name, { description, ...schema }]) => parameter(name, schema, description)),
        parameter(
          "input",
          { type: "string", enum: TEXT_FORMATS, default: "text" },
          "What text/plain holds: running text, one sentence per line, or one sentence per line with spaces between its tokens.",
        ),
      ],
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: ref("ParseRequest") },
          "text/plain": { schema: text("Text in UTF-8.") },
          "text/x-conllu": conllu,
          "application/x-conllu": conllu,
        },
      },
    },
  );
}

const UDPIPE_PARAMETERS: readonly [name: string, description: string, required?: boolean][] = [
  ["data", "The text, or sentences in the format that `input` says.", true],
  ["model", "Name of a model, its beginning, or its language: en, english, english-ewt."],
  ["tokenizer", "Split the data into sentences and tokens; options: presegmented, ranges, normalized_spaces."],
  ["tagger", "Fill in lemmas, tags and features."],
  ["parser", "Fill in heads and relations."],
  ["input", "conllu (the default), horizontal, vertical or generic_tokenizer; not with `tokenizer`."],
  ["output", "conllu (the default), horizontal, vertical or plaintext."],
];

function udpipePath(id: string): Schema {
  const plain = (description: string) => ({ description, content: { "text/plain": { schema: { type: "string" } } } });
  const responses = {
    200: json(ref("UdpipeResult"), "The result."),
    400: plain("A parameter is missing or wrong."),
    413: plain("The data are too large."),
    415: plain("The type of the body is not supported."),
    422: plain("The data are wrong."),
    503: plain("Too many requests are waiting."),
  };
  const properties = Object.fromEntries(UDPIPE_PARAMETERS.map(([name, description]) => [name, text(description)]));
  const form = { schema: object(properties, ["data"]) };
  return {
    get: {
      operationId: `${id}Get`,
      summary: "UDPipe's REST service.",
      parameters: UDPIPE_PARAMETERS.map(([name, description, required = false]) => {
        const schema = { type: "string" };
        return { name, in: "query", description, required, allowEmptyValue: true, schema };
      }),
      responses,
    },
    post: {
      operationId: `${id}Post`,
      summary: "UDPipe's REST service.",
      requestBody: {
        required: true,
        content: { "application/x-www-form-urlencoded": form, "multipart/form-data": form },
      },
      responses,
    },
  };
}

function udpipeModelsPath(id: string): Schema {
  const responses = { 200: json(ref("UdpipeModels"), "The models.") };
  const summary = "The models as UDPipe's REST service lists them.";
  return {
    get: { operationId: `${id}Get`, summary, responses },
    post: { operationId: `${id}Post`, summary, responses },
  };
}

/** The schema of a sentence and its parts, where OpenAPI has them. */
function sentenceSchemas(): Record<string, Schema> {
  const { $defs, $schema: _, title: __, ...sentence } = SENTENCE_SCHEMA;
  const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
  const parts = Object.entries($defs).map(([name, schema]) => [capital(name), schema]);
  const all = JSON.stringify({ Sentence: sentence, ...Object.fromEntries(parts) });
  return JSON.parse(all.replace(/"#\/\$defs\/(\w+)"/g, (_, name: string) => `"#/components/schemas/${capital(name)}"`));
}

function schemas(model: Schema): Record<string, Schema> {
  const one = (name: string, schema: Schema): Schema =>
    object({ [name]: schema, model, ...OPTIONS }, [name], { additionalProperties: false });
  return {
    ParseRequest: {
      oneOf: Object.entries(MEMBERS).map(([name, shape]) => one(name, shape)),
    },
    ParseResult: object(
      {
        model: text("Name of the model."),
        warnings: list(ref("Warning"), "What is doubtful about the answer; also in the header X-Stemma-Warning."),
        sentences: list(ref("Sentence"), "In the order of the input."),
        problem: ref("Problem"),
      },
      ["model", "sentences"],
    ),
    ...sentenceSchemas(),
    Warning: object(
      {
        type: { enum: ["language"] },
        detail: text("That the text is in another language than the model's."),
        language: text("The code of the language that the text looks like, if it is known."),
      },
      ["type", "detail"],
    ),
    Models: object({
      models: list(
        object(
          {
            name: text("Its name in requests."),
            parts: list({ enum: [...PARTS, "roles"] }, "What it can do."),
            system: text("Transition system, or graph, pointers or tags for a parser without transitions."),
            root: text("Position of the root; only of a transition system."),
            labels: number("Number of relations it knows."),
            licence: text("Licence of the model."),
            language: text("The code of the language that it is for, if it states one."),
          },
          ["name", "parts", "system", "labels"],
        ),
        "The models.",
      ),
      onDemand: list({ type: "string" }, "Names of models that are loaded when they are asked for."),
      default: text("Name of the model used when a request names none."),
    }),
    Health: object({
      status: { enum: ["ready", "starting", "overloaded", "draining"] },
      version: text("Version of Stemma."),
      workers: number("Worker threads."),
      busy: number("Workers that are busy with a piece."),
      queue: number("Pieces that wait."),
    }),
    Problem: object(
      {
        type: text("Kind of problem: urn:stemma:problem:…"),
        title: text("Name of the status."),
        status: { type: "integer", minimum: 400, maximum: 599 },
        detail: text("What is wrong and what was expected."),
        field: text("Where: a member of the body, a parameter, a header."),
      },
      ["type", "title", "status", "detail"],
      { description: "RFC 9457." },
    ),
    UdpipeResult: object({
      model: text("Name of the model."),
      acknowledgements: list({ type: "string" }, "What to cite."),
      result: text("The output."),
    }),
    UdpipeModels: object({
      models: {
        type: "object",
        additionalProperties: { type: "array", items: { enum: ["tokenizer", "tagger", "parser"] } },
      },
      default_model: text("Name of the default model."),
    }),
  };
}
