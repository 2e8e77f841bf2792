// FEATS, MISC and DEPS as text, as it is written, and as objects.

/**
 * FEATS or MISC by name ("" for an item of MISC that has no value); DEPS by the number of the head, relations to one
 * head joined by "|".
 */
export type Attributes = Record<string, string>;
/** The columns that hold attributes. */
export type AttributeColumn = "feats" | "deps" | "misc";

const SEPARATORS = { feats: "=", deps: ":", misc: "=" } as const;
const EXPECTED = {
  feats: 'text such as "Case=Nom|Number=Sing" or an object such as {"Case": "Nom"}',
  deps: 'text such as "2:nsubj|4:conj" or an object such as {"2": "nsubj"}',
  misc: 'text such as "SpaceAfter=No" or an object such as {"SpaceAfter": "No"}',
} as const;

/** A head in DEPS: the number of a word, or the id of an empty node. */
const HEAD_ID = /^\d+(\.\d+)?$/;

/** Throws an error. */
export type Failure = (what: string, value: string, expected: string) => never;

/** The column as an object. */
function parseAttributes(column: AttributeColumn, text: string): Attributes {
  if (text === "_" || text === "") return {};
  const values = new Map<string, string>();
  for (const item of text.split("|")) {
    const [name, value] = split(item, SEPARATORS[column]);
    const before = values.get(name);
    values.set(name, before !== undefined && column === "deps" ? `${before}|${value}` : value);
  }
  return Object.fromEntries(values);
}

/** The column as it is written; a TypeError, or what `fail` throws, if it is neither text nor an object of texts. */
export function formatAttributes(column: AttributeColumn, value: unknown, fail: Failure = invalid): string {
  if (value === undefined || value === null || value === "") return "_";
  if (typeof value === "string") return value;
  if (typeof value !== "object" || Array.isArray(value)) fail(column.toUpperCase(), shown(value), EXPECTED[column]);
  const items = Object.entries(value).flatMap(([name, each]) => itemsOf(column, name, each, fail));
  if (column === "deps") items.sort(byHead);
  return items.join("|") || "_";
}

/**
 * The column as an object, or as text where an object cannot express it: because of duplicates, or an unusual order.
 */
export function attributesOrText(column: AttributeColumn, text: string): Attributes | string {
  const attributes = parseAttributes(column, text);
  // Numbers come first in the order of an object.
  const names = Object.keys(attributes);
  const isUnsayable = (name: string) => (column === "deps" ? !HEAD_ID.test(name) : name === "" || /^\d+$/.test(name));
  if (names.some(isUnsayable)) return text;
  const items = names.flatMap((name) => splitItems(column, name, attributes[name]!));
  if (column === "deps") items.sort(byHead);
  return (items.join("|") || "_") === text ? attributes : text;
}

/** An object that shows a column and whose changes are written to it: `set` gets the text. */
export function attributesView(column: AttributeColumn, get: () => string, set: (text: string) => void): Attributes {
  const change = (target: Attributes, name: string | symbol, value: unknown): void => {
    if (typeof name === "symbol") throw new TypeError(`invalid name in ${column.toUpperCase()}: ${String(name)}`);
    const items = get() === "_" ? [] : get().split("|");
    const mine = (item: string) => split(item, SEPARATORS[column])[0] === name;
    const first = items.findIndex(mine);
    const others = items.filter((item) => !mine(item));
    if (value === undefined) delete target[name];
    else {
      const added = itemsOf(column, name, value);
      // Universal Dependencies want FEATS in the order of the alphabet, DEPS in that of the heads.
      const later = (item: string) =>
        column === "deps" ? byHead(added[0]!, item) < 0 : item.toLowerCase() > added[0]!.toLowerCase();
      const place = first >= 0 ? first : column === "misc" ? -1 : others.findIndex(later);
      others.splice(place < 0 ? others.length : place, 0, ...added);
      target[name] = value as string;
    }
    set(others.join("|") || "_");
  };
  return new Proxy(parseAttributes(column, get()), {
    set(target, name, value) {
      change(target, name, value);
      return true;
    },
    deleteProperty(target, name) {
      if (Object.hasOwn(target, name)) change(target, name, undefined);
      return true;
    },
    defineProperty() {
      throw new TypeError(`${column.toUpperCase()} holds only text: assign it`);
    },
  });
}

function split(item: string, separator: string): [name: string, value: string] {
  const at = item.indexOf(separator);
  return at < 0 ? [item, ""] : [item.slice(0, at), item.slice(at + 1)];
}

function itemsOf(column: AttributeColumn, name: string, value: unknown, fail: Failure = invalid): string[] {
  const isAttribute = name !== "" && !/[\t\n\r|]/.test(name) && !name.includes(SEPARATORS[column]);
  const isName = column === "deps" ? HEAD_ID.test(name) : isAttribute;
  const isValue = typeof value === "string" && !(column === "deps" ? /[\t\n\r]/ : /[\t\n\r|]/).test(value);
  if (!isName || !isValue) fail(column.toUpperCase(), shown({ [name]: value }), EXPECTED[column]);
  return splitItems(column, name, value as string);
}

function splitItems(column: AttributeColumn, name: string, value: string): string[] {
  if (column === "deps") return value.split("|").map((relation) => `${name}:${relation}`);
  return [value === "" ? name : `${name}=${value}`];
}

/** The order of heads: 2, 2.1, 3, 10. */
function byHead(a: string, b: string): number {
  const [[wordA, emptyA], [wordB, emptyB]] = [a, b].map((item) => split(item, ":")[0].split(".").map(Number)) as [
    [number, number?],
    [number, number?],
  ];
  return wordA - wordB || (emptyA ?? 0) - (emptyB ?? 0);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

function invalid(what: string, value: string, expected: string): never {
  throw new TypeError(`invalid ${what}: ${value} (expected ${expected})`);
}
