// Words and sentences that are split and joined, and trees that are repaired.

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  isTree,
  joinSentences,
  joinWords,
  readTreebank,
  repairedHeads,
  Sentence,
  splitSentence,
  splitWord,
  surfaceText,
  validate,
  withTree,
} from "../../src/treebank.js";

const CONLLU = [
  "# newdoc id = d",
  "# sent_id = s",
  "# text = He can't go, or so.",
  "1\tHe\the\tPRON\tPRP\t_\t4\tnsubj\t4:nsubj\t_",
  "2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\t_",
  "2\tca\tcan\tAUX\tMD\t_\t4\taux\t4:aux\t_",
  "3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t4:advmod\t_",
  "4\tgo\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t0:root\tGloss=gehen|SpaceAfter=No",
  "4.1\tx\tx\tVERB\t_\t_\t_\t_\t4:dep\t_",
  "5\t,\t,\tPUNCT\t,\t_\t7\tpunct\t7:punct\t_",
  "6\tor\tor\tCCONJ\tCC\t_\t7\tcc\t7:cc\t_",
  "7\tso\tso\tADV\tRB\t_\t4\tconj\t4:conj|4.1:dep\tSpaceAfter=No",
  "8\t.\t.\tPUNCT\t.\t_\t4\tpunct\t4:punct\t_",
  "",
  "",
].join("\n");
const read = (text = CONLLU) => readTreebank(text, { allowNonTrees: true })[0]!;
const lines = (sentence: Sentence) =>
  sentence
    .toString()
    .split("\n")
    .filter((line) => /^\d/.test(line));

test("no orphan comes into a graph whose gaps are filled with empty nodes", () => {
  const row = (...columns: string[]) => `${columns.join("\t")}\n`;
  const gap =
    row("1", "Ada", "_", "X", "_", "_", "2", "nsubj", "2:nsubj", "_") +
    row("2", "buys", "_", "X", "_", "_", "0", "root", "0:root", "_") +
    row("3", "Ben", "_", "X", "_", "_", "2", "conj", "3.1:nsubj", "_") +
    row("3.1", "_", "_", "_", "_", "_", "_", "_", "2:conj", "_") +
    row("4", "pens", "_", "X", "_", "_", "3", "orphan", "3.1:obj", "_") +
    `${row("5", "now", "_", "X", "_", "_", "4", "advmod", "4:advmod", "_")}`;
  const [, cut] = splitSentence(read(`${gap}\n`), 4);
  expect(cut.words.map((word) => cut.deps(word.index))).toEqual(["0:root", "1:advmod"]);
  const [first] = splitSentence(read(`${gap}\n`), 5);
  expect(first.deps(4)).toBe("3.1:obj");
});

