// Content-Type, Accept and their like (RFC 9110). They are read from left to right, once: a pattern may look at what a
// stranger wrote again and again.
import type { IncomingMessage } from "node:http";
import { Problem, shown } from "./problem.js";

/** Longer ones are not remembered: strangers could fill memory with them. */
const LONGEST_REMEMBERED = 256;

/** Remembers what was made of a text; clients send the same headers again and again. */
function remembered<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      value = make(text);
      if (known.size < 100 && text.length <= LONGEST_REMEMBERED) known.set(text, value);
    }
    return value;
  };
}

/** The parts of a text between separators that are not within quotes. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let [from, quoted] = [0, false];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted && c === "\\") i++;
    else if (c === '"') quoted = !quoted;
    else if (c === separator && !quoted) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

/** A value with parameters: `form-data; name="data"`. */
export interface Parameterized {
  /** In lower case. */
  value: string;
  parameters: ReadonlyMap<string, string>;
}

export function parameterized(text: string): Parameterized {
  const [value, ...rest] = split(text, ";");
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const equals = parameter.indexOf("=");
    if (equals < 0) continue;
    const name = parameter.slice(0, equals).trim().toLowerCase();
    if (!parameters.has(name)) parameters.set(name, unquoted(parameter.slice(equals + 1).trim()));
  }
  return { value: value!.trim().toLowerCase(), parameters };
}

function unquoted(text: string): string {
  if (!text.startsWith('"') || text.length < 2 || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

const contentType = remembered(parameterized);
const typeOf = (req: IncomingMessage) => contentType(req.headers["content-type"] ?? "");

/** The media type of the body, in lower case and without parameters; undefined if it does not say. */
export function mediaType(req: IncomingMessage): string | undefined {
  return typeOf(req).value || undefined;
}

/** A parameter of the media type of the body. */
export function mediaParameter(req: IncomingMessage, name: string): string | undefined {
  return typeOf(req).parameters.get(name);
}

/** Refuses bodies that are not in UTF-8. */
export function checkCharset(req: IncomingMessage): void {
  const charset = mediaParameter(req, "charset") ?? "utf-8";
  if (/^(utf-?8|us-ascii)$/i.test(charset)) return;
  const detail = `unknown character set: ${shown(charset)} (expected utf-8)`;
  throw new Problem(415, "unsupported-charset", detail, "Content-Type");
}

interface Range {
  value: string;
  q: number;
}

/** An encoding that a client accepts, and how much it prefers it. */
function rangesOf(text: string): Range[] {
  return split(text, ",").map((range) => {
    const { value, parameters } = parameterized(range);
    const q = parameters.get("q");
    return { value, q: q === undefined ? 1 : Number(q) || 0 };
  });
}

/** Chooses the first of the types that a client prefers, from its Accept; a type may have several names. */
export function negotiator<T extends string>(types: Readonly<Record<T, readonly string[]>>): (accept: string) => T {
  return remembered((accept) => preferred(accept, types));
}

function preferred<T extends string>(accept: string, types: Readonly<Record<T, readonly string[]>>): T {
  const names = Object.keys(types) as T[];
  if (accept.trim() === "") return names[0]!;
  const ranges = rangesOf(accept);
  let [best, bestQ] = [undefined as T | undefined, 0];
  for (const name of names) {
    // The most specific range decides.
    let [q, specificity] = [0, 0];
    for (const range of ranges) {
      const how = specificityOf(range.value, types[name]);
      if (how > specificity) [q, specificity] = [range.q, how];
    }
    if (q > bestQ) [best, bestQ] = [name, q];
  }
  if (best) return best;
  const expected = names.map((name) => types[name][0]).join(", ");
  throw new Problem(
    406,
    "not-acceptable",
    `none of the types is available: ${shown(accept)} (expected ${expected})`,
    "Accept",
  );
}

function specificityOf(range: string, types: readonly string[]): number {
  if (types.includes(range)) return 3;
  if (types.some((type) => range === `${type.split("/", 1)[0]}/*`)) return 2;
  return range === "*/*" ? 1 : 0;
}

export type Coding = "br" | "gzip";

/** How an answer may be packed for a client, from its Accept-Encoding; undefined for not at all. */
export const codingFor = remembered((accept: string): Coding | "identity" => {
  const ranges = rangesOf(accept);
  const q = (name: string) =>
    (ranges.find(({ value }) => value === name) ?? ranges.find(({ value }) => value === "*"))?.q;
  const [br, gzip] = [q("br") ?? 0, q("gzip") ?? 0];
  if (br === 0 && gzip === 0) return "identity";
  return br > gzip ? "br" : "gzip";
});
