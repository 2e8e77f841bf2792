// Predicates and their arguments (PropBank and the like) as plain data, and how CoNLL-U has them in MISC: on the line
// of the predicate its sense, Pred=give.01, and the arguments by the number of their word, Args=1:ARG0,4:ARG1.
import { check, type Expectation, shown } from "../../../checks/options.js";

/** An argument of a predicate: its word, which is the head of what it consists of, and its role. */
export interface ArgumentData {
  /** Its number in the sentence, from 1. */
  readonly word: number;
  /** ARG0, ARGM-TMP, … */
  readonly role: string;
}

/** A predicate: its word, its sense and its arguments in the order of their words. */
export interface PredicateData {
  /** Its number in the sentence, from 1. */
  readonly word: number;
  /** Such as give.01; "_" if it is not known. */
  readonly sense: string;
  /** Its arguments, by the numbers of their words. */
  readonly arguments: readonly ArgumentData[];
}

/** The predicates in MISC of a sentence, in the order of their words. */
export function predicatesInMisc(length: number, misc: (i: number) => string): PredicateData[] {
  const found: PredicateData[] = [];
  for (let i = 1; i <= length; i++) {
    const predicate = predicateIn(misc(i), i, length);
    if (predicate) found.push(predicate);
  }
  return found;
}

const OWN = /^(Pred|Args)(=|$)/;

/** MISC with a predicate instead of the one it has, before TokenRange and Score; without one if there is none. */
export function withPredicate(misc: string, predicate: PredicateData | undefined): string {
  const items = misc === "_" ? [] : misc.split("|").filter((item) => !OWN.test(item));
  if (predicate) {
    let at = items.length;
    while (at > 0 && /^(TokenRange|Score)=/.test(items[at - 1]!)) at--;
    const own = predicate.arguments.map(({ word, role }) => `${word}:${escaped(role)}`).join(",");
    items.splice(at, 0, `Pred=${escaped(predicate.sense)}`, ...(own === "" ? [] : [`Args=${own}`]));
  }
  return items.join("|") || "_";
}

/** The predicate in MISC of word i; undefined if there is none, or if it is not written as by `withPredicate`. */
export function predicateIn(misc: string, i: number, length: number): PredicateData | undefined {
  if (!misc.includes("Pred=")) return undefined;
  const items = misc.split("|");
  const [sense, ...others] = items.filter((item) => item.startsWith("Pred="));
  if (sense === undefined || sense === "Pred=" || others.length > 0) return undefined;
  const args = items.filter((item) => OWN.test(item) && item !== sense);
  const own: ArgumentData[] = [];
  for (const item of args.flatMap((list) => list.slice("Args=".length).split(","))) {
    const [, word, role] = /^([1-9]\d*):(.+)$/s.exec(item) ?? [];
    if (role === undefined || Number(word) > length) return undefined;
    own.push({ word: Number(word), role: unescaped(role) });
  }
  const isInOrder = own.every(({ word }, k) => k === 0 || own[k - 1]!.word < word);
  if (args.length > 1 || !isInOrder) return undefined;
  return { word: i, sense: unescaped(sense.slice("Pred=".length)), arguments: own };
}

// The separators of items in MISC and of arguments in Args must not be in their names.
const ESCAPES: Readonly<Record<string, string>> = { "|": "\\p", ",": "\\c", "\\": "\\\\" };

function escaped(text: string): string {
  return text.replace(/[|,\\]/g, (char) => ESCAPES[char]!);
}

function unescaped(text: string): string {
  return text.replace(/\\([pc\\])/g, (_, code: string) => (code === "p" ? "|" : code === "c" ? "," : "\\"));
}

const LIST: Expectation = { expected: "a list of predicates", accepts: Array.isArray };

/** Predicates as they are given, checked, in the order of their words; `fail` throws an error. */
export function checkPredicates(
  given: unknown,
  length: number,
  fail: (what: string, value: string, expected: string) => never,
): PredicateData[] {
  check("predicates", given, LIST);
  const isWord = (word: unknown) => Number.isInteger(word) && (word as number) >= 1 && (word as number) <= length;
  const isName = (name: unknown) => typeof name === "string" && name !== "" && !/[\t\n\r]/.test(name);
  const inOrder = <Item extends { word: number }>(what: string, items: Item[]): Item[] => {
    const sorted = items.sort((a, b) => a.word - b.word);
    const twice = sorted.find(({ word }, k) => k > 0 && sorted[k - 1]!.word === word);
    return twice ? fail(what, String(twice.word), "every word once") : sorted;
  };
  const predicates = (given as unknown[]).map((item) => {
    const { word, sense = "_", arguments: own = [] } = Object(item) as Record<string, unknown>;
    if (!isWord(word)) fail("word of a predicate", shown(word), `1 to ${length}`);
    if (!isName(sense)) fail(`sense of the predicate ${word}`, shown(sense), "a string without tab or line end");
    if (!Array.isArray(own)) fail(`arguments of the predicate ${word}`, shown(own), "a list");
    const checked = (own as unknown[]).map((argument) => {
      const { word: place, role } = Object(argument) as Record<string, unknown>;
      if (!isWord(place))
        fail(`argument of the predicate ${word}`, shown(place), `the number of a word, 1 to ${length}`);
      if (!isName(role) || role === "_") fail(`role of word ${place}`, shown(role), "a string without tab or line end");
      return { word: place as number, role: role as string };
    });
    return {
      word: word as number,
      sense: sense as string,
      arguments: inOrder(`argument of the predicate ${word}`, checked),
    };
  });
  return inOrder("word of a predicate", predicates);
}
