// From figures to sentences, and from wrong arcs to transitions: two models, the filter of errors in a link, causes.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load, readTreebank } from "@stemma/core";
import { compareSystems, evaluate } from "@stemma/core/evaluation";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MODEL, serve } from "../../browser.js";
import { accessibilityProblems, GOLD, inBothBrowsers, row, tab } from "../../harness.js";

const SMALL = join(MODEL, "../../model-en-small/en-small.stemma");

/** Sentences that models get wrong in part: the harbour belongs to the boats, and the nets have holes at night. */
const other = GOLD.replace("6\tharbour\tharbour\tNOUN\t_\t_\t3\tobl", "6\tharbour\tharbour\tNOUN\t_\t_\t2\tnmod");
const nets =
  row(1, "Nobody", "PRON", 2, "nsubj") +
  row(2, "mends", "VERB", 0, "root") +
  row(3, "nets", "NOUN", 2, "obj") +
  row(4, "with", "ADP", 5, "case") +
  row(5, "holes", "NOUN", 3, "nmod") +
  row(6, "at", "ADP", 7, "case") +
  row(7, "night", "NOUN", 2, "obl");
/** Without tags, so that models find their own: they differ a good deal. */
const man = [
  ["The", 2, "det"],
  ["old", 3, "nsubj"],
  ["man", 0, "root"],
  ["the", 5, "det"],
  ["boats", 3, "obj"],
  ["that", 9, "obj"],
  ["the", 8, "det"],
  ["young", 9, "nsubj"],
  ["abandon", 5, "acl:relcl"],
  ["near", 12, "case"],
  ["the", 12, "det"],
  ["pier", 9, "obl"],
]
  .map(([form, head, label], i) => row(i + 1, String(form), "_", Number(head), String(label)))
  .join("");
const FILE = [GOLD, other, nets, other, man, GOLD]
  .map((text, i) => `# sent_id = s${i + 1}\n${text.replace(/^# sent_id.*\n/, "")}\n`)
  .join("");

const hasModels = existsSync(SMALL) && existsSync(MODEL);

inBothBrowsers("a loop to debug in", (studio) => {
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    server = await serve(SMALL, MODEL);
  });
  afterAll(() => server.close());

  async function openFile(): Promise<Page> {
    const page = await studio.open("#treebank", {}, server);
    await page.waitForSelector(".model-chip.ready");
    await studio.openTreebank(page, FILE);
    return page;
  }
  const evaluation = (page: Page) => page.getByRole("button", { name: "Evaluation" }).click();
  const secondModel = (page: Page) => page.locator("label:has-text('Second model') select");
  const position = (page: Page) => page.locator(".found-bar").textContent();

  /** F1 of both models and p, as the core has them. */
  async function expected(): Promise<string[][]> {
    const results = await Promise.all(
      [SMALL, MODEL].map(async (path) => {
        const pipeline = await load(readFileSync(path));
        const gold = readTreebank(FILE);
        return evaluate(
          gold,
          gold.map((sentence) => pipeline.annotate(sentence)),
        );
      }),
    );
    const [a, b] = results as [(typeof results)[0], (typeof results)[0]];
    return (["uas", "las"] as const).map((name) => [
      (100 * a.scores[name].f1).toFixed(2),
      (100 * b.scores[name].f1).toFixed(2),
      compareSystems(a.counts, b.counts, name).p.toFixed(3),
    ]);
  }

  test.skipIf(!hasModels)(
    "a second model of the menu is evaluated beside the first, with significance and where they differ",
    async () => {
      const page = await openFile();
      await evaluation(page);
      await secondModel(page).selectOption("en.stemma");
      await page.getByRole("button", { name: /Parse all/ }).click();
      await page.waitForSelector(".model-comparison");
      const rows = await page.locator(".model-comparison tbody tr").all();
      const cells = await Promise.all(rows.slice(0, 2).map((one) => one.locator("td").allTextContents()));
      expect(cells.map(([a, b, , p]) => [a, b, p])).toEqual(await expected());
      expect(await accessibilityProblems(page)).toEqual([]);
      // The words that they have otherwise lead to both trees, with the gold arcs in the table.
      await page.getByRole("button", { name: /words, the models differ/ }).click();
      await page.locator(".sentence-row mark").first().waitFor();
      await page.locator(".sentence-row").first().click();
      await page.locator(".side-name.below >> text=en.stemma").waitFor();
      expect(await page.locator(".differences th").allTextContents()).toContain("Gold tree");
      // It is the second model of Compare, too, and goes when none is wanted.
      await tab(page, "Compare");
      expect(await secondModel(page).inputValue()).toBe("en.stemma");
      await expect.poll(() => page.url()).toContain("m2=en.stemma");
      await secondModel(page).selectOption("");
      await expect.poll(() => page.url()).not.toContain("m2=");
    },
  );

  test.skipIf(!hasModels)(
    "a cell of the confusions leads to its sentences, words marked, by key; the link has the filter",
    async () => {
      const page = await openFile();
      await evaluation(page);
      await page.getByRole("button", { name: /Parse all/ }).click();
      const cell = page.getByRole("button", { name: /times gold nmod, predicted obl/ });
      const count = Number.parseInt((await cell.textContent())!, 10);
      await cell.click();
      await page.waitForSelector(".error-chip >> text=gold nmod, predicted obl");
      const marks = page.locator(".sentence-row mark");
      await expect.poll(() => marks.count()).toBe(count);
      const found = await page.locator(".sentence-row").count();
      expect(found).toBeGreaterThan(1);
      await page.locator(".sentence-row").first().click();
      await page.locator(".tree-svg .word.found").first().waitFor();
      expect(await position(page)).toContain(`1 of ${found}: gold nmod, predicted obl`);
      const first = await page.locator(".tree-svg .word.found").first().getAttribute("aria-label");
      await page.keyboard.press("n");
      await expect.poll(() => position(page)).toContain(`2 of ${found}`);
      await page.keyboard.press("p");
      await expect.poll(() => position(page)).toContain(`1 of ${found}`);
      expect(await page.locator(".tree-svg .word.found").first().getAttribute("aria-label")).toBe(first);
      await expect.poll(() => page.url()).toContain("errors=confusion%7Enmod%7Eobl");
      expect(await accessibilityProblems(page)).toEqual([]);
      // The link evaluates again by itself.
      await page.reload();
      await page.locator(".tree-svg .word.found").first().waitFor();
      await expect.poll(() => position(page)).toContain(`1 of ${found}: gold nmod, predicted obl`);
    },
  );

  test.skipIf(!hasModels)(
    "a wrong arc leads to the transition behind it, with reasons and the best correct one",
    async () => {
      const page = await studio.open(`#compare?${new URLSearchParams({ t: other })}`, {}, server);
      await page.waitForSelector(".model-chip.ready");
      await page.getByRole("button", { name: "Why? The transition behind 6 harbour" }).click();
      await page.waitForSelector(".cause .why-table tbody tr");
      const told = (await page.locator(".cause").textContent())!;
      const [, step] = /^Step (\d+): the model took [A-Z-]+/.exec(told)!;
      expect(told).toContain("harbour could no longer be attached to boats");
      const [, better] = /Best correct alternative: ([A-Z-]+)/.exec(told)!;
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole("button", { name: `Go to step ${step}` }).click();
      await page.waitForSelector(".choices tr.taken");
      await expect.poll(() => page.url()).toContain(`k=${Number(step) - 1}`);
      expect(await page.locator(".choices").textContent()).toContain(better);
    },
  );
});
