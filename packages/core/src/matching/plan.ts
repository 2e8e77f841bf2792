// From conjunctions to plans: in which order the words are looked for, where candidates come from, and what is checked
// when.

import { attributeOf, knownAttribute, looseness, type ValueTest, valueTest } from "./attributes.js";
import { checkRegex } from "./language/parse-pattern.js";
import type { Comparison, Operator, Pattern, Test } from "./language/pattern.js";
import { PatternError } from "./language/pattern-error.js";
import { allSlots, type Conjunction, type ResolvedPattern, SENTENCE } from "./resolve.js";
import type { ColumnTest, SentenceView } from "./sentence-view.js";

export const CHILD = 0;
export const DESCENDANT = 1;
export const SIBLING = 2;
export const ORDER = 3;
export const SAME = 4;
export const ENHANCED = 5;

/** Relation of two slots: of head and dependent, ancestor and descendant, the earlier and the later word. */
export interface Arc {
  readonly kind: number;
  readonly a: number;
  readonly b: number;
  readonly fewest: number;
  readonly most: number;
  /** Label of every arc of a path. */
  readonly pathLabel: ColumnTest | undefined;
  /** Label of an arc in DEPS. */
  readonly edgeLabel: ValueTest | undefined;
}

/** A test of one word: of its columns, or of its place. */
export interface WordTest {
  readonly column: ColumnTest | undefined;
  readonly flag: "first" | "last" | "root" | undefined;
  readonly value: ValueTest;
  /** How few words pass, roughly; smaller is fewer. */
  readonly rank: number;
}

export interface Comparing {
  readonly left: Operand;
  readonly right: Operand | undefined;
  readonly operator: Operator | undefined;
  readonly value: ValueTest;
  readonly loose: "subtypes" | "list" | "none";
}

export interface Operand {
  readonly slot: number;
  /** Undefined for the sentence. */
  readonly attribute: ReturnType<typeof attributeOf>;
  readonly name: string;
}

/** A condition that has to hold as soon as the words that it is about are known. */
export type Check =
  | { readonly kind: "arc"; readonly arc: Arc }
  | { readonly kind: "tests"; readonly slot: number; readonly tests: readonly WordTest[] }
  | { readonly kind: "compare"; readonly comparing: Comparing }
  | { readonly kind: "not"; readonly plans: readonly Plan[] };

/** Where the candidates for a word come from. */
export const ALL = 0;
export const HEAD = 1;
export const CHILDREN = 2;
export const ANCESTORS = 3;
export const SIBLINGS = 4;
export const LATER = 5;
export const EARLIER = 6;
export const IDENTICAL = 7;

/** Looks for one word. */
export interface Step {
  readonly slot: number;
  readonly source: number;
  /** The known word that the candidates stand to in a relation. */
  readonly from: number;
  readonly arc: Arc | undefined;
  readonly tests: readonly WordTest[];
  readonly distinctFrom: readonly number[];
  readonly checks: readonly Check[];
}

interface OptionalPlan {
  readonly plans: readonly Plan[];
  readonly slots: readonly number[];
}

export class Plan {
  /** The conditions that do not depend on words that this plan looks for. */
  readonly entry: readonly Check[];
  readonly optionals: readonly OptionalPlan[];
  /** The slots that can be looked for first, those that few words fit to begin with. */
  readonly starts: readonly number[];
  /** Set for a part of an optional: the plan that it belongs to, and which of its optionals it is. */
  parent: Plan | undefined;
  index = 0;
  /** Whether the optional part had a match for the words at hand. */
  found = false;
  isNegation = false;
  private readonly steps = new Map<number, readonly Step[]>();
  private readonly tests = new Map<number, WordTest[]>();
  private readonly arcs: Arc[] = [];
  private readonly checks: { check: Check; needs: ReadonlySet<number> }[] = [];

