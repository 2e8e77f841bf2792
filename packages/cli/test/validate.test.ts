import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { register } from "../src/commands/treebanks/validate.js";

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
    "a.conllu:9: error: “!” (2) is labelled det, but it is ADP (expected DET or PRON). [label-upos] https://universaldependencies.org/u/dep/det.html",
  ]);
  expect(process.exitCode).toBe(1);
});

it("warnings are no errors, and can be left out like any rule", async () => {
  expect(await validate(NAMELESS)).toEqual([
    "a.conllu:1: warning: The sentence has no sent_id. [sent-id] https://universaldependencies.org/format.html",
  ]);
  expect(process.exitCode).toBe(0);
  expect(await validate(NAMELESS, "--errors")).toEqual([]);
  expect(await validate(NAMELESS, "--ignore", "text,sent-id")).toEqual([]);
});

it("JSON has the same", async () => {
  const [line] = await validate(NAMELESS, "--json");
  expect(JSON.parse(line!)).toMatchObject({ line: 1, id: null, word: 0, rule: "sent-id", level: "warning" });
});

it("what is no tree is checked, what cannot be read is skipped", async () => {
  const lines = await validate(GOOD.replace("0\troot", "2\tobj") + GOOD.replace("1\tpunct", "7\tpunct"));
  expect(lines.filter((line) => line.includes("[cycle]"))).toHaveLength(1);
  expect(said).toContain("invalid HEAD: 7");
  expect(process.exitCode).toBe(1);
});
