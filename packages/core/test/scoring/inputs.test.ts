import { expect, test } from "vitest";
import { hashString } from "../../src/math/hash.js";
import {
  FIRST_ROW,
  InputTable,
  inputKeys,
  MOST_KEYS,
  ROOT_ROW,
  UNKNOWN_ROW,
  wordKey,
} from "../../src/scoring/network/inputs.js";

const word = (form: string, feats = "_") => ({
  length: 1,
  form: () => form,
  lemma: () => "lemma",
  upos: () => "NOUN",
  xpos: () => "NN",
  feats: () => feats,
});

function keysOf(kind: Parameters<typeof inputKeys>[0], words: ReturnType<typeof word>): number[] {
  const out = new Int32Array(MOST_KEYS);
  return [...out.subarray(0, inputKeys(kind, words, 1, out))];
}

test("every feature of a word is a key", () => {
  const keys = keysOf("feats", word("boats", "Case=Nom|Gender=Masc|Number=Plur"));
  expect(keys).toEqual(["Case=Nom", "Gender=Masc", "Number=Plur"].map((feature) => hashString(feature)));
  expect(keysOf("feats", word("boats", "Number=Plur"))).toEqual([hashString("Number=Plur")]);
  expect(keysOf("feats", word("boats"))).toEqual([]);
  expect(keysOf("feats", word("boats", ""))).toEqual([]);
  const many = Array.from({ length: MOST_KEYS + 3 }, (_, i) => `F${i}=x`);
  expect(keysOf("feats", word("x", many.join("|")))).toEqual(many.slice(0, MOST_KEYS).map((one) => hashString(one)));
});

test("affixes: suffixes up to four letters, prefixes up to three, shorter than the word, and the shape", () => {
  const affixes = (suffixes: string[], prefixes: string[], shape: string) => [
    ...suffixes.map((text) => hashString(text, text.length)),
    ...prefixes.map((text) => hashString(text, 16 + text.length)),
    hashString(shape, 32),
  ];
  expect(keysOf("affixes", word("McCoy-7"))).toEqual(affixes(["7", "-7", "y-7", "oy-7"], ["m", "mc", "mcc"], "AaAa-0"));
  expect(keysOf("affixes", word("ab"))).toEqual(affixes(["b", "ab"], ["a"], "a"));
});

test("what is not in a table is one row for a word, and nothing for a feature", () => {
  const table = (kind: "word" | "feats", ...keys: number[]) =>
    new InputTable(kind, Uint32Array.from(keys.map((key) => key >>> 0)).sort());
  const rows = (of: InputTable, words: ReturnType<typeof word>, i = 1) => {
    const out = new Int32Array(MOST_KEYS);
    return [...out.subarray(0, of.rowsOf(words, i, out))];
  };
  const forms = table("word", wordKey("Boats"));
  expect(forms.size).toBe(FIRST_ROW + 1);
  expect(rows(forms, word("BOATS"))).toEqual([FIRST_ROW]);
  expect(rows(forms, word("ships"))).toEqual([UNKNOWN_ROW]);
  expect(rows(forms, word("boats"), 0)).toEqual([ROOT_ROW]);
  const features = table("feats", hashString("Number=Plur"));
  expect(rows(features, word("boats", "Case=Nom|Number=Plur"))).toEqual([FIRST_ROW]);
  expect(rows(features, word("boats", "Case=Nom"))).toEqual([]);
});
