import type { EncoderData } from "../encoder/encoder-data.js";
import type { StoredProbe } from "../encoder/probe-data.js";
import type { ParserOptions, TreeParser, TreeParserModel, TreeStep } from "../parser/tree-parser.js";
import type { LinearModel } from "../scoring/linear/linear-model.js";
import type { RoleProbeHeader } from "./role-probe.js";

/** All of a labeller of semantic roles but its weights. */
export interface RolesHeader {
  /** ARG0, ARG1, … */
  roles: string[];
  /** The senses that each lemma had in the training data, most frequent first. */
  lemmas: Record<string, string[]>;
  /** The parts of speech of which a word may be a predicate although its lemma was none in training. */
  openTags: string[];
  /** The width of the beam, and how much more a transition scores that is e times as probable; absent if greedy. */
  beam?: { width: number; unit: number };
  /** What it was trained on and with, and its scores. */
  origin: Record<string, unknown>;
}

/** The network of a labeller: on what an encoder makes of words or, without one, the recurrent layers of the parser. */
export interface RoleProbe extends StoredProbe<RoleProbeHeader> {
  readonly encoder?: EncoderData | undefined;
}

/** A trained labeller of semantic roles, which finds predicates and their arguments in parsed sentences. */
export class RolesModel {
  constructor(
    readonly header: RolesHeader,
    readonly linear: LinearModel,
    /** The network, if it has one. */
    readonly probe?: RoleProbe | undefined,
  ) {}
}

/** The number of classes: one for senses, three transitions without a role, and the roles on either side. */
export function roleClasses({ roles }: RolesHeader): number {
  return 4 + 2 * roles.length;
}

/** The parser that trees come from, and what finds roles in them, unless the parser finds them along with the trees. */
export interface ParserWithRoles {
  readonly parser: TreeParser;
  readonly steps: readonly TreeStep[];
}

type Create = (roles: RolesModel, parser: TreeParserModel, search: ParserOptions) => ParserWithRoles;

let provided: Create | undefined;

/** Gives pipelines the program that finds roles, which models without them do without: parser/roles/provide.ts. */
export function provideRoles(create: Create): void {
  provided = create;
}

/**
 * What finds roles with a model, whose parser searches as told; throws an Error that says how to get the program if it
 * is not there.
 */
export function withRoles(...model: Parameters<Create>): ParserWithRoles {
  if (provided) return provided(...model);
  throw new Error('the model finds semantic roles: use load(), or import "@stemma/core/roles" before');
}

/** The header of a model file, checked as far as reading needs it: the labeller looks at the rest. */
export function checkRolesHeader(value: unknown): RolesHeader {
  const header = Object(value) as RolesHeader;
  checkNames(header.roles, "roles");
  return header;
}

/** Throws a RangeError that names the field of a header that is not a list of distinct names. */
export function checkNames(list: unknown, field: string): void {
  const isName = (name: unknown) => typeof name === "string" && /^[^\t\n\r]+$/.test(name);
  if (Array.isArray(list) && list.every(isName) && new Set(list).size === list.length) return;
  throw new RangeError(`roles: ${field} (expected a list of distinct names)`);
}
