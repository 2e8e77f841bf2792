// The text box, and that what is drawn below it is true.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { MODEL } from "../../browser.js";
import { at, CHROMIUM, GOLD, hasModel, ready, row, Studio, tab, until } from "../../harness.js";

const ARABIC =
  row(1, "الولد", "NOUN", 2, "nsubj") + row(2, "يقرأ", "VERB", 0, "root") + row(3, "كتابا", "NOUN", 2, "obj");
const HEBREW =
  row(1, "הילדה", "NOUN", 2, "nsubj") + row(2, "אוכלת", "VERB", 0, "root") + row(3, "תפוח", "NOUN", 2, "obj");

describe.skipIf(!CHROMIUM)("the text box", () => {
  const studio = new Studio();
  const open = studio.open.bind(studio);

  /** Where texts are drawn within an element: the left edge of the first place of each. */
  function lefts(page: Page, selector: string, texts: readonly string[]): Promise<number[]> {
    return page.evaluate(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const nodes = [];
      while (walker.nextNode()) nodes.push(walker.currentNode);
      return ${JSON.stringify(texts)}.map((text) => {
        const node = nodes.find((one) => one.data.includes(text));
        const range = document.createRange();
        range.setStart(node, node.data.indexOf(text));
        range.setEnd(node, node.data.indexOf(text) + text.length);
        return range.getBoundingClientRect().left;
      });
    })()`) as Promise<number[]>;
  }

  const ascending = (numbers: readonly number[]) => numbers.every((one, i) => i === 0 || one > numbers[i - 1]!);

  test.each([
    ["Arabic", ARABIC, "الولد", "يقرأ", "كتابا"],
    ["Hebrew", HEBREW, "הילדה", "אוכלת", "תפוח"],
  ])("%s: head and dependent are read in the order of the English sentence", async (_, text, first, verb, last) => {
    const page = await open(
      at("step", { t: text, by: "static", sys: "arc-standard", root: "first" }),
      {},
      studio.withoutModel,
    );
    await page.waitForSelector(".choices tr.taken");
    // Up to the first arc: from the verb to the word before it.
    for (let i = 0; i < 3; i++) await page.getByRole("button", { name: "One step on" }).click();
    await page.waitForSelector(".taken-now >> text=becomes the head of");
    expect(ascending(await lefts(page, ".taken-now", [verb, "becomes the head of", first]))).toBe(true);
    expect(ascending(await lefts(page, ".arc-list li.new", [verb, "nsubj", "→", first]))).toBe(true);
    await page.getByRole("button", { name: "One step on" }).click();
    const arc = ".choices tr.taken";
    await page.waitForSelector(`${arc} small`);
    expect(ascending(await lefts(page, `${arc} small`, [verb, "→", last]))).toBe(true);
    // The stack from its bottom, as it is drawn above.
    await page.locator("summary", { hasText: "All steps as a table" }).click();
    const stack = ".derivation tr:nth-child(3) td:nth-child(3)";
    await page.waitForSelector(stack);
    expect(ascending(await lefts(page, stack, ["ROOT", first, verb]))).toBe(true);
  });

  test("swap: the gold tree that is built is not called impossible", async () => {
    const page = await open("", {}, studio.withoutModel);
    await page.waitForSelector("text=There is no model.");
    await page.selectOption(".examples", { label: "Crossing arcs, with a gold tree" });
    await page.waitForSelector('.tree-svg [data-word="9"]');
    await page.getByRole("button", { name: "Step through" }).last().click();
    await page.locator(".settings select").nth(0).selectOption("swap");
    for (const root of ["first", "last", "none"]) {
      await page.locator(".settings select").nth(1).selectOption(root);
      await page.waitForSelector("[aria-label=Derivation][aria-busy=false] .choices tr.taken");
      await page.waitForSelector("text=/No mistakes: this .*the gold tree/");
      expect(await page.locator(".verdict").textContent()).not.toContain("cannot build");
    }
  });

  test.skipIf(!hasModel)("the tree of the text before is marked until the new one is there", async () => {
    const page = await open(at("parse", { t: "The sailor mended the nets." }));
    await ready(page);
    // The drawing at every moment from the first letter on.
    await page.evaluate(`(() => {
      window.seen = [];
      const card = () => document.querySelector(".tree-card");
      const note = () => window.seen.push([card().getAttribute("aria-busy"), document.querySelectorAll(".tree-svg .word").length]);
      new MutationObserver(note).observe(document.querySelector("main"), { subtree: true, childList: true, attributes: true });
    })()`);
    await page.fill("#text", "Boats drift.");
    await page.waitForSelector('.tree-svg [data-word="3"]:last-child');
    await page.waitForSelector(".tree-card[aria-busy=false]");
    const seen = (await page.evaluate("window.seen")) as [string, number][];
    expect(seen.some(([busy, words]) => busy === "true" && words === 6)).toBe(true);
    // After the first sign, the old tree never stands there as if it were the new one.
    const first = seen.findIndex(([busy]) => busy === "true");
    expect(seen.slice(first).some(([busy, words]) => busy !== "true" && words === 6)).toBe(false);
  });

  test("CoNLL-U with spaces in the place of tabs is read as such", async () => {
    const page = await open(at("parse", { t: "x" }), {}, studio.withoutModel);
    await page.fill("#text", GOLD.replaceAll("\t", "   "));
    await page.waitForSelector("text=/spaces instead of tabs/");
    await ready(page);
    expect(await page.locator('[data-word="6"]').getAttribute("aria-label")).toBe("harbour NOUN, obl of drift");
    await page.fill("#text", GOLD.replaceAll("\t", " ").replace("6 harbour", "6 the harbour"));
    await page.waitForSelector("text=/cannot be read/");
  });

  test("a plain text that is dropped is put into the box", async () => {
    const page = await open(at("parse", { t: GOLD }), {}, studio.withoutModel);
    await ready(page);
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["Roses are red.\\n\\nViolets are blue.\\n"], "poem.txt"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
    await page.waitForSelector(".toast.visible >> text=/poem.txt/");
    expect(await page.inputValue("#text")).toBe("Roses are red.\n\nViolets are blue.\n");
    // The text that stood there is not lost.
    await page.getByRole("button", { name: /^Undo/ }).click();
    expect(await page.inputValue("#text")).toBe(GOLD);
  });

  test.skipIf(!hasModel).each([
    ["Arabic", "الولد يقرأ كتابا جديدا"],
    ["Chinese", "我喜欢看书。"],
    ["Hebrew", "הילדה אוכלת תפוח"],
  ])("%s with the English model: a notice in the place of a tree", async (name, text) => {
    const page = await open(at("parse", { t: text }));
    await page.waitForSelector(`.unseen-script >> text=/never seen ${name} script/`);
    expect(await page.locator(".tree-svg").count()).toBe(0);
    await page.getByRole("button", { name: "Show the guess" }).click();
    await ready(page);
    await page.fill("#text", "A plain sentence, with naïve café.");
    await page.waitForSelector('[data-word="1"] >> text=A');
    expect(await page.locator(".unseen-script").count()).toBe(0);
  });

  test.skipIf(!hasModel)(
    "Arabic CoNLL-U with the English model: the gold tree, and no prediction without the notice",
    async () => {
      const page = await open(at("parse", { t: ARABIC }));
      await page.waitForSelector(".model-chip.ready");
      await ready(page);
      await page.getByRole("button", { name: "Prediction" }).click();
      await page.waitForSelector(".unseen-script");
      expect(await page.locator(".tree-svg").count()).toBe(0);
      // An oracle that derives the gold tree asks no model.
      const steps = await open(at("step", { t: ARABIC }));
      await steps.waitForSelector(".choices tr.taken .score .number");
      await steps.waitForSelector(".unseen-script");
      await steps.getByLabel("Decided by").selectOption("static");
      await until(steps, "!document.querySelector('.unseen-script')");
    },
  );

  test.skipIf(!hasModel)("no score is written as -0", async () => {
    const page = await open(at("step", { t: "The sailor mended the nets." }));
    await page.waitForSelector(".choices tr.taken .score .number");
    const last = Number((await page.locator(".player-count").textContent())!.split("/")[1]);
    const scores: string[] = [];
    for (let i = 0; i < last; i++) {
      await page.getByLabel("Step", { exact: true }).fill(String(i));
      const numbers = page.locator(".score .number");
      scores.push(
        ...(await numbers.evaluateAll((all) => all.map((one) => one.getAttribute("title") ?? one.textContent!))),
      );
    }
    expect(scores.length).toBeGreaterThan(last);
    expect(scores.filter((score) => /-0(?!\.?\d)/.test(score))).toEqual([]);
  });

  test("a long text is there again after a reload", async () => {
    const long = "A word after another. ".repeat(2000);
    const page = await open("", {}, studio.withoutModel);
    await page.waitForSelector("text=There is no model.");
    await page.fill("#text", long);
    await until(page, "location.hash.includes('long=')");
    await until(
      page,
      `new Promise((resolve) => {
      const request = indexedDB.open("stemma-studio");
      request.onsuccess = () => {
        const all = request.result.transaction("texts").objectStore("texts").getAllKeys();
        all.onsuccess = () => { request.result.close(); resolve(all.result.length > 0); };
      };
    })`,
    );
    await page.reload();
    await expect.poll(() => page.inputValue("#text")).toBe(long);
  });

  test.skipIf(!hasModel)("a model that was opened is there again after a reload", async () => {
    const page = await open("", {}, studio.withoutModel);
    await page.waitForSelector("text=There is no model.");
    const file = join(studio.folder, "my own.stemma");
    writeFileSync(file, readFileSync(MODEL));
    await page.setInputFiles('[aria-label="Model file"]', file);
    await page.waitForSelector(".model-chip.ready >> text=my own.stemma");
    await until(page, "/[?&]m=/.test(location.hash)");
    await page.reload();
    await page.waitForSelector(".model-chip.ready >> text=my own.stemma");
    await ready(page);
    await tab(page, "Step");
    await page.waitForSelector(".choices tr.taken .score .number");
  });
});
