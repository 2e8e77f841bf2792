import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { register } from "../../src/commands/treebanks/validate.js";

const GOOD =
  "# sent_id = 1\n# text = Stop !\n1\tStop\tstop\tVERB\t_\t_\t0\troot\t_\t_\n2\t!\t!\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n";
const BAD = GOOD.replace("sent_id = 1", "sent_id = 2").replace("1\tpunct", "1\tobj").replace("PUNCT", "ADP");
const NAMELESS = GOOD.replace("# sent_id = 1\n", "");

let folder: string;
let said: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-validate-"));
  said = "";
  process.exitCode = 0;
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
  process.exitCode = 0;
});

async function validate(content: string, ...args: string[]): Promise<string[]> {
  const program = new Command().exitOverride();
  register(program);
  const [file, output] = [join(folder, "a.conllu"), join(folder, "out")];
  writeFileSync(file, content);
  await program.parseAsync(["validate", file, "--output", output, ...args], { from: "user" });
  return readFileSync(output, "utf8").replaceAll(`${folder}/`, "").split("\n").slice(0, -1);
}

it("says nothing of a good sentence", async () => {
  expect(await validate(GOOD)).toEqual([]);
  expect(said).toBe("stemma: 0 errors and 0 warnings in 1 sentence\n");
  expect(process.exitCode).toBe(0);
});

it("names the line, the word, the rule and the page", async () => {
  const wrong = GOOD + BAD.replace("1\tobj", "1\tdet");
  expect(await validate(wrong)).toEqual([
    "a.conllu:9:4: error: “!” (2) is labelled det, but it is ADP (expected DET or PRON). [rel-upos] https://universaldependencies.org/u/dep/det.html",
  ]);
  expect(process.exitCode).toBe(1);
});

it("warnings are no errors, and can be left out like any rule", async () => {
  const odd = GOOD.replace("stop\tVERB", "st op\tVERB");
  expect(await validate(odd)).toEqual([
    "a.conllu:3:3: warning: “Stop” (1) is one word, but its lemma has a space: st op. [lemma-space] https://universaldependencies.org/u/overview/morphology.html",
  ]);
  expect(process.exitCode).toBe(0);
  expect(await validate(odd, "--errors")).toEqual([]);
  expect(await validate(NAMELESS, "--ignore", "missing-text,missing-sent-id")).toEqual([]);
});

it("JSON has the same", async () => {
  const [line] = await validate(NAMELESS, "--json");
  expect(JSON.parse(line!)).toMatchObject({ line: 2, column: 0, word: 0, rule: "missing-sent-id", severity: "error" });
});

it("what is no tree, and what cannot be read, is reported with the rest", async () => {
  const [first, second] = [GOOD.replace("0\troot", "2\tobj"), BAD.replace("1\tobj", "7\tobj")];
  const lines = await validate(first + second + GOOD.replace("= 1", "= 3").replace("1\tStop", "1 Stop"));
  expect(lines.map((line) => /^(a.conllu:[\d:]+): .*\[(.*)\]/.exec(line)!.slice(1).join(" "))).toEqual([
    "a.conllu:3:7 non-tree",
    "a.conllu:9:7 unknown-head",
    "a.conllu:13 number-of-columns",
  ]);
  expect(process.exitCode).toBe(1);
});

it("bytes that are not UTF-8 have a place", async () => {
  const lines = await validate(Buffer.from(GOOD.replace("stop", "st\xf6p"), "latin1") as never);
  expect(lines).toEqual([expect.stringMatching(/^a\.conllu:3:3: error: .*\[invalid-utf\]/)]);
});

it("goes up to a level", async () => {
  const deep = GOOD.replace("1\tpunct", "1\tobj").replace("stop\tVERB", "sto\u0308p\tVERB");
  expect(await validate(deep, "--level", "1")).toHaveLength(1);
  expect(await validate(GOOD.replace("PUNCT", "PUNKT"), "--level", "1")).toEqual([]);
  await expect(validate(GOOD, "--level", "4")).rejects.toThrow("Expected 1, 2 or 3");
});

it("repairs the file, and reports what is left", async () => {
  const file = join(folder, "a.conllu");
  const broken =
    GOOD.replace("VERB\t_\t_", "VERB\t_\tTense=Past|Mood=Ind").replace(/\n/g, "\r\n") + BAD.replace("1\tobj", "1\tdet");
  expect(await validate(broken, "--fix")).toEqual([expect.stringContaining("[rel-upos]")]);
  expect(readFileSync(file, "utf8")).toBe(
    GOOD.replace("VERB\t_\t_", "VERB\t_\tMood=Ind|Tense=Past") + BAD.replace("1\tobj", "1\tdet"),
  );
  expect(said).toContain("1 sentence repaired, 1 error");
  const { mtimeMs } = statSync(file);
  const program = new Command().exitOverride();
  register(program);
  await program.parseAsync(["validate", file, "--fix", "--output", join(folder, "out")], { from: "user" });
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
});
