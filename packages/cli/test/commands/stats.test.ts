import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { register } from "../../src/commands/treebanks/stats.js";

const ROWS = [
  "1\tmail\t_\tNOUN\t_\tNumber=Sing\t2\tnsubj\t_\t_",
  "2\tcame\t_\tVERB\t_\t_\t0\troot\t_\t_",
  "3\ttoday\t_\tNOUN\t_\tNumber=Sing\t2\tobl\t_\t_",
  "4\tfor\t_\tADP\t_\t_\t5\tcase\t_\t_",
  "5\ther\t_\tPRON\t_\t_\t1\tnmod\t_\t_",
];
const CROSSING = `${ROWS.join("\n")}\n\n`;
const LOOP = "1\twell\t_\tINTJ\t_\t_\t0\troot\t_\t_\n2\twell\t_\tINTJ\t_\t_\t2\tconj\t_\t_\n\n";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-stats-"));
  writeFileSync(join(folder, "a.conllu"), CROSSING);
  writeFileSync(join(folder, "b.conllu"), CROSSING + LOOP);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

async function stats(...args: string[]): Promise<string> {
  const program = new Command().exitOverride();
  const odd = { name: "odd", canBuild: (heads: Int32Array) => heads.length % 2 === 0 };
  register(program, () => [odd]);
  const output = join(folder, "out");
  const paths = args.map((arg) => (arg.endsWith(".conllu") ? join(folder, arg) : arg));
  await program.parseAsync(["stats", "--output", output, ...paths], { from: "user" });
  return readFileSync(output, "utf8");
}

it("prints a column for each file and the total", async () => {
  const text = await stats("a.conllu", "b.conllu");
  expect(text).toMatch(/^ +a +b +total$/m);
  expect(text).toMatch(/^ {2}sentences +1 +2 +3$/m);
  expect(text).toMatch(/^ {2}sentences that are not trees +0 +0\.00 % +1 +50\.00 % +1 +33\.33 %$/m);
  expect(text).toMatch(/^ {2}arcs +1 +20\.00 % +1 +14\.29 % +2 +16\.67 %$/m);
  expect(text).toMatch(/^ {2}odd +1 100\.00 % +1 100\.00 % +2 100\.00 %$/m);
  expect(text).toMatch(/^ {2}NOUN +2 +40\.0 % +2 +28\.6 % +4 +33\.3 % {2}█{8}$/m);
});

it("prints no total for one file, and as many rows of the inventories as wanted", async () => {
  const text = await stats("a.conllu", "--top", "1");
  expect(text).not.toContain("total");
  expect(text).toMatch(/^UPOS\n {2}distinct +4\n {2}NOUN .*\n {2}… 3 more$/m);
});

it("prints JSON", async () => {
  const json = JSON.parse(await stats("--json", "a.conllu", "b.conllu"));
  expect(json.files.map(({ sentences }: { sentences: number }) => sentences)).toEqual([1, 2]);
  expect(json.files[0].file).toMatch(/a\.conllu$/);
  expect(json.total).toMatchObject({
    sentences: 3,
    notTrees: 1,
    nonProjective: { sentences: 2, arcs: 2 },
    coverage: { odd: { trees: 2, share: 1 } },
    deprel: { nsubj: 2, root: 3 },
  });
});

it("skips sentences that cannot be read and says so", async () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  writeFileSync(join(folder, "bad.conllu"), `1\tonly\ttwo\n\n${CROSSING}`);
  const json = JSON.parse(await stats("--json", "bad.conllu"));
  expect(json.total.sentences).toBe(1);
  expect(write.mock.calls.join("")).toMatch(/bad\.conllu:1.*: sentence skipped\nstemma: 1 sentence skipped, 1 read/);
  expect(process.exitCode).toBe(1);
});

it("asks no system about very long trees, and says how many there were", async () => {
  const word = (i: number) => `${i}\tw\t_\t_\t_\t_\t${i - 1}\t${i === 1 ? "root" : "dep"}\t_\t_\n`;
  const long = Array.from({ length: 501 }, (_, i) => word(i + 1)).join("");
  writeFileSync(join(folder, "long.conllu"), `${CROSSING}${long}\n`);
  const json = JSON.parse(await stats("--json", "long.conllu"));
  expect(json.total).toMatchObject({ trees: 2, notJudged: 1, coverage: { odd: { trees: 1, share: 1 } } });
  const text = await stats("long.conllu");
  expect(text).toMatch(/^ {2}odd +1 +100\.00 %\n {2}left out: more than 500 words +1$/m);
});
