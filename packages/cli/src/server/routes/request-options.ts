// What a request may ask for beside what is to be parsed: in the address, or as members of a JSON body.
import { invalid, Problem, shown } from "../http/problem.js";

export interface RequestOptions {
  /** Name of the model. */
  model?: string;
  /** Add the probability that each head and label is right. */
  scores?: boolean;
  /** Add a drawing to each sentence. */
  svg?: boolean;
  /** Of CoNLL-U: keep the heads and labels that are there; tag words again that have tags. */
  keep?: boolean;
  retag?: boolean;
  /** Give so many trees of each sentence, at most, best first. */
  trees?: number;
  /** Width of the beam. */
  beam?: number;
}

/** The widest beam: a request must not take far more time than others of its size. */
export const WIDEST_BEAM = 64;

type Name = keyof RequestOptions;
const KINDS: Readonly<Record<Name, "name" | "flag" | "count">> = {
  model: "name",
  scores: "flag",
  svg: "flag",
  keep: "flag",
  retag: "flag",
  trees: "count",
  beam: "count",
};
export const OPTION_NAMES = Object.keys(KINDS) as Name[];
const EXPECTED = {
  name: "the name of a model",
  flag: "true or false",
  count: `a whole number from 1 to ${WIDEST_BEAM}`,
} as const;

/** The options among the members of a JSON body. */
export function optionsOfBody(body: Readonly<Record<string, unknown>>): RequestOptions {
  const options: Record<string, unknown> = {};
  for (const name of OPTION_NAMES) {
    const value = body[name];
    if (value === undefined) continue;
    const kind = KINDS[name];
    const fits =
      kind === "name" ? typeof value === "string" : kind === "flag" ? typeof value === "boolean" : isCount(value);
    if (!fits) throw invalid(name, value, EXPECTED[kind]);
    options[name] = value;
  }
  return options;
}

/** The options among the parameters of an address; a flag may be without a value. */
export function optionsOfQuery(query: URLSearchParams): RequestOptions {
  const options: Record<string, unknown> = {};
  for (const name of OPTION_NAMES) {
    const value = query.get(name);
    if (value === null) continue;
    const kind = KINDS[name];
    if (kind === "name") options[name] = value;
    else if (kind === "count" && /^\d{1,9}$/.test(value) && isCount(Number(value))) options[name] = Number(value);
    else if (kind === "flag" && /^(true|1|)$/.test(value)) options[name] = true;
    else if (kind === "flag" && /^(false|0)$/.test(value)) options[name] = false;
    else throw invalid(name, value, EXPECTED[kind]);
  }
  return options;
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= WIDEST_BEAM;
}

/** Refuses options that contradict each other, or have no effect on what is to be parsed. */
export function checkOptions(
  { scores, svg, keep, retag, trees, beam }: RequestOptions,
  field: string,
  json: boolean,
): void {
  const refuse = (name: Name, detail: string) => {
    throw new Problem(400, "invalid-request", detail, name);
  };
  if (trees !== undefined && scores) refuse("scores", "trees and scores cannot be combined");
  if (trees !== undefined && beam !== undefined && beam < trees) {
    refuse("beam", `invalid beam: ${shown(beam)} (expected at least ${trees}, the number of trees)`);
  }
  if (svg && !json)
    refuse("svg", "svg needs an answer in JSON (expected Accept: application/json or application/x-ndjson)");
  for (const [name, value] of Object.entries({ keep, retag })) {
    if (value && field !== "conllu") refuse(name as Name, `${name} is only for CoNLL-U, not for ${field}`);
  }
}
