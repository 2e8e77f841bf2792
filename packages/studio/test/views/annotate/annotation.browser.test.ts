// Trees made by hand in the page: nothing is lost, nothing false is written.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { at, CHROMIUM, GOLD, hasModel, ready, row, Studio, tab, until } from "../../harness.js";

describe.skipIf(!CHROMIUM)("trees made by hand", () => {
  const studio = new Studio();
  const open = studio.open.bind(studio);

  const label = (page: Page, word: number, card = page.locator("body")) =>
    card.locator(`[data-word="${word}"]`).first().getAttribute("aria-label");
  const isLabelled = (page: Page, word: number, text: string) =>
    page.waitForSelector(`[data-word="${word}"][aria-label*="${text}"]`);

  /** Changes the head of a word in its card. */
  async function setHead(page: Page, word: number, head: number): Promise<void> {
    await page.locator(`[data-word="${word}"]`).first().click();
    await page.getByLabel("Change head").selectOption(String(head));
  }

  async function exported(page: Page): Promise<string> {
    // A card may lie over the button.
    await page.keyboard.press("Escape");
    const button = page.getByRole("button", { name: "CoNLL-U", exact: true }).first();
    return (await studio.saved(page, () => button.click())).bytes.toString();
  }

  const undo = (page: Page) => page.getByRole("button", { name: /^Undo a change/ }).click();
  const redo = (page: Page) => page.getByRole("button", { name: /^Redo a change/ }).click();

  test("typing keeps the trees of the other sentences, and undo brings text and tree back", async () => {
    const two = `${GOLD}\n${GOLD.replaceAll("harbour", "lighthouse")}`;
    const page = await open(at("parse", { t: two }), {}, studio.withoutModel);
    await ready(page);
    await setHead(page, 6, 2);
    await isLabelled(page, 6, "obl of boats");
    await page.keyboard.press("Escape");
    // Another form in the second sentence: the first one keeps its tree.
    await page.fill("#text", two.replaceAll("lighthouse", "pier"));
    await page.waitForSelector('[data-word="6"][aria-label^="pier"]');
    expect(await label(page, 6)).toContain("obl of boats");
    // Another text: the tree is gone from sight, and comes back with its text.
    await page.fill("#text", GOLD.replaceAll("harbour", "reef"));
    await page.waitForSelector('[data-word="6"][aria-label^="reef"]');
    await undo(page);
    await isLabelled(page, 6, "harbour NOUN, obl of boats");
    await undo(page);
    await isLabelled(page, 6, "harbour NOUN, obl of drift");
    await redo(page);
    await isLabelled(page, 6, "harbour NOUN, obl of boats");
    await redo(page);
    await isLabelled(page, 6, "reef");
  });

  test("an example does not take away what was typed, nor do edits that are discarded stay lost", async () => {
    const page = await open(at("parse", { t: GOLD }), {}, studio.withoutModel);
    await ready(page);
    await setHead(page, 6, 2);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard edits" }).click();
    await isLabelled(page, 6, "obl of drift");
    await page.selectOption(".examples", { label: "Crossing arcs, with a gold tree" });
    await page.waitForSelector('.tree-svg [data-word="9"]');
    await undo(page);
    await isLabelled(page, 6, "obl of drift");
    await undo(page);
    await isLabelled(page, 6, "obl of boats");
  });

  test("what is typed into CoNLL-U is not hidden by an older tree", async () => {
    const page = await open(at("parse", { t: GOLD }), {}, studio.withoutModel);
    await ready(page);
    await setHead(page, 6, 2);
    await isLabelled(page, 6, "obl of boats");
    await page.fill("#text", GOLD.replace("3\tobl", "1\tobl"));
    await isLabelled(page, 6, "obl of Small");
  });

  test.skipIf(!hasModel)("an edit on the prediction changes one word of the gold tree, not all", async () => {
    // No parser finds this tree: every word hangs on the one before.
    const text =
      row(1, "The", "DET", 0, "root") +
      row(2, "old", "ADJ", 1, "amod") +
      row(3, "keeper", "NOUN", 2, "nmod") +
      row(4, "waved", "VERB", 3, "acl");
    const page = await open(at("parse", { t: text }));
    await ready(page);
    await page.getByRole("button", { name: "Prediction" }).click();
    await isLabelled(page, 2, "amod of keeper");
    await setHead(page, 4, 2);
    await page.waitForSelector("text=Gold (edited)");
    expect(await label(page, 4)).toContain("of old");
    expect(await label(page, 3)).toContain("nmod of old");
    expect(await label(page, 2)).toContain("amod of The");
    expect(await label(page, 1)).toContain("root");
  });

  test("an edit of a treebank sentence is there when it is opened again, and after a reload", async () => {
    const file = join(studio.folder, "harbour.conllu");
    writeFileSync(file, `${GOLD}\n`.repeat(3));
    const page = await open("#treebank", {}, studio.withoutModel);
    await page.setInputFiles('[aria-label="Treebank file"]', file);
    await page.locator(".sentence-row").nth(1).click();
    await ready(page);
    await setHead(page, 6, 2);
    await isLabelled(page, 6, "obl of boats");
    await tab(page, "Treebank");
    await page.locator(".sentence-row").nth(0).click();
    await isLabelled(page, 6, "obl of drift");
    await tab(page, "Treebank");
    expect(await page.locator(".sentence-row").nth(1).textContent()).toContain("edited");
    expect(await page.locator(".sentence-row").nth(0).textContent()).not.toContain("edited");
    await page.locator(".sentence-row").nth(1).click();
    await isLabelled(page, 6, "obl of boats");
    await tab(page, "Treebank");
    await until(page, "/^#treebank.*tb=/.test(location.hash)");
    await page.reload();
    await page.locator(".sentence-row", { hasText: "edited" }).click();
    await isLabelled(page, 6, "obl of boats");
    // Undo works across sentences and after the reload: it leads back to the sentence.
    await tab(page, "Treebank");
    await page.locator(".sentence-row").nth(2).click();
    await isLabelled(page, 6, "obl of drift");
    await undo(page);
    await page.waitForSelector("text=/harbour.conllu, sentence 2/");
    await isLabelled(page, 6, "obl of drift");
    await redo(page);
    await isLabelled(page, 6, "obl of boats");
  });

  test("a word that becomes the root takes the old root as a dependent", async () => {
    const page = await open(at("parse", { t: GOLD }), {}, studio.withoutModel);
    await ready(page);
    const from = (await page.locator('.labels [data-dependent="6"]').boundingBox())!;
    const tree = (await page.locator(".tree-svg").boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x, from.y - 10, { steps: 3 });
    await page.mouse.move(tree.x + tree.width / 2, tree.y + 8, { steps: 3 });
    await page.mouse.up();
    await isLabelled(page, 6, "harbour NOUN, root");
    expect(await label(page, 3)).toContain("dep of harbour");
    await page.waitForSelector(".toast.visible >> text=/now the root/");
    await tab(page, "Step");
    await until(page, "!document.querySelector('.systems').textContent.includes('…')");
  });

  test("a tree with two roots: a warning, and no table or comparison that waits for ever", async () => {
    const text = GOLD.replace("3\tobl", "0\troot");
    const page = await open(at("parse", { t: text }), {}, studio.server);
    await ready(page);
    await page.waitForSelector("text=/There are 2 roots/");
    await tab(page, "Step");
    await page.waitForSelector(".systems .cell");
    await until(page, "!document.querySelector('.systems').textContent.includes('…')");
    expect(await page.locator(".systems .cell", { hasText: /\d/ }).count()).toBeGreaterThan(12);
    await tab(page, "Compare");
    await page.locator(".settings select").nth(1).selectOption("swap");
    await page.waitForSelector("text=/Swap cannot build this tree/");
    await page.locator(".settings select").nth(1).selectOption("arc-eager");
    await page.waitForSelector(".score-tile");
  });

  test("only the root has the label root, and all labels can be typed", async () => {
    const page = await open(at("parse", { t: GOLD }), {}, studio.server);
    await ready(page);
    const type = async (word: number, text: string) => {
      await page.keyboard.press("Escape");
      await page.locator(`[data-word="${word}"]`).click();
      await page.getByLabel("Label").fill(text);
      await page.keyboard.press("Enter");
    };
    await type(3, "obj");
    await page.waitForSelector(".toast.visible >> text=/its label is root/");
    expect(await label(page, 3)).toContain("root");
    await type(6, "root");
    await page.waitForSelector(".toast.visible >> text=/Only the root/");
    expect(await label(page, 6)).toContain("obl of drift");
    await type(6, "obl:where");
    await isLabelled(page, 6, "obl:where of drift");
    await page.fill("#text", GOLD.replace("0\troot", "0\tparataxis"));
    await page.waitForSelector("text=/is the root, but its label is parataxis/");
  });

  test("a label that is being typed stays while the page around it changes", async () => {
    const page = await open(at("parse", { t: GOLD }), {}, studio.withoutModel);
    await ready(page);
    await page.locator('[data-word="6"]').click();
    await page.getByLabel("Label").fill("");
    await page.getByLabel("Label").pressSequentially("nmod");
    // Drawn anew: another word is pointed at, and the tree gets another width.
    await page.locator('[data-word="1"]').hover();
    await page.setViewportSize({ width: 900, height: 860 });
    await page.getByLabel("Label").pressSequentially(":tmod");
    await page.keyboard.press("Enter");
    await isLabelled(page, 6, "nmod:tmod of drift");
  });

  test("offers the labels of the treebank that the sentence is from", async () => {
    const file = join(studio.folder, "labels.conllu");
    writeFileSync(file, `${GOLD}\n${GOLD.replace("amod", "atr:own")}\n`);
    const page = await open("#treebank", {}, studio.server);
    await page.setInputFiles('[aria-label="Treebank file"]', file);
    await page.locator(".sentence-row").nth(0).click();
    await ready(page);
    await page.locator('[data-word="6"]').click();
    const offered = await page
      .locator(".arc-form datalist option")
      .evaluateAll((all) => all.map((one) => one.getAttribute("value")));
    expect(offered).toEqual(["amod", "atr:own", "case", "det", "nsubj", "obl", "root"]);
  });

  test("an export has neither the parser's score on another arc nor the old arc in DEPS", async () => {
    const scored = (text: string) => text.replace(/_\t_$/gm, "DEPS\tScore=0.9|SpaceAfter=No");
    const text = scored(GOLD.replace("# sent_id = boats\n", "").replace(/^4-5.*\n/m, ""))
      .split("\n")
      .map((line) => {
        const [, , , , , , head, deprel] = line.split("\t");
        return line.replace("DEPS", line.startsWith("6") ? `1:ref|${head}:${deprel}:past` : `${head}:${deprel}`);
      })
      .join("\n");
    const page = await open(at("parse", { t: text }), {}, studio.withoutModel);
    await ready(page);
    await setHead(page, 6, 2);
    await isLabelled(page, 6, "obl of boats");
    const lines = (await exported(page)).trim().split("\n");
    expect(lines[5]!.split("\t").slice(6)).toEqual(["2", "obl", "1:ref|2:obl:past", "SpaceAfter=No"]);
    expect(lines.slice(0, 5)).toEqual(text.trim().split("\n").slice(0, 5));
  });

  test("there is one card at a time, and Escape closes it", async () => {
    const page = await open(at("parse", { t: `${GOLD}\n${GOLD}` }), {}, studio.withoutModel);
    await ready(page);
    await page.locator('[data-word="2"]').nth(0).click();
    await page.waitForSelector(".word-card.pinned");
    await page.locator('[data-word="3"]').nth(1).hover();
    expect(await page.locator(".word-card").count()).toBe(1);
    await page.locator('[data-word="3"]').nth(1).click();
    await page.waitForSelector(".word-card.pinned >> text=drift");
    expect(await page.locator(".word-card").count()).toBe(1);
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press("Escape");
    await page.locator(".word-card.pinned").waitFor({ state: "detached" });
  });
});
