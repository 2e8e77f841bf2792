// Work does not get lost: in two tabs, in a cell that is being edited, in a file that has changed since.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessibilityProblems, inBothBrowsers, sailing, tab } from "../../harness.js";

const FILE = ["Ann", "Ben", "Cem"].map((name, i) => sailing(`s${i + 1}`, name)).join("");

inBothBrowsers("work is kept", (studio) => {
  const openFile = (page: Page, content: string, name = "kept.conllu") => studio.openTreebank(page, content, name);

  async function annotate(content = FILE): Promise<Page> {
    const page = await studio.open("#treebank", {}, studio.withoutModel);
    await openFile(page, content);
    await tab(page, "Annotate");
    await page.waitForSelector(".word-table");
    // The address follows a moment later.
    await expect.poll(() => page.url()).toContain("n=1");
    return page;
  }

  const cell = (page: Page, id: number, column: string) =>
    page.locator(`.word-table tbody tr:has(th:text-matches("^${id}")) td.${column}`).first();

  async function edit(page: Page, id: number, column: string, value: string): Promise<void> {
    const target = cell(page, id, column);
    await target.click();
    if (!(await target.locator("input").count())) await page.keyboard.press("Enter");
    await target.locator("input").fill(value);
  }

  async function setCell(page: Page, id: number, column: string, value: string): Promise<void> {
    await edit(page, id, column, value);
    await page.keyboard.press("Enter");
    await expect.poll(() => cell(page, id, column).textContent()).toContain(value);
  }

  const downloaded = async (page: Page, save: () => Promise<void>) => (await studio.saved(page, save)).bytes.toString();

  const BOTH = FILE.replace("Ann\tann", "Ann\tAnna").replace("home\thome", "home\tHome");

  test("two tabs with the same treebank have the same sentences, and both save all of it", async () => {
    const one = await annotate();
    const two = await one.context().newPage();
    await two.goto(one.url());
    await two.waitForSelector(".word-table");
    await setCell(one, 1, "lemma", "Anna");
    await expect.poll(() => cell(two, 1, "lemma").textContent()).toBe("Anna");
    await two.waitForSelector("text=Changes made in another tab were taken over.");
    await setCell(two, 3, "lemma", "Home");
    await expect.poll(() => cell(one, 3, "lemma").textContent()).toBe("Home");
    for (const page of [one, two]) {
      expect(await downloaded(page, () => page.getByRole("button", { name: "Save file" }).click())).toBe(BOTH);
    }
    // One journal: what one tab did, the other can undo.
    await one.getByRole("button", { name: /^Undo/ }).click();
    await expect.poll(() => cell(two, 3, "lemma").textContent()).toBe("home");
    await one.reload();
    await one.waitForSelector(".word-table");
    await expect.poll(() => cell(one, 1, "lemma").textContent()).toBe("Anna");
    expect(await cell(one, 3, "lemma").textContent()).toBe("home");
  });

  test("a tab that has not heard of another one merges its change by word, with a note", async () => {
    const one = await annotate();
    const two = await one.context().newPage();
    // A tab that the browser has put to sleep gets no messages.
    await two.addInitScript("BroadcastChannel = class { postMessage() {} }");
    await two.goto(one.url());
    await two.waitForSelector(".word-table");
    await setCell(one, 1, "lemma", "Anna");
    await one.waitForSelector("text=Saved in this browser");
    expect(await cell(two, 1, "lemma").textContent()).toBe("ann");
    await setCell(two, 3, "lemma", "Home");
    await two.waitForSelector("text=Changes of another tab were merged with yours.");
    await expect.poll(() => cell(two, 1, "lemma").textContent()).toBe("Anna");
    await one.reload();
    await one.waitForSelector(".word-table");
    await expect.poll(() => cell(one, 3, "lemma").textContent()).toBe("Home");
    expect(await downloaded(one, () => one.getByRole("button", { name: "Save file" }).click())).toBe(BOTH);
  });

  test("a note that goes on after another tab has read its beginning is not cut by that tab", async () => {
    const one = await annotate();
    const note = one.locator(".annotate-note textarea");
    const saved = () => one.waitForSelector("text=Saved in this browser");
    await note.pressSequentially("ask");
    await saved();
    const two = await one.context().newPage();
    await two.addInitScript("BroadcastChannel = class { postMessage() {} }");
    await two.goto(one.url());
    await expect.poll(() => two.locator(".annotate-note textarea").inputValue()).toBe("ask");
    await note.pressSequentially(" her");
    await one.waitForSelector("text=Saving…");
    await saved();
    await setCell(two, 3, "lemma", "Home");
    await expect.poll(() => two.locator(".annotate-note textarea").inputValue()).toBe("ask her");
    await one.reload();
    await one.waitForSelector(".word-table");
    await expect.poll(() => cell(one, 3, "lemma").textContent()).toBe("Home");
    expect(await note.inputValue()).toBe("ask her");
  });

  test("Ctrl+S in a cell takes what was typed and saves the file", async () => {
    const page = await annotate();
    await edit(page, 1, "lemma", "Anna");
    const file = await downloaded(page, () => page.keyboard.press("Control+s"));
    expect(file).toBe(FILE.replace("Ann\tann", "Ann\tAnna"));
  });

  test("Ctrl+S in the CoNLL-U applies what was typed and saves; what cannot be read is not saved over", async () => {
    const page = await annotate();
    await page.locator(".annotate-source summary").click();
    const source = page.getByLabel("CoNLL-U of the sentence");
    await source.fill("nothing of the kind");
    await source.press("Control+s");
    await page.waitForSelector(".annotate-source .note.bad");
    await source.fill(sailing("s1", "Ann").replace("Ann\tann", "Ann\tAnna"));
    const file = await downloaded(page, () => source.press("Control+s"));
    expect(file).toBe(FILE.replace("Ann\tann", "Ann\tAnna"));
  });

  test("treebanks with changes are kept whatever else is opened, as a second file, too", async () => {
    const page = await annotate();
    await setCell(page, 1, "lemma", "Anna");
    await page.waitForSelector("text=Saved in this browser");
    await tab(page, "Treebank");
    for (const name of ["b", "c", "d", "e"]) await openFile(page, sailing(name, name), `${name}.conllu`);
    await tab(page, "Compare");
    for (const name of ["f", "g"]) {
      const file = join(studio.folder, `${name}.conllu`);
      writeFileSync(file, sailing(name, name));
      await page.setInputFiles('[aria-label="Second treebank file"]', file);
      await expect.poll(() => page.locator(".settings select").nth(1).textContent()).toContain(`${name}.conllu`);
    }
    await expect.poll(() => page.url()).toContain("tb2=");
    await tab(page, "Treebank");
    await page.getByRole("button", { name: "All treebanks" }).click();
    const rows = page.locator(".kept-treebanks tbody tr");
    await expect.poll(() => rows.filter({ hasText: "kept.conllu" }).count()).toBe(1);
    await expect.poll(() => rows.filter({ hasText: "b.conllu" }).count()).toBe(0);
    // One that is open and removed is closed: nothing more is done to what is not there.
    await rows.filter({ hasText: "e.conllu" }).getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove for good" }).click();
    await page.waitForSelector(".drop-zone");
  });

  test("text being typed into a cell is there after a reload", async () => {
    const page = await annotate();
    await edit(page, 3, "lemma", "homeward");
    await page.reload();
    await page.waitForSelector(".word-table");
    await expect.poll(() => cell(page, 3, "lemma").locator("input").inputValue()).toBe("homeward");
    await page.keyboard.press("Escape");
    await page.reload();
    await page.waitForSelector(".word-table");
    expect(await page.locator(".cell-input").count()).toBe(0);
    expect(await cell(page, 3, "lemma").textContent()).toBe("home");
  });

  test("edits follow into a file that has changed since, and what has no place there is shown and exported", async () => {
    const page = await annotate();
    await setCell(page, 1, "lemma", "Anna");
    await page.keyboard.press("n");
    await page.waitForSelector("text=/kept.conllu, sentence 2/");
    await setCell(page, 1, "lemma", "Benjamin");
    await page.keyboard.press("n");
    await page.waitForSelector("text=/kept.conllu, sentence 3/");
    await setCell(page, 1, "lemma", "Cemal");
    await page.waitForSelector("text=Saved in this browser");
    // Another sentence first, another tag in the first one, and the second is gone.
    const changed =
      sailing("s0", "Ada") + sailing("s1", "Ann").replace("home\tADV", "home\tNOUN") + sailing("s3", "Cem");
    await tab(page, "Treebank");
    await openFile(page, changed);
    await page.waitForSelector("text=/Your edits of 2 sentences were carried over/");
    const lost = page.locator(".unplaced");
    expect(await lost.textContent()).toContain("One edited sentence");
    expect(await downloaded(page, () => lost.getByRole("button", { name: "Export" }).click())).toBe(
      sailing("s2", "Ben").replace("Ben\tben", "Ben\tBenjamin"),
    );
    await tab(page, "Annotate");
    await page.waitForSelector(".word-table");
    const file = await downloaded(page, () => page.getByRole("button", { name: "Save file" }).click());
    expect(file).toBe(changed.replace("Ann\tann", "Ann\tAnna").replace("Cem\tcem", "Cem\tCemal"));
  });

  test("all treebanks that are kept are listed, with their state, and can be exported and removed", async () => {
    const page = await annotate();
    await setCell(page, 1, "lemma", "Anna");
    await page.waitForSelector("text=Saved in this browser");
    await tab(page, "Treebank");
    await openFile(page, sailing("x1", "Xenia"), "other.conllu");
    const fresh = await page.context().newPage();
    await fresh.goto(`${studio.withoutModel.address}#treebank`);
    const rows = fresh.locator(".kept-treebanks tbody tr");
    await expect.poll(() => rows.count()).toBe(2);
    const edited = rows.filter({ hasText: "kept.conllu" });
    expect(await edited.textContent()).toMatch(/1 edited.*not saved to a file.*0\.4 kB/);
    expect(await rows.filter({ hasText: "other.conllu" }).textContent()).toContain("as the file");
    expect(await accessibilityProblems(fresh)).toEqual([]);
    await rows.filter({ hasText: "other.conllu" }).getByRole("button", { name: "Remove" }).click();
    await fresh.getByRole("button", { name: "Remove for good" }).click();
    await expect.poll(() => rows.count()).toBe(1);
    const file = await downloaded(fresh, () => edited.getByRole("button", { name: "Export" }).click());
    expect(file).toBe(FILE.replace("Ann\tann", "Ann\tAnna"));
    await fresh.getByRole("button", { name: "All treebanks" }).click();
    await edited.getByRole("button", { name: "Remove" }).click();
    await fresh.getByRole("button", { name: "Remove with its unsaved changes" }).click();
    await expect.poll(() => rows.count()).toBe(0);
  });
});
