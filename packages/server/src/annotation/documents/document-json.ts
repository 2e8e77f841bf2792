// A document as it is written: the object that it came in, with something added at its end.
import { SENTENCES } from "./document-line.js";
import { withoutMembers } from "./object-members.js";

/** The line of a document up to its sentences, which follow with commas between them. */
export function documentStart(json: string): string {
  return `${opened(json)}"${SENTENCES}":[`;
}

/**
 * A line that is no document that can be parsed: its object, or else its text, with the fault, which is JSON, in a
 * field.
 */
export function faultyDocument(line: string | undefined, field: string, fault: string): string {
  const object = isObject(line) ? (withoutMembers(line, [field]) ?? "{}") : JSON.stringify({ line });
  return `${opened(object)}${JSON.stringify(field)}:${fault}}\n`;
}

/** An object to which a member can be added. */
function opened(json: string): string {
  const open = json.slice(0, json.lastIndexOf("}")).trimEnd();
  return `${open}${open === "{" ? "" : ","}`;
}

function isObject(json: string | undefined): json is string {
  try {
    const value: unknown = JSON.parse(json ?? "");
    return value !== null && typeof value === "object" && !Array.isArray(value);
  } catch {
    return false;
  }
}
