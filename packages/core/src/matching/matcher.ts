import { INSPECT, type Inspecting, inspected } from "../checks/inspection.js";
import { check, FUNCTION, shown, wholeNumber } from "../checks/options.js";
import { having } from "../checks/shapes.js";
import type { Column } from "../treebank/formats/layout.js";
import { comparesTo } from "./attributes.js";
import { parsePattern } from "./language/parse-pattern.js";
import type { Pattern } from "./language/pattern.js";
import { hasFlag, type MatchableSentence, sentenceValue, wordValue } from "./matchable-sentence.js";
import {
  ALL,
  ANCESTORS,
  type Arc,
  CHILD,
  CHILDREN,
  type Check,
  type Comparing,
  Compiler,
  DESCENDANT,
  EARLIER,
  ENHANCED,
  HEAD,
  IDENTICAL,
  LATER,
  type Operand,
  ORDER,
  type Plan,
  SAME,
  SIBLING,
  SIBLINGS,
  type Step,
  type WordTest,
} from "./plan.js";
import { resolve, SENTENCE } from "./resolve.js";
import { SentenceView } from "./sentence-view.js";
import type { IndexedTreebank } from "./treebank-index.js";

/** Matches of one sentence that are kept; a pattern with more is hardly meant, and would fill the memory. */
const MOST_MATCHES = 1_000_000;
/** The problem of a sentence that has more, in the words of a TreebankError. */
export const TOO_MANY = {
  what: "number of matches",
  value: `more than ${MOST_MATCHES}`,
  expected: "a more specific pattern",
} as const;
/** Few enough candidates to begin with: no other word is looked at. */
const FEW = 2;

/** A sentence in which a pattern has more matches than can be kept. */
export class TooManyMatches extends RangeError {
  /** @param length the number of words of the sentence */
  constructor(length: number) {
    super(`the pattern has more than ${MOST_MATCHES} matches in one sentence of ${length} words`);
    this.name = "TooManyMatches";
  }
}

/** The type of the words of a sentence. */
export type WordOf<S> = S extends { readonly words: readonly (infer W)[] } ? W : never;

/** A match: the words of a sentence that a pattern describes. */
export class Match<S extends MatchableSentence = MatchableSentence> {
  /**
   * @param sentence where it was found
   * @param nodes the words of the pattern, by their numbers
   * @param names those of the pattern, in the order of `nodes`
   */
  constructor(
    /** Where it was found. */
    readonly sentence: S,
    /**
     * The word of each `{…}` of the pattern in the order in which they are written, 0 for an optional one without a
     * match.
     */
    readonly nodes: readonly number[],
    private readonly names: readonly (string | undefined)[],
  ) {}

  /** The words that have names in the pattern, except optional ones without a match. */
  get captures(): Record<string, number> {
    const captures: Record<string, number> = {};
    this.nodes.forEach((word, i) => {
      const name = this.names[i];
      if (name !== undefined && word > 0) captures[name] = word;
    });
    return captures;
  }

  /** The same as objects, if the sentence has `words`. */
  get words(): Record<string, WordOf<S>> {
    const words: Record<string, WordOf<S>> = {};
    const { words: all } = this.sentence as { words?: readonly WordOf<S>[] };
    for (const [name, i] of Object.entries(this.captures)) if (all !== undefined) words[name] = all[i - 1]!;
    return words;
  }

  /**
   * The word of that name; 0 if it is optional and has no match.
   * @param name the name that the pattern gives it
   */
  word(name: string): number {
    const index = this.names.indexOf(name);
    if (index < 0) {
      const names = this.names.filter((known) => known !== undefined).join(", ") || "none: the pattern has no =name";
      throw new RangeError(`unknown name: ${name} (expected ${names})`);
    }
    return this.nodes[index]!;
  }

  /** How it looks in a console. @internal */
  [INSPECT](_depth?: unknown, ...how: Inspecting): string {
    const { nodes, sentence } = this;
    const words = nodes.map((i, k) => `${this.names[k] ? `${this.names[k]}: ` : ""}${i > 0 ? sentence.form(i) : ""}`);
    return inspected("Match", { nodes, words }, ...how);
  }
}

/** A compiled pattern. Create it once and use it for many sentences. */
export class Matcher {
  /** The pattern that it was made of. */
  readonly pattern: Pattern;
  /** The name of each word of a match, undefined for those without. */
  readonly names: readonly (string | undefined)[];
  private readonly view = new SentenceView();
  private readonly plans: readonly Plan[];
  private readonly width: number;
  /** The word of each slot. What a plan has not bound yet may be left from before: plans know what is bound when. */
  private readonly words: Int32Array;
  private results = new Int32Array(256);
  private count = 0;
  private stopAtFirst = false;
  /** The written order is the order in which words are bound, so that matches come sorted. */
  private isSorted = true;

