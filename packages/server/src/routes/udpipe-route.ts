// UDPipe's REST service, as its clients know it.
import { conlluOf } from "../annotation/numbered.js";
import type { AnnotatedSentence, AnnotationOptions } from "../annotation/piece.js";
import { Problem, shown } from "../http/problem.js";
import type { Models } from "../pool/models.js";
import type { PoolExchange } from "../pool/pool-exchange.js";
import type { ParseSettings } from "./parse-route.js";
import { runPieces } from "./run.js";
import { readParameters, udpipeRequest } from "./udpipe-request.js";

/** Where LINDAT's service is on its host: clients may keep the path. */
export const UDPIPE_PREFIXES = ["", "/services/udpipe/api"] as const;

/** GET or POST /models */
export function udpipeModels(models: Models): object {
  const list = models.names.map((name, i) => {
    const { parts } = models.get(i);
    const known = { segmenter: "tokenizer", tagger: "tagger", parser: "parser" } as const;
    return [
      name,
      (Object.keys(known) as (keyof typeof known)[]).filter((part) => parts.includes(part)).map((p) => known[p]),
    ];
  });
  return { models: Object.fromEntries(list), default_model: models.names[0] };
}

/** GET or POST /process */
export async function udpipeProcess(exchange: PoolExchange, query: string, settings: ParseSettings): Promise<void> {
  const { maxSentence } = settings;
  const values = await readParameters(exchange, query);
  const name = values.get("model") ?? "";
  const known = settings.models.findUdpipe(name) >= 0;
  const models = (known ? undefined : await settings.borrow(exchange, name)) ?? settings.models;
  const model = models.findUdpipe(name);
  if (model < 0) {
    const detail = `Requested model ${shown(name)} does not exist (expected ${models.names.join(", ")}).`;
    throw new Problem(400, "unknown-model", detail, "model");
  }
  const info = models.get(model);
  exchange.model = info.name;
  const { to, options, tokenize, inputs, newDocument, characters } = await udpipeRequest(values, maxSentence);
  if (tokenize) needs(info.parts, "segmenter", "tokenizer");
  if (options.tag) needs(info.parts, "tagger", "tagger");

  const acknowledgements = [`Stemma, model ${info.name}${info.licence ? ` (${info.licence})` : ""}`];
  const head = JSON.stringify({ model: info.name, acknowledgements, result: "" }, null, 1);
  exchange.open(200, {
    "Content-Type": "application/json; charset=utf-8",
    "X-Billing-Input-NFC-Len": String(characters),
  });
  exchange.breakOffWith = (problem) => `",\n"problem": ${JSON.stringify(problem)}\n}\n`;
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  await exchange.write(head.slice(0, -3));
  let count = 0;
  const licence = info.licence ? `# udpipe_model_licence = ${info.licence}\n` : "";
  const opening = `# generator = Stemma\n# udpipe_model = ${info.name}\n${licence}`;
  const numbered = (sentence: AnnotatedSentence): string => {
    count++;
    if (to !== "conllu") return sentence.body;
    const start = count === 1 ? opening + (newDocument ? "# newdoc\n" : "") : "";
    return start + conlluOf(sentence, newDocument ? count : undefined);
  };
  const annotation: AnnotationOptions = { to, maxSentence, strict: true, standalone: true, udpipe: options };
  await runPieces(exchange, inputs, { model, options: annotation }, settings, "data", (sentences) =>
    exchange.write(quoted(sentences.map(numbered).join(""))),
  );
  await exchange.write('"\n}\n');
  exchange.end();
}

function needs(parts: readonly string[], part: string, called: string): void {
  if (parts.includes(part)) return;
  throw new Problem(400, "model-lacks-part", `The required model does not contain a ${called}!`, called);
}
