import { detached } from "../../math/detached.js";
import { hashString, NO_FEATURE, scramble } from "../../math/hash.js";
import { BEST_GUESS } from "./tag-guesser.js";

/**
 * Words longer than this are taken for their two ends put together, so that no word costs more than this to look at.
 */
const LONGEST = 64;
/** Types kept at once; beyond it the table starts anew with the next sentence. */
const MOST_TYPES = 1 << 15;

const PREFIXES = 4;
const SUFFIXES = 5;

/**
 * The view of a word from each place: from its own, the next one, the one before, and from two words off on either
 * side.
 */
const OWN = 5 + PREFIXES + SUFFIXES;
const NEAR = 4;
const FAR = 2;
/** For each place how far it is from the word that is tagged, and where its features begin; the last is the end. */
const PLACES = [0, -1, 1, -2, 2] as const;
const WINDOW_FROM = [0, OWN, OWN + NEAR, OWN + 2 * NEAR, OWN + 2 * NEAR + FAR, OWN + 2 * NEAR + 2 * FAR] as const;
/** Number of features that depend on one word of the window each, and of those of the word and its next neighbours. */
export const WINDOW = WINDOW_FROM[PLACES.length];
export const NARROW_WINDOW = WINDOW_FROM[3];
/**
 * Number of features that combine words with each other or with tags, and of those among them that FEATS are chosen by.
 */
export const MIXED = 30;
export const MIXED_FOR_FEATS = 14;
/** Number of features that combine words with what is guessed of them, if there are guesses. */
export const GUESSED = 10;

// The row of a type: values to be combined with others, then whole features, place by place.
const FORM = 0;
const LOWER = 1;
const SHAPE = 2;
const CLASS = 3;
const SUFFIX2 = 4;
const SUFFIX3 = 5;
const CAPITAL = 6;
const FEATURES = 7;
const STRIDE = FEATURES + WINDOW;

/** A tab is never part of a word: it stands for the places outside the sentence, and before a word for a hidden one. */
const TAB = "\t";

/** The tags and analyses that features look at: those before the word, and what is expected after it. */
export interface TagContext {
  tag1: number;
  tag2: number;
  analysis1: number;
  next1: number;
  next2: number;
}

/**
 * The features of the words of a sentence. What depends on one word only is computed once for each word type and kept
 * in a table; what combines several is computed when asked for.
 */
export class TaggerFeatures {
  /** Type of each word, with two places before and after the sentence: word i is at i + 2. */
  private types = new Int32Array(64);
  /** How the words of the sentence begin: none with a capital letter, all, most, or fewer. */
  private style = 0;
  private readonly numbers = new Map<string, number>();
  private table = new Int32Array(STRIDE << 8);

  constructor(
    /** For a lower-cased word the number of the set of tags that it has in the training data. */
    private readonly classOf: ReadonlyMap<string, number>,
  ) {}

  /** Take up a sentence. */
  bind(forms: readonly string[]): void {
    const n = forms.length;
    if (this.numbers.size > MOST_TYPES) this.numbers.clear();
    if (this.types.length < n + 4) this.types = new Int32Array(2 * (n + 4));
    const { types } = this;
    types[0] = types[1] = types[n + 2] = types[n + 3] = this.typeOf(TAB);
    let small = 0;
    let capital = 0;
    for (let i = 0; i < n; i++) {
      const type = this.typeOf(forms[i]!);
      types[i + 2] = type;
      const kind = this.table[type * STRIDE + CAPITAL]!;
      if (kind === 1) small++;
      else if (kind === 2) capital++;
    }
    this.style = capital === 0 ? 1 : small === 0 ? 2 : capital > small ? 3 : 4;
  }

  /** In training: let word i look like one that was never seen. */
  hide(i: number, form: string): void {
    this.types[i + 2] = this.typeOf(TAB + form);
  }

  /** Write the features of the window around word i. */
  window(i: number, target: Int32Array): void {
    const { table, types } = this;
    for (let place = 0, f = 0; place < PLACES.length; place++) {
      const at = types[i + 2 + PLACES[place]!]! * STRIDE + FEATURES;
      for (; f < WINDOW_FROM[place + 1]!; f++) target[f] = table[at + f]!;
    }
  }