  constructor(
    compiler: Compiler,
    private readonly conjunction: Conjunction,
    private readonly bound: ReadonlySet<number>,
    private readonly distinct: readonly number[],
  ) {
    this.arcs = conjunction.relations.map(({ from, to, relation }) => compiler.arc(from, to, relation));
    const own = new Set(conjunction.slots);
    const tests = [
      ...conjunction.tests.map(({ slot, test }) => ({ slot, test: compiler.wordTest(test) })),
      ...conjunction.relations.flatMap(({ from, to, relation }) => compiler.labelTest(from, to, relation)),
    ];
    for (const { slot, test } of tests) {
      const list = this.tests.get(slot);
      if (list === undefined) this.tests.set(slot, [test]);
      else list.push(test);
    }
    for (const list of this.tests.values()) list.sort((a, b) => a.rank - b.rank);
    for (const [slot, list] of this.tests) {
      if (!own.has(slot)) this.checks.push({ check: { kind: "tests", slot, tests: list }, needs: new Set() });
    }
    for (const { condition, left, right } of conjunction.conditions) {
      const comparing = compiler.comparing(condition, left, right);
      const needs = new Set([left.slot, right?.slot ?? SENTENCE].filter((slot) => own.has(slot)));
      this.checks.push({ check: { kind: "compare", comparing }, needs });
    }
    const inside = new Set([...bound, ...conjunction.slots]);
    for (const negation of conjunction.negations) {
      const plans = negation.map((part) => {
        const plan = new Plan(compiler, part, inside, []);
        plan.isNegation = true;
        return plan;
      });
      const needs = new Set(negation.flatMap(used).filter((slot) => own.has(slot)));
      this.checks.push({ check: { kind: "not", plans }, needs });
    }
    const others = [...distinct, ...conjunction.slots];
    this.optionals = conjunction.optionals.map((parts, index) => {
      const slots = [...new Set(parts.flatMap(allSlots))];
      const plans = parts.map((part) => {
        const plan = new Plan(compiler, part, inside, [...others]);
        plan.parent = this;
        plan.index = index;
        return plan;
      });
      others.push(...slots);
      return { plans, slots };
    });
    const rank = (slot: number) => this.testsOf(slot)[0]?.rank ?? Number.POSITIVE_INFINITY;
    this.starts = [...conjunction.slots].sort((a, b) => rank(a) - rank(b) || a - b);
    this.entry = [
      ...this.checks.filter(({ needs }) => needs.size === 0).map(({ check }) => check),
      ...this.arcs.filter(({ a, b }) => !own.has(a) && !own.has(b)).map((arc): Check => ({ kind: "arc", arc })),
    ];
  }

  testsOf(slot: number): readonly WordTest[] {
    return this.tests.get(slot) ?? [];
  }

  /**
   * The steps with that slot first; -1 where nothing is looked for, or where what is known already leads to the rest.
   */
  stepsFrom(start: number): readonly Step[] {
    let steps = this.steps.get(start);
    if (steps === undefined) {
      steps = this.order(start);
      this.steps.set(start, steps);
    }
    return steps;
  }

  // Next always the word with the fewest candidates, by a rough guess.
  private order(start: number): Step[] {
    const known = new Set(this.bound);
    const open = new Set(this.conjunction.slots);
    const steps: Step[] = [];
    while (open.size > 0) {
      let best: { slot: number; source: number; from: number; arc: Arc | undefined; cost: number } | undefined;
      for (const slot of steps.length === 0 && start >= 0 ? [start] : open) {
        const tested = this.testsOf(slot).length > 0 ? 0.5 : 1;
        const offers = [{ slot, source: ALL, from: -1, arc: undefined as Arc | undefined, cost: 40 * tested }];
        for (const arc of this.arcs) {
          const from = arc.a === slot ? arc.b : arc.b === slot ? arc.a : -1;
          if (from < 0 || from === slot || !known.has(from)) continue;
          const [source, cost] = sourceOf(arc, slot);
          offers.push({ slot, source, from, arc, cost: cost * tested });
        }
        for (const offer of offers) if (best === undefined || offer.cost < best.cost) best = offer;
      }
      const { slot, source, from, arc } = best!;
      const distinctFrom = [...this.distinct, ...steps.map((step) => step.slot)];
      open.delete(slot);
      known.add(slot);
      const settled = this.arcs
        .filter(({ a, b }) => (a === slot && known.has(b)) || (b === slot && known.has(a)))
        // Candidates that are listed by an arc need not be checked for it.
        .filter((other) => !(other === arc && (source === HEAD || source === CHILDREN)))
        .map((arc): Check => ({ kind: "arc", arc }));
      const own = this.checks
        .filter(({ needs }) => needs.has(slot) && [...needs].every((other) => known.has(other)))
        .map(({ check }) => check)
        .sort((x, y) => Number(x.kind === "not") - Number(y.kind === "not"));
      steps.push({ slot, source, from, arc, tests: this.testsOf(slot), distinctFrom, checks: [...settled, ...own] });
    }
    return steps;
  }
}

/** All slots that a conjunction says something about. */
function used(conjunction: Conjunction): number[] {
  const { slots, tests, relations, conditions, negations, optionals } = conjunction;
  return [
    ...slots,
    ...tests.map(({ slot }) => slot),
    ...relations.flatMap(({ from, to }) => [from, to]),
    ...conditions.flatMap(({ left, right }) => [left.slot, right?.slot ?? SENTENCE]),
    ...[...negations, ...optionals].flatMap((parts) => parts.flatMap(used)),
  ];
}

/** How candidates for `slot` are found along an arc, and about how many there are. */
function sourceOf(arc: Arc, slot: number): [source: number, cost: number] {
  const isLower = arc.b === slot;
  switch (arc.kind) {
    case CHILD:
      return isLower ? [CHILDREN, 3] : [HEAD, 1];
    case DESCENDANT:
      return isLower ? [ALL, 35] : [ANCESTORS, 4];
    case SIBLING:
      return [SIBLINGS, 4];
    case ORDER:
      return [isLower ? LATER : EARLIER, Math.min(20, arc.most - arc.fewest + 1)];
    case SAME:
      return [IDENTICAL, 1];
    default:
      return [ALL, 38];
  }
}

