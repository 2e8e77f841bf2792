// Patterns a second time, from the definitions in docs/search.md: every assignment of words is tried. Imports nothing
// but types from src.

import type {
  Clause,
  Condition,
  Pattern,
  Relation,
  Test,
  WordPattern,
  WordReference,
} from "../../src/matching/language/pattern.js";

export interface PlainWord {
  form: string;
  lemma: string;
  upos: string;
  feats: string;
  deprel: string;
  deps: string;
  head: number;
}

type Key = string | WordPattern;
type Assignment = Map<Key, number>;

interface Flat {
  words: { key: Key; tests: readonly Test[] }[];
  relations: { from: Key; to: Key; relation: Relation }[];
  conditions: Condition[];
  negations: { clauses: readonly Clause[]; from: Key | undefined }[];
  optionals: { clauses: readonly Clause[]; from: Key | undefined }[];
}

const EMPTY: Flat = { words: [], relations: [], conditions: [], negations: [], optionals: [] };

/** The words of a pattern outside negations, in the order in which they are written. */
export function keysOf(clauses: readonly Clause[], keys: Key[] = []): Key[] {
  const visit = (word: WordPattern | WordReference) => {
    const key = word.name ?? (word as WordPattern);
    if (!keys.includes(key)) keys.push(key);
    keysOf(word.clauses ?? [], keys);
  };
  for (const clause of clauses) {
    if (clause.kind === "word" || clause.kind === "reference") visit(clause);
    else if (clause.kind === "relation") visit(clause.to);
    else if (clause.kind === "either") for (const part of clause.alternatives) keysOf(part, keys);
    else if (clause.kind === "optional") keysOf(clause.clauses, keys);
    else if (clause.kind === "condition") {
      for (const name of [clause.word, clause.other?.word]) {
        if (name !== undefined && name !== "sentence" && !keys.includes(name)) keys.push(name);
      }
    }
  }
  return keys;
}

/** All matches: for each the words of keysOf, 0 for none, sorted, each once. */
export function bruteForce(words: readonly PlainWord[], pattern: Pattern): number[][] {
  const keys = keysOf(pattern.clauses);
  const found = flatten(pattern.clauses, undefined).flatMap((flat) => solutions(words, flat, new Map(), []));
  const tuples = new Map(
    found.map((assignment) => {
      const tuple = keys.map((key) => assignment.get(key) ?? 0);
      return [tuple.join(" "), tuple];
    }),
  );
  return [...tuples.values()].sort((a, b) => {
    const k = a.findIndex((word, i) => word !== b[i]);
    return k < 0 ? 0 : a[k]! - b[k]!;
  });
}

function flatten(clauses: readonly Clause[], from: Key | undefined): Flat[] {
  return clauses.reduce<Flat[]>(
    (flats, clause) => flats.flatMap((flat) => flattenOne(clause, from).map((other) => join(flat, other))),
    [EMPTY],
  );
}

function flattenOne(clause: Clause, from: Key | undefined): Flat[] {
  switch (clause.kind) {
    case "word":
    case "reference": {
      const key = clause.name ?? (clause as WordPattern);
      const tests = clause.kind === "word" ? (clause.tests ?? []) : [];
      const own = { ...EMPTY, words: [{ key, tests }] };
      return flatten(clause.clauses ?? [], key).map((flat) => join(own, flat));
    }
    case "relation": {
      const to = clause.to.name ?? (clause.to as WordPattern);
      const own = { ...EMPTY, relations: [{ from: from!, to, relation: clause }] };
      return flattenOne(clause.to, undefined).map((flat) => join(own, flat));
    }
    case "either":
      return clause.alternatives.flatMap((part) => flatten(part, from));
    case "not":
      return [{ ...EMPTY, negations: [{ clauses: clause.clauses, from }] }];
    case "optional":
      return [{ ...EMPTY, optionals: [{ clauses: clause.clauses, from }] }];
    case "condition":
      return [{ ...EMPTY, conditions: [clause] }];
  }
}

function join(a: Flat, b: Flat): Flat {
  return {
    words: [...a.words, ...b.words],
    relations: [...a.relations, ...b.relations],
    conditions: [...a.conditions, ...b.conditions],
    negations: [...a.negations, ...b.negations],
    optionals: [...a.optionals, ...b.optionals],
  };
}

/** `scope`: the keys whose words the new ones must differ from. */
function solutions(words: readonly PlainWord[], flat: Flat, outer: Assignment, scope: readonly Key[]): Assignment[] {
  const own = [...new Set(flat.words.map(({ key }) => key))].filter((key) => !outer.has(key));
  let assignments: Assignment[] = [outer];
  const differ = [...scope];
  for (const key of own) {
    assignments = assignments.flatMap((assignment) =>
      words.flatMap((_, i) =>
        differ.some((other) => assignment.get(other) === i + 1)
          ? []
          : [new Map([...assignment, [key, i + 1] as const])],
      ),
    );
    differ.push(key);
  }
  assignments = assignments.filter((assignment) => holds(words, flat, assignment));
  for (const { clauses, from } of flat.optionals) {
    const parts = flatten(clauses, from);
    assignments = assignments.flatMap((assignment) => {
      const others = [...differ];
      const extended = parts.flatMap((part) => solutions(words, part, assignment, others));
      return extended.length > 0 ? extended : [assignment];
    });
    differ.push(...keysOf(clauses).filter((key) => !differ.includes(key)));
  }
  return assignments;
}

