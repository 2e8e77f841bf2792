import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align, TokenSpans } from "../../src/evaluation/alignment.js";
import { evaluate } from "../../src/evaluation/evaluation.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";

/**
 * Sentences between "|", words between spaces; "im=in+dem" is a multiword token, "_" a space inside a word. The first
 * word is the root and the head of the others.
 */
function treebank(text: string): Sentence[] {
  return text.split("|").map((part) => {
    const words: { form: string; head: number; deprel: string }[] = [];
    const multiWordTokens: { from: number; to: number; form: string }[] = [];
    for (const token of part.trim().split(" ")) {
      const [form, inside] = token.replaceAll("_", " ").split("=") as [string, string?];
      const from = words.length + 1;
      for (const word of (inside ?? form).split("+")) {
        words.push({ form: word, head: words.length === 0 ? 0 : 1, deprel: words.length === 0 ? "root" : "obj" });
      }
      if (inside !== undefined) multiWordTokens.push({ from, to: words.length, form });
    }
    return Sentence.from({ words, multiWordTokens });
  });
}

describe("alignment", () => {
  it.each([
    // Plain tokens: only those with the same characters.
    ["one two", "one two", 2],
    ["onetwo", "one two", 0],
    ["one twothree four", "one two three four", 2],
    ["New_York", "NewYork", 1],
    ["New_York now", "New York now", 1],
    ["New\u2003York", "NewYork", 1],
    // Multiword tokens: by form, whatever the case, inside their region.
    ["im=in+dem Haus", "im=in+dem Haus", 3],
    ["im=in+dem Haus", "im Haus", 1],
    ["im=in+dem", "im=In+DEM", 2],
    ["im=in+dem", "im=an+dem", 1],
    ["dont=do+nt go", "do nt go", 3],
    ["do nt go", "dont=do+nt go", 3],
    ["dont=do+nt", "don=do+n t", 1],
    ["abc=a+b+c de=d+e", "a bcd=b+c+d e", 5],
    ["x ab=a+b y", "xa b y", 2],
    // After an equal beginning the table decides.
    ["im=x+b", "im=x+a+b", 2],
    ["im=x+y+c+b", "im=x+y+a+b+c+d+b", 4],
    // Sentences that end elsewhere.
    ["one two | three", "one | two three", 3],
    ["one | two | three", "one two three", 3],
    ["ab | cd", "a | bc | d", 0],
    ["go dont=do+nt | now", "go do nt now", 4],
    // Words left over before a region come to lie in it, as with the official scorer.
    ["abcd | e=d", "a b c d | e", 1],
    ["abcd | de=d+e", "a b c d | d e", 2],
  ])("%s  with  %s: %d words", (gold, system, words) => {
    const { scores } = evaluate(treebank(gold), treebank(system));
    expect(scores.words.correct).toBe(words);
    expect(evaluate(treebank(system), treebank(gold)).scores.words.correct).toBe(words);
  });

  it("counts tokens and sentences by their characters", () => {
    const { scores, sameWords } = evaluate(treebank("go im=in+dem | now then"), treebank("go im=an+dem now | then"));
    expect(sameWords).toBe(false);
    expect([scores.tokens.correct, scores.tokens.gold, scores.tokens.system]).toEqual([4, 4, 4]);
    expect([scores.sentences.correct, scores.sentences.gold, scores.sentences.system]).toEqual([0, 2, 2]);
    // Roots are right as roots of any sentence: go, but then is now's dependent in gold.
    expect([scores.uas.correct, scores.uas.gold, scores.uas.system]).toEqual([2, 5, 5]);
  });

  it("precision and recall with more words on one side", () => {
    // a ← root, both; b c of the system are none of gold's; d below a.
    const { scores, counts } = evaluate(treebank("a bc d"), treebank("a b c d"));
    expect([scores.uas.correct, scores.uas.gold, scores.uas.system, scores.uas.aligned]).toEqual([2, 3, 4, 2]);
    expect([scores.uas.precision, scores.uas.recall, scores.uas.f1]).toEqual([2 / 4, 2 / 3, 4 / 7]);
    expect(scores.exactUnlabelled.correct).toBe(0);
    expect(counts).toEqual({ gold: [3], system: [4], uas: [2], las: [2] });
  });

  it("the same words count as such when a format has no multiword tokens", () => {
    const { scores, sameWords } = evaluate(treebank("go im=in+dem Haus"), treebank("go in dem Haus"));
    expect([scores.words.correct, scores.uas.f1, sameWords]).toEqual([4, 1, true]);
    expect([scores.tokens.correct, scores.tokens.gold, scores.tokens.system]).toEqual([2, 3, 4]);
  });
});

