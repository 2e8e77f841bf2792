import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { register as registerDeprojectivize } from "../../src/commands/treebanks/deprojectivize.js";
import { register as registerProjectivize } from "../../src/commands/treebanks/projectivize.js";

const crossing = (third: string, first = "2\tnsubj", fifth = "1\tnmod") =>
  [
    "# sent_id = 1",
    "# text = mail came today forher",
    `1\tmail\t_\tNOUN\t_\t_\t${first}\t2:nsubj\t_`,
    "2\tcame\t_\tVERB\t_\t_\t0\troot\t0:root\t_",
    `3\ttoday\t_\tNOUN\t_\t_\t2\t${third}\t2:obl\t_`,
    "4-5\tforher\t_\t_\t_\t_\t_\t_\t_\t_",
    "4\tfor\t_\tADP\t_\t_\t5\tcase\t5:case\t_",
    `5\ther\t_\tPRON\t_\t_\t${fifth}\t1:nmod:for\tSpaceAfter=No`,
    "5.1\tsent\t_\tVERB\t_\t_\t_\t_\t0:root\t_",
    "",
    "",
  ].join("\r\n");
const PROJECTIVE = "1\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n\n";
const TRAILER = "# the end\n";

let folder: string;
let input: string;
let output: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-projectivize-"));
  input = join(folder, "in.conllu");
  output = join(folder, "out.conllu");
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

async function run(command: string, text: string, ...args: string[]): Promise<string> {
  writeFileSync(input, text);
  const program = new Command().exitOverride();
  registerProjectivize(program);
  registerDeprojectivize(program);
  await program.parseAsync([command, input, "--output", output, ...args], { from: "user" });
  return existsSync(output) ? readFileSync(output, "utf8") : "";
}

describe("a file with comments, a multiword token, an empty node and carriage returns", () => {
  it.each([
    ["baseline", "2\tnsubj", "2\tnmod"],
    ["head", "2\tnsubj", "2\tnmod↑nsubj"],
    ["path", "2\tnsubj↓", "2\tnmod↑"],
    ["head+path", "2\tnsubj↓", "2\tnmod↑nsubj"],
  ])("changes HEAD and DEPREL only and comes back: %s", async (scheme, first, fifth) => {
    const gold = crossing("obl") + PROJECTIVE + TRAILER;
    const encoded = await run("projectivize", gold, "--scheme", scheme);
    expect(encoded).toBe(crossing("obl", first, fifth) + PROJECTIVE + TRAILER);
    const decoded = await run("deprojectivize", encoded, "--scheme", scheme);
    expect(decoded).toBe(scheme === "baseline" ? encoded : gold);
  });
});

it("uses head+path unless told otherwise", async () => {
  expect(await run("projectivize", crossing("obl"))).toContain("nmod↑nsubj");
});

it("skips sentences with marks in the labels or without a tree, with the place", async () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const loop = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t2\tdep\t_\t_\n\n";
  expect(await run("projectivize", crossing("obl↑x") + loop + PROJECTIVE)).toBe(PROJECTIVE);
  const messages = write.mock.calls.join("");
  expect(messages).toContain(
    `${input}:5:8: invalid DEPREL: obl↑x (expected a label without ↑ and ↓, which mark lifted arcs): sentence skipped\n`,
  );
  expect(messages).toContain(`${input}:12:7: invalid HEAD: 2`);
  expect(messages).toContain("stemma: 2 sentences skipped, 1 read");
  expect(process.exitCode).toBe(1);
});

it("writes nothing after the first error with --strict", async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(await run("projectivize", PROJECTIVE + crossing("obl↑x"), "--strict")).toBe("");
  expect(process.exitCode).toBe(1);
});

it("leaves words whose head is not found and says how many", async () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const decoded = await run("deprojectivize", crossing("obl", "2\tnsubj", "2\tnmod↑iobj"));
  expect(decoded).toBe(crossing("obl", "2\tnsubj", "2\tnmod"));
  expect(write.mock.calls.join("")).toBe(
    "stemma: 1 lifted word stays in place: no head was found, or the label belongs to another --scheme\n",
  );
  expect(process.exitCode ?? 0).toBe(0);
});

it("refuses unknown schemes and lists the valid ones", async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  await expect(run("projectivize", PROJECTIVE, "--scheme", "haed")).rejects.toThrow(
    "Allowed choices are baseline, head, path, head+path.",
  );
});
