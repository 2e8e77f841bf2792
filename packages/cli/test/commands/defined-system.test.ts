// A system that was defined outside the package, with its setting, in the commands: none of them knows it by name.

import "../../../core/test/systems/arc-parking.js";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, afterEach, expect, test } from "vitest";
import { register as registerOracle } from "../../src/commands/systems/oracle.js";
import { register as registerTrace } from "../../src/commands/systems/trace.js";
import { parseSpec } from "../../src/experiment/spec.js";
import { addTrainingOptions } from "../../src/training/options.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-"));
const output = join(folder, "out");
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  process.exitCode = undefined;
});

/** Words 1 to 4 with the heads 3, 0, 2 and 1, which cross. */
const HEADS = [3, 0, 2, 1];

function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

async function run(register: (program: Command) => void, ...args: string[]): Promise<string> {
  const program = new Command().exitOverride();
  register(program);
  await program.parseAsync([...args, "-o", output], { from: "user" });
  return readFileSync(output, "utf8");
}

test("oracle: queries may have the setting", async () => {
  const query = { system: "arc-parking", heads: HEADS, history: ["SHIFT", "SHIFT"] };
  const queries = [
    { ...query, room: 2 },
    { ...query, room: 0 },
    { ...query, room: 10 },
    { ...query, degree: 3 },
  ];
  const file = written("queries.jsonl", queries.map((one) => JSON.stringify(one)).join("\n"));
  const [some, none, ...bad] = (await run(registerOracle, "oracle", file))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(Object.keys(some.costs)).toContain("PARK");
  expect(some.loss).toBe(0);
  expect(Object.keys(none.costs)).not.toContain("PARK");
  expect(none.loss).toBeGreaterThan(0);
  expect(bad).toEqual([
    { error: "invalid room of arc-parking: 10 (expected a whole number from 0 to 9)" },
    { error: "unknown option of arc-parking: degree (expected one of root, singleRoot, room)" },
  ]);
});

test("trace: it has a flag", async () => {
  const rows = HEADS.map((head, i) => [i + 1, `w${i + 1}`, "_", "X", "_", "_", head, "dep", "_", "_"].join("\t"));
  const file = written("treebank.conllu", `${rows.join("\n")}\n\n`);
  const trace = (...more: string[]) => run(registerTrace, "trace", "--system", "arc-parking", ...more, file);
  expect(await trace("--room", "1")).toContain("PARK");
  expect(await trace("--room", "0")).toBe("");
  expect(process.exitCode).toBe(1);
  const program = new Command();
  registerTrace(program);
  const help = program.commands[0]!.configureOutput({ getOutHelpWidth: () => 200 }).helpInformation();
  expect(help).toMatch(/--room <n> +arc-parking: the most words that are parked at once \(default: 9\)/);
});

test("train and experiment take it", () => {
  const flags = addTrainingOptions(new Command()).options.map(({ long }) => long);
  expect(flags).toContain("--room");
  const spec = (room: number) =>
    parseSpec(
      JSON.stringify({
        treebanks: [{ name: "t", train: "t", dev: "d" }],
        oracles: ["static"],
        systems: [{ system: "arc-parking", room }],
      }),
      "spec.json",
    );
  expect(spec(2).systems[0]!.runs[0]!.settings).toMatchObject({ system: "arc-parking", systemSettings: { room: 2 } });
  expect(() => spec(10)).toThrow("invalid systems[0].room: 10 (expected a whole number from 0 to 9)");
});
