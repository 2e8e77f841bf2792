// Treebanks in the page: what is found, what stays, what can be stopped.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load, readTreebank } from "@stemma/core";
import { Evaluation } from "@stemma/core/evaluation";
import { isTree } from "@stemma/core/treebank";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { MODEL } from "../../browser.js";
import { CHROMIUM, GOLD, hasModel, ready, row, Studio, tab, until } from "../../harness.js";

const DONT =
  "# text = I don't know what it will be.\n" +
  row(1, "I", "PRON", 4, "nsubj") +
  "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n" +
  row(2, "do", "AUX", 4, "aux") +
  row(3, "n't", "PART", 4, "advmod") +
  row(4, "know", "VERB", 0, "root");
const BETTER = `# text = Better boats float.\n${row(1, "Better", "ADJ", 2, "amod")}${row(2, "boats", "NOUN", 0, "root")}`;
const CHINESE = `# text = 我喜欢看书\n${row(1, "我", "PRON", 2, "nsubj")}${row(2, "喜欢", "VERB", 0, "root")}`;

describe.skipIf(!CHROMIUM)("treebanks", () => {
  const studio = new Studio();
  const open = studio.open.bind(studio);

  async function openTreebank(page: Page, name: string, content: string): Promise<void> {
    const file = join(studio.folder, name);
    writeFileSync(file, content);
    await page.setInputFiles('[aria-label="Treebank file"]', file);
  }

  const found = (page: Page, count: string) => page.waitForSelector(`.found:not(:has(.spinner)) >> text="${count}"`);

  test("finds whole words, tokens and phrases", async () => {
    const page = await open("#treebank", {}, studio.withoutModel);
    await openTreebank(page, "words.conllu", [DONT, BETTER, GOLD, DONT.replace(/^#.*\n/, ""), CHINESE].join("\n"));
    await found(page, "5 of 5");
    const expected = {
      "don't": 2,
      "DON’T": 2,
      "n't": 2,
      be: 1,
      "be*": 2,
      "better boats": 1,
      "do know": 0,
      "pastthe harbour": 1,
      "the harbour": 1,
      喜欢: 1,
      欢看: 1,
      "(": 0,
    };
    for (const [query, count] of Object.entries(expected)) {
      await page.getByLabel("Word or phrase").fill(query);
      await found(page, `${count} of 5`);
    }
  });

  test("the fields say what is searched for, also after a link or the back button", async () => {
    const page = await open("#treebank", {}, studio.withoutModel);
    await openTreebank(page, "fields.conllu", [DONT, BETTER, GOLD].join("\n"));
    await found(page, "3 of 3");
    const [word, pattern, by] = ["Word or phrase", "Pattern", "Count by"].map((name) => page.getByLabel(name));
    await word!.fill("boats");
    await found(page, "2 of 3");
    await pattern!.fill("{upos:VERB}=verb");
    await found(page, "1 of 3");
    await by!.fill("verb.lemma");
    await page.waitForSelector(".pattern-value >> text=drift");
    await until(page, "location.hash.includes('count=verb.lemma')");
    const hash = await page.evaluate("location.hash");
    await word!.fill("know");
    await pattern!.fill("{upos:ADJ}=verb ");
    await found(page, "0 of 3");
    // Typed text stays as it is.
    expect(await pattern!.inputValue()).toBe("{upos:ADJ}=verb ");
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await found(page, "1 of 3");
    await expect.poll(() => word!.inputValue()).toBe("boats");
    await expect.poll(() => pattern!.inputValue()).toBe("{upos:VERB}=verb");
    await expect.poll(() => by!.inputValue()).toBe("verb.lemma");
  });

  test("a bad file leaves the open treebank as it is", async () => {
    const page = await open("#treebank", {}, studio.withoutModel);
    await openTreebank(page, "good.conllu", `${GOLD}\n`.repeat(3));
    await found(page, "3 of 3");
    await openTreebank(page, "bad.conllu", GOLD.replace("\t6\tcase", "\t16\tcase"));
    await page.waitForSelector("text=/bad.conllu cannot be read as CoNLL-U/");
    await found(page, "3 of 3");
    await page.locator(".sentence-row").nth(2).click();
    await ready(page);
    expect(await page.inputValue("#text")).toBe(`${GOLD}\n`);
  });

  test("the list is where it was when one comes back to it", async () => {
    const page = await open("#treebank", {}, studio.withoutModel);
    await openTreebank(page, "many.conllu", `${GOLD}\n`.repeat(500));
    await found(page, "500 of 500");
    await page.evaluate("document.querySelector('.virtual').scrollTop = 18000");
    const rowOf = (number: number) =>
      page.locator(".sentence-row", { has: page.locator(`.number:text-is("${number}")`) });
    await rowOf(303).click();
    await ready(page);
    await tab(page, "Treebank");
    await rowOf(303).waitFor();
    expect(await page.evaluate("document.querySelector('.virtual').scrollTop")).toBe(18000);
    // Another search starts at the top.
    await page.getByLabel("Word or phrase").fill("boats");
    await rowOf(1).waitFor();
  });

  test.skipIf(!hasModel)("an evaluation lets a search through, and can be cancelled", async () => {
    const page = await open("#treebank");
    await page.waitForSelector(".model-chip.ready");
    await openTreebank(page, "long.conllu", `${`${GOLD}\n`.repeat(400)}${BETTER}\n`.repeat(40));
    await found(page, "16,040 of 16,040");
    await page.getByRole("button", { name: "Evaluation" }).click();
    await page.getByRole("button", { name: /Parse all/ }).click();
    await until(page, "document.querySelector('progress')?.value > 0");
    await page.getByRole("button", { name: "Sentences", exact: true }).click();
    await page.getByLabel("Word or phrase").fill("better");
    await found(page, "40 of 16,040");
    await page.getByRole("button", { name: "Evaluation" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.waitForSelector("text=Nothing measured yet");
    // It is over: it can be started again.
    await page.getByRole("button", { name: /Parse all/ }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.waitForSelector("text=Nothing measured yet");
  });

  test.skipIf(!hasModel)("an evaluation on several workers is that of one, sentence by sentence", async () => {
    const sizes = [GOLD, BETTER, DONT, CHINESE];
    const content = Array.from(
      { length: 600 },
      (_, i) => `# sent_id = s${i}\n${sizes[i % 4]!.replace(/^#.*\n/, "")}\n`,
    );
    const page = await open("#treebank");
    await page.waitForSelector(".model-chip.ready");
    await openTreebank(page, "shared.conllu", content.join(""));
    await found(page, "600 of 600");
    await page.getByRole("button", { name: "Evaluation" }).click();
    // Until the further workers are there, the first one does everything.
    const evaluated = async () => {
      await page.getByRole("button", { name: /Parse all|Evaluate again/ }).click();
      await until(page, "!document.querySelector('.evaluation-top progress')");
      await page.waitForSelector(".score-tile");
      return page.locator(".evaluation-top > .faint").textContent();
    };
    await expect.poll(evaluated, { interval: 1000, timeout: 120_000 }).toMatch(/^en.stemma, [\d.]+ s, [2-8] workers$/);
    const pipeline = await load(readFileSync(MODEL));
    const evaluation = new Evaluation();
    for (const text of content) {
      const gold = readTreebank(text)[0]!;
      if (!isTree(gold.heads)) continue;
      evaluation.addGold(gold);
      evaluation.addSystem(pipeline.annotate(gold));
    }
    evaluation.end();
    const { scores } = evaluation.toJSON();
    // Tags of the file have no score.
    const expected = (["las", "uas", "labels", "clas", "exactLabelled"] as const).map((name) =>
      (100 * scores[name].f1).toFixed(2),
    );
    expect(await page.locator(".score-tile b").allTextContents()).toEqual(expected);
  });

  test("a treebank is there again after a reload", async () => {
    const page = await open("#treebank", {}, studio.withoutModel);
    await openTreebank(page, "kept.conllu", `${GOLD}\n`.repeat(7));
    await found(page, "7 of 7");
    await until(page, "/^#treebank.*tb=/.test(location.hash)");
    await page.reload();
    await found(page, "7 of 7");
    await page.waitForSelector("text=kept.conllu");
  });
});