/** Makes plans of a resolved pattern; the tests belong to one view of sentences. */
export class Compiler {
  constructor(
    private readonly pattern: Pattern,
    private readonly view: SentenceView,
  ) {}

  plans(resolved: ResolvedPattern): Plan[] {
    return resolved.conjunctions.map((conjunction) => new Plan(this, conjunction, new Set(), []));
  }

  wordTest(test: Test): WordTest {
    const { source } = this.pattern;
    const attribute = knownAttribute(test.attribute, source, test.at);
    this.checkComparison(test);
    const value = valueTest(test, test.negated, looseness(attribute));
    if (attribute.kind === "column") {
      return { column: this.view.columnTest(attribute, value), flag: undefined, value, rank: rankOf(test) };
    }
    if (attribute.kind === "id") return { column: undefined, flag: undefined, value, rank: 0 };
    if (test.operator !== undefined) {
      throw new PatternError(`${attribute.name} takes no value: expected {${attribute.name}}`, source, test.at);
    }
    return { column: undefined, flag: attribute.kind, value, rank: test.negated ? 9 : 0 };
  }

  /** The label of an arc of the tree is a test of its dependent. */
  labelTest(from: number, to: number, { relation, label, enhanced }: Conjunction["relations"][number]["relation"]) {
    if (label === undefined || enhanced || !(relation === ">" || relation === "<" || relation === "$")) return [];
    return [{ slot: relation === "<" ? from : to, test: this.wordTest({ attribute: "deprel", ...label }) }];
  }

  arc(from: number, to: number, relation: Conjunction["relations"][number]["relation"]): Arc {
    const { relation: sign, label, enhanced, distance, at } = relation;
    const { source } = this.pattern;
    const kind = KINDS[sign];
    if (kind === undefined) throw new PatternError(`unknown relation ${sign}`, source, at);
    if (label !== undefined && kind !== CHILD && kind !== DESCENDANT && kind !== SIBLING) {
      throw new PatternError(`${sign} takes no label`, source, at);
    }
    if (enhanced && kind !== CHILD) throw new PatternError("DEPS has single arcs only: expected > or <", source, at);
    const isReversed = sign === "<" || sign === "<<" || sign === "-" || sign === "--";
    const isAdjacent = sign === "." || sign === "-";
    if (label !== undefined) this.checkComparison({ ...label, attribute: "deprel" });
    const test = label && valueTest(label, false, "subtypes");
    const deprel = attributeOf("deprel") as NonNullable<ReturnType<typeof attributeOf>> & { kind: "column" };
    return {
      kind: enhanced ? ENHANCED : kind,
      a: isReversed ? to : from,
      b: isReversed ? from : to,
      fewest: distance?.[0] ?? 1,
      most: distance?.[1] ?? (isAdjacent ? 1 : Number.POSITIVE_INFINITY),
      pathLabel: kind === DESCENDANT && test ? this.view.columnTest(deprel, test) : undefined,
      edgeLabel: enhanced ? test : undefined,
    };
  }

  comparing(
    condition: Conjunction["conditions"][number]["condition"],
    left: { slot: number; attribute: string },
    right: { slot: number; attribute: string } | undefined,
  ): Comparing {
    const { at, other, operator } = condition;
    this.checkComparison(condition);
    const operand = ({ slot, attribute }: { slot: number; attribute: string }, at: number | undefined): Operand => ({
      slot,
      name: attribute,
      attribute: slot === SENTENCE ? undefined : knownAttribute(attribute, this.pattern.source, at),
    });
    const first = operand(left, at);
    const loose = first.attribute === undefined ? "none" : looseness(first.attribute);
    const value = valueTest(condition, false, loose);
    return { left: first, right: right && operand(right, other?.at), operator, value, loose };
  }

  private checkComparison({
    values = [],
    attribute,
    at,
  }: Partial<Comparison> & { attribute: string; at?: number | undefined }) {
    for (const value of values) {
      if (typeof value === "object" && "regex" in value) checkRegex(value.regex, this.pattern.source, value.at);
      else if (typeof value !== "string" && typeof value.text !== "string") {
        throw new PatternError(
          `invalid value of ${attribute}: expected text or a regular expression`,
          this.pattern.source,
          at,
        );
      }
    }
  }
}

const KINDS: Readonly<Record<string, number | undefined>> = {
  ">": CHILD,
  "<": CHILD,
  ">>": DESCENDANT,
  "<<": DESCENDANT,
  $: SIBLING,
  ".": ORDER,
  "-": ORDER,
  "..": ORDER,
  "--": ORDER,
  "==": SAME,
};

const RANKS: Readonly<Record<string, number>> = { lemma: 1, form: 1, deprel: 2, xpos: 3, upos: 4 };

function rankOf({ attribute, operator, negated }: Test): number {
  const opposite = (negated === true) !== (operator?.startsWith("!") === true);
  return (RANKS[attribute] ?? 3) + (opposite ? 5 : operator === undefined ? 2 : 0);
}