  /** Write the features of word i that combine words and tags, after those of the window. */
  mixed(i: number, { tag1, tag2, analysis1, next1, next2 }: TagContext, target: Int32Array): void {
    const { table, types } = this;
    const word = types[i + 2]! * STRIDE;
    const p1 = types[i + 1]! * STRIDE;
    const p2 = types[i]! * STRIDE;
    const n1 = types[i + 3]! * STRIDE;
    const n2 = types[i + 4]! * STRIDE;
    const form = table[word + FORM]!;
    const lower = table[word + LOWER]!;
    const suffix3 = table[word + SUFFIX3]!;
    const cls = table[word + CLASS]!;
    const before = table[p1 + LOWER]!;
    const after = table[n1 + LOWER]!;
    const beforeClass = table[p1 + CLASS]!;
    const afterClass = table[n1 + CLASS]!;
    // Tags from 1 up, as 0 would stand for no feature.
    const t1 = tag1 + 2;
    const a1 = t1 + (next1 + 2) * 1024;
    const t12 = t1 + (tag2 + 2) * 1024;
    const next = next1 + 2 + (next2 + 2) * 1024;
    target[WINDOW] = mix(6, analysis1 + 2, 1);
    target[WINDOW + 1] = mix(7, analysis1 + 2, suffix3);
    target[WINDOW + 2] = mix(4, suffix3, t1);
    target[WINDOW + 3] = mix(11, suffix3, next1 + 2);
    target[WINDOW + 4] = mix(15, before, lower);
    target[WINDOW + 5] = mix(16, lower, after);
    target[WINDOW + 6] = mix(3, lower, t1);
    target[WINDOW + 7] = mix(10, lower, next1 + 2);
    target[WINDOW + 8] = mix(1, t1, 1);
    target[WINDOW + 9] = mix(2, t12, 1);
    target[WINDOW + 10] = mix(5, cls, t12);
    target[WINDOW + 11] = mix(8, next1 + 2, 1);
    target[WINDOW + 12] = mix(9, next, 1);
    target[WINDOW + 13] = mix(12, a1, 1);
    target[WINDOW + 14] = mix(13, cls, a1);
    target[WINDOW + 15] = mix(14, cls, next);
    target[WINDOW + 16] = mix(17, before, after);
    target[WINDOW + 17] = mix(18, after, table[n2 + LOWER]!);
    target[WINDOW + 18] = mix(19, before, table[p2 + LOWER]!);
    target[WINDOW + 19] = mix(20, cls, afterClass);
    target[WINDOW + 20] = mix(21, lower, afterClass);
    target[WINDOW + 21] = mix(22, beforeClass, scramble(cls + afterClass));
    target[WINDOW + 22] = mix(23, form, i === 0 ? 1 : 2);
    target[WINDOW + 23] = mix(24, table[word + SHAPE]!, i === 0 ? 1 : 2);
    target[WINDOW + 24] = mix(25, table[word + SUFFIX2]!, table[n1 + SUFFIX2]!);
    target[WINDOW + 25] = mix(26, cls, table[n2 + CLASS]!);
    target[WINDOW + 26] = mix(27, table[word + SHAPE]!, this.style);
    target[WINDOW + 27] = mix(28, cls, this.style);
    target[WINDOW + 28] = mix(29, suffix3, scramble(table[word + SHAPE]! + (i === 0 ? 1 : 2)));
    target[WINDOW + 29] = mix(30, suffix3, scramble(beforeClass + afterClass));
  }

  /** Write the features of word i, from a place on, that have to do with guesses. */
  guessed(i: number, guesses: Int32Array, target: Int32Array, at: number): void {
    const { table, types } = this;
    const word = types[i + 2]! * STRIDE;
    const all = guesses[i]! + 1;
    const best = bestGuess(guesses, i);
    const shape = table[word + SHAPE]!;
    const pairs = [best, 1, all, 1, best, table[word + LOWER]!, best, shape];
    pairs.push(best, scramble(shape + (i === 0 ? 1 : 2)), best, table[word + SUFFIX3]!, best, table[word + CLASS]!);
    pairs.push(all, shape, best, bestGuess(guesses, i - 1), best, bestGuess(guesses, i + 1));
    for (let k = 0; k < GUESSED; k++) target[at + k] = mix(41 + k, pairs[2 * k]!, pairs[2 * k + 1]!);
  }