describe("words", () => {
  test("a word is split into tokens of the text", () => {
    const split = splitWord(read(), 4, ["g", "o"]);
    expect(lines(split).slice(4, 8)).toEqual([
      "4\tg\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t0:root\tGloss=gehen|SpaceAfter=No",
      "5\to\t_\tX\t_\t_\t4\tdep\t4:dep\tSpaceAfter=No",
      "5.1\tx\tx\tVERB\t_\t_\t_\t_\t4:dep\t_",
      "6\t,\t,\tPUNCT\t,\t_\t8\tpunct\t8:punct\t_",
    ]);
    expect(lines(split)[9]).toBe("8\tso\tso\tADV\tRB\t_\t4\tconj\t4:conj|5.1:dep\tSpaceAfter=No");
    expect(surfaceText(split)).toBe("He can't go, or so.");
    expect(joinWords(split, 4, 5).toString()).toBe(CONLLU);
  });

  test("a word with a space in it is split there, and is never one token", () => {
    const sentence = read(CONLLU.replace("7\tso\tso", "7\tso so on\tso").replace("or so.", "or so so on."));
    expect(validate(sentence, { level: 1 })).toEqual([]);
    const split = splitWord(sentence, 7, ["so", " so", "on"]);
    expect(
      lines(split)
        .slice(8, 11)
        .map((line) => line.replace(/\t.*\t/, " ")),
    ).toEqual(["7 _", "8 _", "9 SpaceAfter=No"]);
    expect(surfaceText(split)).toBe("He can't go, or so so on.");
    expect(surfaceText(splitWord(sentence, 7, ["s", "o so", "on"]))).toBe("He can't go, or so so on.");
    expect(() => splitWord(sentence, 7, ["so", "on"])).toThrow('in "so so on": with a space it cannot be one token');
    expect(() => splitWord(sentence, 7, ["so", "so on"], { oneToken: true })).toThrow("cannot be one token");
  });

  test("parts that are not written like that are the words of one token", () => {
    const split = splitWord(read(), 4, ["gehe", "n"]);
    expect(lines(split).slice(4, 7)).toEqual([
      "4-5\tgo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
      "4\tgehe\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t0:root\tGloss=gehen",
      "5\tn\t_\tX\t_\t_\t4\tdep\t4:dep\t_",
    ]);
    expect(joinWords(split, 4, 5).toString()).toBe(CONLLU);
    expect(lines(splitWord(read(), 4, ["g", "o"], { oneToken: true }))[4]).toMatch(/^4-5\tgo\t/);
  });

  test("parts of a function word, which can have no dependents, hang where it hangs", () => {
    const split = splitWord(read(), 6, ["o", "r"]);
    expect(lines(split).slice(7, 10)).toEqual([
      "6\to\tor\tCCONJ\tCC\t_\t8\tcc\t8:cc\tSpaceAfter=No",
      "7\tr\t_\tX\t_\t_\t8\tdep\t8:dep\t_",
      "8\tso\tso\tADV\tRB\t_\t4\tconj\t4:conj|4.1:dep\tSpaceAfter=No",
    ]);
    expect(joinWords(split, 6, 7).toString()).toBe(CONLLU);
    expect(validate(split).filter(({ rule }) => rule === "leaf")).toEqual([]);
    // Where nothing else can be below that word either, they are as it is.
    const fixed = read(CONLLU.replace("4\tadvmod\t4:advmod", "2\tfixed\t2:fixed"));
    expect(lines(splitWord(fixed, 3, ["n'", "t"]))[4]).toBe("4\tt\t_\tX\t_\t_\t2\tfixed\t2:fixed\t_");
  });

  test("a word of a multi-word token is split within it", () => {
    const split = splitWord(read(), 3, ["n'", "t"]);
    expect(split.multiWordTokens).toMatchObject([{ from: 2, to: 4, form: "can't" }]);
    expect(surfaceText(split)).toBe("He can't go, or so.");
  });

  test("words are joined: written as in the text, with the columns of the highest and all dependents", () => {
    const joined = joinWords(read(), 6, 7);
    expect(lines(joined).slice(-2)).toEqual([
      "6\tor so\tso\tADV\tRB\t_\t4\tconj\t4:conj|4.1:dep\tSpaceAfter=No",
      "7\t.\t.\tPUNCT\t.\t_\t4\tpunct\t4:punct\t_",
    ]);
    expect(joined.heads).toEqual([-1, 4, 4, 4, 0, 6, 4, 4]);
    const token = joinWords(read(), 2, 3);
    expect(token.multiWordTokens).toEqual([]);
    expect(token.form(2)).toBe("can't");
  });

  test("a part of a token cannot be joined with what is outside", () => {
    expect(() => joinWords(read(), 3, 4)).toThrow("expected none or all of 2 to 3, which are one token: can't");
    expect(() => joinWords(read(), 4, 4)).toThrow("expected two or more");
    expect(() => splitWord(read(), 9, ["a", "b"])).toThrow("invalid word: 9 (expected 1 to 8)");
    expect(() => splitWord(read(), 1, ["a", " "])).toThrow("expected two or more words");
  });

  test("a word that is joined never becomes a descendant of its own", () => {
    // 1 depends on 3, which depends on 2: joined, 1 and 2 must take the head of 2.
    const text = "1\ta\t_\t_\t_\t_\t3\tx\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n3\tc\t_\t_\t_\t_\t2\ty\t_\t_\n\n";
    expect(joinWords(read(text), 1, 2).heads).toEqual([-1, 0, 1]);
  });

  test("line ends stay as they are", () => {
    const split = splitWord(read(CONLLU.replaceAll("\n", "\r\n")), 4, ["g", "o"]).toString();
    expect(split.replaceAll("\r\n", "").includes("\n")).toBe(false);
    expect(split.replaceAll("\r\n", "\n")).toBe(splitWord(read(), 4, ["g", "o"]).toString());
  });
});

