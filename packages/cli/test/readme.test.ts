// Runs the code and the commands of the README and of the first pages of the documentation.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Configuration, createSystem, dynamicOracle, GoldTree } from "@stemma/core/systems";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const page = (path: string): string => readFileSync(ROOT + path, "utf8");
const README = page("README.md");

test("the command lines", () => {
  const lines = [...README.matchAll(/(?:^(?:npm ci && )?|`)npx stemma ([^`\n]+)/gm)].map((match) => match[1]!);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    const words = line.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ""));
    const args = [`${ROOT}packages/cli/bin/stemma.js`, ...words];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
    expect({ line, stderr, status }).toEqual({ line, stderr: "", status: 0 });
    expect(stdout).toContain("wheel");
  }
});

test("the lines of code", () => {
  const [, code] = /```js\n([\s\S]*?)```/.exec(README)!;
  const args = ["--input-type=module", "--eval", code!];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  expect(stdout).toContain("wheel wheel NOUN turns nsubj\n");
  expect(stdout).toContain("[ 'wheel' ]\n[ 'The old mill wheel', 'the spring' ]\n");
});

test("the introduction shows what its commands print", () => {
  const introduction = page("docs/introduction.md");
  expect(introduction).toContain(page("docs/examples/wheel.conllu").trim());
  const commands = [...introduction.matchAll(/`stemma ((?:draw|trace) [^`]+)`/g)].map((match) => match[1]!.split(" "));
  expect(commands.length).toBe(3);
  for (const command of commands) {
    const args = [`${ROOT}packages/cli/bin/stemma.js`, ...command];
    const { stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
    // The name of the sentence is left out, and of the last command all but the first steps.
    const lines = stdout.trimEnd().split("\n").slice(1);
    for (const line of command.includes("--oracle") ? [lines[0]!, ...lines.slice(2, 4)] : lines)
      expect(introduction).toContain(`\n${line.trimEnd()}\n`);
  }
});

test("the commands in the table are those of --help, and all of them", () => {
  const args = [`${ROOT}packages/cli/bin/stemma.js`, "--help"];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map((match) => match[1]!);
  for (const command of listed) {
    if (command !== "help") expect(page("docs/commands.md")).toMatch(new RegExp(`\\| \`stemma .*\\b${command}\``));
  }
});

test("the use of the library", () => {
  const system = createSystem("arc-eager", { root: "last" });
  const oracle = dynamicOracle(system)!;
  oracle.bind(new GoldTree([-1, 2, 0, 2]));
  const c = new Configuration();
  system.initialize(c, 3);
  system.apply(c, system.moveOf("SHIFT"));
  expect(system.nameOf(oracle.optimal(c))).toBe("LEFT-ARC");
  expect(oracle.cost(c, system.moveOf("RIGHT-ARC"))).toBe(2);
  const oracles = page("docs/oracles.md");
  expect(oracles).toContain('system.nameOf(oracle.optimal(c)); // "LEFT-ARC"');
  expect(oracles).toContain('oracle.cost(c, system.moveOf("RIGHT-ARC")); // 2');
});