  /** @param pattern as text, or as `parsePattern` gives it */
  constructor(pattern: string | Pattern) {
    if (typeof pattern !== "string" && !Array.isArray((pattern as Pattern | null)?.clauses)) {
      throw new TypeError(`invalid pattern: ${shown(pattern)} (expected text or an object with clauses)`);
    }
    this.pattern = typeof pattern === "string" ? parsePattern(pattern) : pattern;
    const resolved = resolve(this.pattern);
    this.width = resolved.width;
    this.names = resolved.names.slice(0, resolved.width);
    this.words = new Int32Array(resolved.names.length);
    this.plans = new Compiler(this.pattern, this.view).plans(resolved);
  }

  /**
   * All matches, each assignment of words to the words of the pattern once, in the order of the word numbers: first
   * those of the first `{…}`, then of the second, and so on. Throws TooManyMatches beyond a million.
   * @param sentence the sentence
   */
  match<S extends MatchableSentence>(sentence: S): Match<S>[] {
    checkSentence(sentence);
    this.view.set(sentence);
    return this.matches(sentence);
  }

  /**
   * The matches of all sentences of an index, one sentence after the other.
   * @param treebank the indexed treebank
   */
  matchAll<S extends MatchableSentence>(treebank: IndexedTreebank<S>): Match<S>[] {
    check("treebank", treebank, TREEBANK);
    const found: Match<S>[] = [];
    treebank.sentences.forEach((_, place) => {
      for (const match of this.matchAt(treebank, place)) found.push(match);
    });
    return found;
  }

  /**
   * The matches of one sentence of an index.
   * @param treebank the indexed treebank
   * @param place the number of the sentence, from 0
   */
  matchAt<S extends MatchableSentence>(treebank: IndexedTreebank<S>, place: number): Match<S>[] {
    this.setPlace(treebank, place);
    return this.matches(treebank.sentences[place]!);
  }

  /**
   * Whether there is a match in a sentence of an index.
   * @param treebank the indexed treebank
   * @param place the number of the sentence, from 0
   */
  testAt(treebank: IndexedTreebank, place: number): boolean {
    this.setPlace(treebank, place);
    this.run(true);
    return this.count > 0;
  }

  private setPlace(treebank: IndexedTreebank, place: number): void {
    check("treebank", treebank, TREEBANK);
    check("place", place, wholeNumber(0, treebank.sentences.length - 1));
    this.view.setIndexed(treebank, place);
  }

  /**
   * Whether sentences may match whose words have no other values than these, with _ for none; asked before they are
   * read. False is certain.
   * @param valuesOf gives the values that words have in a column
   */
  canMatch(valuesOf: (column: Column) => readonly string[]): boolean {
    check("valuesOf", valuesOf, FUNCTION);
    const isPossible = ({ column }: WordTest) => column === undefined || column.passesOne(valuesOf(column.name));
    return this.plans.some((plan) => plan.starts.every((slot) => plan.testsOf(slot).every(isPossible)));
  }

  private matches<S extends MatchableSentence>(sentence: S): Match<S>[] {
    this.run(false);
    const { width, results, names, count } = this;
    const matches: Match<S>[] = [];
    const order = count > 1 && !this.isSorted ? this.order() : undefined;
    const length = order?.length ?? count;
    for (let k = 0; k < length; k++) {
      const from = order === undefined ? k * width : order[k]!;
      const nodes: number[] = [];
      for (let slot = 0; slot < width; slot++) nodes.push(results[from + slot]!);
      matches.push(new Match(sentence, nodes, names));
    }
    return matches;
  }

  /**
   * Whether there is a match.
   * @param sentence the sentence
   */
  test(sentence: MatchableSentence): boolean {
    checkSentence(sentence);
    this.view.set(sentence);
    this.run(true);
    return this.count > 0;
  }

  private run(stopAtFirst: boolean): void {
    this.count = 0;
    this.stopAtFirst = stopAtFirst;
    this.isSorted = this.plans.length === 1;
    for (const plan of this.plans) {
      this.words.fill(0);
      if (this.begin(plan, true) && stopAtFirst) return;
    }
  }

  /** Where the matches begin in `results`, sorted and without repetitions. */
  private order(): number[] {
    const { width, count, results } = this;
    const places = Array.from({ length: count }, (_, k) => k * width);
    const compare = (a: number, b: number) => {
      for (let k = 0; k < width; k++) {
        const difference = results[a + k]! - results[b + k]!;
        if (difference !== 0) return difference;
      }
      return 0;
    };
    places.sort(compare);
    return places.filter((place, k) => k === 0 || compare(places[k - 1]!, place) !== 0);
  }