describe("sentences", () => {
  test("a sentence is split into two trees", () => {
    const [first, second] = splitSentence(read(), 6);
    expect(first.comments).toEqual(["# newdoc id = d", "# sent_id = s-1", "# text = He can't go,"]);
    expect(second.comments).toEqual(["# sent_id = s-2", "# text = or so."]);
    expect(first.heads).toEqual([-1, 4, 4, 4, 0, 4]);
    expect(lines(first).at(-1)).toBe("5\t,\t,\tPUNCT\t,\t_\t4\tpunct\t4:punct\t_");
    expect(lines(second)).toEqual([
      "1\tor\tor\tCCONJ\tCC\t_\t2\tcc\t2:cc\t_",
      "2\tso\tso\tADV\tRB\t_\t0\troot\t0:root\tSpaceAfter=No",
      "3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t2:punct\t_",
    ]);
    expect(() => splitSentence(read(), 3)).toThrow("expected one that begins a token: can't is 2 to 3");
    expect(() => splitSentence(read(), 1)).toThrow("expected 2 to 8");
  });

  test("what follows its head by definition does not come before the new one under its old label", () => {
    const row = (...columns: string[]) => `${columns.join("\t")}\n`;
    const text =
      row("1", "Ada", "_", "X", "_", "_", "2", "nsubj", "2:nsubj", "_") +
      row("2", "and", "_", "X", "_", "_", "0", "root", "0:root", "_") +
      row("3", "Ben", "_", "X", "_", "_", "1", "conj", "1:conj:and", "_") +
      row("4", "sing", "_", "X", "_", "_", "2", "xcomp", "2:xcomp", "_");
    const [, cut] = splitSentence(read(`${text}\n`), 3);
    expect(cut.words.map(({ index }) => [cut.head(index), cut.deprel(index), cut.deps(index)])).toEqual([
      [2, "dep", "2:dep"],
      [0, "root", "0:root"],
    ]);
  });

  test("two sentences are joined to one tree", () => {
    const [first, second] = splitSentence(read(), 6);
    const joined = joinSentences(first, second);
    expect(joined.text).toBe("He can't go, or so.");
    expect(joined.id).toBe("s-1");
    expect(joined.heads).toEqual([-1, 4, 4, 4, 0, 4, 7, 4, 7]);
    expect(joined.deprel(7)).toBe("parataxis");
    expect(joined.deps(7)).toBe("4:parataxis");
  });
});

describe("repair", () => {
  const tree = (heads: number[], labels: string[] = [], upos: string[] = []) =>
    Sentence.from(
      {
        words: heads.map((head, i) => ({
          form: `w${i + 1}`,
          ...(head < 0 ? {} : { head }),
          deprel: labels[i] ?? "dep",
          upos: upos[i] ?? "X",
        })),
      },
      { allowNonTrees: true },
    );

  test("opens circles and keeps one root", () => {
    expect(repairedHeads(tree([2, 0, 2]))).toEqual([-1, 2, 0, 2]);
    expect(repairedHeads(tree([2, 1, 0]))).toEqual([-1, 3, 1, 0]);
    expect(repairedHeads(tree([0, 0, 1], ["dep", "root"]))).toEqual([-1, 2, 0, 1]);
    expect(repairedHeads(tree([2, 3, 1], ["dep", "root"]))).toEqual([-1, 2, 0, 1]);
    expect(repairedHeads(tree([-1, -1, 2], [], ["X", "VERB"]))).toEqual([-1, 2, 0, 2]);
    expect(repairedHeads(tree([2, 1, 4, 3]))).toEqual([-1, 0, 1, 1, 3]);
  });

  test("makes a tree of anything", () => {
    for (let code = 0; code < 5 ** 4; code++) {
      const heads = [0, 1, 2, 3].map((k) => (Math.floor(code / 5 ** k) % 6) - 1);
      const repaired = repairedHeads({ length: 4, heads: [-1, ...heads], deprel: () => "dep", upos: () => "X" });
      expect(isTree(repaired), heads.join()).toBe(true);
      expect(repaired.filter((head) => head === 0)).toHaveLength(1);
    }
  });
});

