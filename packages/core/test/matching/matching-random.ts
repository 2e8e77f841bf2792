// Random small sentences and random patterns over the same few values, for tests of the matcher.

import fc from "fast-check";
import type {
  Clause,
  Comparison,
  Condition,
  Pattern,
  RelationName,
  Test,
  Value,
  WordPattern,
} from "../../src/matching/language/pattern.js";
import { randomTrees } from "../systems/random-trees.js";
import type { PlainWord } from "./matching-brute-force.js";

const VALUES = {
  form: ["a", "A", "b", "_"],
  lemma: ["a", "b", "_"],
  upos: ["X", "Y", "_"],
  feats: ["_", "N=s", "N=p", "N=s,p", "M=x|N=s"],
  deprel: ["r", "r:s", "q", "_"],
} as const;

export function randomSentences(maxLength: number): fc.Arbitrary<PlainWord[]> {
  return randomTrees(maxLength).chain((heads) => {
    const length = heads.length - 1;
    const edge = fc.tuple(fc.nat(length), fc.constantFrom("r", "r:s", "q"));
    const word = (i: number): fc.Arbitrary<PlainWord> =>
      fc.record({
        form: fc.constantFrom(...VALUES.form),
        lemma: fc.constantFrom(...VALUES.lemma),
        upos: fc.constantFrom(...VALUES.upos),
        feats: fc.constantFrom(...VALUES.feats),
        deprel: fc.constantFrom(...VALUES.deprel),
        deps: fc
          .uniqueArray(edge, { maxLength: 2, selector: ([head]) => head })
          .map((edges) => edges.map(([head, label]) => `${head}:${label}`).join("|") || "_"),
        head: fc.constant(heads[i]!),
      });
    return fc.tuple(...Array.from({ length }, (_, k) => word(k + 1)));
  });
}

const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Value>("a", "b", "X", "Y", "s", "p", "r", "r:s", "q") },
  { weight: 1, arbitrary: fc.constantFrom<Value>({ text: "A", ignoreCase: true }, { text: "R", ignoreCase: true }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Value>({ regex: "^[ar]" }, { regex: "s$" }, { regex: "A|X", ignoreCase: true }),
  },
);
const values = fc.array(value, { minLength: 1, maxLength: 2 });

const comparison: fc.Arbitrary<Comparison> = fc.record({
  operator: fc.constantFrom<Comparison["operator"]>(":", "=", "!:", "!="),
  values,
});

const test: fc.Arbitrary<Test> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("form", "lemma", "upos", "deprel", "N", "M"),
      fc.option(comparison, { nil: {} }),
      fc.boolean(),
    )
    .map(([attribute, rest, negated]) => ({ attribute, ...rest, ...(negated ? { negated } : {}) })),
  fc.constantFrom<Test>({ attribute: "first" }, { attribute: "last", negated: true }, { attribute: "root" }),
  fc.constantFrom<Test>({ attribute: "id", operator: "<", values: ["3"] }),
);

const relation: fc.Arbitrary<RelationName> = fc.constantFrom(">", "<", ">>", "<<", "$", ".", "..", "-", "--");
const distance = fc.option(fc.constantFrom<readonly [number, number]>([1, 2], [2, Number.POSITIVE_INFINITY], [2, 2]), {
  nil: undefined,
});

/**
 * Patterns in which every name that is used is certain to have a word: a is described first, others where they are
 * used.
 */
export const randomPatterns: fc.Arbitrary<Pattern> = fc
  .tuple(fc.array(test, { maxLength: 1 }), clausesOf(2), fc.array(clausesOf(0), { maxLength: 1 }))
  .map(([tests, clauses, more]) => {
    const first: WordPattern = { kind: "word", name: "a", tests, ...(clauses.length > 0 ? { clauses } : {}) };
    return named({ clauses: [first, ...more.flat().filter(({ kind }) => kind !== "relation")] });
  });

function clausesOf(depth: number): fc.Arbitrary<Clause[]> {
  return fc.array(clauseOf(depth), { maxLength: depth > 0 ? 2 : 1 });
}

function clauseOf(depth: number): fc.Arbitrary<Clause> {
  const condition: fc.Arbitrary<Clause> = fc.oneof(
    fc.record({
      kind: fc.constant("condition" as const),
      word: fc.constant("a"),
      attribute: fc.constantFrom("lemma", "N", "deprel"),
      operator: fc.constantFrom<Condition["operator"] & string>(":", "=", "!:", "!="),
      values: fc.constant([]),
      other: fc.record({ word: fc.constant("HERE"), attribute: fc.constantFrom("lemma", "N", "deprel") }),
    }),
    fc.constant<Clause>({ kind: "condition", word: "sentence", attribute: "length", operator: ">", values: ["2"] }),
  );
  const related = relationOf(depth);
  if (depth === 0) return fc.oneof({ weight: 3, arbitrary: related }, condition);
  const inner = fc.array(clauseOf(depth - 1), { minLength: 1, maxLength: 2 });
  const either = fc.array(inner, { minLength: 2, maxLength: 2 });
  return fc.oneof(
    { weight: 6, arbitrary: related },
    { weight: 1, arbitrary: condition },
    { weight: 2, arbitrary: inner.map((clauses): Clause => ({ kind: "not", clauses })) },
    { weight: 2, arbitrary: inner.map((clauses): Clause => ({ kind: "optional", clauses })) },
    { weight: 2, arbitrary: either.map((alternatives): Clause => ({ kind: "either", alternatives })) },
  );
}

