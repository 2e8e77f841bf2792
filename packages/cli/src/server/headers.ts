// Content-Type and Accept (RFC 9110).
import type { IncomingMessage } from "node:http";
import { Problem, shown } from "./problem.js";

/** Remembers what was made of a text; clients send the same headers again and again. */
function remembered<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      value = make(text);
      if (known.size < 100) known.set(text, value);
    }
    return value;
  };
}

const typeOf = remembered((text) => text.split(";", 1)[0]!.trim().toLowerCase());

/** The media type of the body, in lower case and without parameters; undefined if it does not say. */
export function mediaType(req: IncomingMessage): string | undefined {
  return typeOf(req.headers["content-type"] ?? "") || undefined;
}

const charsetOf = remembered((text) => parameterOf(text, "charset") ?? "utf-8");

/** A parameter of the media type of the body. */
export function mediaParameter(req: IncomingMessage, name: string): string | undefined {
  return parameterOf(req.headers["content-type"] ?? "", name);
}

function parameterOf(type: string, name: string): string | undefined {
  const pattern = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, "i");
  const match = pattern.exec(type);
  return match ? (match[1]?.replace(/\\(.)/g, "$1") ?? match[2]) : undefined;
}

/** Refuses bodies that are packed, or are not in UTF-8. */
export function checkEncoding(req: IncomingMessage): void {
  const encoding = req.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    const detail = `unknown encoding: ${shown(encoding)} (expected none)`;
    throw new Problem(415, "unsupported-encoding", detail, "Content-Encoding");
  }
  const charset = charsetOf(req.headers["content-type"] ?? "");
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) {
    const detail = `unknown character set: ${shown(charset)} (expected utf-8)`;
    throw new Problem(415, "unsupported-charset", detail, "Content-Type");
  }
}

/** Chooses the first of the types that a client prefers, from its Accept; a type may have several names. */
export function negotiator<T extends string>(types: Readonly<Record<T, readonly string[]>>): (accept: string) => T {
  return remembered((accept) => preferred(accept, types));
}

function preferred<T extends string>(accept: string, types: Readonly<Record<T, readonly string[]>>): T {
  const names = Object.keys(types) as T[];
  if (accept.trim() === "") return names[0]!;
  const ranges = accept.split(",").map((range) => {
    const [type, ...parameters] = range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    return { type: type!, q: q === undefined ? 1 : Number(q.slice(2)) || 0 };
  });
  let [best, bestQ] = [undefined as T | undefined, 0];
  for (const name of names) {
    // The most specific range decides.
    let [q, specificity] = [0, 0];
    for (const range of ranges) {
      const how = types[name].includes(range.type)
        ? 3
        : types[name].some((type) => range.type === `${type.split("/")[0]}/*`)
          ? 2
          : range.type === "*/*"
            ? 1
            : 0;
      if (how > specificity) [q, specificity] = [range.q, how];
    }
    if (q > bestQ) [best, bestQ] = [name, q];
  }
  if (best) return best;
  const expected = names.map((name) => types[name][0]).join(", ");
  throw new Problem(
    406,
    "not-acceptable",
    `none of the types can be given: ${shown(accept)} (expected ${expected})`,
    "Accept",
  );
}
