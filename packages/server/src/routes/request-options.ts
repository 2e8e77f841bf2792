// The options of a request to /v1/parse, read and checked by their shapes.
import { Problem, shown } from "../http/problem.js";
import { checkShape, OPTION_NAMES, OPTIONS, type RequestOptions, readText } from "./request-shape.js";

/** The options among the members of a JSON body. */
export function optionsOfBody(body: Readonly<Record<string, unknown>>): RequestOptions {
  const options: Record<string, unknown> = {};
  for (const name of OPTION_NAMES) {
    if (body[name] === undefined) continue;
    checkShape(name, body[name], OPTIONS[name]);
    options[name] = body[name];
  }
  return options;
}

/** The options among the parameters of an address. */
export function optionsOfQuery(query: URLSearchParams): RequestOptions {
  const options: Record<string, unknown> = {};
  for (const name of OPTION_NAMES) {
    const value = query.get(name);
    if (value !== null) options[name] = readText(name, value, OPTIONS[name]);
  }
  return options;
}

/** Refuses parameters that are unknown, or given twice. */
export function checkNames(query: URLSearchParams, known: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of query.keys()) {
    if (!known.includes(name)) {
      const detail = `unknown parameter: ${shown(name)} (expected ${known.join(", ")})`;
      throw new Problem(400, "unknown-parameter", detail, name.slice(0, 100));
    }
    if (seen.has(name)) throw givenTwice(name, "twice");
    seen.add(name);
  }
}

/** Refuses options that are in the address and in the body. */
export function mergedOptions(query: RequestOptions, body: RequestOptions): RequestOptions {
  for (const name of OPTION_NAMES) {
    if (name in query && name in body) throw givenTwice(name, "in the address and in the body");
  }
  return { ...query, ...body };
}

function givenTwice(name: string, where: string): Problem {
  return new Problem(400, "invalid-request", `${name} is given ${where} (expected once)`, name);
}

/** Refuses options that contradict each other, or have no effect on what is to be parsed. */
export function checkOptions(
  { scores, svg, keep, retag, trees, beam }: RequestOptions,
  field: string,
  json: boolean,
): void {
  const refuse = (name: keyof RequestOptions, detail: string) => {
    throw new Problem(400, "invalid-request", detail, name);
  };
  if (trees !== undefined && scores) refuse("scores", "trees and scores cannot be combined");
  if (trees !== undefined && beam !== undefined && beam < trees) {
    refuse("beam", `invalid beam: ${shown(beam)} (expected at least ${trees}, the number of trees)`);
  }
  if (svg && !json)
    refuse("svg", "svg needs an answer in JSON (expected Accept: application/json or application/x-ndjson)");
  for (const [name, value] of Object.entries({ keep, retag })) {
    if (value && field !== "conllu")
      refuse(name as keyof RequestOptions, `${name} is only for CoNLL-U, not for ${field}`);
  }
}
