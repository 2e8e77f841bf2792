import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, expect, it } from "vitest";
import { register } from "../../src/commands/systems/derivations.js";
import { summarize } from "../../src/tables/derivations-tables.js";

const tree = (...heads: number[]) =>
  `${heads.map((head, i) => `${i + 1}\tw${i + 1}\t_\t_\t_\t_\t${head}\tdep\t_\t_\n`).join("")}\n`;
const STAR = tree(...Array.from({ length: 101 }, (_, i) => (i === 50 ? 0 : 51)));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-derivations-"));
  writeFileSync(
    join(folder, "a.conllu"),
    `# sent_id = seven\n${tree(3, 3, 0, 3, 6, 4, 3)}${tree(2, 0, 2, 5, 1)}${STAR}`,
  );
});
afterEach(() => {
  process.exitCode = 0;
});

async function derivations(...args: string[]): Promise<string> {
  const program = new Command().exitOverride();
  register(program);
  const output = join(folder, "out");
  await program.parseAsync(["derivations", "--output", output, ...args, join(folder, "a.conllu")], { from: "user" });
  return readFileSync(output, "utf8");
}

it("prints a column for each system", async () => {
  const text = await derivations("--root", "first");
  expect(text).toMatch(
    /^ +words +arc-standard +arc-eager +arc-hybrid +attardi +attardi-auxiliary +swap +arc-hybrid-swap +arc-swift +lr-spines +covington +two-planar +disfluencies$/m,
  );
  expect(text).toMatch(/^1 seven +7 +6 +1 +1 +18 +\? +\? +\? +1 +30 +2880 +\? +1$/m);
  expect(text).toMatch(/^2 +5 +0 +0 +0 +1 +\? +764 +506 +0 +0 +60 +\? +0$/m);
  expect(text).toMatch(
    /^3 +101 +100891344545564193334812497256 +1 +1 +\d{52} +\? +\? +\? +1 +\d{30} +\d{152} +\? +1$/m,
  );
  expect(text).toMatch(/^buildable +2 +2 +2 +3 +0 +1 +1 +2 +2 +3 +0 +2$/m);
  expect(text).toMatch(/^\? not counted: over --limit 20000/m);
  expect(text).toMatch(
    /^\? not counted: in attardi-auxiliary EXTRACT and INSERT can undo each other again and again$/m,
  );
});

it("prints one sentence", async () => {
  const text = await derivations("--system", "arc-standard", "--id", "seven");
  expect(text).toBe("         words  arc-standard\n1 seven      7             6\n");
});

it("prints one system, and only the summary", async () => {
  const text = await derivations("--system", "arc-standard", "--summary");
  expect(text.split("\n").map((line) => line.replace(/ +/g, " "))).toEqual([
    " arc-standard",
    "sentences 3",
    "buildable 2",
    "one derivation 0",
    "mean of log10 14.89",
    "median 6",
    "maximum 100891344545564193334812497256",
    "",
  ]);
});

it("prints JSON with exact numbers", async () => {
  const json = JSON.parse(await derivations("--json", "--limit", "10"));
  expect(json.sentences[2].derivations).toMatchObject({ "arc-standard": "100891344545564193334812497256", swap: null });
  expect(json.sentences[2].limits).toEqual({
    attardi: "1000 combinations of parts",
    "attardi-auxiliary": "EXTRACT and INSERT can undo each other again and again",
    swap: "10 configurations",
    "arc-hybrid-swap": "10 configurations",
    "two-planar": "10 configurations",
  });
  expect(json.summary.swap).toEqual({
    sentences: 3,
    notCounted: 3,
    buildable: 0,
    unambiguous: 0,
    meanLog10: null,
    median: null,
    max: null,
  });
});

it("summarizes", () => {
  expect(summarize([100n, 0n, undefined, 1n, 10n ** 40n])).toEqual({
    sentences: 5,
    notCounted: 1,
    buildable: 3,
    unambiguous: 1,
    meanLog10: 14,
    median: 100n,
    max: 10n ** 40n,
  });
});
