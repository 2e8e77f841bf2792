// The examples of languages: there is one for every model that ships.

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { EXAMPLES, exampleIn, isExample } from "../../../src/state/address/examples.js";

const PACKAGES = fileURLToPath(new URL("../../../..", import.meta.url));

test("every language with a model has an example of its own", () => {
  const languages = readdirSync(PACKAGES).flatMap((folder) => /^model-([a-z]+)$/.exec(folder)?.[1] ?? []);
  expect(languages).toContain("de");
  for (const language of languages.filter((code) => code !== "en")) {
    const example = exampleIn(language);
    expect(example?.name, language).toMatch(/^In \p{Lu}/u);
    expect(isExample(example!.text)).toBe(true);
  }
});

test("English has the examples of the page", () => {
  expect(exampleIn("en")).toBeUndefined();
  expect(exampleIn(undefined)).toBeUndefined();
  expect(EXAMPLES.every(({ text }) => isExample(text))).toBe(true);
  expect(isExample("A text of one's own.")).toBe(false);
});
