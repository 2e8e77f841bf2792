// Two annotators: agreement, differences side by side, decisions by key, the result as a file.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessibilityProblems, inBothBrowsers, sailing, tab } from "../../harness.js";

const FIRST = ["Ann", "Ben", "Cem", "Dan"].map((name, i) => sailing(`s${i + 1}`, name)).join("");
// The roots of s1 are others, and so is a tag of s3; the words of s4 are, too.
const SECOND =
  sailing("s1", "Ann")
    .replace("2\tsails\tsails\tVERB\t_\t_\t0\troot", "2\tsails\tsails\tVERB\t_\t_\t3\tacl")
    .replace("3\thome\thome\tADV\t_\t_\t2\tadvmod", "3\thome\thome\tNOUN\t_\t_\t0\troot") +
  sailing("s2", "Ben") +
  sailing("s3", "Cem").replace("PROPN", "NOUN") +
  sailing("s4", "Don");

inBothBrowsers("two annotators", (studio) => {
  async function compared(): Promise<Page> {
    const second = join(studio.folder, "second.conllu");
    writeFileSync(second, SECOND);
    const page = await studio.open("#treebank", {}, studio.withoutModel);
    await studio.openTreebank(page, FIRST);
    await tab(page, "Compare");
    await page.setInputFiles('[aria-label="Second treebank file"]', second);
    await page.getByRole("button", { name: "Compare all sentences" }).click();
    await page.waitForSelector(".agreement");
    return page;
  }
  const rows = (page: Page) => page.locator(".decisions tbody tr");
  const title = (page: Page) => page.locator(".adjudication h2").textContent();
  const saved = async (page: Page) =>
    (await studio.saved(page, () => page.getByRole("button", { name: /Save the result/ }).click())).bytes.toString();

  test("agreement is shown, differences are decided by key, and the result has all else as it was", async () => {
    const page = await compared();
    // Nine words in three sentences: two arcs differ. One label is root in one and acl in the other, …
    const tiles = (await page.locator(".agreement .score-tile b").allTextContents()).join(" ");
    expect(tiles).toBe(`77.8 % 77.8 % 77.8 % ${(((7 / 9) * 81 - 24) / (81 - 24)).toFixed(3)}`);
    expect(await page.locator(".found", { hasText: "sentences differ" }).textContent()).toContain(
      "2 of 3 sentences differ, in 3 words; 1 could not be compared",
    );
    await page.locator(".agreement summary").click();
    const acl = page.locator(".agreement tr", { hasText: "acl" });
    expect(await acl.locator("td").allTextContents()).toEqual(["0", "1", "0", "0", "0.000"]);
    await page.locator(".differing .sentence-row").first().click();
    await expect.poll(() => rows(page).count()).toBe(3);
    expect(await accessibilityProblems(page)).toEqual([]);
    await expect.poll(() => title(page)).toBe("3 of 3 differences to be decided");
    // The arc of “sails” is taken: for a moment nothing is the root. Then that of “home”, and the first one's tag.
    await page.keyboard.press("2");
    await expect.poll(() => title(page)).toBe("2 of 3 differences to be decided");
    await page.keyboard.press("2");
    await page.keyboard.press("1");
    await expect.poll(() => title(page)).toBe("All differences are decided");
    // Another one may be decided again, and undo takes a decision back as a whole.
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("1");
    await page.keyboard.press("Control+z");
    await expect.poll(() => rows(page).nth(1).locator("[aria-pressed=true]").textContent()).toBe("ROOT root");
    await page.keyboard.press("n");
    await expect.poll(() => page.locator(".found-bar").textContent()).toContain("2 of 2: they differ");
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.keyboard.press("2");
    await expect.poll(() => title(page)).toBe("All differences are decided");
    // All of it is there after a reload, and in the file.
    await page.waitForTimeout(400);
    for (const part of ["tb2=", "n=3"]) await expect.poll(() => page.url()).toContain(part);
    await page.reload();
    await expect.poll(() => title(page)).toBe("All differences are decided");
    const [s1, s2, s3] = SECOND.split("\n\n");
    expect(await saved(page)).toBe(`${[s1!.replace("NOUN", "ADV"), s2, s3].join("\n\n")}\n\n${sailing("s4", "Dan")}`);
  });

  test("a sentence with other words is taken as a whole", async () => {
    const page = await compared();
    await tab(page, "Treebank");
    await page.locator(".sentence-row").nth(3).click();
    await tab(page, "Compare");
    await expect.poll(() => title(page)).toBe("The words are not the same");
    await page.getByRole("button", { name: "Take the whole sentence of second.conllu" }).click();
    await expect.poll(() => title(page)).toBe("The words are not the same");
    expect(await saved(page)).toBe(FIRST.replaceAll("Dan", "Don").replace("dan", "don"));
  });
});
