import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { register } from "../../src/commands/training/evaluate.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-evaluate-"));
  file("gold.conllu", [CATS, STOP]);
  file("a.conllu", [CATS.map((row) => row.replace("nsubj", "obj")), STOP]);
  file("b.conllu", [CATS, STOP.map((row) => row.replace("VERB", "NOUN"))]);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
  rmSync(folder, { recursive: true });
});

const word = (id: number, form: string, upos: string, head: number | string, deprel: string) =>
  `${id}\t${form}\t_\t${upos}\t_\t_\t${head}\t${deprel}\t_\t_`;
const CATS = [
  "# sent_id = cats",
  word(1, "cats", "NOUN", 2, "nsubj"),
  word(2, "sleep", "VERB", 0, "root"),
  word(3, ".", "PUNCT", 2, "punct"),
];
const STOP = [word(1, "stop", "VERB", 0, "root")];

function file(name: string, sentences: readonly (readonly string[])[]): void {
  writeFileSync(join(folder, name), sentences.map((rows) => `${rows.join("\n")}\n\n`).join(""));
}

async function evaluate(...args: string[]): Promise<{ output: string; errors: string; status: unknown }> {
  let errors = "";
  vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    errors += chunk;
    return true;
  });
  const program = new Command();
  program.exitOverride().configureOutput({ writeErr: (text) => (errors += text) });
  register(program);
  for (const command of program.commands) command.copyInheritedSettings(program);
  const output = join(folder, "out");
  const paths = args.map((arg) => (arg.endsWith(".conllu") || arg === "plots" ? join(folder, arg) : arg));
  let status: unknown;
  try {
    await program.parseAsync(["evaluate", "--output", output, ...paths], { from: "user" });
    status = process.exitCode ?? 0;
  } catch (error) {
    status = (error as { code?: string }).code ?? error;
  }
  return {
    output: existsSync(output) ? readFileSync(output, "utf8") : "",
    errors: errors.replaceAll(`${folder}/`, ""),
    status,
  };
}

test("prints the scores of one system", async () => {
  const { output, status } = await evaluate("gold.conllu", "a.conllu");
  expect(status).toBe(0);
  expect(output).toMatch(/gold\.conllu: 2 sentences, 4 words; universal labels/);
  expect(output).toMatch(/^ {2}UPOS +gold$/m);
  expect(output).toMatch(/^ {2}UAS +100\.00 +100\.00 +100\.00$/m);
  expect(output).toMatch(/^ {2}LAS +75\.00 +75\.00 +75\.00$/m);
  expect(output).toMatch(/^ {2}exact match, labelled +50\.00/m);
  expect(output).toMatch(/^Without punctuation\n {2}UAS .*\n {2}LAS +66\.67/m);
  expect(output).not.toContain("Segmentation");
});

test("prints systems side by side with a test of their difference", async () => {
  const { output } = await evaluate("gold.conllu", "a.conllu", "b.conllu", "--samples", "99");
  expect(output).toMatch(/^All words \(F1\) +a +b +difference$/m);
  expect(output).toMatch(/^ {2}LAS +75\.00 +100\.00 +\+25\.00$/m);
  expect(output).toMatch(/^ {2}UPOS +gold +predicted, 75\.00$/m);
  expect(output).toMatch(/^Approximate randomisation, 99 samples +UAS +p +LAS +p$/m);
  expect(output).toMatch(/^ {2}b - a +0\.00 +1\.0000 +\+25\.00 +1\.0000$/m);
  const bootstrap = (await evaluate("gold.conllu", "a.conllu", "b.conllu", "--test", "bootstrap")).output;
  expect(bootstrap).toMatch(/^Paired bootstrap, 10,000 samples +UAS +p +95 % +LAS +p +95 %$/m);
});

