// The public interface is what api.md says, complete, documented and small.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readInterface } from "../api.mjs";

const { report, page, names, internal, unexported, undocumented, missing, withoutParam, membersWithout } =
  readInterface();

test("the report is that of the compiled declarations (npm run api writes it again)", () => {
  expect(report).toBe(readFileSync(new URL("../api.md", import.meta.url), "utf8"));
});

test("about sixty names in the main entry, about two hundred in the others", () => {
  const counts = [...names].map(([entry, own]) => [entry, own.length] as const);
  const of = (isMain: boolean) =>
    counts.filter(([entry]) => (entry === "@stemma/core") === isMain).reduce((sum, [, count]) => sum + count, 0);
  expect(of(true)).toBeLessThanOrEqual(64);
  expect(of(false)).toBeLessThanOrEqual(205);
  // The others are not taken along: no name is counted in the entry of another.
  expect(new Set([...names.values()].flat()).size).toBe(of(true) + of(false));
});

test("the page of names is that of the compiled declarations (npm run api writes it again)", () => {
  expect(page).toBe(readFileSync(new URL("../../../docs/names.md", import.meta.url), "utf8"));
});

test("every name is on a page of docs/", () => {
  const folder = new URL("../../../docs/", import.meta.url);
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(new URL(name, folder), "utf8"));
  const code = pages.flatMap((page) => page.match(/^```[\s\S]*?^```|`[^`\n]+`/gm) ?? []).join("\n");
  const missing = [...names.values()].flat().filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
  expect(missing).toEqual([]);
});

test("what is published has no internal name, and compiles without the rest", () => {
  const folder = fileURLToPath(new URL("../dist/types/", import.meta.url));
  const entries = readdirSync(folder).filter((name) => name.endsWith(".d.ts") && !name.endsWith(".wasm.d.ts"));
  const files = [...entries, "node/index.d.ts"].map((name) => `${folder}${name}`);
  for (const file of files)
    for (const [, list] of readFileSync(file, "utf8").matchAll(/^export (?:type )?\{([^}]*)\}/gm))
      expect(list!.split(",").filter((name) => internal.includes(name.replace(/type /, "").trim()))).toEqual([]);
  const tsc = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
  const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022", "--types", "node"];
  const args = [tsc, "--ignoreConfig", ...options, "--module", "nodenext", ...files];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  // Node's own declarations are not ours to check.
  expect(stdout.split("\n").filter((line) => line !== "" && !/^ |types[\\/]node/.test(line))).toEqual([]);
});

test("every type that a signature names is exported where the function is", () => {
  expect(unexported).toEqual([]);
});

test("every name has a sentence of documentation", () => {
  expect(undocumented).toEqual([]);
});

test("every parameter is explained", () => {
  expect(withoutParam).toEqual([]);
});

test("every member has a sentence", () => {
  expect([...membersWithout.values()].flat()).toEqual([]);
});

test("the main names have an example", () => {
  expect(missing).toEqual([]);
});

test("the entries are those of package.json", () => {
  const { exports, main, types } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  type Files = { types: string; default: string };
  const typed = Object.entries<{ import: Files; require: Files }>(exports).filter(([, to]) => to.import);
  const headings = [...report.matchAll(/^## @stemma\/core(.*)$/gm)].map((match) => `.${match[1]}`);
  expect(typed.map(([entry]) => entry).sort()).toEqual(headings.sort());
  expect({ types, default: main }).toEqual(exports["."].require);
  for (const [, to] of typed) {
    for (const file of [...Object.values(to.import), ...Object.values(to.require)]) {
      expect(existsSync(fileURLToPath(new URL(`../${file}`, import.meta.url))), file).toBe(true);
    }
  }
});
