// Multiword tokens: which tokens stand for several syntactic words, and for which. Learned per form, with rules by the
// end of the form for tokens that were not seen.
import { record, shownField } from "../../checks/header-fields.js";
import type { Sentence } from "../../treebank/sentence/sentence.js";
import { inPlainTypography } from "../typography/plain-typography.js";

/**
 * How a form is split: places counted from its end, ascending from the left ([3] splits "don't" into "do" and "n't");
 * or the words themselves in lower case, where they do not add up to the form; or [], not at all.
 */
export type Split = readonly number[] | readonly string[];

/** The rules for multiword tokens. Forms and endings are in lower case. */
export interface MultiWordRules {
  readonly forms: Readonly<Record<string, Split>>;
  /** The longest ending that is listed decides for a form that is not. */
  readonly endings: Readonly<Record<string, Split>>;
  /** Forms that are split in some contexts only, if that matters in the treebank: the segmenter decides. */
  readonly byContext?: readonly string[];
}

const LONGEST_ENDING = 8;
const NO_SPLIT: Split = [];
const WHOLE = JSON.stringify(NO_SPLIT);
/** A form depends on its context if both ways are as frequent as this, … */
const FEWEST_EITHER_WAY = 10;
const SMALLEST_SHARE = 0.1;
/** … and it matters if the rarer ways are at least as frequent as this among all that is split. */
const LEAST_WRONG = 0.1;

interface Counts {
  total: number;
  splits: Map<string, number>;
}

/** Learns the rules from a treebank. What the endings already say of a form is not listed again. */
export function learnMultiWordRules(sentences: Iterable<Sentence>): MultiWordRules {
  const seen = new Map<string, Counts>();
  for (const sentence of sentences) {
    const tokens = sentence.multiWordTokens;
    let next = 0;
    for (let i = 1; i <= sentence.length; i++) {
      const token = tokens[next]?.from === i ? tokens[next++] : undefined;
      const form = token?.form ?? sentence.form(i);
      let split: Split = NO_SPLIT;
      if (token !== undefined) {
        const words: string[] = [];
        for (; i <= token.to; i++) words.push(sentence.form(i));
        i--;
        split = splitOf(form, words);
      }
      count(seen, lookedUp(form), JSON.stringify(split));
    }
  }
  if (![...seen.values()].some(({ splits }) => splits.size > 1 || !splits.has(WHOLE)))
    return { forms: {}, endings: {} };
  const byContext = dependent(seen);
  // Whether they are split is decided elsewhere; how, is not.
  for (const form of byContext) seen.get(form)!.splits.delete(WHOLE);

  // Rules are for forms that were not seen, so each form counts once.
  const byEnding = new Map<string, Counts>();
  for (const [form, counts] of seen) {
    const split = commonest(counts);
    const usual = split.startsWith('["') ? "[]" : split;
    for (let length = 0; length <= LONGEST_ENDING && length < form.length; length++) {
      count(byEnding, form.slice(form.length - length), usual);
    }
  }
  // Without a prototype, "__proto__" is a form like any other; the copies that are returned keep it so.
  const endings: Record<string, Split> = Object.create(null);
  const shortFirst = [...byEnding.keys()].sort((a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0));
  const rules: MultiWordRules = { forms: {}, endings };
  for (const ending of shortFirst) {
    const counts = byEnding.get(ending)!;
    if (counts.total < 2) continue;
    const split = commonest(counts);
    const decided = 2 * counts.splits.get(split)! > counts.total ? split : "[]";
    if (decided !== JSON.stringify(byEnd(rules, ending))) endings[ending] = JSON.parse(decided) as Split;
  }
  const forms: Record<string, Split> = Object.create(null);
  for (const [form, counts] of seen) {
    const split = commonest(counts);
    if (split !== JSON.stringify(byEnd(rules, form))) forms[form] = JSON.parse(split) as Split;
  }
  return { forms: { ...forms }, endings: { ...endings }, ...(byContext.length > 0 && { byContext }) };
}

/** The forms that are split in some contexts only, if it pays to tell them. */
function dependent(seen: ReadonlyMap<string, Counts>): string[] {
  let split = 0;
  let wrong = 0;
  const forms: string[] = [];
  for (const [form, { total, splits }] of seen) {
    const whole = splits.get(WHOLE) ?? 0;
    const rarer = Math.min(whole, total - whole);
    split += total - whole;
    if (rarer < Math.max(FEWEST_EITHER_WAY, SMALLEST_SHARE * total)) continue;
    wrong += rarer;
    forms.push(form);
  }
  return wrong >= LEAST_WRONG * split ? forms.sort() : [];
}

