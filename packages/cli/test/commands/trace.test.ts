import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { register } from "../../src/commands/systems/trace.js";

const ROWS = (rows: string) =>
  rows
    .trim()
    .split("\n")
    .map((row, i) => {
      const [form, head, label] = row.trim().split(" ");
      return `${i + 1}\t${form}\t_\t_\t_\t_\t${head}\t${label}\t_\t_\n`;
    })
    .join("");
const LETTER = `# sent_id = letter\n${ROWS(`
  She 2 nsubj
  wrote 0 root
  him 2 iobj
  a 6 det
  long 6 amod
  letter 2 obj
  . 2 punct`)}\n`;
const CROSSING = `# sent_id = crossing\n${ROWS(`
  mail 2 nsubj
  came 0 root
  today 2 obl
  for 5 case
  her_& 1 nmod`)}\n`;
const TWO_ROOTS = ROWS("go 0 root\nnow 0 root");

let folder: string;
let errors: string;
beforeEach(() => {
  process.exitCode = 0;
  folder = mkdtempSync(join(tmpdir(), "stemma-trace-"));
  writeFileSync(join(folder, "a.conllu"), CROSSING + LETTER);
  writeFileSync(join(folder, "roots.conllu"), `${TWO_ROOTS}\n`);
  errors = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    errors += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

async function trace(...args: string[]): Promise<string> {
  const program = new Command().exitOverride();
  register(program);
  for (const command of program.commands) command.exitOverride();
  const output = join(folder, "out");
  const paths = args.map((arg) => (arg.endsWith(".conllu") ? join(folder, arg) : arg));
  await program.parseAsync(["trace", "--output", output, ...paths], { from: "user" });
  return readFileSync(output, "utf8");
}

it("prints the canonical derivation as a table", async () => {
  expect(await trace("--system", "arc-eager", "--sentence", "2", "a.conllu")).toBe(
    `
# 2 letter
step  transition       stack           buffer                              new arc
   0                   []              [She wrote him a long … 3 more]
   1  SHIFT            [She]           [wrote him a long letter … 2 more]
   2  LEFT-ARC nsubj   []              [wrote him a long letter … 2 more]  wrote → She
   3  SHIFT            [wrote]         [him a long letter . ROOT]
   4  RIGHT-ARC iobj   [wrote him]     [a long letter . ROOT]              wrote → him
   5  REDUCE           [wrote]         [a long letter . ROOT]
   6  SHIFT            [wrote a]       [long letter . ROOT]
   7  SHIFT            [wrote a long]  [letter . ROOT]
   8  LEFT-ARC amod    [wrote a]       [letter . ROOT]                     letter → long
   9  LEFT-ARC det     [wrote]         [letter . ROOT]                     letter → a
  10  RIGHT-ARC obj    [wrote letter]  [. ROOT]                            wrote → letter
  11  REDUCE           [wrote]         [. ROOT]
  12  RIGHT-ARC punct  [wrote .]       [ROOT]                              wrote → .
  13  REDUCE           [wrote]         [ROOT]
  14  LEFT-ARC root    []              [ROOT]                              ROOT → wrote
`.trimStart(),
  );
  expect(process.exitCode).toBe(0);
});

it("shows everything with --full, and numbers with --numbers", async () => {
  const text = await trace(
    "--system",
    "arc-standard",
    "--root",
    "first",
    "--id",
    "letter",
    "--full",
    "--numbers",
    "a.conllu",
  );
  expect(text).toContain("[ROOT-0]");
  expect(text).toContain("[She-1 wrote-2 him-3 a-4 long-5 letter-6 .-7]");
});

it("shows the spines of LR-spines", async () => {
  const text = await trace("--system", "lr-spines", "--id", "letter", "a.conllu");
  expect(text).toMatch(/LEFT-ARC-1 det +\[She←wrote→him a←letter\]/);
  expect(text).toMatch(/LEFT-ARC-1 root +\[She←wrote←ROOT\] +\[\] +ROOT → wrote\n/);
});

it("lists the correct transitions", async () => {
  const text = await trace("--system", "arc-eager", "--oracle", "non-deterministic", "--id", "letter", "a.conllu");
  expect(text).toMatch(/^step .* new arc +correct$/m);
  expect(text).toMatch(/^ +5 {2}REDUCE .* REDUCE, SHIFT$/m);
});

it("lists costs, and traces a tree that cannot be built", async () => {
  const text = await trace("--system", "arc-eager", "--oracle", "dynamic", "--id", "crossing", "a.conllu");
  expect(text).toMatch(/^ +2 {2}LEFT-ARC nsubj .* LEFT-ARC 0, RIGHT-ARC 1, SHIFT 1$/m);
  expect(text).toMatch(/with a head other than in the gold tree: her_&\n$/);
  expect(process.exitCode).toBe(0);
});

it("reports a tree that cannot be built and goes on", async () => {
  const text = await trace("--system", "arc-standard", "a.conllu");
  expect(errors).toMatch(/a\.conllu:1: arc-standard cannot build this tree: non-projective arc 1 → 5\n$/);
  expect(text).toMatch(/^# 2 letter\n/);
  expect(process.exitCode).toBe(1);
});

it("says when there are too many roots", async () => {
  expect(await trace("--system", "arc-standard", "--root", "none", "roots.conllu")).toBe("");
  expect(errors).toContain("2 words depend on the root (expected one, with --root none)");
  errors = "";
  await trace("--system", "arc-eager", "--single-root", "roots.conllu");
  expect(errors).toContain("2 words depend on the root (expected one, as --single-root says)");
  expect(await trace("--system", "arc-eager", "--root", "none", "roots.conllu")).toContain(
    "attached to the root at the end: go, now",
  );
});

it("prints JSON", async () => {
  const lines = (await trace("--system", "swap", "--root", "none", "--json", "a.conllu")).trim().split("\n");
  const [crossing, letter] = lines.map((line) => JSON.parse(line));
  expect(crossing).toMatchObject({
    sentence: 1,
    id: "crossing",
    system: "swap",
    root: "none",
    oracle: "static",
    initial: { stack: [], buffer: [1, 2, 3, 4, 5] },
    headless: [2],
    wrong: [],
  });
  expect(crossing.steps[3]).toEqual({
    transition: "RIGHT-ARC",
    label: "obl",
    stack: [1, 2],
    buffer: [4, 5],
    arc: [2, 3],
  });
  expect(crossing.steps[5]).toEqual({ transition: "SWAP", label: null, stack: [1, 4], buffer: [2, 5], arc: null });
  expect(letter.words).toHaveLength(7);
});

it("swaps later when lazy, and reaches further with a higher degree", async () => {
  const steps = async (...args: string[]) =>
    JSON.parse(await trace(...args, "--json", "--id", "crossing", "a.conllu")).steps;
  const swaps = (all: { transition: string }[]) => all.filter(({ transition }) => transition === "SWAP").length;
  expect(swaps(await steps("--system", "swap", "--root", "first"))).toBe(2);
  expect(swaps(await steps("--system", "swap", "--root", "first", "--lazy"))).toBe(1);
  const arcs = (await steps("--system", "attardi", "--degree", "3")).map(
    ({ transition }: { transition: string }) => transition,
  );
  expect(arcs).toContain("RIGHT-ARC-2");
});

it.each(["swap", "arc-hybrid-swap"])("%s: the dynamic oracle is that of training", async (system) => {
  const read = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const [crossing] = read(await trace("--system", system, "--oracle", "dynamic", "--json", "a.conllu"));
  expect(crossing.wrong).toEqual([]);
  const built = crossing.steps.flatMap(({ arc }: { arc: number[] | null }) => (arc ? [arc[1]] : []));
  expect(built.toSorted()).toEqual([1, 2, 3, 4, 5]);
  for (const { transition, costs } of crossing.steps) expect(costs[transition]).toBe(0);
  expect(crossing.steps.some(({ costs }: { costs: Record<string, number> }) => costs.SHIFT! > 0)).toBe(true);
});

it("prints LaTeX", async () => {
  const text = await trace("--system", "swap", "--latex", "--sentence", "1", "a.conllu");
  expect(text).toContain("\\begin{tabular}{rllll}\n  \\toprule\n");
  expect(text).toContain(
    "\\textsc{right-arc}\\textsubscript{obl} & [mail came] & [for her\\_\\symbol{38} ROOT] & came $\\to$ today \\\\\n",
  );
});

it("names what is valid", async () => {
  await expect(trace("--system", "arc", "a.conllu")).rejects.toThrow(/arc-standard, arc-eager, .*lr-spines/);
  await expect(trace("--system", "swap", "--lazy", "--oracle", "dynamic", "a.conllu")).rejects.toThrow(
    "invalid oracle: dynamic (none is known for swap; expected static)",
  );
  await trace("--system", "swap", "--sentence", "7", "a.conllu").catch(() => {});
  expect(errors).toContain("a.conllu: sentence 7 does not exist: there are 2\n");
  expect(process.exitCode).toBe(2);
});
