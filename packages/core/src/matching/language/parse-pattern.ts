// The text form of patterns; docs/search.md has the grammar.

import { check, STRING } from "../../checks/options.js";
import { UNIVERSAL_TAGS } from "../../treebank/universal.js";
import {
  type Clause,
  type Comparison,
  type Condition,
  OPERATORS,
  type Operator,
  type Pattern,
  RELATIONS,
  type Relation,
  type RelationName,
  type Test,
  type Value,
  type WordPattern,
  type WordReference,
} from "./pattern.js";
import { PatternError } from "./pattern-error.js";
import { LinearRegex, RegexError } from "./regex.js";

/**
 * Reads a pattern; throws a PatternError that points at the first thing wrong.
 * @param source the pattern as text
 */
export function parsePattern(source: string): Pattern {
  check("pattern", source, STRING);
  return new PatternParser(source).parse();
}

const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const ATTRIBUTE = /[\p{L}_][\p{L}\p{N}_]*(?:\.[^\s{}[\]()|;"=<>!:/]+|\[[\p{L}\p{N}_]+\])*/uy;
/** Values, and labels, that need no quotes. */
const BARE = /[^\s{}[\]()|;"=<>!/][^\s{}[\]()|;"=<>!]*/y;
const LABELLED: readonly RelationName[] = [">", "<", ">>", "<<", "$"];
const MEASURED: readonly RelationName[] = [">>", "<<", "..", "--"];
const DEEPEST = 100;

class PatternParser {
  private at = 0;
  private depth = 0;

  constructor(private readonly source: string) {}

  parse(): Pattern {
    const clauses = this.clauses(false);
    this.space();
    if (this.at < this.source.length) this.fail("; and another clause, or the end");
    return { clauses, source: this.source };
  }

  /** Clauses with ; between them; in a group that belongs to a word they may begin with a relation. */
  private clauses(ofWord: boolean): Clause[] {
    if (++this.depth > DEEPEST) this.fail(`at most ${DEEPEST} levels of brackets`);
    const clauses: Clause[] = [];
    do {
      const relations = ofWord ? this.relations() : [];
      clauses.push(...relations);
      if (relations.length === 0) clauses.push(this.clause(ofWord));
    } while (this.take(";"));
    this.depth--;
    return clauses;
  }

  private clause(ofWord: boolean): Clause {
    this.space();
    const at = this.at;
    if (this.take("!")) return { kind: "not", clauses: this.prefixed(ofWord), at };
    if (this.take("?")) return { kind: "optional", clauses: this.prefixed(ofWord), at };
    if (this.peek("[")) return this.group(ofWord);
    return this.condition() ?? this.wordWithRelations(ofWord);
  }

  /** The clauses that ! or ? applies to; of a group without alternatives its clauses. */
  private prefixed(ofWord: boolean): readonly Clause[] {
    const clause = this.clause(ofWord);
    return clause.kind === "either" && clause.alternatives.length === 1 ? clause.alternatives[0]! : [clause];
  }

  private group(ofWord: boolean): Clause {
    const at = this.at;
    this.expect("[", "[");
    const alternatives = [this.clauses(ofWord)];
    while (this.take("|")) alternatives.push(this.clauses(ofWord));
    this.expect("]", "; and another clause, | and another alternative, or ]");
    return { kind: "either", alternatives, at };
  }

  private wordWithRelations(ofWord: boolean): WordPattern | WordReference {
    const word = this.word(
      ofWord
        ? "a relation (> < >> << $ . .. - --), a word such as {upos:NOUN}, or a condition"
        : "a word such as {upos:NOUN}",
    );
    const clauses = this.relations();
    return clauses.length > 0 ? { ...word, clauses: [...(word.clauses ?? []), ...clauses] } : word;
  }

  /** A word: described in braces, by its name, or with its relations in parentheses. */
  private word(expected: string): WordPattern | WordReference {
    this.space();
    const at = this.at;
    if (this.take("(")) {
      if (++this.depth > DEEPEST) this.fail(`at most ${DEEPEST} levels of brackets`);
      const word = this.wordWithRelations(false);
      this.expect(")", "a relation (> < >> << $ . .. - --) or )");
      this.depth--;
      return word;
    }
    if (this.take("{")) {
      const tests = this.tests();
      const name = this.source[this.at] === "=" ? this.name() : undefined;
      return { kind: "word", ...(name === undefined ? {} : { name }), tests, at };
    }
    const name = this.match(NAME);
    if (name === undefined) this.fail(expected);
    return { kind: "reference", name: name!, at };
  }

  private name(): string {
    this.at++;
    const at = this.at;
    const name = this.match(NAME);
    if (name === undefined) this.fail("a name of letters, digits and _ after =");
    if (name === "sentence") this.fail("another name: sentence stands for the whole sentence, as in sentence.text", at);
    return name!;
  }

  private relations(): Clause[] {
    const clauses: Clause[] = [];
    for (;;) {
      this.space();
      const at = this.at;
      const prefix = this.source[at];
      if (prefix === "!" || prefix === "?") {
        this.at++;
        const inner = this.relationOrGroup();
        if (inner === undefined) {
          // Something else that is negated, such as a condition in a group.
          this.at = at;
          return clauses;
        }
        const parts = inner.kind === "either" && inner.alternatives.length === 1 ? inner.alternatives[0]! : [inner];
        clauses.push({ kind: prefix === "!" ? "not" : "optional", clauses: parts, at });
        continue;
      }
      const clause = this.relationOrGroup();
      if (clause === undefined) return clauses;
      clauses.push(clause);
    }
  }

  private relationOrGroup(): Clause | undefined {
    this.space();
    if (this.peek("[")) return this.group(true);
    const at = this.at;
    const enhanced = this.take("@");
    const relation = RELATIONS.find((name) => this.source.startsWith(name, this.at));
    if (relation === undefined) {
      if (enhanced) this.fail("> or < after @, for an arc of DEPS");
      return undefined;
    }
    if (enhanced && relation !== ">" && relation !== "<") this.fail("> or < after @: DEPS has single arcs only");
    this.at += relation.length;
    const label = LABELLED.includes(relation) ? this.label() : undefined;
    const distance = MEASURED.includes(relation) ? this.distance() : undefined;
    const to = this.word(`a word after ${relation}, such as {} or {upos:NOUN}`);
    const clause: Relation = { kind: "relation", relation, to, at };
    return {
      ...clause,
      ...(label === undefined ? {} : { label }),
      ...(distance === undefined ? {} : { distance }),
      ...(enhanced ? { enhanced } : {}),
    };
  }

  /** A label directly after the sign of the relation: `>nsubj`, `>=nsubj`, `>!punct`, `>obl|nmod`, `>/subj/`. */
  private label(): Comparison | undefined {
    const next = this.source[this.at];
    if (next === undefined || /[\s{}[\]();|]/.test(next)) return undefined;
    const negated = next === "!";
    if (negated) this.at++;
    const exact = this.source[this.at] === "=";
    if (exact) this.at++;
    return { operator: `${negated ? "!" : ""}${exact ? "=" : ":"}`, values: this.values("a label") };
  }

  /** `{2}`, `{2,}`, `{,3}` or `{2,3}`. */
  private distance(): readonly [number, number] | undefined {
    const [all, low, comma, high] = /^\{\s*(\d{0,9})\s*(,?)\s*(\d{0,9})\s*\}/.exec(this.source.slice(this.at)) ?? [];
    if (all === undefined || all.replace(/[\s{}]/g, "") === "") return undefined;
    const fewest = low === "" ? 1 : Number(low);
    const most = comma === "" ? fewest : high === "" ? Number.POSITIVE_INFINITY : Number(high);
    if (fewest < 1 || most < fewest) this.fail("a distance of at least 1, the smaller number first");
    this.at += all.length;
    return [fewest, most];
  }

  private tests(): Test[] {
    const tests: Test[] = [];
    if (this.take("}")) return tests;
    do tests.push(this.test());
    while (this.take(";"));
    this.expect(
      "}",
      tests[tests.length - 1]!.operator === undefined ? "an operator (: = != < >), ; or }" : "|, ; or }",
    );
    return tests;
  }

  private test(): Test {
    this.space();
    const at = this.at;
    const negated = this.take("!");
    if (negated) this.space();
    const attribute = this.match(ATTRIBUTE);
    if (attribute === undefined)
      this.fail("an attribute (form, lemma, upos, xpos, deprel, Number, misc.SpaceAfter, …) or }");
    const operator = this.operator();
    const test = { attribute: attribute!, at, ...(negated ? { negated } : {}) };
    if (operator === undefined) return test;
    const values = this.values("a value", operator);
    // Inside braces nothing else begins with |, so spaces are allowed.
    while (this.take("|")) values.push(this.value("a value", operator));
    if (attribute === "upos") for (const value of values) this.checkTag(value, at);
    return { ...test, operator, values };
  }

  /** "verb" would never be found where the tag is VERB. */
  private checkTag(value: Value, at: number): void {
    const tag = typeof value === "string" ? value.toUpperCase() : "";
    if (tag !== value && UNIVERSAL_TAGS.has(tag))
      this.fail(`upos:${tag}, in capitals, as tags are written (or "${value}"i, which ignores case)`, at);
  }

  private operator(): Operator | undefined {
    this.space();
    const operator = OPERATORS.find((sign) => this.source.startsWith(sign, this.at));
    if (operator !== undefined) this.at += operator.length;
    return operator;
  }

  /** `name.attribute`, with an operator and values or another `name.attribute`; undefined if it is none. */
  private condition(): Condition | undefined {
    const at = this.at;
    const word = this.match(NAME);
    if (word === undefined || !/^\.[\p{L}_]/u.test(this.source.slice(this.at, this.at + 3))) {
      this.at = at;
      return undefined;
    }
    this.at++;
    const attribute = this.match(ATTRIBUTE)!;
    const condition: Condition = { kind: "condition", word, attribute, at };
    const operator = this.operator();
    if (operator === undefined) return condition;
    this.space();
    const otherAt = this.at;
    const other = this.match(NAME);
    if (other !== undefined && /^\.[\p{L}_]/u.test(this.source.slice(this.at, this.at + 3))) {
      this.at++;
      return {
        ...condition,
        operator,
        values: [],
        other: { word: other, attribute: this.match(ATTRIBUTE)!, at: otherAt },
      };
    }
    this.at = otherAt;
    return { ...condition, operator, values: this.values("a value, or the attribute of another word", operator) };
  }

  private values(expected: string, operator?: Operator): Value[] {
    const values = [this.value(expected, operator)];
    // In a group | also begins the next alternative: with a space before it, it does not belong to the values.
    while (this.source[this.at] === "|") {
      this.at++;
      values.push(this.value(expected, operator));
    }
    return values;
  }

  private value(expected: string, operator?: Operator): Value {
    const isNumeric = operator !== undefined && /[<>]/.test(operator);
    if (operator !== undefined) this.space();
    const at = this.at;
    const next = this.source[at];
    if (next === '"') {
      const [all] = /^"(?:[^"\\]|\\.)*"/s.exec(this.source.slice(at)) ?? [];
      if (all === undefined) this.fail('" at the end of the value', at);
      this.at += all!.length;
      const text = all!.slice(1, -1).replace(/\\(.)/gs, "$1");
      return this.flag() ? { text, ignoreCase: true } : text;
    }
    if (next === "/") return this.regex(expected);
    const value = this.match(BARE);
    if (value === undefined) this.fail(`${expected}; put one with spaces or special characters in "quotes"`);
    if (isNumeric && !Number.isFinite(Number(value))) this.fail(`a number after ${operator}`, at);
    return value!;
  }

  private regex(expected: string): Value {
    const at = this.at;
    const [all] = /^\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\//.exec(this.source.slice(at)) ?? [];
    if (all === undefined) this.fail(`/ at the end of the regular expression (or ${expected} in "quotes")`, at);
    const regex = all!.slice(1, -1);
    this.at += all!.length;
    const ignoreCase = this.flag();
    checkRegex(regex, this.source, at + 1);
    return { regex, at: at + 1, ...(ignoreCase ? { ignoreCase } : {}) };
  }

  /** An i directly after the closing quote or slash. */
  private flag(): boolean {
    const [flags = ""] = /^[\p{L}\p{N}]*/u.exec(this.source.slice(this.at)) ?? [];
    if (flags !== "" && flags !== "i") this.fail("no flag other than i, which ignores case");
    this.at += flags.length;
    return flags === "i";
  }

  private space(): void {
    while (/\s/.test(this.source[this.at] ?? "")) this.at++;
  }

  private peek(sign: string): boolean {
    this.space();
    return this.source[this.at] === sign;
  }

  private take(sign: string): boolean {
    if (!this.peek(sign)) return false;
    this.at++;
    return true;
  }

  private expect(sign: string, expected: string): void {
    if (!this.take(sign)) this.fail(expected);
  }

  private match(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.at;
    const [found] = sticky.exec(this.source) ?? [];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private fail(expected: string, at?: number): never {
    if (at === undefined) this.space();
    const place = at ?? this.at;
    const [found = ""] = /^(?:[\p{L}\p{N}_]+|.)/su.exec(this.source.slice(place)) ?? [];
    throw new PatternError(
      `expected ${expected}${found === "" ? ", but the pattern ends" : `, found ${found}`}`,
      this.source,
      place,
    );
  }
}

/** Throws a PatternError with the place in the whole pattern. */
export function checkRegex(regex: string, source: string | undefined, at: number | undefined): void {
  try {
    new LinearRegex(regex);
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    const known = source !== undefined && at !== undefined;
    throw new PatternError(
      known ? error.problem : `${error.problem} in /${regex}/`,
      source,
      known ? at + error.place : -1,
    );
  }
}