describe("places where treebanks differ", () => {
  const file = (text: string) =>
    treebank(text)
      .map((sentence) => sentence.toString())
      .join("");
  const run = (gold: string, system: string, sameWords = false) =>
    evaluate(readTreebank(file(gold)), readTreebank(file(system)), { goldSource: "g", systemSource: "s", sameWords });

  it.each([
    ["other text", "one two | three", "one two | tree", 's:4: invalid text: ree (expected "hree" as in g:4: both must'],
    ["other text later", "one | two | three", "one two | four", 's:4: invalid text: four (expected "three" as in g:5'],
    [
      "other text in the middle",
      "one | two three | four",
      "one | too three | four",
      's:3: invalid text: oothree (expected "wothree" as in g:3:',
    ],
    [
      "too short",
      "one | two",
      "one",
      's:1: invalid end of file: "after 1 sentence" (expected more words: g continues at line 3)',
    ],
    [
      "cut off",
      "one two",
      "one",
      's:1: invalid end of file: "after 1 sentence" (expected more words: g continues at line 2)',
    ],
    ["too long", "one", "one | two", "s:3: invalid words: two (expected the end: g has ended after 1 sentence)"],
    ["longer", "one", "one two", "s:2: invalid words: two (expected the end: g has ended after 1 sentence)"],
  ])("%s", (_, gold, system, message) => {
    expect(() => run(gold, system)).toThrow(message);
  });

  it("with sameWords the first word that differs", () => {
    expect(() => run("one | ab c", "one | a bc", true)).toThrow('s:3:2: invalid FORM: a (expected "ab" as in g:3)');
    expect(() => run("one | a b", "one | a | b", true)).toThrow(
      "s:3: invalid number of words: 1 (expected 2 as in the sentence at g:3)",
    );
    expect(run("au=a+u", "a u", true).scores.words.correct).toBe(2);
  });

  it("more words in multiword tokens than can be compared", () => {
    const token = (word: string) => `T=${Array.from({ length: 8200 }, () => word).join("+")}`;
    expect(() => run(token("x"), token("y"))).toThrow(
      's:2: invalid multiword tokens: "8200 gold words, 8200 system words" (expected fewer than 67108864 pairs of words',
    );
  });

  it("a form of spaces only", () => {
    expect(() => run("_ a", "a")).toThrow('g:1:2: invalid FORM: " " (expected more than spaces)');
  });
});

it("aligning piece by piece is aligning the whole", () => {
  // Texts over few letters, so that forms meet by chance, cut in two ways.
  const token = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(5), fc.constantFrom("a", "b+a", "a+b", "b+b+a"));
  const cuts = fc.array(fc.tuple(token, fc.nat(3)), { minLength: 30, maxLength: 30 });
  const cut = (text: string, tokens: [[number, number, string], number][]) => {
    const parts: string[] = [];
    let at = 0;
    for (const [[length, kind, inside], end] of tokens) {
      if (at >= text.length) break;
      const form = text.slice(at, at + length);
      at += length;
      parts.push(kind === 0 ? `${form}=${inside}` : form, ...(end === 0 && at < text.length ? ["|"] : []));
    }
    return treebank(parts.join(" "));
  };
  fc.assert(
    fc.property(fc.stringMatching(/^[ab]{1,25}$/), cuts, cuts, (text, a, b) => {
      const [gold, system] = [cut(text, a), cut(text, b)];
      const [goldSpans, systemSpans] = [new TokenSpans(), new TokenSpans()];
      for (const sentence of gold) goldSpans.add(sentence, "gold");
      for (const sentence of system) systemSpans.add(sentence, "system");
      const whole = align(goldSpans, systemSpans);
      const { scores, counts } = evaluate(gold, system);
      expect(scores.words.correct).toBe(whole.alignedWords);
      expect(scores.tokens.correct).toBe(whole.sameTokens);
      expect(scores.sentences.correct).toBe(whole.sameSentences.length);
      expect(counts.gold.length).toBe(gold.length);
      expect(counts.system.reduce((sum, count) => sum + count, 0)).toBe(scores.words.system);
    }),
    { numRuns: 500 },
  );
});
