// Comparing with a second model or file, the sentences behind the figures of an evaluation, and why a transition was
// taken.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MODEL } from "../../browser.js";
import { accessibilityProblems, at, CHROMIUM, GOLD, hasModel, Studio, tab, until } from "../../harness.js";

describe.skipIf(!CHROMIUM)("Studio finds faults", () => {
  const studio = new Studio();
  const { folder } = studio;
  const open = studio.open.bind(studio);
  const numbered = (text: string, n: number) => text.replace("sent_id = boats", `sent_id = boats-${n}`);
  const other = GOLD.replace("6\tharbour\tharbour\tNOUN\t_\t_\t3\tobl", "6\tharbour\tharbour\tNOUN\t_\t_\t2\tnmod");

  test("a second file is compared sentence by sentence, and the list leads to where they differ", async () => {
    const [first, second] = [join(folder, "first.conllu"), join(folder, "second.conllu")];
    expect(other).not.toBe(GOLD);
    const list = (texts: string[]) => texts.map((text, i) => numbered(text, i)).join("\n");
    writeFileSync(first, list([GOLD, GOLD, GOLD, GOLD]));
    // In another order, one sentence with another tree, one with other words.
    const texts = [GOLD, GOLD, other, GOLD.replace("2\tboats", "2\tships")].map((text, i) => numbered(text, i));
    writeFileSync(second, [texts[2], texts[0], texts[1], texts[3]].join("\n"));
    const page = await open("#treebank", {}, studio.withoutModel);
    await page.setInputFiles('[aria-label="Treebank file"]', first);
    await page.waitForSelector(".sentence-row .row-facts small");
    await tab(page, "Compare");
    await page.setInputFiles('[aria-label="Second treebank file"]', second);
    await until(page, "[...document.querySelectorAll('.settings select')][1].value === 'other-file'");
    await page.getByRole("button", { name: "Compare all sentences" }).click();
    await page.waitForSelector("text=1 of 3 sentences differ, in one word; 1 could not be compared");
    await page.locator(".differing .sentence-row").click();
    await page.waitForSelector("text=1 of 1 difference to be decided");
    expect(await page.locator(".arc.bad").count()).toBe(2);
    expect(await page.locator(".decisions").textContent()).toContain("second.conllu");
    expect(await accessibilityProblems(page)).toEqual([]);
    // All of it is there again after a reload.
    await until(page, "location.hash.includes('tb2=') && location.hash.includes('other-file')");
    await page.reload();
    await page.waitForSelector("text=1 of 1 difference to be decided");
  });

  test.skipIf(!hasModel)("a second model is compared; a copy of the first differs nowhere", async () => {
    const copy = join(folder, "copy.stemma");
    writeFileSync(copy, readFileSync(MODEL));
    const page = await open(at("compare", { t: "The sailor mended the nets.", sides: "model~gold" }));
    await page.waitForSelector(".model-chip.ready");
    await page.setInputFiles('[aria-label="Second model file"]', copy);
    await page.waitForSelector("text=No differences");
    expect(await page.locator(".side-name.below").textContent()).toBe("copy.stemma");
  });

  test.skipIf(!hasModel)("of a second model and a second file, a reload shows the one that was shown", async () => {
    const [file, copy, broken] = ["second.conllu", "second.stemma", "broken.stemma"].map((name) => join(folder, name));
    writeFileSync(file!, other);
    writeFileSync(copy!, readFileSync(MODEL));
    writeFileSync(broken!, other);
    const page = await open(at("compare", { t: GOLD }), {}, studio.withoutModel);
    await page.setInputFiles('[aria-label="Second treebank file"]', file!);
    const below = (value: string) =>
      until(page, `[...document.querySelectorAll('.settings select')][1].value === '${value}'`);
    await below("other-file");
    await page.setInputFiles('[aria-label="Second model file"]', copy!);
    await below("other-model");
    await until(page, "['m2=', 'tb2=', 'other-model'].every((one) => location.hash.includes(one))");
    await page.reload();
    await page.waitForSelector(".side-name.below >> text=second.stemma");
    // The file comes after the model, and does not push it aside.
    await page.waitForSelector("text=Open another second file");
    await below("other-model");
    await page.setInputFiles('[aria-label="Second model file"]', broken!);
    await page.waitForSelector(".toast.visible >> text=broken.stemma: not a Stemma model");
    expect(await page.locator(".side-name.below").textContent()).toBe("second.stemma");
  });

  test.skipIf(!hasModel)("rows, plot points and confusions of an evaluation list their sentences", async () => {
    const file = join(folder, "errors.conllu");
    // The model cannot get these right: twenty trees with one arc and label that nobody would expect.
    writeFileSync(file, `${GOLD}\n`.repeat(20) + `${other.replace("2\tnmod", "2\torphan")}\n`.repeat(20));
    const page = await open("#treebank");
    await page.waitForSelector(".model-chip.ready");
    await page.setInputFiles('[aria-label="Treebank file"]', file);
    await page.waitForSelector(".sentence-row");
    const evaluation = () => page.getByRole("button", { name: "Evaluation" }).click();
    const found = async () => {
      await page.waitForSelector(".error-chip");
      await until(page, "!document.querySelector('.spinner')");
      return Number.parseInt((await page.locator(".found").textContent())!, 10);
    };
    await evaluation();
    await page.getByRole("button", { name: /Parse all/ }).click();
    await page.waitForSelector(".confusions");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: /recall of orphan: show/ }).click();
    expect(await found()).toBe(20);
    expect(await page.locator(".error-chip").textContent()).toContain("missed: label orphan");
    await evaluation();
    await page.locator(".confusions button", { hasText: "20" }).first().click();
    expect(await found()).toBe(20);
    await evaluation();
    await page.getByLabel("Table").selectOption("sentenceLength");
    await page.getByRole("button", { name: /F1 of 1-10: show/ }).click();
    expect(await found()).toBeGreaterThanOrEqual(20);
    for (const plot of await (async () => {
      await evaluation();
      return page.locator(".error-plot").all();
    })()) {
      expect(await plot.locator(".marker[role=button]").count()).toBeGreaterThan(0);
      expect(await plot.locator(".marker:not([role=button])").count()).toBeLessThanOrEqual(1);
    }
    // By keyboard: the arc of length 4, from “boats” to “harbour”, is missed in twenty sentences.
    const point = page.getByRole("button", { name: "missed: length of the arc 4" });
    await point.focus();
    await page.keyboard.press("Enter");
    expect(await found()).toBe(20);
    await page.locator(".error-chip").click();
    await until(page, "document.querySelector('.found').textContent.startsWith('40 of 40')");
  });

  test.skipIf(!hasModel)("why a transition was taken", async () => {
    const page = await open(at("step", { t: "The sailor mended the nets.", k: "1" }));
    await page.waitForSelector(".choices tr.taken");
    await page.locator(".why summary").click();
    await page.waitForSelector(".why-table tbody tr");
    expect(await page.locator(".why").textContent()).toContain("when the word is not known");
    const rival = page.getByLabel("Compared with");
    const names = await rival.locator("option").allTextContents();
    await rival.selectOption({ index: names.length - 1 });
    await page.waitForSelector(`.why b:text-is("${names.at(-1)}")`);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});
