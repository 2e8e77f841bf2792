import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  BlockSplitter,
  FIXABLE,
  RULES,
  readTreebank,
  repairedLines,
  type ValidationLevel,
  Validator,
  type Violation,
  validate,
} from "../../src/treebank.js";
import { DAMAGES, type Damage, damaged, WHOLE } from "./damages.js";

function blocks(text: string): { text: string; line: number }[] {
  const splitter = new BlockSplitter();
  const found = splitter.push(new TextEncoder().encode(text));
  const last = splitter.end();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return [...found, ...(last ? [last] : [])].map(({ bytes, line }) => ({ text: decoder.decode(bytes), line }));
}

function problems(text: string, level: ValidationLevel = 3): Violation[] {
  const validator = new Validator({ level });
  const found = blocks(text).flatMap((block) => validator.check(block.text, block.line));
  return [...found, ...validator.end()];
}

const rulesOf = (found: readonly Violation[]) => found.map(({ rule }) => rule);

test("a treebank without a fault has no problems", () => expect(problems(WHOLE)).toEqual([]));

describe.each([1, 2, 3] as const)("level %i", (level) => {
  test.each(DAMAGES[level].map((damage) => [damage[0], String(damage[2]), damage] as const))(
    "%s: %j",
    (rule, _, damage) => {
      const text = damaged(damage);
      expect(text).not.toBe(WHOLE);
      const found = problems(text).find((violation) => violation.rule === rule);
      expect(found).toMatchObject({ rule, level, severity: damage[3] ?? "error" });
      expect(found!.link).toMatch(/^https:\/\/universaldependencies\.org\/.+\.html/);
      if (level > 1) expect(rulesOf(problems(text, (level - 1) as ValidationLevel))).not.toContain(rule);
    },
  );
});

test("a carriage return has the line where the first one is", () => {
  const lines = (WHOLE + WHOLE.replaceAll("sent_id = ", "sent_id = x")).split("\n");
  const k = lines.map((line) => line.startsWith("2\t")).lastIndexOf(true);
  for (const end of ["\r", " \rx"]) {
    const text = lines.map((line, i) => (i === k ? line + end : line)).join("\n");
    expect(problems(text).find(({ rule }) => rule === "non-unix-newline")?.line).toBe(k + 1);
  }
});

