// From a pattern to conjunctions. Words get slots (the same name, the same slot), alternatives are multiplied out, and
// every use of a name is checked.

import type { Clause, Condition, Pattern, Relation, Test, WordPattern, WordReference } from "./language/pattern.js";
import { PatternError } from "./language/pattern-error.js";

/** Alternatives multiplied out; a pattern with more is refused. */
const MOST_CONJUNCTIONS = 1024;

/** The words that must differ from each other and where names hold: the whole pattern, or a negation. */
interface Scope {
  readonly names: Map<string, number>;
  readonly parent?: Scope;
}

type Operand = { readonly slot: number; readonly attribute: string };

/** A clause whose words are slots; slot -1 in a condition is the sentence. */
type Resolved =
  | { kind: "word"; slot: number; tests: readonly Test[]; isReference: boolean; clauses: Resolved[]; at: number }
  | { kind: "relation"; from: number; to: Resolved & { kind: "word" }; relation: Relation }
  | { kind: "either"; alternatives: Resolved[][] }
  | { kind: "not"; clauses: Resolved[]; scope: Scope | undefined }
  | { kind: "optional"; clauses: Resolved[] }
  | { kind: "condition"; condition: Condition; left: Operand; right: Operand | undefined };

export const SENTENCE = -1;

/** Clauses that all have to hold, without alternatives. */
export interface Conjunction {
  /** Words that are described here, in the order of the pattern, but for those of an outer scope. */
  readonly slots: readonly number[];
  readonly tests: readonly { slot: number; test: Test }[];
  readonly relations: readonly { from: number; to: number; relation: Relation }[];
  readonly conditions: readonly { condition: Condition; left: Operand; right: Operand | undefined }[];
  readonly negations: readonly (readonly Conjunction[])[];
  readonly optionals: readonly (readonly Conjunction[])[];
}

export interface ResolvedPattern {
  readonly conjunctions: readonly Conjunction[];
  /** The name of each slot; those of the match come first, in the order of the pattern. */
  readonly names: readonly (string | undefined)[];
  /** How many slots a match has; the others are words of negations. */
  readonly width: number;
  /** For each slot a number that is the same for those that have to differ. */
  readonly scopes: readonly number[];
}

interface Draft {
  words: number[];
  tests: { slot: number; test: Test }[];
  relations: { from: number; to: number; relation: Relation }[];
  conditions: Conjunction["conditions"][number][];
  references: { slot: number; at: number }[];
  negations: (Resolved & { kind: "not" })[];
  optionals: (Resolved & { kind: "optional" })[];
}

export function resolve(pattern: Pattern): ResolvedPattern {
  return new Resolver(pattern).resolve();
}

class Resolver {
  private readonly names: (string | undefined)[] = [];
  private readonly scopes: Scope[] = [];
  private readonly described = new Set<number>();
  private readonly references: { slot: number; at: number }[] = [];
  private readonly waiting: { clause: Resolved & { kind: "not" }; clauses: readonly Clause[]; from: number }[] = [];

  constructor(private readonly pattern: Pattern) {}