test("breaks scores down", async () => {
  const { output } = await evaluate("gold.conllu", "a.conllu", "--by", "all");
  expect(output).toMatch(/^By label \(labelled\) +gold +system +precision +recall +F1 +UAS F1$/m);
  expect(output).toMatch(/^ {2}nsubj +1 +0 +0\.00 +0\.00 +0\.00 +0\.00$/m);
  expect(output).toMatch(/^ {2}nsubj as obj +1 +1\n {6}1 cats, word 1: cats below sleep: … cats sleep \. …$/m);
  for (const title of ["dependency length", "distance to the root", "words in the sentence", "gold UPOS"]) {
    expect(output).toContain(`By ${title} (labelled)`);
  }
  const two = (await evaluate("gold.conllu", "a.conllu", "b.conllu", "--by", "label, length", "--top", "1")).output;
  expect(two).toMatch(
    /^By label \(labelled, F1\) +gold +a +b +difference\n {2}root +2 +100\.00 +100\.00 +0\.00\n {2}… 3 more$/m,
  );
});

test("prints JSON with everything", async () => {
  const { output } = await evaluate("gold.conllu", "a.conllu", "b.conllu", "--json", "--seed", "7");
  const json = JSON.parse(output);
  expect(json.systems.map(({ name }: { name: string }) => name)).toEqual(["a", "b"]);
  expect(json.systems[0]).toMatchObject({
    labels: "universal",
    sentences: 2,
    words: 4,
    sameWords: true,
    scores: { las: { correct: 3, gold: 4, system: 4, f1: 0.75, alignedAccuracy: 0.75 } },
    withoutPunctuation: { las: { gold: 3 } },
    breakdowns: { length: { root: { gold: 2 } }, confusions: [{ gold: "nsubj", system: "obj", count: 1 }] },
  });
  expect(json.comparisons).toMatchObject([
    { first: "a", second: "b", las: { difference: 0.25, test: "randomisation" } },
  ]);
});

test("says what scores of arcs are worth", async () => {
  const scored = (scores: readonly string[]) => [
    CATS.map((row, i) => (i === 0 ? row : `${row.slice(0, -1)}Score=${scores[i - 1]}`)),
    STOP,
  ];
  file("scored.conllu", scored(["0.85", "0.95", "0.6"]));
  const { output } = await evaluate("gold.conllu", "scored.conllu");
  expect(output).toMatch(/^Scores of arcs +scored\n {2}words with a score +3\n {2}mean score +80\.00$/m);
  expect(output).toMatch(/^ {2}expected calibration error, 10 equal-width bins +20\.00$/m);
  expect(output).toMatch(/^ {2}Brier score +0\.0617$/m);
  expect(output).toMatch(
    /^By score +words +mean score +right +difference\n {2}0\.6 to 0\.7 +1 +60\.00 +100\.00 +\+40\.00$/m,
  );
  const rest = (await evaluate("gold.conllu", "scored.conllu", "--no-punctuation")).output;
  expect(rest).toMatch(/^ {2}words with a score +2$/m);

  const two = (await evaluate("gold.conllu", "a.conllu", "scored.conllu", "--plots", "plots")).output;
  expect(two).toMatch(/^ {2}words with a score +- +3$/m);
  expect(two).not.toContain("By score");
  expect(readdirSync(join(folder, "plots"))).toContain("reliability.svg");
  const { systems } = JSON.parse((await evaluate("gold.conllu", "a.conllu", "scored.conllu", "--json")).output);
  expect(systems[0].calibration).toBeNull();
  expect(systems[1].calibration).toMatchObject({
    words: 3,
    accuracy: 1,
    bins: [{ words: 1 }, { words: 1 }, { words: 1 }],
  });
  expect(systems[1].calibration.expectedError.width10).toBeCloseTo(0.2);
});