  private typeOf(form: string): number {
    if (form.length > LONGEST) form = form.slice(0, LONGEST / 2) + form.slice(-LONGEST / 2);
    let type = this.numbers.get(form);
    if (type !== undefined) return type;
    type = this.numbers.size;
    this.numbers.set(detached(form), type);
    if ((type + 1) * STRIDE > this.table.length) {
      const wider = new Int32Array(2 * this.table.length);
      wider.set(this.table);
      this.table = wider;
    }
    this.fill(type * STRIDE, form);
    return type;
  }

  private fill(row: number, key: string): void {
    const { table } = this;
    const hidden = key.length > 1 && key.startsWith(TAB);
    const form = hidden ? key.slice(1) : key;
    const lower = form.toLowerCase();
    const { length } = lower;
    const cls = hidden ? undefined : this.classOf.get(lower);
    table[row + FORM] = hidden ? NO_FEATURE : hashString(form);
    table[row + LOWER] = hidden ? NO_FEATURE : hashString(lower);
    table[row + SHAPE] = shapeOf(form);
    table[row + CAPITAL] = capitalOf(form);
    table[row + SUFFIX2] = hashString(lower.slice(-2));
    table[row + SUFFIX3] = hashString(lower.slice(-3));
    // Words without a class are told apart by what they look like.
    table[row + CLASS] = cls === undefined ? scramble(table[row + SUFFIX2]! ^ table[row + SHAPE]!) : scramble(cls + 1);
    let at = row + FEATURES;
    table[at++] = mix(101, 1, 1);
    table[at++] = mix(102, table[row + FORM]!, 1);
    table[at++] = mix(103, table[row + LOWER]!, 1);
    table[at++] = mix(104, table[row + SHAPE]!, 1);
    table[at++] = mix(105, table[row + CLASS]!, 1);
    for (let k = 1; k <= PREFIXES; k++) {
      table[at++] = k < length ? mix(110 + k, hashString(lower.slice(0, k)), 1) : NO_FEATURE;
    }
    for (let k = 1; k <= SUFFIXES; k++) {
      table[at++] = k < length ? mix(120 + k, hashString(lower.slice(-k)), 1) : NO_FEATURE;
    }
    for (let place = 1; place < PLACES.length; place++) {
      table[at++] = mix(130 + place, table[row + LOWER]!, 1);
      table[at++] = mix(140 + place, table[row + CLASS]!, 1);
      if (place > 2) continue;
      table[at++] = mix(150 + place, table[row + SUFFIX3]!, 1);
      table[at++] = mix(160 + place, table[row + SHAPE]!, 1);
    }
  }
}

/** From 1 up, as 0 would stand for no feature. */
function bestGuess(guesses: Int32Array, i: number): number {
  return i < 0 || i >= guesses.length ? 1 : (guesses[i]! & BEST_GUESS) + 2;
}

function mix(seed: number, a: number, b: number): number {
  if (a === NO_FEATURE || b === NO_FEATURE) return NO_FEATURE;
  return scramble(Math.imul(a + Math.imul(seed, 0x85ebca6b), 0x9e3779b1) ^ b);
}

/** Kinds of characters in the order in which they come, repetitions left out, at most six of them. */
function shapeOf(form: string): number {
  let shape = form.length === 1 ? 2 : 1;
  let last = -1;
  for (let i = 0; i < form.length && shape < 1 << 18; i++) {
    const kind = kindOf(form, i);
    if (kind !== last) shape = 8 * shape + kind;
    last = kind;
  }
  return scramble(shape);
}

/** 1 for a word that begins with a small letter, 2 for a capital, 0 for others. */
function capitalOf(form: string): number {
  const kind = kindOf(form, 0);
  return kind <= 2 ? kind : 0;
}

function kindOf(form: string, i: number): number {
  const code = form.charCodeAt(i);
  if (code >= 97 && code <= 122) return 1;
  if (code >= 65 && code <= 90) return 2;
  if (code >= 48 && code <= 57) return 3;
  if (code === 45) return 4;
  if (code === 39 || code === 46 || code === 0x2019) return 5;
  if (code < 128) return 6;
  const character = form[i]!;
  const small = character.toLowerCase();
  if (small !== character) return 2;
  return small.toUpperCase() !== small ? 1 : 7;
}
