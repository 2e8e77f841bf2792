// The commands of docs/search.md give what the page shows, and its examples for the library run.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const PAGE = readFileSync(`${ROOT}docs/search.md`, "utf8");
const commands = [...PAGE.matchAll(/^```console\n\$ stemma ([^\n]*)\n([\s\S]*?)^```/gm)].map(
  ([, line, output]) => [line!, output!] as const,
);

function stemma(line: string) {
  const args = line.match(/'[^']*'|\S+/g)!.map((word) => word.replace(/^'(.*)'$/, "$1"));
  const bin = `${ROOT}packages/cli/bin/stemma.js`;
  return spawnSync(process.execPath, [bin, ...args], { cwd: `${ROOT}docs/examples`, encoding: "utf8" });
}

test("there are twenty recipes or more, each with a command that finds something", () => {
  const recipes = PAGE.slice(PAGE.indexOf("## Recipes"), PAGE.indexOf("## Editing")).split(/^### /m).slice(1);
  expect(recipes.length).toBeGreaterThanOrEqual(20);
  for (const recipe of recipes) expect(recipe).toMatch(/^```console\n\$ stemma search '[^\n]*\n[^`]+\n```/m);
});

describe("commands", () => {
  test.each(commands)("stemma %s", (line, output) => {
    const { stdout, stderr } = stemma(line);
    expect(stdout + stderr).toBe(output);
  });
});

test("the examples for the library", () => {
  const examples = [...PAGE.matchAll(/^```js\n([\s\S]*?)^```/gm)].map((match) => match[1]!);
  expect(examples).toHaveLength(2);
  const file = JSON.stringify(`${ROOT}docs/examples/search.conllu`);
  const source = [
    'import { readFileSync } from "node:fs";',
    ...examples.map((example) => example.replace("= readTreebank(text)", `= readTreebank(readFileSync(${file}))`)),
    "console.log(match(sentences[0], pattern).length);",
  ].join("\n");
  // Beside the packages, so that the imports are resolved as for a user.
  const script = `${ROOT}packages/cli/example-search-${process.pid}.mjs`;
  writeFileSync(script, source);
  try {
    const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: "chase mouse [ 3, 5 ]\n0\n", stderr: "" });
  } finally {
    rmSync(script);
  }
});
