// Changes beyond trees: empty nodes and enhanced arcs in table and drawing, and rewriting by patterns with a preview.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessibilityProblems, inBothBrowsers, row, sailing, tab } from "../../harness.js";

const FILE = ["Ann", "Ben", "Cem"].map((name, i) => sailing(`s${i + 1}`, name)).join("");

inBothBrowsers("changes beyond trees", (studio) => {
  async function opened(): Promise<Page> {
    const page = await studio.open("#treebank", {}, studio.withoutModel);
    await studio.openTreebank(page, FILE);
    return page;
  }
  async function saved(page: Page): Promise<string> {
    await tab(page, "Annotate");
    const { bytes } = await studio.saved(page, () => page.getByRole("button", { name: "Save file" }).click());
    return bytes.toString();
  }
  const line = (page: Page, id: string) =>
    page.locator(".word-table tbody tr", { has: page.locator(`th:text-is("${id}")`) });
  const node = (page: Page, id: string) => page.locator(`.enhanced-svg [data-node="${id}"]`);

  async function drag(page: Page, from: ReturnType<Page["locator"]>, to: ReturnType<Page["locator"]>): Promise<void> {
    await from.scrollIntoViewIfNeeded();
    const [a, b] = [(await from.boundingBox())!, (await to.boundingBox())!];
    await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await page.mouse.down();
    await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 4 });
    await page.mouse.up();
  }

  test("empty nodes and enhanced arcs are edited in the table and in the drawing", async () => {
    const page = await opened();
    await tab(page, "Annotate");
    // E adds a node after the word; its cells are edited like those of words.
    await line(page, "2").locator("td.form").click();
    await page.keyboard.press("e");
    await line(page, "2.1").locator("td.form").click();
    await page.keyboard.press("Enter");
    await page.keyboard.type("rows");
    await page.keyboard.press("Enter");
    await expect.poll(() => line(page, "2.1").locator("td.form").textContent()).toBe("rows");
    // In the drawing, an arc is dragged from its head to its dependent; by keyboard it is asked for at the word.
    await drag(page, node(page, "2"), node(page, "2.1"));
    const form = page.getByRole("form", { name: "Arc of the enhanced graph" });
    expect(await form.locator("select").inputValue()).toBe("2");
    await form.locator("input").fill("conj");
    await page.keyboard.press("Enter");
    await expect.poll(() => line(page, "2.1").locator("td.deps").textContent()).toBe("2:conj");
    // The words have the arcs of the tree now.
    expect(await line(page, "1").locator("td.deps").textContent()).toBe("2:nsubj");
    await node(page, "1").focus();
    await page.keyboard.press("Enter");
    await form.locator("input").fill("nsubj");
    await form.locator("select").selectOption("2.1");
    await form.getByRole("button", { name: "Add" }).click();
    await expect.poll(() => line(page, "1").locator("td.deps").textContent()).toBe("2:nsubj|2.1:nsubj");
    expect(await accessibilityProblems(page)).toEqual([]);
    // A label is dragged to another head, and an arc is removed by its label.
    await drag(page, page.getByRole("button", { name: "home, advmod of sails: change" }), node(page, "2.1"));
    await expect.poll(() => line(page, "3").locator("td.deps").textContent()).toBe("2.1:advmod");
    await page.getByRole("button", { name: "Ann, nsubj of rows: change" }).click();
    await form.getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => line(page, "1").locator("td.deps").textContent()).toBe("2:nsubj");
    const graph = [
      row(1, "Ann", "PROPN", 2, "nsubj").replace("nsubj\t_", "nsubj\t2:nsubj"),
      row(2, "sails", "VERB", 0, "root").replace("root\t_", "root\t0:root"),
      "2.1\trows\t_\t_\t_\t_\t_\t_\t2:conj\t_\n",
      row(3, "home", "ADV", 2, "advmod").replace("advmod\t_", "advmod\t2.1:advmod"),
    ].join("");
    const rest = FILE.slice(sailing("s1", "Ann").length);
    const head = sailing("s1", "Ann").split("1\tAnn")[0];
    expect(await saved(page)).toBe(`${head}${graph}\n${rest}`);
    // The node goes, and what it had depends on its head.
    await line(page, "2.1").locator("td.form").click();
    await page.keyboard.press("Delete");
    await expect.poll(() => line(page, "3").locator("td.deps").textContent()).toBe("2:advmod");
    expect(await page.locator(".word-table tbody tr.empty-row").count()).toBe(0);
  });

  test("a rewriting is looked at first, made as one change, and undone as one", async () => {
    const page = await opened();
    await page.getByRole("button", { name: "Rewrite" }).click();
    await page.getByLabel("Pattern").fill("{deprel:advmod}=a <advmod {}=v");
    const actions = page.getByLabel("Actions, one in a line");
    const preview = page.getByRole("button", { name: "Preview" });
    await actions.fill("sett a.deprel=obl");
    await preview.click();
    await page.waitForSelector(".rewrite .note.bad >> text=/Unknown action sett/");
    await actions.fill("set a.deprel=obl\n--set a.upos=NOUN");
    await preview.click();
    await page.waitForSelector("text=3 matches; 3 of 3 sentences would be changed.");
    expect(await page.locator(".changed-lines del").first().textContent()).toBe(
      row(3, "home", "ADV", 2, "advmod").trim(),
    );
    expect(await page.locator(".changed-lines ins").first().textContent()).toBe(
      row(3, "home", "NOUN", 2, "obl").trim(),
    );
    expect(await accessibilityProblems(page)).toEqual([]);
    // Nothing has happened so far.
    expect(await page.getByRole("button", { name: "Nothing to undo" }).count()).toBe(1);
    await page.getByRole("button", { name: "Change 3 sentences" }).click();
    await page.waitForSelector("text=3 sentences were changed.");
    const changed = FILE.replaceAll("ADV\t_\t_\t2\tadvmod", "NOUN\t_\t_\t2\tobl");
    expect(await saved(page)).toBe(changed);
    await page.getByRole("button", { name: /^Undo/ }).click();
    await expect.poll(() => line(page, "3").locator("td.deprel").textContent()).toBe("advmod");
    expect(await saved(page)).toBe(FILE);
    // A sentence that would be no tree is left, with the reason.
    await tab(page, "Treebank");
    await page.getByLabel("Pattern").fill("{form:Ben}=b < {}=v");
    await actions.fill("attach v=b");
    await preview.click();
    await page.waitForSelector("text=/0 of 3 sentences would be changed, 1 left as they are/");
    expect(await page.locator(".refused").textContent()).toContain("cycle");
  });
});