  /** Runs a plan; true if the search is over. */
  private begin(plan: Plan, isTop: boolean): boolean {
    for (const check of plan.entry) if (!this.holds(check)) return false;
    const start = isTop ? this.rarest(plan) : -1;
    if (start === NOWHERE) return false;
    const steps = plan.stepsFrom(start);
    if (isTop && !inOrder(steps)) this.isSorted = false;
    return this.search(plan, steps, 0);
  }

  /** The word of the pattern with the fewest candidates, NOWHERE if one has none. */
  private rarest(plan: Plan): number {
    let best = plan.starts.length > 0 ? plan.starts[0]! : -1;
    let fewest = Number.POSITIVE_INFINITY;
    for (const slot of plan.starts) {
      const tests = plan.testsOf(slot);
      if (tests.length === 0 || fewest <= FEW) break;
      const count = this.countCandidates(tests, fewest);
      if (count === 0) return NOWHERE;
      if (count < fewest) {
        fewest = count;
        best = slot;
      }
    }
    return best;
  }

  private countCandidates(tests: readonly WordTest[], limit: number): number {
    const { column } = tests[0]!;
    if (column !== undefined) {
      const count = this.view.count(column, limit);
      if (count === 0 || tests.length === 1) return count;
    }
    let count = 0;
    for (let word = 1; word <= this.view.length && count < limit; word++) if (this.passes(tests, word)) count++;
    return count;
  }

  private search(plan: Plan, steps: readonly Step[], at: number): boolean {
    if (at === steps.length) return this.addOptional(plan, 0);
    const step = steps[at]!;
    const { view, words } = this;
    const from = step.from < 0 ? 0 : words[step.from]!;
    let low = 1;
    let high = view.length;
    switch (step.source) {
      case ALL:
        break;
      case HEAD:
        low = high = view.heads[from]!;
        break;
      case IDENTICAL:
        low = high = from;
        break;
      case LATER:
        low = from + step.arc!.fewest;
        high = Math.min(high, from + step.arc!.most);
        break;
      case EARLIER:
        low = Math.max(1, from - step.arc!.most);
        high = from - step.arc!.fewest;
        break;
      case ANCESTORS: {
        let word = view.heads[from]!;
        for (let steps_ = 0; word > 0 && steps_ < view.length; steps_++, word = view.heads[word]!) {
          if (this.take(plan, steps, at, step, word)) return true;
        }
        return false;
      }
      case CHILDREN:
      case SIBLINGS: {
        const head = step.source === CHILDREN ? from : view.heads[from]!;
        if (head < 0) return false;
        view.loadChildren();
        const end = view.childStart[head + 1]!;
        for (let k = view.childStart[head]!; k < end; k++) {
          if (this.take(plan, steps, at, step, view.children[k]!)) return true;
        }
        return false;
      }
    }
    if (low < 1) return false;
    for (let word = low; word <= high; word++) if (this.take(plan, steps, at, step, word)) return true;
    return false;
  }

  /** Tries a word and goes on. */
  private take(plan: Plan, steps: readonly Step[], at: number, step: Step, word: number): boolean {
    if (!this.passes(step.tests, word)) return false;
    const { words } = this;
    for (const slot of step.distinctFrom) if (words[slot] === word) return false;
    words[step.slot] = word;
    for (const check of step.checks) if (!this.holds(check)) return false;
    return this.search(plan, steps, at + 1);
  }

  private passes(tests: readonly WordTest[], word: number): boolean {
    for (const test of tests) {
      if (test.column !== undefined) {
        if (!this.view.passes(test.column, word)) return false;
      } else if (test.flag !== undefined) {
        if (!test.value(hasFlag(this.view.sentence, test.flag, word) ? "" : undefined)) return false;
      } else if (!test.value(String(word))) return false;
    }
    return true;
  }

  /** All ways to add the optional parts from one on, each left out if there is none. */
  private addOptional(plan: Plan, index: number): boolean {
    if (index === plan.optionals.length) return this.complete(plan);
    const { plans, slots } = plan.optionals[index]!;
    let found = false;
    for (const part of plans) {
      for (const slot of slots) this.words[slot] = 0;
      part.found = false;
      if (this.begin(part, false)) return true;
      found ||= part.found;
    }
    // Matches with and without optional parts, and of several alternatives of one, do not come sorted.
    this.isSorted = false;
    if (found) return false;
    for (const slot of slots) this.words[slot] = 0;
    return this.addOptional(plan, index + 1);
  }

