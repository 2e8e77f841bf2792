// Members of JSON objects as they are written: what is passed on keeps its digits, its escapes and its order.

/** A member of an object: where its name begins, where its value begins, and where that ends. */
export interface Member {
  name: string;
  start: number;
  value: number;
  end: number;
}

const QUOTE = 34;
const BACKSLASH = 92;

/** The members of the object that begins at or after `at`, in text that is known to be JSON. */
export function membersOf(json: string, at = 0): Member[] {
  const members: Member[] = [];
  let i = skipSpace(json, at) + 1;
  for (;;) {
    i = skipSpace(json, i);
    if (json[i] === "}") return members;
    if (json[i] === ",") i = skipSpace(json, i + 1);
    const start = i;
    i = stringEnd(json, i);
    const name = JSON.parse(json.slice(start, i)) as string;
    const value = skipSpace(json, skipSpace(json, i) + 1);
    i = valueEnd(json, value);
    members.push({ name, start, value, end: i });
  }
}

/** The member of a name; of several the last one counts, as for JSON.parse. */
export function memberOf(json: string, name: string): Member | undefined {
  return membersOf(json)
    .filter((member) => member.name === name)
    .pop();
}

/** The object without the members of these names; undefined if none is left. */
export function withoutMembers(json: string, names: readonly string[]): string | undefined {
  const members = membersOf(json);
  const others = members.flatMap((member, k) => (names.includes(member.name) ? [] : [k]));
  if (others.length === members.length) return json;
  // Each with the comma after it, as that is written.
  const kept = others.map((k, i) => json.slice(members[k]!.start, members[k + (i + 1 < others.length ? 1 : 0)]!.start));
  const last = members[others[others.length - 1] ?? 0]!;
  return others.length === 0 ? undefined : `{${kept.slice(0, -1).join("")}${json.slice(last.start, last.end)}}`;
}

/** The value at a path, as it is written. */
export function rawValue(json: string, path: readonly string[]): string | undefined {
  let raw: string | undefined = json;
  for (const name of path) {
    if (raw === undefined || raw[0] !== "{") return undefined;
    const object: string = raw;
    const member = memberOf(object, name);
    raw = member && object.slice(member.value, member.end);
  }
  return raw;
}

function skipSpace(json: string, at: number): number {
  let i = at;
  while (json[i] === " " || json[i] === "\t" || json[i] === "\r" || json[i] === "\n") i++;
  return i;
}

function stringEnd(json: string, at: number): number {
  for (let i = json.indexOf('"', at + 1); ; i = json.indexOf('"', i + 1)) {
    let slashes = 0;
    while (json.charCodeAt(i - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return i + 1;
  }
}

function valueEnd(json: string, at: number): number {
  let depth = 0;
  for (let i = at; ; ) {
    const code = json.charCodeAt(i);
    if (code === QUOTE) i = stringEnd(json, i);
    else if (json[i] === "{" || json[i] === "[") {
      depth++;
      i++;
      continue;
    } else if (json[i] === "}" || json[i] === "]") {
      depth--;
      i++;
    } else if (depth > 0) {
      i++;
      continue;
    } else {
      while (i < json.length && !/[\s,}\]]/.test(json[i]!)) i++;
      return i;
    }
    if (depth === 0) return i;
  }
}
