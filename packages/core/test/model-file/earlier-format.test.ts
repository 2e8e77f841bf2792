// The models in this repository may have an earlier format: read, and written in today's, they parse as before.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { load, MODEL_FORMAT_VERSION, writeModel } from "../../src/index.js";
import { openModel } from "../../src/model-file/model-file.js";

const NAMES = ["en", "en-small", "en-roles"] as const;
const fileOf = (name: string) => fileURLToPath(new URL(`../../../model-${name}/${name}.stemma`, import.meta.url));
const FILES = NAMES.map(fileOf).filter((file) => existsSync(file));

test.skipIf(FILES.length === 0)("some model still has one: else earlier-format.ts and this file go", () => {
  expect(FILES.filter((file) => readFileSync(file)[8] !== MODEL_FORMAT_VERSION)).not.toEqual([]);
});

const TEXT =
  "The old mill stands by the river. Nobody's used it since 1998, but people still don't want it torn down! " +
  "Who would have thought that she'd sell the boats she painted to them?";

describe.each<[(typeof NAMES)[number], string[]]>([
  ["en", []],
  ["en-small", []],
  ["en-roles", ["roles"]],
])("%s", (name, needs) => {
  const file = fileOf(name);
  test.skipIf(!existsSync(file))("converted, it gives the same bytes for a text", async () => {
    const earlier = await load(file);
    const bytes = writeModel(earlier.model);
    expect(bytes[8]).toBe(MODEL_FORMAT_VERSION);
    expect(openModel(bytes).needs).toEqual(needs);
    const converted = await load(bytes);
    expect(Buffer.from(writeModel(converted.model)).equals(Buffer.from(bytes))).toBe(true);
    const parsed = (pipeline: typeof earlier) =>
      [...pipeline.parse(TEXT, { scores: true })].map((sentence) => sentence.toConllu()).join("");
    expect(parsed(converted)).toBe(parsed(earlier));
  });
});
