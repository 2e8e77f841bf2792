import {
  type Ability,
  type Limits,
  PARTS,
  type PipelineModel,
  refusal,
  type SharedModel,
  shareModel,
} from "@stemma/core";
import { languageOf as languageOfModel } from "@stemma/core/languages";
import { Problem, shown } from "../http/problem.js";

/** A model under its name. */
export interface Model {
  name: string;
  model: PipelineModel;
}

/** A model for threads to parse with, and what requests need to know of it: plain data. */
export interface SharedServed {
  info: ModelInfo;
  limits: Limits;
  shared: SharedModel;
}

/** Copies a model once to memory that so many threads share. */
export function sharedServed({ name, model }: Model, threads: number): SharedServed {
  return { info: infoOf({ name, model }), limits: model.limits, shared: shareModel(model, threads) };
}

/** The wishes of a request to a parser. */
interface Search {
  beam?: number | undefined;
  trees?: number | undefined;
  scores?: boolean | undefined;
  keep?: boolean | undefined;
}

/** Facts about models that requests need; the first is the default. */
export class Models {
  readonly names: readonly string[];
  private readonly list: readonly ModelInfo[];
  private readonly limits: readonly Limits[];
  private readonly udpipeNames = new Map<string, number>();

  constructor(served: readonly Pick<SharedServed, "info" | "limits">[]) {
    this.list = served.map(({ info }) => info);
    this.names = this.list.map(({ name }) => name);
    this.limits = served.map(({ limits }) => limits);
    for (const [i, name] of this.names.entries()) this.udpipeNames.set(name, i);
    for (const [i, name] of this.names.entries()) {
      for (const alias of aliases(name)) if (!this.udpipeNames.has(alias)) this.udpipeNames.set(alias, i);
    }
  }

  get(index: number): ModelInfo {
    return this.list[index]!;
  }

  /** The number of a model by its name; no name is the default. `others`: names that could be asked for, too. */
  find(name: string | undefined, others: readonly string[] = []): number {
    if (name === undefined) return 0;
    const index = this.names.indexOf(name);
    if (index >= 0) return index;
    const detail = `unknown model: ${shown(name)} (expected ${[...this.names, ...others].join(", ")})`;
    throw new Problem(404, "unknown-model", detail, "model");
  }

  /** Rejects what the parser of a model cannot do. */
  checkSearch(index: number, { beam = 1, trees = 1, scores = false, keep = false }: Search): void {
    const check = (option: string, value: unknown, isAsked: boolean, ability: Ability) => {
      const refused = isAsked && this.refusal(index, ability);
      if (refused) throw new Problem(400, "invalid-request", `invalid ${option}: ${value}: ${refused}`, option);
    };
    check("trees", trees, trees > 1, "trees");
    check("beam", beam, beam > 1, "beam");
    check("scores", scores, scores, "scores");
    check("keep", keep, keep, "heads");
  }

  /** The message if a model cannot do something. */
  refusal(index: number, ability: Ability): string | undefined {
    return refusal(this.limits[index]!, ability, `the model ${this.names[index]}`);
  }

  /**
   * The same with names that UDPipe's clients use: a served name up to one of its hyphens, or a language. "english",
   * "eng" and "english-ewt-ud-2.12-230717" find the model "en". -1 for none.
   */
  findUdpipe(name: string): number {
    if (name === "") return 0;
    const known = this.udpipeNames.get(name) ?? this.udpipeNames.get(languageOf(name.split("-", 1)[0]!) ?? "");
    return known ?? -1;
  }

  /** The answer of /v1/models. */
  toJSON(): object {
    return { models: this.list, default: this.names[0] };
  }
}

export interface ModelInfo {
  name: string;
  /** The abilities of the model. */
  parts: string[];
  /** A transition system, or "graph". */
  system: string;
  /** Of a transition system. */
  root?: string;
  /** Number of dependency labels. */
  labels: number;
  licence?: string;
  /** The code of the language that it is for, if it states one. */
  language?: string;
}

export function infoOf({ name, model }: Model): ModelInfo {
  const { header } = model.parser;
  const { system, labels } = header;
  const root = "root" in header ? { root: String(header.root) } : {};
  const findsRoles = model.parts.some(({ codec }) => codec.program === "roles");
  const parts = [...PARTS.filter((part) => model[part]), ...(findsRoles ? ["roles"] : [])];
  const licence = model.origin.licence ?? model.origin.license;
  const language = languageOfModel(model);
  const known = language === undefined ? {} : { language };
  const info: ModelInfo = { name, parts, system, ...root, labels: labels.length, ...known };
  return typeof licence === "string" ? { ...info, licence } : info;
}

function aliases(name: string): string[] {
  const parts = name.split("-");
  const prefixes = parts.slice(1).map((_, i) => parts.slice(0, parts.length - 1 - i).join("-"));
  const language = languageOf(parts[0]!);
  return language ? [...prefixes, language] : prefixes;
}

const NAMES = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
const CODES =
  "af ar be bg ca cs cu cy da de el en es et eu fa fi fr ga gd gl grc he hi hr hu hy id is it ja ko la lt lv mr mt nb " +
  "nl nn no pl pt ro ru sa sk sl sr sv ta te tr ug uk ur vi wo zh";
const CODE_OF_NAME = new Map(CODES.split(" ").map((code) => [NAMES.of(code)?.toLowerCase(), code]));

/** The code of a language from its code or English name: "en" from "en", "eng" and "english". */
function languageOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  const byName = CODE_OF_NAME.get(lower.replaceAll("_", " "));
  if (byName) return byName;
  if (!/^[a-z]{2,3}$/.test(lower)) return undefined;
  const code = Intl.getCanonicalLocales(lower)[0]!;
  return NAMES.of(code) ? code : undefined;
}
