// The page says nothing that is not so: verdicts, figures, links.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXAMPLES } from "../../../src/state/address/examples.js";
import { at, GOLD, hasModel, inBothBrowsers, tab } from "../../harness.js";

const CROSSING = EXAMPLES.find(({ name }) => name.startsWith("Crossing"))!.text;

inBothBrowsers("Studio says what is so", (studio) => {
  test("in a quiz a transition without cost is right, and one whose cost is unknown is not wrong", async () => {
    const state = { t: CROSSING, sys: "two-planar", root: "first", by: "static", quiz: "1" };
    const page = await studio.open(at("step", { ...state, k: "7" }), {}, studio.withoutModel);
    await page.locator(".quiz-choice", { hasText: "SWITCH" }).click();
    await page.waitForSelector(".quiz .note.good");
    expect(await page.locator(".quiz-count").textContent()).toBe("1 of 1 right");
    // An answer that was not found is said to be unknown, and does not count.
    let counted = 1;
    for (let step = 0; step < 7; step++) {
      await page.getByLabel("Step", { exact: true }).fill(String(step));
      await expect.poll(() => page.locator(".player-count b").textContent()).toBe(String(step));
      await page.locator(".quiz-choice:enabled").last().click();
      const chosen = page.locator(".quiz-choice[aria-pressed=true]");
      const facts = await chosen.locator(".quiz-facts").textContent();
      const kind = facts!.includes("unknown") ? "unknown" : facts!.includes("cost 0") ? "right" : "wrong";
      expect(await chosen.getAttribute("class"), `step ${step}: ${facts}`).toContain(kind);
      if (kind !== "unknown") counted++;
      expect(await page.locator(".quiz-count").textContent()).toContain(`of ${counted} right`);
    }
  });

  test("a poor score is not green", async () => {
    const page = await studio.open(
      at("step", { t: GOLD, sys: "arc-eager", root: "first", by: "static", quiz: "1" }),
      {},
      studio.withoutModel,
    );
    await page.waitForSelector(".quiz-choice");
    await page.locator(".quiz-choice", { hasText: "RIGHT-ARC" }).click();
    await page.waitForSelector("text=No: SHIFT comes next.");
    await page.keyboard.press("End");
    await page.waitForSelector("text=/^0 of 1 right/");
    await page.waitForSelector(".quiz .note:text-is('0 of 1 right.')");
    expect(await page.locator(".quiz .note.good").count()).toBe(0);
  });

  test("an empty tree is not called the gold tree", async () => {
    const page = await studio.open(at("step", { t: GOLD, sys: "arc-eager", by: "static" }), {}, studio.withoutModel);
    await page.waitForSelector("text=No mistakes: this derivation ends in the gold tree.");
    await page.keyboard.press("End");
    await page.waitForSelector("text=No mistakes: this is the gold tree.");
  });

  test("a word is not its own head, and what is no number is said to be none", async () => {
    const page = await studio.open("#treebank", {}, studio.withoutModel);
    await studio.openTreebank(page, `${GOLD}\n`);
    await tab(page, "Annotate");
    const head = page.locator('.word-table tbody tr:has(th:text-matches("^2")) td.head').first();
    for (const [typed, answer] of [
      ["2", "“boats” cannot be its own head."],
      ["x", "HEAD is the number of another word, 1 to 6, or 0 for the root; “x” is not."],
      ["17", "HEAD is the number of another word, 1 to 6, or 0 for the root; “17” is not."],
    ]) {
      await head.click();
      if (!(await head.locator("input").count())) await page.keyboard.press("Enter");
      await head.locator("input").fill(typed!);
      await page.keyboard.press("Enter");
      await expect
        .poll(async () => (await page.textContent("body"))!.replace(/[\u2066-\u2069]/g, ""))
        .toContain(answer);
      expect(await head.textContent()).toContain("3");
    }
  });

  test.skipIf(!hasModel)("gold tags have no score", async () => {
    const page = await studio.open("#treebank");
    await page.waitForSelector(".model-chip.ready");
    await studio.openTreebank(page, `${GOLD}\n`);
    await page.getByRole("button", { name: "Evaluation" }).click();
    await page.getByRole("button", { name: /^Parse all/ }).click();
    await page.waitForSelector(".score-tile");
    expect(await page.locator(".score-tile", { hasText: "UPOS" }).count()).toBe(0);
    await page.waitForSelector("text=tags: those of the file, so they have no score");
  });

  test("a copied link has the text and the model, and says that nobody else can open it", async () => {
    const page = await studio.open("", { permissions: ["clipboard-read", "clipboard-write"] }, studio.server);
    await page.waitForSelector(".tree-card[aria-busy=false] .tree-svg .word");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.waitForSelector("text=/nobody else can open it/");
    const link = new URL((await page.evaluate("navigator.clipboard.readText()")) as string);
    const query = new URLSearchParams(link.hash.split("?")[1]);
    expect(query.get("t")).toBe(EXAMPLES[0]!.text);
    if (hasModel) expect(query.get("m")).toBe("en.stemma");
    const again = await studio.open(link.hash, {}, studio.server);
    await again.waitForSelector(".tree-card[aria-busy=false] .tree-svg .word");
    expect(await again.inputValue("#text")).toBe(EXAMPLES[0]!.text);
  });

  test("a derivation is saved as a page of its own, which plays without Studio", async () => {
    const page = await studio.open(at("step", { t: CROSSING, sys: "swap", by: "static" }), {}, studio.withoutModel);
    const steps = Number((await page.locator(".player-count").textContent())!.split("/")[1]);
    const { bytes } = await studio.saved(page, () => page.getByRole("button", { name: "Save as page" }).click());
    expect(bytes.length).toBeLessThan(300_000);
    const file = join(studio.folder, "derivation.html");
    writeFileSync(file, bytes);
    expect(bytes.toString()).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
    await page.goto(`file://${file}`);
    const title = () => page.locator("#frame svg > title").textContent();
    expect(await title()).toBe("Step 0: Start");
    await page.keyboard.press("ArrowRight");
    expect(await title()).toBe("Step 1: SHIFT");
    expect(await page.locator("#frame svg >> text=acl:relcl").count()).toBe(0);
    await page.keyboard.press("End");
    expect(await title()).toMatch(new RegExp(`^Step ${steps}: `));
    expect(await page.locator("#frame svg >> text=acl:relcl").count()).toBe(1);
    await page.locator("summary", { hasText: "CoNLL-U" }).click();
    expect(await page.locator("pre").textContent()).toBe(`${CROSSING}\n`);
    await page.getByRole("button", { name: "Play" }).click();
    await expect.poll(title).toContain("Step 1:");
  });
});