function holds(words: readonly PlainWord[], flat: Flat, assignment: Assignment): boolean {
  return (
    flat.words.every(({ key, tests }) => tests.every((test) => passes(words, assignment.get(key)!, test))) &&
    flat.relations.every(({ from, to, relation }) =>
      related(words, assignment.get(from)!, assignment.get(to)!, relation),
    ) &&
    flat.conditions.every((condition) => conditionHolds(words, condition, assignment)) &&
    flat.negations.every(({ clauses, from }) =>
      flatten(clauses, from).every((part) => solutions(words, part, assignment, []).length === 0),
    )
  );
}

function value(words: readonly PlainWord[], i: number, attribute: string): string | undefined {
  const word = words[i - 1]!;
  if (attribute === "id") return String(i);
  if (attribute === "first") return i === 1 ? "" : undefined;
  if (attribute === "last") return i === words.length ? "" : undefined;
  if (attribute === "root") return word.head === 0 ? "" : undefined;
  if (attribute === "form" || attribute === "lemma" || attribute === "upos" || attribute === "deprel") {
    return word[attribute] === "_" && attribute !== "form" ? undefined : word[attribute];
  }
  const items = word.feats === "_" ? [] : word.feats.split("|").map((item) => item.split("="));
  return items.find(([name]) => name === attribute)?.[1];
}

function passes(words: readonly PlainWord[], i: number, test: Test): boolean {
  return compare(value(words, i, test.attribute), test, test.attribute) !== (test.negated ?? false);
}

function compare(found: string | undefined, { operator, values }: Partial<Test>, attribute: string): boolean {
  if (found === undefined) return false;
  if (operator === undefined) return true;
  const isLoose = operator.endsWith(":");
  const isFeature = /^[A-Z]/.test(attribute);
  const fits = values!.some((wanted) => {
    if (operator === "<" || operator === ">") {
      return operator === "<" ? Number(found) < Number(wanted) : Number(found) > Number(wanted);
    }
    const texts = isLoose && isFeature ? [found, ...found.split(",")] : [found];
    if (isLoose && attribute === "deprel")
      texts.push(...found.split(":").map((_, k, all) => all.slice(0, k).join(":")));
    if (typeof wanted === "string") return texts.includes(wanted);
    if ("text" in wanted) return texts.some((text) => text.toLowerCase() === wanted.text.toLowerCase());
    const regex = new RegExp(wanted.regex, wanted.ignoreCase ? "iu" : "u");
    return (isLoose && isFeature ? found.split(",") : [found]).some((text) => regex.test(text));
  });
  return fits !== operator.startsWith("!");
}

function related(words: readonly PlainWord[], a: number, b: number, relation: Relation): boolean {
  const { label, distance, enhanced } = relation;
  const [fewest, most] = distance ?? [1, Number.POSITIVE_INFINITY];
  const head = (i: number) => words[i - 1]!.head;
  const labelled = (i: number) => label === undefined || passes(words, i, { attribute: "deprel", ...label });
  const child = (parent: number, i: number) => {
    if (!enhanced) return head(i) === parent && labelled(i);
    const edges = words[i - 1]!.deps === "_" ? [] : words[i - 1]!.deps.split("|");
    return edges.some((edge) => {
      const [from, ...name] = edge.split(":");
      return from === String(parent) && (label === undefined || compare(name.join(":"), label, "deprel"));
    });
  };
  const descends = (ancestor: number, i: number) => {
    let steps = 0;
    for (let at = i; at > 0 && labelled(at); at = head(at)) {
      steps++;
      if (head(at) === ancestor && steps >= fewest && steps <= most) return true;
    }
    return false;
  };
  switch (relation.relation) {
    case ">":
      return child(a, b);
    case "<":
      return child(b, a);
    case ">>":
      return descends(a, b);
    case "<<":
      return descends(b, a);
    case "$":
      return a !== b && head(a) === head(b) && labelled(b);
    case ".":
      return b === a + 1;
    case "-":
      return b === a - 1;
    case "..":
      return b - a >= fewest && b - a <= most;
    case "--":
      return a - b >= fewest && a - b <= most;
    case "==":
      return a === b;
  }
}

function conditionHolds(words: readonly PlainWord[], condition: Condition, assignment: Assignment): boolean {
  if (condition.word === "sentence") return compare(String(words.length), condition, "length");
  const found = value(words, assignment.get(condition.word)!, condition.attribute);
  if (condition.other === undefined) return compare(found, condition, condition.attribute);
  const other = value(words, assignment.get(condition.other.word)!, condition.other.attribute);
  if (found === undefined || other === undefined) return false;
  let same = found === other;
  if (condition.operator!.endsWith(":") && condition.attribute === "deprel") {
    same = found.replace(/:.*/, "") === other.replace(/:.*/, "");
  } else if (condition.operator!.endsWith(":") && /^[A-Z]/.test(condition.attribute)) {
    same = found.split(",").some((part) => other.split(",").includes(part));
  }
  return same !== condition.operator!.startsWith("!");
}
