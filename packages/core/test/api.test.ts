// The public interface is what api.md says, complete and documented.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readInterface } from "../api.mjs";

const { report, unexported, undocumented, missing } = readInterface();

test("the report is that of the compiled declarations (npm run api writes it again)", () => {
  expect(report).toBe(readFileSync(new URL("../api.md", import.meta.url), "utf8"));
});

test("every type that a signature names is exported", () => {
  expect(unexported).toEqual([]);
});

test("every name has a sentence of documentation", () => {
  expect(undocumented).toEqual([]);
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
