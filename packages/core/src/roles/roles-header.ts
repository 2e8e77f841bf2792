import { record, shownField } from "../checks/header-fields.js";
import { wholeNumber } from "../checks/options.js";

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
  /** Its training data and settings, and its scores. */
  origin: Record<string, unknown>;
}

/** The number of classes: one for senses, three transitions without a role, and the roles on either side. */
export function roleClasses({ roles }: RolesHeader): number {
  return 4 + 2 * roles.length;
}

const WIDTH = wholeNumber(2, 100_000);

/** The header of a labeller, checked; throws a RangeError that names the field. */
export function checkRolesHeader(value: unknown): RolesHeader {
  const header = record(value, "roles") as unknown as RolesHeader;
  checkNames(header.roles, "roles");
  if (header.roles.includes("_")) throw new RangeError('roles: roles: "_" (expected names; "_" stands for none)');
  checkNames(header.openTags, "openTags");
  for (const [lemma, senses] of Object.entries(record(header.lemmas, "roles.lemmas")))
    checkNames(senses, `lemmas.${lemma}`);
  record(header.origin, "roles.origin");
  if (header.beam === undefined) return header;
  const { width, unit } = record(header.beam, "roles.beam");
  if (!WIDTH.accepts(width))
    throw new RangeError(`roles.beam.width: ${shownField(width)} (expected ${WIDTH.expected})`);
  if (!(Number.isFinite(unit) && (unit as number) > 0))
    throw new RangeError(`roles.beam.unit: ${shownField(unit)} (expected a number above 0)`);
  return header;
}

/** Throws a RangeError that names the field of a header that is not a list of distinct names. */
function checkNames(list: unknown, field: string): void {
  const isName = (name: unknown) => typeof name === "string" && /^[^\t\n\r]+$/.test(name);
  if (Array.isArray(list) && list.every(isName) && new Set(list).size === list.length) return;
  throw new RangeError(`roles: ${field} (expected a list of distinct names)`);
}