const TREEBANK = new URL("../../../../../shared/treebanks/en_ewt-ud-dev.conllu", import.meta.url);
if (!existsSync(TREEBANK)) console.log("no treebanks in ../shared/treebanks: splitting and joining is tested on less");

test.skipIf(!existsSync(TREEBANK))("real sentences: split and joined again they are what they were", () => {
  const sentences = readTreebank(readFileSync(TREEBANK, "utf8")).slice(0, 150);
  for (const sentence of sentences) {
    const text = sentence.toString();
    for (let i = 1; i <= sentence.length; i += 3) {
      const form = sentence.form(i);
      if (form.length < 2) continue;
      const split = splitWord(sentence, i, [form.slice(0, 1), form.slice(1)]);
      expect(isTree(split.heads)).toBe(true);
      expect(surfaceText(split)).toBe(surfaceText(sentence));
      expect(joinWords(split, i, i + 1).toString()).toBe(text);
    }
    for (let at = 2; at <= sentence.length; at += 5) {
      if (sentence.multiWordTokens.some(({ from, to }) => from < at && to >= at)) continue;
      const [first, second] = splitSentence(sentence, at);
      const joined = joinSentences(first, second);
      expect([first, second, joined].every(({ heads }) => isTree(heads))).toBe(true);
      expect(joined.text).toBe(sentence.text);
      expect(joined.length).toBe(sentence.length);
    }
  }
});

describe("another tree", () => {
  const row = (...columns: string[]) => `${columns.join("\t")}\n`;
  const TEXT =
    "# sent_id = s\n# text = Ann wants to sing in town\n" +
    row("1", "Ann", "Ann", "PROPN", "_", "_", "2", "nsubj", "2:nsubj|4:nsubj:xsubj", "_") +
    row("2", "wants", "want", "VERB", "_", "_", "0", "root", "0:root", "_") +
    row("3", "to", "to", "PART", "_", "_", "4", "mark", "4:mark", "_") +
    row("4", "sing", "sing", "VERB", "_", "_", "2", "xcomp", "2:xcomp", "_") +
    row("5", "in", "in", "ADP", "_", "_", "6", "case", "6:case", "_") +
    row("6", "town", "town", "NOUN", "_", "_", "4", "obl", "4:obl:in", "_");
  const depsAfter = (text: string, word: number, head: number, label: string) => {
    const sentence = read(`${text}\n`);
    const heads = sentence.heads.slice();
    const labels = ["", ...sentence.words.map(({ deprel }) => deprel)];
    [heads[word], labels[word]] = [head, label];
    const changed = withTree(sentence, heads, labels);
    expect(changed.heads).toEqual(heads);
    expect(validate(changed, { level: 2 }).filter(({ severity }) => severity === "error")).toEqual([]);
    return changed.words.map(({ index }) => changed.deps(index));
  };

  test("takes arcs in DEPS along: sorted, with markers, and only once", () => {
    expect(depsAfter(TEXT, 1, 4, "dep")[0]).toBe("4:dep|4:nsubj:xsubj");
    expect(depsAfter(TEXT, 1, 4, "nsubj")[0]).toBe("4:nsubj|4:nsubj:xsubj");
    expect(depsAfter(TEXT, 6, 2, "obl")[5]).toBe("2:obl:in");
    expect(depsAfter(TEXT, 6, 4, "obj")[5]).toBe("4:obj");
  });

  test("leaves no word unconnected", () => {
    // In the graph 4 hangs on 6 only, which 6 leaves it for: 6 on 4, 4 on 6.
    const circular = TEXT.replace("2:xcomp", "6:acl").replace(
      "6\ttown\ttown\tNOUN\t_\t_\t4\tobl\t4:obl:in",
      "6\ttown\ttown\tNOUN\t_\t_\t2\tobl\t2:obl:in",
    );
    expect(depsAfter(circular, 6, 4, "obl").slice(3)).toEqual(["2:xcomp|6:acl", "6:case", "4:obl:in"]);
  });
});