function count(table: Map<string, Counts>, key: string, split: string): void {
  let counts = table.get(key);
  if (counts === undefined) table.set(key, (counts = { total: 0, splits: new Map() }));
  counts.total++;
  counts.splits.set(split, (counts.splits.get(split) ?? 0) + 1);
}

/** The most frequent split, the one seen first if there are several. */
function commonest({ splits }: Counts): string {
  let best = "[]";
  let most = 0;
  for (const [split, n] of splits) if (n > most) [best, most] = [split, n];
  return best;
}

function splitOf(form: string, words: readonly string[]): Split {
  if (!isWords(words)) return NO_SPLIT;
  if (words.join("") !== form) return words.map((word) => word.toLowerCase());
  let left = form.length;
  return words.slice(0, -1).map((word) => (left -= word.length));
}

function byEnd({ endings }: MultiWordRules, form: string): Split {
  for (let length = Math.min(LONGEST_ENDING, form.length); length >= 0; length--) {
    const ending = form.slice(form.length - length);
    if (Object.hasOwn(endings, ending)) return endings[ending]!;
  }
  return NO_SPLIT;
}

/** A form as the rules have it. */
export function lookedUp(form: string): string {
  return inPlainTypography(form).toLowerCase();
}

/** The syntactic words of a token, or undefined if it is one itself. */
export function syntacticWords(rules: MultiWordRules, form: string): string[] | undefined {
  const lower = lookedUp(form);
  const split = Object.hasOwn(rules.forms, lower) ? rules.forms[lower]! : byEnd(rules, lower);
  if (split.length === 0) return undefined;
  if (typeof split[0] === "string") return inCaseOf(form, split as readonly string[]);
  const words: string[] = [];
  let from = 0;
  for (const place of split as readonly number[]) {
    const at = form.length - place;
    // A rule may be longer than the form, or lie inside a character that takes two units.
    if (at <= from || isLowSurrogate(form, at)) return undefined;
    words.push(form.slice(from, at));
    from = at;
  }
  words.push(form.slice(from));
  // "shouldn't've" ends in a contraction, and what is before it does, too.
  const [first] = words as [string];
  return lookedUp(first).includes("'") ? [...(syntacticWords(rules, first) ?? [first]), ...words.slice(1)] : words;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000;
}

/** Words in lower case, written like the form: all in capitals, or with a capital first. */
function inCaseOf(form: string, words: readonly string[]): string[] {
  if (form === form.toLowerCase()) return [...words];
  if (form.length > 1 && form === form.toUpperCase()) return words.map((word) => word.toUpperCase());
  const [first, ...rest] = words as [string, ...string[]];
  const initial = String.fromCodePoint(first.codePointAt(0)!);
  return form[0] === form[0]!.toLowerCase()
    ? [...words]
    : [initial.toUpperCase() + first.slice(initial.length), ...rest];
}

/** Checks rules that come from outside; throws a RangeError that names the field. */
export function checkMultiWordRules(value: unknown): MultiWordRules {
  const rules = value as Partial<Record<string, unknown>> | null | undefined;
  for (const field of ["forms", "endings"]) {
    for (const [form, split] of Object.entries(record(rules?.[field], `multiWord.${field}`))) {
      if (!isSplit(split)) {
        const place = `multiWord.${field}[${JSON.stringify(form)}]`;
        throw new RangeError(
          `invalid ${place}: ${shownField(split)} (expected decreasing positive integers, or two or more words, none of them longer than ${LONGEST_WORD}, or nothing)`,
        );
      }
    }
  }
  const { byContext = [] } = value as { byContext?: unknown };
  if (!Array.isArray(byContext) || !byContext.every((form) => typeof form === "string"))
    throw new RangeError(`invalid multiWord.byContext: ${shownField(byContext)} (expected an array of forms)`);
  return value as MultiWordRules;
}

/** Tokens of more than 64 characters are never split; no token stands for more words, or for longer ones. */
const MOST_WORDS = 64;
const LONGEST_WORD = 256;

function isWords(words: readonly string[]): boolean {
  const isWord = (word: string) => word !== "" && word.length <= LONGEST_WORD && !/[\t\n\r]/.test(word);
  return words.length > 1 && words.length <= MOST_WORDS && words.every(isWord);
}

function isSplit(value: unknown): value is Split {
  if (!Array.isArray(value)) return false;
  if (value.length > 0 && value.every((word) => typeof word === "string")) return isWords(value);
  return value.every((place, i) => Number.isInteger(place) && place > 0 && (i === 0 || place < value[i - 1]));
}