test("what is wrong with comments has the line of the comment", () => {
  const row = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_";
  const one = `# sent_id = a\n# text = a\n${row}\n\n`;
  const places = (...comments: string[]) =>
    problems(`${one}${comments.map((line) => `# ${line}\n`).join("")}${row}\n\n`).map(({ rule, line }) => [rule, line]);
  expect(places("sent_id = a", "text = a")).toEqual([["non-unique-sent-id", 5]]);
  expect(places("sent_id = b", "sent_id = c", "text = a")).toEqual([["multiple-sent-id", 6]]);
  expect(places("sent_id = b", "text = a", "text = a")).toEqual([["multiple-text", 7]]);
  expect(places("newdoc", "newdoc", "sent_id = b", "text = a")).toEqual([["multiple-newdoc", 6]]);
  expect(places("newpar", "newpar", "sent_id = b", "text = a")).toEqual([["multiple-newpar", 6]]);
  expect(places("sent_id = b", "text = a b")).toEqual([["text-extra-chars", 6]]);
  expect(places("parallel_id = x/1/alt2", "sent_id = b", "text = a")).toEqual([["parallel-id-alt", 5]]);
  expect(places("sent_id = b/c/d", "text = a")).toEqual([["slash-in-sent-id", 5]]);
});

test("every rule has a damage, but for those that need other sentences", () => {
  const tried = new Set(([1, 2, 3] as const).flatMap((level) => DAMAGES[level].map(([rule]) => rule)));
  const elsewhere = [
    "overlapping-word-intervals",
    "multiple-parallel-id",
    "non-unique-parallel-id",
    "empty-node-after-eorphan",
    "edeps-identical-to-basic-trees",
    "feature-upos",
    "lemma-space",
    "missing-lemma",
    "punct-causes-nonproj",
  ];
  expect(RULES.filter((rule) => !tried.has(rule)).sort()).toEqual(elsewhere.sort());
});

test("line, column and word of a problem, and the page about it", () => {
  const [found] = problems(WHOLE.replace("3\tobl\t", "3\tobj\t"));
  expect(found).toEqual({
    rule: "too-many-objects",
    level: 3,
    severity: "error",
    line: 11,
    column: 8,
    word: 8,
    message: "“buys” (3) has 2 objects: “books” (6), “town” (8).",
    link: "https://universaldependencies.org/u/dep/obj.html",
  });
});

const SHORT = (...lines: string[]) =>
  `# sent_id = 1\n# text = a b c d .\n${lines.map((line) => `${line.replaceAll(" ", "\t")}\n`).join("")}\n`;

test("rules that the small treebank has no place for", () => {
  const gap = SHORT(
    "1 a a NOUN _ _ 2 nsubj _ _",
    "2 b b VERB _ _ 0 root _ _",
    "3 c c ADJ _ _ 1 amod _ _",
    "4 d d NOUN _ _ 2 obj _ _",
    "5 . . PUNCT _ _ 2 punct _ _",
  );
  expect(problems(gap)).toEqual([]);
  const mark = gap.replace("b\tb\tVERB\t_\t_\t0\troot", ".\t.\tPUNCT\t_\t_\t4\tpunct").replace("= a b", "= a .");
  expect(
    rulesOf(
      problems(
        mark.replace("4\td\td\tNOUN\t_\t_\t2\tobj", "4\td\td\tVERB\t_\t_\t0\troot").replaceAll("\t2\t", "\t4\t"),
      ),
    ),
  ).toContain("punct-causes-nonproj");
  expect(rulesOf(problems(gap.replace("PUNCT\t_\t_", "PUNCT\t_\tTense=Past")))).toEqual(["feature-upos"]);
  expect(rulesOf(problems(gap.replace("\ta\tNOUN", "\t_\tNOUN")))).toEqual(["missing-lemma"]);
  expect(rulesOf(problems(gap.replace("\ta\tNOUN", "\ta b\tNOUN")))).toEqual(["lemma-space"]);
  const tokens = "1-2 ab _ _ _ _ _ _ _ _\n1 a a NOUN _ _ 2 nsubj _ _\n2-3 bc _ _ _ _ _ _ _ _\n".replaceAll(" ", "\t");
  expect(rulesOf(problems(gap.replace(/1\ta.*\n/, tokens)))).toContain("overlapping-word-intervals");
  const parallel = gap.replace("# text", "# parallel_id = a/b\n# text");
  expect(problems(parallel)).toEqual([]);
  expect(rulesOf(problems(parallel + parallel.replace("sent_id = 1", "sent_id = 2")))).toEqual([
    "non-unique-parallel-id",
  ]);
  expect(rulesOf(problems(parallel.replace("# text", "# parallel_id = a/c\n# text")))).toEqual([
    "multiple-parallel-id",
  ]);
});

test("alternatives and parts of parallel sentences are numbered", () => {
  const named = (...names: string[]) =>
    names.map((name, k) =>
      SHORT("1 a a X _ _ 0 root _ _").replace("= a b c d .", "= a").replace("= 1", `= ${k}\n# parallel_id = ${name}`),
    );
  const found = (...names: string[]) => rulesOf(problems(named(...names).join("")));
  expect(found("a/1/alt1", "a/2/part1", "a/1/alt2", "a/2/part2", "b/1", "a/3/alt1part1")).toEqual([]);
  expect(found("a/1/alt1", "a/1/alt3")).toEqual(["parallel-id-alt"]);
  expect(found("a/1/part2", "a/1/part3")).toEqual(["parallel-id-part"]);
  expect(found("a/1", "a/1/alt1")).toEqual(["parallel-id-alt"]);
  expect(found("a/1/part1", "a/1")).toEqual(["parallel-id-part"]);
  // The last one counts.
  expect(found("a/1/alt1", "a/1/alt3", "a/1/alt4", "a/1/alt2")).toEqual(["parallel-id-alt", "parallel-id-alt"]);
  expect(found("a/1/alt1", "a/1/alt1")).toEqual(["non-unique-parallel-id"]);
});

test("items of MISC whose names end in SpaceAfter", () => {
  const found = (from: string) => rulesOf(problems(WHOLE.replace(from, from.replace("_", "CorrectSpaceAfter=No"))));
  expect(found("4:aux\t_")).toEqual(["spaceafter-mwt-node"]);
  expect(found("3:conj:and\t_")).toEqual(["spaceafter-empty-node"]);
  expect(found("6:nummod\t_")).toEqual([]);
});

test("Typo=Yes of a multiword token does not make a treebank one with features", () => {
  const plain = WHOLE.replace(/\t\S+(?=\t(?:\d+|_)\t\S+\t\S+\t\S+\n)/g, "\t_").replace(
    /(2-3\tcan't\t_\t_\t_\t)_/,
    "$1Typo=Yes",
  );
  expect(plain).toContain("Typo=Yes");
  expect(problems(plain)).toEqual([]);
});

test("an orphan before the first empty node", () => {
  const graph = WHOLE.replace(/(# sent_id = made-1[\s\S]*?\n\n)([\s\S]*\n\n)(?=# sent_id = made-3)/, "$2$1").replace(
    "# newdoc\n",
    "",
  );
  expect(problems(graph)).toEqual([]);
  expect(rulesOf(problems(graph.replace("6:nmod:of", "6:orphan")))).toEqual(["empty-node-after-eorphan"]);
});

describe("what is right", () => {
  const none = (from: string | RegExp, to: string) => expect(problems(WHOLE.replace(from, to))).toEqual([]);
  test("mark of a verb", () => none(/ADP(.*)8\tcase\t8:case/, "VERB$18\tmark\t8:mark"));
  test("two spaces in the text", () => none("two red", "two  red"));
  test("other white space in the text", () => none("two red", "two\u2028\u0085red"));
  test("a zero-width no-break space", () => none("\tbook\tNOUN\t_", "\t\ufeffbook\tNOUN\ta\ufeffb"));
  test("a comment that is nearly a name", () => none("# newdoc\n", "# newdoc\n#  sent_id x\n# old_sent_id\n"));
  test("an external part of speech", () => none("NumType=Card\t6\tnummod", "ExtPos=DET|NumType=Card\t6\tdet"));
  test("negation of a function word", () => none("4\tadvmod\t4:advmod", "2\tadvmod\t2:advmod"));
  test("an outer subject", () => none("3\tobl\t3:obl:in", "3\tnsubj:outer\t3:nsubj:outer"));
  test("a graph with a cycle", () => none("6:nummod", "6:nummod|11.1:dep"));
  test("prepositions of any script in DEPS", () => none("3:obl:in", "3:obl:στο:acc"));
  test("DEPS that no sentence has", () => expect(problems(basic(WHOLE))).toEqual([]));
  test("the first part of a broken word without Typo, in a treebank without features", () => {
    const plain = WHOLE.replace(/\t\S+(?=\t(?:\d+|_)\t\S+\t\S+\t\S+\n)/g, "\t_");
    expect(plain).not.toContain("Typo");
    expect(problems(plain)).toEqual([]);
  });
});

test("DEPS that repeat the trees of all sentences", () => {
  const graph = SHORT("1 a a NOUN _ _ 2 nsubj 2:nsubj _", "2 b b VERB _ _ 0 root 0:root _").replace(" c d .", "");
  expect(problems(graph)).toMatchObject([{ rule: "edeps-identical-to-basic-trees", level: 3, line: 3, column: 9 }]);
  expect(problems(graph, 2)).toEqual([]);
  expect(problems(graph.replace("2:nsubj", "1:ref|2:nsubj").replace("1:ref", "2:dep"))).toEqual([]);
  const more = graph.replace("sent_id = 1", "sent_id = 2").replace("2:nsubj", "2:nsubj:x");
  expect(problems(graph + more)).toEqual([]);
});

/** Without enhanced graphs. */
function basic(text: string): string {
  return text.replace(/^\d+\.\d+\t.*\n/gm, "").replace(/\t[^\t\n]+(\t[^\t\n]+)$/gm, "\t_$1");
}

describe("repairs", () => {
  const repaired = (text: string) =>
    blocks(text)
      .map((block) => repairedLines(block.text))
      .join("");
  test("leave what is right", () => expect(repaired(WHOLE)).toBe(WHOLE));
  const all: readonly Damage[] = [...DAMAGES[1], ...DAMAGES[2], ...DAMAGES[3]].filter(([rule]) => FIXABLE.has(rule));
  test.each(all.map((damage) => [damage[0], String(damage[2]), damage] as const))("%s: %j", (rule, _, damage) => {
    const text = repaired(damaged(damage));
    expect(rulesOf(problems(text))).not.toContain(rule);
    expect(repaired(text)).toBe(text);
    // Comments and normalization are part of the repaired text; what was damaged by a value is not known any more.
    const isKnown = !/^(unicode|misplaced|nospace|repeated-white|repeated-feature-value|mwt|unsorted-deps)/.test(rule);
    if (isKnown) expect(text).toBe(WHOLE);
  });
  test("every rule that is said to be fixable is tried", () => {
    expect([...FIXABLE].filter((rule) => !all.some(([tried]) => tried === rule))).toEqual([]);
  });
});

test("one sentence as an object", () => {
  const sentences = readTreebank(WHOLE.replace("3\tobl\t", "3\tobj\t"));
  expect(sentences.map((sentence) => rulesOf(validate(sentence)))).toEqual([["too-many-objects"], [], []]);
  expect(validate(sentences[0]!)[0]).toMatchObject({ line: 11, word: 8 });
  expect(validate(sentences[0]!, { level: 2 })).toEqual([]);
  expect(() => validate(sentences[0]!, { level: 4 as never })).toThrow(
    "invalid level of validate: 4 (expected a whole number from 1 to 3)",
  );
});

const FOLDER = new URL("../../../../../shared/treebanks/", import.meta.url);
const FILES = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => /-dev\.conllu$/.test(name)) : [];
if (FILES.length === 0) console.log("no treebanks in ../shared/treebanks: the rules are not tried on them");

/** Errors that UD's validator, too, reports in these (udtools 0.2.9, --lang ud --level 3): they follow older rules. */
const OLDER: Readonly<Record<string, number>> = {
  "eu_bdt-ud-dev.conllu": 9369,
  // 886 there: it leaves the rest of 24 sentences with a feature like Abbr=yes unread.
  "nl_lassysmall-ud-dev.conllu": 967,
  "no_nynorsklia-ud-dev.conllu": 52,
  "tr_imst-ud-dev.conllu": 17,
  "zh_gsd-ud-dev.conllu": 3342,
};

test.skipIf(FILES.length === 0).each(FILES.length > 0 ? FILES : ["none"])(
  "%s: errors that UD's validator finds too",
  (name) => {
    const found = problems(readFileSync(new URL(name, FOLDER), "utf8")).filter(({ severity }) => severity === "error");
    expect(found).toHaveLength(OLDER[name] ?? 0);
  },
);
