import { mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { PUBLISHED } from "../../src/files/installed.js";
import { stemma } from "../stemma.js";

const HEBREW = "הטחנה הישנה ליד הנהר אינה מסתובבת כבר שנים רבות, ואיש בכפר אינו זוכר מדוע סגרו אותה באותו קיץ.";
const ENGLISH = "The old mill beside the river has not turned for years, and nobody in the village remembers why.";
const folder = mkdtempSync(join(tmpdir(), "stemma-fit-"));

it("warns of a text that is not in the language of the model, and parses it all the same", () => {
  const text = join(folder, "hebrew.txt");
  writeFileSync(text, `${HEBREW}\n`);
  const run = stemma(["parse", text]);
  expect(run.status).toBe(0);
  expect(run.err).toContain(`${text}: the text looks like Hebrew (Hebrew letters), and the model is for English`);
  expect(run.out).toContain("\troot\t");
  expect(stemma(["parse", ENGLISH]).err).toBe("");
});

it("counts documents that the model is not for", () => {
  const lines = [ENGLISH, HEBREW, HEBREW].map((text, i) => `${JSON.stringify({ id: `d${i}`, text })}\n`).join("");
  const { err, status } = stemma(["parse", "--from", "jsonl"], { input: lines });
  expect(err).toContain("d1: 2 documents do not fit the model; the first: the text looks like Hebrew");
  expect(status).toBe(0);
});

it("--model auto picks the installed model that fits, from a pipe too, and refuses where there is none", () => {
  const long = Array.from({ length: 200 }, (_, i) => `${ENGLISH} Line ${i}.\n\n`).join("");
  const run = stemma(["parse", "--model", "auto"], { input: long });
  expect(run.err).toContain("model: en (the text looks like English)");
  expect(run.out).toContain("Line\t");
  expect(run.out.match(/^# text = Line \d+\.$/gm)?.length).toBe(200);
  const refused = stemma(["parse", "--model", "auto", HEBREW]);
  expect(refused.status).toBe(2);
  expect(refused.out).toBe("");
  expect(refused.err).toMatch(/the text looks like Hebrew, and no installed model is for it \(installed: .*en/);
  expect(stemma(["parse", "--model", "auto", "1 2 3"]).err).toContain("there are no letters in the text");
});

it("stemma models lists what is installed, and what can be", () => {
  const { installed, identified } = JSON.parse(stemma(["models", "--json"]).out);
  expect(installed).toContainEqual(
    expect.objectContaining({ name: "en", language: "en", licence: expect.stringContaining("CC BY-SA 4.0") }),
  );
  expect(identified).toContain("de");
  expect(stemma(["models"]).out).toMatch(/^installed:\n(?: {2}.*\n)* {2}en .*English +\d+\.\d MB +LAS \d\d\.\d\d/);
});

it("the models that can be installed are the packages of this repository", () => {
  const folder = fileURLToPath(new URL("../../../", import.meta.url));
  const packages = readdirSync(folder).flatMap((name) => /^model-(.*)$/.exec(name)?.[1] ?? []);
  const sizes = packages.map((name) => {
    const { size } = statSync(join(folder, `model-${name}`, `${name}.stemma`));
    return [name, Math.round(size / 1e6)] as const;
  });
  expect(Object.fromEntries(PUBLISHED.map(({ name, megabytes }) => [name, megabytes]))).toEqual(
    Object.fromEntries(sizes),
  );
});