  resolve(): ResolvedPattern {
    const top: Scope = { names: new Map() };
    const clauses = this.clauses(this.pattern.clauses, top, undefined);
    const width = this.names.length;
    // Only now, when all names outside are known, is it clear which ones inside a negation are its own.
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      const { clause, clauses, from } = next;
      const scope: Scope = { names: new Map(), parent: clause.scope! };
      clause.scope = scope;
      clause.clauses = this.clauses(clauses, scope, from < 0 ? undefined : from);
    }
    for (const { slot, at } of this.references) {
      if (this.described.has(slot)) continue;
      const known = this.names.filter((name, i) => name !== undefined && this.described.has(i));
      const expected = known.length > 0 ? `one of ${known.join(", ")}` : "a word such as {}=name";
      this.fail(`unknown name ${this.names[slot]}: expected ${expected}`, at);
    }
    const conjunctions = this.compile(this.multiply(clauses), top, new Set(), new Set());
    const all = [...new Set(this.scopes)];
    const scopes = this.scopes.map((scope) => all.indexOf(scope));
    return { conjunctions, names: this.names, width, scopes };
  }

  private fail(problem: string, at: number | undefined): never {
    throw new PatternError(problem, this.pattern.source, this.pattern.source === undefined ? -1 : at);
  }

  private slot(name: string | undefined, scope: Scope): number {
    for (let outer: Scope | undefined = scope; name !== undefined && outer !== undefined; outer = outer.parent) {
      const known = outer.names.get(name);
      if (known !== undefined) return known;
    }
    const slot = this.names.push(name) - 1;
    this.scopes.push(scope);
    if (name !== undefined) scope.names.set(name, slot);
    return slot;
  }

  private clauses(clauses: readonly Clause[], scope: Scope, from: number | undefined): Resolved[] {
    return clauses.map((clause) => this.clause(clause, scope, from));
  }

  private clause(clause: Clause, scope: Scope, from: number | undefined): Resolved {
    switch (clause.kind) {
      case "word":
      case "reference":
        return this.word(clause, scope);
      case "relation": {
        if (from === undefined) this.fail(`expected a word before ${clause.relation}`, clause.at);
        return { kind: "relation", from: from!, to: this.word(clause.to, scope), relation: clause };
      }
      case "either":
        return {
          kind: "either",
          alternatives: clause.alternatives.map((clauses) => this.clauses(clauses, scope, from)),
        };
      case "optional":
        return { kind: "optional", clauses: this.clauses(clause.clauses, scope, from) };
      case "not": {
        const resolved: Resolved & { kind: "not" } = { kind: "not", clauses: [], scope };
        this.waiting.push({ clause: resolved, clauses: clause.clauses, from: from ?? -1 });
        return resolved;
      }
      case "condition": {
        const { word, attribute, at, other } = clause;
        const left = { slot: this.operand(word, scope, at), attribute };
        const right = other && { slot: this.operand(other.word, scope, other.at), attribute: other.attribute };
        return { kind: "condition", condition: clause, left, right };
      }
      default:
        return this.fail(`unknown kind of clause: ${(clause as { kind: unknown }).kind}`, -1);
    }
  }

  private word(word: WordPattern | WordReference, scope: Scope): Resolved & { kind: "word" } {
    const at = word.at ?? -1;
    const slot = this.slot(word.name, scope);
    if (word.kind === "word") this.described.add(slot);
    else this.references.push({ slot, at });
    const tests = word.kind === "word" ? (word.tests ?? []) : [];
    const clauses = this.clauses(word.clauses ?? [], scope, slot);
    return { kind: "word", slot, tests, isReference: word.kind === "reference", clauses, at };
  }

  private operand(name: string, scope: Scope, at = -1): number {
    if (name === "sentence") return SENTENCE;
    const slot = this.slot(name, scope);
    this.references.push({ slot, at });
    return slot;
  }

  private multiply(clauses: readonly Resolved[]): Draft[] {
    let drafts: Draft[] = [emptyDraft()];
    for (const clause of clauses) {
      const next = this.drafts(clause);
      if (drafts.length * next.length > MOST_CONJUNCTIONS) {
        this.fail(`too many combinations of alternatives (at most ${MOST_CONJUNCTIONS})`, -1);
      }
      drafts = drafts.flatMap((draft) => next.map((other) => joined(draft, other)));
    }
    return drafts;
  }

  private drafts(clause: Resolved): Draft[] {
    switch (clause.kind) {
      case "word": {
        const { slot, tests, isReference, clauses, at } = clause;
        const own: Draft = { ...emptyDraft(), tests: tests.map((test) => ({ slot, test })) };
        if (isReference) own.references = [{ slot, at }];
        else own.words = [slot];
        return this.multiply(clauses).map((draft) => joined(own, draft));
      }
      case "relation": {
        const { from, to, relation } = clause;
        const own: Draft = { ...emptyDraft(), relations: [{ from, to: to.slot, relation }] };
        return this.drafts(to).map((draft) => joined(own, draft));
      }
      case "either":
        return clause.alternatives.flatMap((clauses) => this.multiply(clauses));
      case "not":
        return [{ ...emptyDraft(), negations: [clause] }];
      case "optional":
        return [{ ...emptyDraft(), optionals: [clause] }];
      case "condition": {
        const { condition, left, right } = clause;
        const references = [{ slot: left.slot, at: condition.at ?? -1 }];
        if (right !== undefined) references.push({ slot: right.slot, at: condition.other?.at ?? -1 });
        return [{ ...emptyDraft(), conditions: [{ condition, left, right }], references }];
      }
    }
  }

  /** `certain`: slots that have a word wherever this is asked; `possible`: those of optional parts before it. */
  private compile(
    drafts: Draft[],
    scope: Scope,
    certain: ReadonlySet<number>,
    possible: ReadonlySet<number>,
  ): Conjunction[] {
    return drafts.map((draft) => {
      const slots = [...new Set(draft.words)].filter((slot) => !certain.has(slot));
      for (const slot of slots) {
        if (this.scopes[slot] !== scope || possible.has(slot)) this.missing(slot);
      }
      const here = new Set([...certain, ...slots]);
      for (const { slot, at } of draft.references) if (slot !== SENTENCE && !here.has(slot)) this.missing(slot, at);
      const { tests, relations, conditions } = draft;
      const negations = draft.negations.map((negation) =>
        this.compile(this.multiply(negation.clauses), negation.scope!, here, possible),
      );
      const maybe = new Set(possible);
      const optionals = draft.optionals.map(({ clauses }) => {
        const parts = this.compile(this.multiply(clauses), scope, here, maybe);
        for (const part of parts) for (const slot of allSlots(part)) maybe.add(slot);
        return parts;
      });
      return { slots: slots.sort((a, b) => a - b), tests, relations, conditions, negations, optionals };
    });
  }

  private missing(slot: number, at?: number): never {
    const name = this.names[slot];
    return this.fail(
      `${name} may be missing here: it is described only in an optional part or in another alternative`,
      at ?? this.pattern.source?.lastIndexOf(`=${name}`),
    );
  }
}

/** The slots of a conjunction and of its optional parts. */
export function allSlots({ slots, optionals }: Conjunction): number[] {
  return [...slots, ...optionals.flatMap((parts) => parts.flatMap(allSlots))];
}

function emptyDraft(): Draft {
  return { words: [], tests: [], relations: [], conditions: [], references: [], negations: [], optionals: [] };
}

function joined(a: Draft, b: Draft): Draft {
  return {
    words: [...a.words, ...b.words],
    tests: [...a.tests, ...b.tests],
    relations: [...a.relations, ...b.relations],
    conditions: [...a.conditions, ...b.conditions],
    references: [...a.references, ...b.references],
    negations: [...a.negations, ...b.negations],
    optionals: [...a.optionals, ...b.optionals],
  };
}
