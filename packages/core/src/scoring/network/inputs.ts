import { check, STRING } from "../../checks/options.js";
import type { Words } from "../../features/columns.js";
import { hashString } from "../../math/hash.js";

/**
 * The inputs of a network for a word. Each kind is a table of embeddings; where a word has several keys of a kind (its
 * features, its affixes) their embeddings are added up. `vector` is a table of pre-trained vectors, which training
 * leaves as they are. `contextual` are vectors that know the sentence of a word (`ContextualVectors`); in the table
 * there is only what stands for node 0.
 */
export const INPUT_KINDS = ["word", "lemma", "upos", "xpos", "feats", "affixes", "vector", "contextual"] as const;
/** One of `INPUT_KINDS`. */
export type InputKind = (typeof INPUT_KINDS)[number];

/**
 * Row of what is not in a table (in training also of what is hidden), and row of node 0; rows of keys come after them.
 */
export const UNKNOWN_ROW = 0;
export const ROOT_ROW = 1;
export const FIRST_ROW = 2;

/** Keys that a word has of one kind, at most. */
export const MOST_KEYS = 24;

/** Writes the keys of word i into `out` and returns how many there are. */
export function inputKeys(kind: InputKind, words: Words, i: number, out: Int32Array): number {
  switch (kind) {
    case "word":
    case "vector":
      out[0] = wordKey(words.form(i));
      return 1;
    case "lemma":
      out[0] = hashString(words.lemma(i));
      return 1;
    case "upos":
      out[0] = hashString(words.upos(i));
      return 1;
    case "xpos":
      out[0] = hashString(words.xpos(i));
      return 1;
    case "feats":
      return featureKeys(words.feats(i), out);
    case "affixes":
      return affixKeys(words.form(i), out);
    case "contextual":
      return 0;
  }
}

/** The key of a form: capitals do not count, and all digits are the same. */
export function wordKey(form: string): number {
  check("form", form, STRING);
  return hashString(form.toLowerCase().replace(/\p{Nd}/gu, "0"));
}

/** Does a kind have several keys for a word? What is not in its table then adds nothing. */
export function isBag(kind: InputKind): boolean {
  return kind === "feats" || kind === "affixes" || kind === "contextual";
}

function featureKeys(feats: string, out: Int32Array): number {
  if (feats === "_" || feats === "") return 0;
  let count = 0;
  let from = 0;
  while (from <= feats.length && count < MOST_KEYS) {
    const bar = feats.indexOf("|", from);
    const end = bar < 0 ? feats.length : bar;
    out[count++] = hashString(feats.slice(from, end));
    from = end + 1;
  }
  return count;
}

const LONGEST_SUFFIX = 4;
const LONGEST_PREFIX = 3;

/** Suffixes of one to four letters, prefixes of one to three, and the shape. */
function affixKeys(form: string, out: Int32Array): number {
  const lower = form.toLowerCase();
  let count = 0;
  for (let k = 1; k <= LONGEST_SUFFIX && k <= lower.length; k++) out[count++] = hashString(lower.slice(-k), k);
  for (let k = 1; k <= LONGEST_PREFIX && k < lower.length; k++) out[count++] = hashString(lower.slice(0, k), 16 + k);
  out[count++] = hashString(shapeOf(form), 32);
  return count;
}

/** Runs of capitals, small letters, digits and everything else as one letter each: "McCoy-7" is AaAa-0. */
function shapeOf(form: string): string {
  return form
    .replace(/\p{Lu}+/gu, "A")
    .replace(/[\p{Ll}\p{Lo}\p{Lt}\p{Lm}]+/gu, "a")
    .replace(/\p{Nd}+/gu, "0")
    .slice(0, 8);
}

/** Keys of a table and their rows. */
export class InputTable {
  private readonly rows = new Map<number, number>();

  /** `keys`: ascending as unsigned numbers, each once. */
  constructor(
    readonly kind: InputKind,
    readonly keys: Uint32Array,
  ) {
    keys.forEach((key, k) => {
      this.rows.set(key | 0, FIRST_ROW + k);
    });
  }

  get size(): number {
    return FIRST_ROW + this.keys.length;
  }

  /**
   * Writes the rows of word i (of node 0 the root's) into `out` and returns how many there are: one, or in bags those
   * that are known.
   */
  rowsOf(words: Words, i: number, out: Int32Array): number {
    if (i === 0) {
      out[0] = ROOT_ROW;
      return 1;
    }
    const keys = inputKeys(this.kind, words, i, out);
    if (!isBag(this.kind)) {
      out[0] = this.rows.get(out[0]!) ?? UNKNOWN_ROW;
      return 1;
    }
    let count = 0;
    for (let k = 0; k < keys; k++) {
      const row = this.rows.get(out[k]!);
      if (row !== undefined) out[count++] = row;
    }
    return count;
  }
}
