// The script that makes silver data for the English model: text of tokens, and a sentence for every line.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readTreebank } from "@stemma/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documentsOf, parseInto, textOf } from "../../../model-en/silver.mjs";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-silver-text-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['He said , " I do n\'t know . "', 'He said, "I don\'t know."'],
  ["the workers ' rights and Anna 's ( late ) book", "the workers' rights and Anna's (late) book"],
  ["a band called ' No Assembly Required ' .", "a band called 'No Assembly Required'."],
  ["It costs $ 5 , 10 % more ; you ’re gon na pay .", "It costs $5, 10% more; you’re gonna pay."],
  ["I can not see \u201c it \u201d [ here ] ...", "I cannot see \u201cit\u201d [here]..."],
  ["10\u00a0000 people", "10 000 people"],
])("%s", (tokens, text) => {
  expect(textOf(tokens.split(" "))).toBe(text);
});

const TEXT = `# doc news_one
First one . [ 3 ]
${"word ".repeat(120)}
It 's short .

# doc fiction_two
Third one .

# doc bio_three
Never read .
`;

test("documents are taken until there are enough words, without tables", () => {
  expect(documentsOf(TEXT, 8)).toEqual([
    { name: "news_one", sentences: ["First one.", "It's short."] },
    { name: "fiction_two", sentences: ["Third one."] },
  ]);
});

test("every line is a sentence with scores, and documents keep their names", () => {
  const model = fileURLToPath(new URL("../../../model-en/en.stemma", import.meta.url));
  const out = join(folder, "silver.conllu");
  parseInto(model, documentsOf(TEXT, 8), out);
  const sentences = [...readTreebank(readFileSync(out), { requireTree: true })];
  expect(sentences.map((sentence) => sentence.text)).toEqual(["First one.", "It's short.", "Third one."]);
  expect(sentences.map((sentence) => sentence.comment("newdoc id"))).toEqual(["news_one", undefined, "fiction_two"]);
  expect(sentences[0]!.misc(2)).toMatch(/^SpaceAfter=No\|Score=0\.\d{3}$/);
});
