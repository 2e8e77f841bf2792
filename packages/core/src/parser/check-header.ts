import { shownField } from "../checks/header-fields.js";
import { OBJECT } from "../checks/shapes.js";
import { systemNames } from "../registry/system-registry.js";
import { isConfidence } from "../search/confidence/confidence.js";
import { ROOT_POSITIONS } from "../systems/configuration.js";
import { SCHEMES } from "../treebank/pseudo-projective.js";
import { type CommonHeader, type ModelHeader, systemOf } from "./model-header.js";
import { PARSER_OPTIONS } from "./tree-parser.js";

type Check = (name: string, valid: boolean, expected: string) => void;

/** A check of the fields of the header of a parser: it throws a RangeError that names the field. */
function checkerOf(header: object): Check {
  return (name, valid, expected) => {
    if (!valid) throw new RangeError(`${name}: ${shownField(Reflect.get(header, name))} (expected ${expected})`);
  };
}

/** Checks what the headers of all kinds of parsers have; throws a RangeError that names the field. */
export function checkCommonHeader(value: unknown): Check {
  if (!OBJECT.accepts(value)) throw new RangeError("parser: not an object");
  const header = value as CommonHeader;
  const check = checkerOf(header);
  const { labels, origin, singleRoot, projectivized, confidence } = header;
  check("labels", isList(labels, isLabel) && labels.length > 0, "distinct labels without white space");
  check("origin", OBJECT.accepts(origin), "an object");
  check("singleRoot", singleRoot === undefined || typeof singleRoot === "boolean", "true or false");
  check("projectivized", projectivized === undefined || SCHEMES.includes(projectivized), SCHEMES.join(", "));
  check("confidence", confidence === undefined || isConfidence(confidence), "offset, low, high and temperature");
  return check;
}

/** The header of a transition-based parser, checked. */
export function checkParserHeader(value: unknown): ModelHeader {
  const check = checkCommonHeader(value);
  const header = value as ModelHeader;
  const { labels, system, root, templates, logUnit, beam } = header;
  check("system", systemNames().includes(system), `one of ${systemNames().join(", ")}`);
  check("root", ROOT_POSITIONS.includes(root), `one of ${ROOT_POSITIONS.join(", ")}`);
  systemOf(header);
  check("templates", typeof templates === "string", "text");
  for (const name of ["leftLabels", "rightLabels"] as const) {
    const isIndex = (label: unknown) =>
      Number.isInteger(label) && (label as number) >= 0 && (label as number) < labels.length;
    check(name, isList(header[name], isIndex), `distinct label numbers below ${labels.length}`);
  }
  check("logUnit", logUnit === undefined || (Number.isFinite(logUnit) && logUnit > 0), "a number above 0");
  const { accepts, expected } = PARSER_OPTIONS.beam;
  check("beam", beam === undefined || accepts(beam), expected);
  return header;
}

function isLabel(value: unknown): boolean {
  return typeof value === "string" && /^\S+$/.test(value);
}

function isList(list: unknown, valid: (value: unknown) => boolean): boolean {
  return Array.isArray(list) && list.every(valid) && new Set(list).size === list.length;
}
