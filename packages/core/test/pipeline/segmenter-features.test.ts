import { describe, expect, test } from "vitest";
import { LINE_END, PAIRS } from "../../src/pipeline/segmenter/characters/character-classes.js";
import { ScannedText } from "../../src/pipeline/segmenter/characters/scanned-text.js";
import { FeatureList } from "../../src/pipeline/segmenter/features/feature-list.js";
import { SENTENCE_END_FEATURES } from "../../src/pipeline/segmenter/features/sentence-end-features.js";
import { TOKEN_END_FEATURES } from "../../src/pipeline/segmenter/features/token-end-features.js";
import { type Decide, Scanner } from "../../src/pipeline/segmenter/scanner.js";

const TEXT =
  "Dr. Mina's e-mail (mina@boats.example) says: “Don’t sell 3.50$ lamps!” Really?\nwww.boats.example/a?b=c and " +
  "https://x.org/ÄÖ…  一二三。四五\tО́ко 👩‍🚀 🇩🇪🇫🇷 U.S. of A. ΑΒΓ abcdefghijklmnopqrstuvwxyzabcdefghijklmnop. I\r\ndo";

describe("a list of features", () => {
  test("tells the same value at two places apart, and gives the same for the same", () => {
    const list = new FeatureList(2);
    const fill = () => {
      list.begin();
      list.add(5);
      list.add(5);
      return Array.from(list.end());
    };
    const first = fill();
    expect(first[0]).not.toBe(first[1]);
    expect(fill()).toEqual(first);
  });

  test.each([1, 3])("is not given out with %i features where it has 2", (count) => {
    const list = new FeatureList(2);
    list.begin();
    for (let k = 0; k < count; k++) list.add(k);
    expect(() => list.end()).toThrow(`${count} features in a list (expected 2)`);
  });

  test("has none whose high half is 0, which linear models take for another", () => {
    const list = new FeatureList(1);
    for (let value = 0; value < 300_000; value++) {
      list.begin();
      list.add(value);
      if (list.end()[0]! >>> 16 === 0) expect.fail(`the feature of ${value}`);
    }
  });
});

test("a stretch of text is the same wherever it lies, with line ends around it", () => {
  const [alone, inside] = [new ScannedText(), new ScannedText()];
  alone.load(TEXT, 0, TEXT.length);
  inside.load(`xx${TEXT}yy`, 2, 2 + TEXT.length);
  for (const array of ["classes", "codes", "glued"] as const) {
    expect(inside[array].subarray(0, inside.end + 8)).toEqual(alone[array].subarray(0, alone.end + 8));
  }
  for (let k = 1; k <= 8; k++) {
    expect(inside.classes[inside.start - k]).toBe(LINE_END);
    expect(inside.classes[inside.end + k - 1]).toBe(LINE_END);
  }
  expect([inside.indexOf(2), inside.placeOf(inside.end)]).toEqual([inside.start, 2 + TEXT.length]);
});

// Models are trained on these numbers: if they change, segmenters that were trained before are worth nothing.
test("the features of all places are those that models were trained on", () => {
  const all = new Uint8Array(PAIRS).fill(1);
  const scanner = new Scanner(all, all);
  let hash = 0;
  let places = 0;
  const decide = (length: number): Decide => {
    return (features, place) => {
      expect(features).toHaveLength(length);
      places++;
      for (const feature of features) hash = (Math.imul(hash ^ feature, 0x01000193) + place) | 0;
      return (hash & 3) === 0;
    };
  };
  // Plain: other typography is read as this one, and emoji are no places for a decision.
  const text = TEXT.replace(/[“”]/g, '"')
    .replace("’", "'")
    .replace("…", "...")
    .replace(/👩.* (?=U)/u, "");
  scanner.load(text, 0, text.length);
  scanner.cutTokens(decide(TOKEN_END_FEATURES));
  scanner.cutSentences(decide(SENTENCE_END_FEATURES));
  expect({ places, hash }).toEqual({ places: 220, hash: -2138051300 });
});
