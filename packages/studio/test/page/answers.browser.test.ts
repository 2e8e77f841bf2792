// Answers of the worker and links that are followed come at any time: the page shows what was wanted last, and waits
// for nothing in silence.

import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { at, CHROMIUM, GOLD, Studio } from "../harness.js";

/** Has answers of the worker come later, as on a machine with much else to do: by what they are, in milliseconds. */
const delayed = (delayOf: string) => `
  const add = Worker.prototype.addEventListener;
  Worker.prototype.addEventListener = function (name, listener) {
    add.call(this, name, (event) => name === "message" ? setTimeout(() => listener(event), (${delayOf})(event.data.answer)) : listener(event));
  };`;

describe.skipIf(!CHROMIUM)("answers of the worker", () => {
  const studio = new Studio();

  async function slowly(hash: string, delayOf: string): Promise<Page> {
    const page = await studio.open("", {}, studio.withoutModel);
    await page.addInitScript(delayed(delayOf));
    await page.goto("about:blank");
    await page.goto(studio.withoutModel.address + hash);
    return page;
  }

  test("a derivation that nobody wants any more is not shown as the one that was asked for", async () => {
    const page = await slowly(at("step", { t: GOLD, sys: "arc-standard", root: "first", by: "static" }), "() => 400");
    const system = page.locator(".settings select").first();
    await page.waitForSelector("[aria-label=Derivation][aria-busy=false] .choices tr.taken");
    const steps = () => page.locator(".player-count").textContent();
    const before = await steps();
    // Everything shown as settled, at every moment.
    await page.evaluate(`(() => {
      window.settled = [];
      const note = () => {
        const card = document.querySelector("[aria-label=Derivation]");
        if (card?.getAttribute("aria-busy") === "false") window.settled.push(document.querySelector(".player-count").textContent);
      };
      new MutationObserver(note).observe(document.querySelector("main"), { subtree: true, childList: true, attributes: true, characterData: true });
    })()`);
    await system.selectOption("covington");
    // The first answer is on its way when the second question is asked.
    await page.waitForTimeout(250);
    await system.selectOption("arc-eager");
    await expect.poll(async () => (await page.evaluate("window.settled.at(-1)")) ?? before).toBe("0 / 10");
    // Those of the first moments were drawn before the question was asked.
    const settled = new Set((await page.evaluate("window.settled")) as string[]);
    settled.delete(before!);
    expect([...settled]).toEqual(["0 / 10"]);
  });

  test("a lesson with branches: when arcs are built, and where the branches lead", async () => {
    const hash = at("learn", {
      lesson: "arc-eager",
      sys: "arc-eager",
      root: "first",
      by: "static",
      hand: "SHIFT~SHIFT",
      branch: "0",
    });
    const page = await slowly(`${hash}&then=dynamic`, "(answer) => (Array.isArray(answer) ? 1500 : 0)");
    await page.waitForSelector("[aria-label='When each arc is built'] >> text=/step \\d+/");
    await page.waitForSelector(".branch-table tbody tr:nth-child(2) >> text=/step 2/");
    expect(await page.locator(".branch-table").textContent()).not.toContain("…");
  });

  test("a link that is followed while the address is about to change is followed", async () => {
    const page = await studio.open(at("step", { t: GOLD, by: "static" }), {}, studio.withoutModel);
    await page.waitForSelector("[aria-label=Derivation][aria-busy=false] .choices tr.taken");
    // Under load the event comes long after the address has changed.
    await page.evaluate(`(() => {
      document.querySelector("[aria-label='One step on']").click();
      history.pushState(null, "", ${JSON.stringify(at("compare", { t: GOLD, sides: "gold~swap" }))});
      setTimeout(() => dispatchEvent(new HashChangeEvent("hashchange")), 600);
    })()`);
    await page.waitForSelector(".side-name.below >> text=Swap");
  });
});