test("aligns other words by characters", async () => {
  file("raw.conllu", [[word(1, "cats", "NOUN", 2, "nsubj"), word(2, "sleep.", "VERB", 0, "root")], STOP]);
  const { output } = await evaluate("gold.conllu", "raw.conllu");
  expect(output).toContain("Different words or sentences in raw: aligned by characters");
  expect(output).toMatch(/^All words +precision +recall +F1 +aligned$/m);
  // Only "stop" has its head: that of "cats" is a word that gold does not have.
  expect(output).toMatch(/^ {2}UAS +33\.33 +25\.00 +28\.57 +50\.00$/m);
  expect(output).toMatch(/^ {2}Words +66\.67 +50\.00 +57\.14$/m);
  const { errors, status } = await evaluate("gold.conllu", "raw.conllu", "--same-words");
  expect(errors).toBe('raw.conllu:2:2: invalid FORM: sleep. (expected "sleep" as in gold.conllu:3)\n');
  expect(status).toBe(1);
});

test("writes plots", async () => {
  const { status } = await evaluate("gold.conllu", "a.conllu", "--plots", "plots");
  expect(status).toBe(0);
  expect(readdirSync(join(folder, "plots"))).toHaveLength(5);
  expect(readFileSync(join(folder, "plots", "length-recall.svg"), "utf8")).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
});

test("stops at every error, so that no sentence is paired wrongly", async () => {
  const cases: [string, string[][], string][] = [
    [
      "no head",
      [[...CATS.slice(0, 3), word(3, ".", "PUNCT", "_", "punct")], STOP],
      "system.conllu:4:7: invalid HEAD: _",
    ],
    ["not readable", [["1\tcats"], STOP], "system.conllu:1:2: invalid columns"],
    ["a cycle", [[word(1, "cats", "NOUN", 1, "x"), ...CATS.slice(2)], STOP], "system.conllu:1:7: invalid HEAD: 1"],
    ["missing sentence", [CATS], 'system.conllu:1: invalid end of file: "after 1 sentence"'],
    ["more sentences", [CATS, STOP, STOP], "system.conllu:8: invalid words: stop"],
    [
      "other text",
      [CATS, [word(1, "step", "VERB", 0, "root")]],
      'system.conllu:6: invalid text: ep (expected "op" as in gold',
    ],
  ];
  for (const [, sentences, message] of cases) {
    file("system.conllu", sentences);
    const { output, errors, status } = await evaluate("gold.conllu", "system.conllu");
    expect(errors).toContain(message);
    expect(output).toBe("");
    expect(status).toBe(1);
  }
});

test("the agreement of two annotators", async () => {
  const { output, status } = await evaluate("gold.conllu", "a.conllu", "--agreement");
  expect(status).toBe(0);
  // Of four labels three agree; by chance, ¼ + ¹⁄₁₆ would.
  expect(output).toMatch(/Agreement +a\n +UAS +100\.00\n +LAS +75\.00\n +same label +75\.00\n +κ of labels +0\.636\n/);
  expect(output).toMatch(/^Agreement by relation, a +first +second +both +same arc +κ\n {2}root +2 +2 +2 +2 +1\.000$/m);
  expect(output).toMatch(/^ {2}nsubj +1 +0 +0 +0 +0\.000$/m);
  expect((await evaluate("gold.conllu", "a.conllu")).output).not.toContain("Agreement");
  const { systems } = JSON.parse((await evaluate("gold.conllu", "a.conllu", "--agreement", "--json")).output);
  expect(systems[0].agreement).toMatchObject({ words: 4, uas: 1, las: 0.75 });
});

test("wrong usage", async () => {
  expect((await evaluate("gold.conllu", "nothing.conllu")).errors).toContain(
    "nothing.conllu: cannot read: no such file",
  );
  file("empty.conllu", []);
  expect(await evaluate("empty.conllu", "empty.conllu")).toMatchObject({
    errors: "empty.conllu: has no sentences\n",
    status: 2,
  });
  expect((await evaluate("gold.conllu", "a.conllu", "--by", "colour")).errors).toContain(
    "Expected all, or some of label, confusions, length",
  );
  expect((await evaluate("-", "-")).errors).toContain('only one of the files can be "-"');
  expect((await evaluate("gold.conllu", "a.conllu", "--labels", "none")).errors).toContain("universal, full");
  expect((await evaluate("gold.conllu", "a.conllu", "--samples", "0")).errors).toContain("whole number from 1");
});
