import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTokenizer } from "../../src/encoder/learning/tokenizer-json.js";
import { WordPieces } from "../../src/encoder/word-pieces.js";
import { oddStrings } from "../odd-strings.js";
import { TINY_VOCABULARY, tokenizerOf } from "./tiny-encoder.js";

function piecesOf(lowercase: boolean): WordPieces {
  const { pieces, vocabulary } = readTokenizer(tokenizerOf(TINY_VOCABULARY, lowercase));
  return new WordPieces(pieces, vocabulary);
}

const shown = (text: string, lowercase = true) =>
  piecesOf(lowercase)
    .of(text)
    .map((piece) => TINY_VOCABULARY[piece]);

test("the longest piece comes first, and a word without pieces is unknown", () => {
  expect(shown("the undoing")).toEqual(["the", "un", "##d", "##o", "##ing"]);
  expect(shown("boats, unable!")).toEqual(["boat", "##s", ",", "un", "##able", "!"]);
  expect(shown("mill 中the文a")).toEqual(["mill", "中", "the", "文", "a"]);
  expect(shown("naïve 한")).toEqual(["n", "##a", "##i", "##v", "##e", "[UNK]"]);
  expect(shown(`${"a".repeat(100)} ${"a".repeat(101)}`)).toEqual(["a", ...new Array(99).fill("##a"), "[UNK]"]);
  expect(shown("THE Ab é", false)).toEqual(["[UNK]", "A", "##b", "é"]);
  expect(shown("[SEP]the[CLS]")).toEqual(["[SEP]", "the", "[CLS]"]);
  expect(shown("\u0000\u200b\ufeff")).toEqual([]);
});

/** Pieces of the strings by the package `tokenizers` of PyPI (0.23.3), as the hash of their numbers. */
const HASHES = {
  true: "ec0d2938624ee0f4ccbb3dfd7bdfb2e974ab5ecc93721ec8d9f3f07e73d1499d",
  false: "3b58701bc1defab996a4855c5b211b057ca38be97e27e6f941a84eb1e3f830ee",
} as const;

const SCRIPT = `
import sys, json
from tokenizers import Tokenizer
tokenizer = Tokenizer.from_file(sys.argv[1])
strings = json.load(open(sys.argv[2], encoding="utf-8"))
print(json.dumps([e.ids for e in tokenizer.encode_batch(strings, add_special_tokens=False)]))
`;
const PYTHON = [process.env.PYTHON ?? "", "python3", "python"].find(
  (python) => python && spawnSync(python, ["-c", "import tokenizers"]).status === 0,
);
if (!PYTHON)
  console.log("word-pieces.test.ts: not compared with Python (pip install tokenizers; set PYTHON): stored hashes are");

describe.each([true, false])("10,000 odd strings, lower case: %s", (lowercase) => {
  const strings = oddStrings(10_000, 7);
  const pieces = piecesOf(lowercase);
  const found = strings.map((text) => [...pieces.of(text)]);

  test("have the pieces that the package tokenizers gave", () => {
    const hash = createHash("sha256").update(JSON.stringify(found)).digest("hex");
    expect(hash).toBe(HASHES[`${lowercase}`]);
  });

  test.skipIf(!PYTHON)(
    "have the pieces that the package tokenizers gives",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "stemma-pieces-"));
      try {
        const [tokenizer, list] = [join(folder, "tokenizer.json"), join(folder, "strings.json")];
        writeFileSync(tokenizer, tokenizerOf(TINY_VOCABULARY, lowercase));
        writeFileSync(list, JSON.stringify(strings));
        const options = { encoding: "utf8", maxBuffer: 1 << 28 } as const;
        const expected = JSON.parse(execFileSync(PYTHON!, ["-c", SCRIPT, tokenizer, list], options)) as number[][];
        const wrong = strings.filter((_, s) => String(found[s]) !== String(expected[s]));
        expect(wrong).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    60_000,
  );
});