function relationOf(depth: number): fc.Arbitrary<Clause> {
  const target: fc.Arbitrary<WordPattern | { kind: "reference"; name: string }> = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(
          fc.array(test, { maxLength: 1 }),
          fc.boolean(),
          depth > 0 ? clausesOf(depth - 1) : fc.constant<Clause[]>([]),
        )
        .map(([tests, isNamed, clauses]) => ({
          kind: "word" as const,
          ...(isNamed ? { name: "NEW" } : {}),
          tests,
          ...(clauses.length > 0 ? { clauses } : {}),
        })),
    },
    { weight: 3, arbitrary: fc.constant({ kind: "reference" as const, name: "a" }) },
  );
  return fc
    .tuple(relation, target, fc.option(comparison, { nil: undefined }), distance, fc.boolean(), fc.nat(9))
    .map(([sign, to, label, bounds, enhanced, same]): Clause => {
      if (same === 0) return { kind: "relation", relation: "==", to };
      const isArc = sign === ">" || sign === "<";
      const isPath = sign === ">>" || sign === "<<";
      return {
        kind: "relation",
        relation: sign,
        to,
        ...(label !== undefined && (isArc || isPath || sign === "$") ? { label } : {}),
        ...(bounds !== undefined && (isPath || sign === ".." || sign === "--") ? { distance: bounds } : {}),
        ...(enhanced && isArc ? { enhanced } : {}),
      };
    });
}

/** Gives every NEW word a name of its own, and lets conditions be about the word that they stand at. */
function named(pattern: Pattern): Pattern {
  let count = 0;
  const all = (clauses: readonly Clause[], here: string): Clause[] => clauses.map((clause) => one(clause, here));
  const word = <W extends Extract<Clause, { kind: "word" | "reference" }>>(clause: W, here: string): W => {
    const name = clause.name === "NEW" ? `w${++count}` : clause.name;
    const { clauses } = clause;
    return {
      ...clause,
      ...(name === undefined ? {} : { name }),
      ...(clauses === undefined ? {} : { clauses: all(clauses, name ?? here) }),
    };
  };
  const one = (clause: Clause, here: string): Clause => {
    switch (clause.kind) {
      case "word":
      case "reference":
        return word(clause, here);
      case "relation":
        return { ...clause, to: word(clause.to, here) };
      case "either":
        return { ...clause, alternatives: clause.alternatives.map((part) => all(part, here)) };
      case "not":
      case "optional":
        return { ...clause, clauses: all(clause.clauses, here) };
      case "condition":
        return clause.other === undefined ? clause : { ...clause, other: { ...clause.other, word: here } };
    }
  };
  return { ...pattern, clauses: all(pattern.clauses, "a") };
}

/** The text of a pattern. */
export function patternText({ clauses }: Pattern): string {
  return clauses.map(clauseText).join(" ; ");
}

function clauseText(clause: Clause): string {
  switch (clause.kind) {
    case "word":
    case "reference": {
      const tests = clause.kind === "word" ? `{${(clause.tests ?? []).map(testText).join("; ")}}` : "";
      const name = clause.name === undefined ? "" : clause.kind === "word" ? `=${clause.name}` : clause.name;
      // A condition is no relation: brackets make a group of it that belongs to the word.
      const rest = (clause.clauses ?? []).map((part) =>
        needsGroup(part) ? `[ ${clauseText(part)} ]` : clauseText(part),
      );
      return [tests + name, ...rest].join(" ");
    }
    case "relation": {
      const { relation, label, distance, enhanced, to } = clause;
      const bounds =
        distance === undefined ? "" : `{${distance[0]},${Number.isFinite(distance[1]) ? distance[1] : ""}}`;
      const sign = label === undefined ? "" : label.operator.replace(":", "") + label.values.map(valueText).join("|");
      return `${enhanced ? "@" : ""}${relation}${sign}${bounds} (${clauseText(to)})`;
    }
    case "either":
      return `[ ${clause.alternatives.map((part) => part.map(clauseText).join("; ")).join(" | ")} ]`;
    case "not":
      return `![ ${clause.clauses.map(clauseText).join("; ")} ]`;
    case "optional":
      return `?[ ${clause.clauses.map(clauseText).join("; ")} ]`;
    case "condition": {
      const right = clause.other
        ? `${clause.other.word}.${clause.other.attribute}`
        : clause.values!.map(valueText).join("|");
      return `${clause.word}.${clause.attribute} ${clause.operator} ${right}`;
    }
  }
}

function needsGroup({ kind }: Clause): boolean {
  return kind === "condition" || kind === "word" || kind === "reference";
}

function testText({ attribute, operator, values, negated }: Test): string {
  const comparison = operator === undefined ? "" : `${operator}${values!.map(valueText).join("|")}`;
  return `${negated ? "!" : ""}${attribute}${comparison}`;
}

function valueText(value: Value): string {
  if (typeof value === "string") return value;
  if ("text" in value) return `"${value.text}"${value.ignoreCase ? "i" : ""}`;
  return `/${value.regex}/${value.ignoreCase ? "i" : ""}`;
}