  /** All words of the plan are bound. */
  private complete(plan: Plan): boolean {
    if (plan.isNegation) return true;
    if (plan.parent !== undefined) {
      plan.found = true;
      return this.addOptional(plan.parent, plan.index + 1);
    }
    const { width, count } = this;
    if (count === MOST_MATCHES) throw new TooManyMatches(this.view.length);
    if (this.results.length < (count + 1) * width) {
      const larger = new Int32Array(2 * this.results.length + width);
      larger.set(this.results);
      this.results = larger;
    }
    for (let slot = 0; slot < width; slot++) this.results[count * width + slot] = this.words[slot]!;
    this.count++;
    return this.stopAtFirst;
  }

  private holds(check: Check): boolean {
    switch (check.kind) {
      case "arc":
        return this.related(check.arc);
      case "tests":
        return this.passes(check.tests, this.words[check.slot]!);
      case "compare":
        return this.compares(check.comparing);
      case "not":
        for (const plan of check.plans) if (this.begin(plan, false)) return false;
        return true;
    }
  }

  private related(arc: Arc): boolean {
    const { view } = this;
    const a = this.words[arc.a]!;
    const b = this.words[arc.b]!;
    switch (arc.kind) {
      case CHILD:
        return view.heads[b] === a;
      case DESCENDANT:
        return this.descends(a, b, arc);
      case SIBLING:
        return a !== b && view.heads[a]! >= 0 && view.heads[a] === view.heads[b];
      case ORDER:
        return b - a >= arc.fewest && b - a <= arc.most;
      case SAME:
        return a === b;
      case ENHANCED:
        return view.hasEnhanced(a, b, arc.edgeLabel);
      default:
        return false;
    }
  }

  private descends(ancestor: number, word: number, { fewest, most, pathLabel }: Arc): boolean {
    const { view } = this;
    // A treebank that is let through although it has cycles must not keep us here for ever.
    for (let steps = 1; steps <= most && steps <= view.length; steps++) {
      if (pathLabel !== undefined && !view.passes(pathLabel, word)) return false;
      word = view.heads[word]!;
      if (word === ancestor) return steps >= fewest;
      if (word <= 0) return false;
    }
    return false;
  }

  private compares({ left, right, operator, value, loose }: Comparing): boolean {
    const a = this.value(left);
    if (right === undefined) return value(a);
    return comparesTo(a, operator!, this.value(right), loose);
  }

  private value({ slot, attribute, name }: Operand): string | undefined {
    if (slot === SENTENCE) return sentenceValue(this.view.sentence, name);
    return wordValue(this.view.sentence, attribute!, this.words[slot]!);
  }
}

const NOWHERE = -2;
const TREEBANK = having("a TreebankIndex", "column");

function inOrder(steps: readonly Step[]): boolean {
  for (let k = 1; k < steps.length; k++) if (steps[k]!.slot < steps[k - 1]!.slot) return false;
  return steps.every(({ source }) => source !== ANCESTORS);
}

/** The last patterns that were given as text, so that match() in a loop compiles once. */
const compiled = new Map<string, Matcher>();
const MOST_COMPILED = 32;

function checkSentence(sentence: unknown): void {
  const { length, form } = (sentence ?? {}) as Partial<MatchableSentence>;
  if (typeof length === "number" && typeof form === "function") return;
  throw new TypeError(`invalid sentence: ${shown(sentence)} (expected a Sentence)`);
}

/**
 * All matches of a pattern in a sentence; see Matcher.match. Throws a PatternError if the text is not a valid pattern.
 *
 * @param sentence the sentence to search
 * @param pattern the pattern, as text, parsed or compiled
 * @example
 * ```ts
 * import { match, readTreebank } from "@stemma/core";
 *
 * const conllu = "1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\treads\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
 * for (const sentence of readTreebank(conllu)) {
 *   for (const found of match(sentence, "{upos:VERB}=verb >nsubj {}=subject")) console.log(found.words.subject?.form);
 * }
 * ```
 */
export function match<S extends MatchableSentence>(sentence: S, pattern: string | Pattern | Matcher): Match<S>[] {
  if (pattern instanceof Matcher) return pattern.match(sentence);
  if (typeof pattern !== "string") return new Matcher(pattern).match(sentence);
  let matcher = compiled.get(pattern);
  if (matcher === undefined) {
    matcher = new Matcher(pattern);
    if (compiled.size >= MOST_COMPILED) compiled.delete(compiled.keys().next().value!);
    compiled.set(pattern, matcher);
  }
  return matcher.match(sentence);
}
