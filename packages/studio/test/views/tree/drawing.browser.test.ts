// How trees and derivations are drawn: sizes, colours, paper, small screens, explanations.

import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { at, CHROMIUM, dragArc, GOLD, hasModel, ready, row, Studio, tab, until } from "../../harness.js";

/** A chain of words, wider than any window. */
const WIDE = Array.from({ length: 65 }, (_, i) =>
  row(i + 1, `word${i + 1}`, "NOUN", i, i === 0 ? "root" : "nmod"),
).join("");

describe.skipIf(!CHROMIUM)("drawings", () => {
  const studio = new Studio();
  const open = studio.open.bind(studio);
  const derived = (page: Page) =>
    page.waitForSelector("[aria-label=Derivation][aria-busy=false] .choices :is(tr.taken, .end)");

  test.skipIf(!hasModel)("transitions have probabilities, and their bars are as long", async () => {
    const page = await open(at("step", { t: "The sailor mended the nets." }));
    await page.waitForSelector(".model-chip.ready");
    await derived(page);
    for (const step of ["2", "3", "4"]) {
      await page.getByLabel("Step", { exact: true }).fill(step);
      const rows = await page.locator(".choices tbody tr").evaluateAll((all) =>
        all.map((one) => ({
          percent: Number(one.querySelector(".score .number")!.textContent!.replace(/[<>% ]/g, "")),
          bar:
            one.querySelector(".score .bar")!.getBoundingClientRect().width /
            one.querySelector(".score")!.getBoundingClientRect().width,
        })),
      );
      const sum = rows.reduce((total, { percent }) => total + percent, 0);
      expect(sum).toBeGreaterThan(50);
      expect(sum).toBeLessThan(100.1);
      const longest = rows.reduce((a, b) => (a.percent > b.percent ? a : b));
      for (const { percent, bar } of rows) expect(bar / longest.bar).toBeCloseTo(percent / longest.percent, 1);
    }
  });

  test.skipIf(!hasModel)("unsure arcs are broken lines, and a legend says so", async () => {
    const page = await open(at("parse", { t: "Colourless green ideas sleep furiously near banks." }));
    await ready(page);
    await page.waitForSelector(".confidence-legend");
    const sure = await page
      .locator(".tree-svg .arcs .arc")
      .evaluateAll((all) => all.map((one) => one.getAttribute("class")));
    expect(sure.some((one) => /less-sure|unsure|doubtful/.test(one!))).toBe(true);
    // A gold tree is nobody's guess.
    await page.fill("#text", GOLD);
    await page.waitForSelector(".segmented >> text=Gold");
    expect(await page.locator(".confidence-legend").count()).toBe(0);
  });

  test("a wide tree has an overview, is fitted to the width and zoomed, and can be edited at any size", async () => {
    const page = await open(at("parse", { t: WIDE }), {}, studio.withoutModel);
    await ready(page);
    const width = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => one.clientWidth || one.getBoundingClientRect().width);
    expect(await width(".tree-svg")).toBeGreaterThan(2 * (await width(".tree-scroll")));
    const map = (await page.locator(".overview-map").boundingBox())!;
    await page.mouse.click(map.x + map.width - 5, map.y + 10);
    await until(page, "document.querySelector('.tree-scroll').scrollLeft > 500");
    await page.getByRole("button", { name: "Fit to width" }).click();
    await until(
      page,
      "document.querySelector('.tree-svg').getBoundingClientRect().width <= document.querySelector('.tree-scroll').clientWidth + 1",
    );
    // Words are where they are seen: the last arc is dropped on the first word.
    await dragArc(page, 65, 1);
    await page.waitForSelector('[data-word="65"][aria-label$="nmod of word1"]');
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /actual size/ }).click();
    await page.getByRole("button", { name: "Smaller" }).click();
    await page.waitForSelector(".zoom >> text=90 %");
  });

  test.each(["wrapped", "vertical"])(
    "%s: a long sentence fits a phone, arcs end at their words, and can be dragged",
    async (layout) => {
      // Arcs from the first word to every fifth, over all lines.
      const text = Array.from({ length: 65 }, (_, i) =>
        row(i + 1, `word${i + 1}`, "NOUN", i === 0 ? 0 : i % 5 === 0 ? 1 : i, i === 0 ? "root" : "nmod"),
      ).join("");
      const page = await open(at("parse", { t: text }), { viewport: { width: 500, height: 800 } }, studio.withoutModel);
      await ready(page);
      await page.getByLabel("Layout").selectOption(layout);
      await until(
        page,
        "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.tree-scroll'))",
      );
      const far = (await page.evaluate(`[...document.querySelectorAll(".arcs .arc")].filter((arc) => {
      const word = document.querySelector('[data-word="' + arc.dataset.dependent + '"] rect').getBoundingClientRect();
      const arrow = arc.querySelector(".arrow").getBoundingClientRect();
      return arrow.right < word.left - 50 || arrow.left > word.right || arrow.bottom < word.top - 12 || arrow.top > word.bottom;
    }).length`)) as number;
      expect(far).toBe(0);
      const words = await page
        .locator(".word rect")
        .evaluateAll((all) =>
          all
            .map((one) => one.getBoundingClientRect())
            .map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
        );
      words.forEach((a, i) => {
        const overlaps = words.some(
          (b, k) => k > i && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom,
        );
        expect(overlaps, `word ${i + 1} covers another`).toBe(false);
      });
      // The card is beside its word.
      await page.locator('[data-word="9"]').click();
      const word = (await page.locator('[data-word="9"] rect').boundingBox())!;
      const card = (await page.locator(".word-card.pinned").boundingBox())!;
      expect(Math.abs(card.y - word.y - word.height)).toBeLessThan(20);
      await page.keyboard.press("Escape");
      await page.locator('.labels [data-dependent="9"]').scrollIntoViewIfNeeded();
      await dragArc(page, 9, 6);
      await page.waitForSelector('[data-word="9"][aria-label$="nmod of word6"]');
    },
  );

  test("tokens that stand for several words are drawn below them", async () => {
    const page = await open(at("parse", { t: GOLD }), {}, studio.withoutModel);
    await ready(page);
    const box = async (selector: string) => (await page.locator(selector).boundingBox())!;
    const token = await box(".multi-word-tokens text");
    expect(await page.locator(".multi-word-tokens text").textContent()).toBe("pastthe");
    const [past, the] = [await box('[data-word="4"]'), await box('[data-word="5"]')];
    expect(token.y).toBeGreaterThan(past.y + past.height - 6);
    expect(token.x).toBeGreaterThan(past.x - 5);
    expect(token.x + token.width).toBeLessThan(the.x + the.width + 5);
  });

  test("labels and tags are explained, with a link", async () => {
    const page = await open(at("parse", { t: GOLD.replace("3\tobl", "3\tobl:where") }), {}, studio.withoutModel);
    await ready(page);
    expect(await page.locator('.labels [data-dependent="2"] title').textContent()).toContain("subject");
    await page.locator('[data-word="6"]').click();
    const links = await page.locator(".explained a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(links).toEqual([
      "https://universaldependencies.org/u/pos/NOUN.html",
      "https://universaldependencies.org/u/dep/obl.html",
    ]);
  });

  test("a derivation is written as a LaTeX table", async () => {
    const page = await open(
      at("step", { t: GOLD.replace("harbour", "harbour_100%"), by: "static", sys: "arc-standard", root: "first" }),
      {},
      studio.withoutModel,
    );
    await derived(page);
    await page.locator("summary", { hasText: "All steps as a table" }).click();
    const file = await studio.saved(page, () => page.getByRole("button", { name: "LaTeX table" }).click());
    expect(file.name).toBe("boats-derivation.tex");
    const lines = file.bytes.toString().split("\n");
    expect(lines[5]).toBe("  0 &  & [\\textsc{root}] & [Small, boats, drift, past, \\ldots] &  \\\\");
    expect(lines[8]).toBe(
      "  3 & \\textsc{left-arc} & [\\textsc{root}, boats] & [drift, past, the, harbour\\_100\\%] & boats $\\rightarrow$ Small (amod) \\\\",
    );
  });

  test.each(["light", "dark"] as const)("no text of a drawing is paler than 4.5 : 1 (%s)", async (colorScheme) => {
    const page = await open(at("parse", { t: GOLD }), { colorScheme }, studio.withoutModel);
    await ready(page);
    /** Classes of texts in trees whose colour is too near to that of the panel. */
    const pale = () =>
      page.evaluate(`(() => {
        const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const light = (colour, over) => {
          canvas.globalAlpha = 1;
          canvas.fillStyle = over ?? colour;
          canvas.fillRect(0, 0, 1, 1);
          canvas.fillStyle = colour;
          canvas.fillRect(0, 0, 1, 1);
          const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((one) => {
            const part = one / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
        };
        const panel = getComputedStyle(document.querySelector(".card")).backgroundColor;
        return [...document.querySelectorAll(".tree-svg text")].flatMap((text) => {
          let opacity = 1;
          for (let one = text; one && !one.matches(".card"); one = one.parentElement) opacity *= getComputedStyle(one).opacity;
          const [a, b] = [light(getComputedStyle(text).fill), light(panel)];
          const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          return contrast < 4.5 || opacity < 1 ? [text.getAttribute("class") + " " + contrast.toFixed(2) + " at " + opacity] : [];
        });
      })()`);
    await page.locator('[data-word="6"]').click();
    await page.waitForSelector(".label.dim");
    expect(await pale()).toEqual([]);
    await page.keyboard.press("Escape");
    await tab(page, "Step");
    await derived(page);
    await page.locator("main").focus();
    await page.keyboard.press("End");
    await page.waitForSelector(".word.gone");
    expect(await pale()).toEqual([]);
  });

  test("stack and buffer share the width, and the overview gives nothing away", async () => {
    const page = await open(
      at("step", { t: WIDE, by: "static", sys: "arc-standard", root: "first" }),
      {},
      studio.withoutModel,
    );
    await derived(page);
    const widths = () =>
      page
        .locator(".configuration > :is(.stack, .buffer)")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    // The overview shows no arc before it is built.
    expect(await page.locator(".overview-map path").count()).toBe(0);
    const [stack, buffer] = await widths();
    expect(buffer).toBeGreaterThan(1.5 * stack!);
    await page.getByLabel("Step", { exact: true }).fill("60");
    await until(page, "document.querySelector('.player-count b').textContent === '60'");
    const [later, rest] = await widths();
    expect(later).toBeGreaterThan(1.5 * rest!);
  });

  const phone = (width: number) => ({ viewport: { width, height: 720 }, hasTouch: true, isMobile: true });

  test.skipIf(!hasModel)("on a phone the transitions are above the fold", async () => {
    const page = await open(at("step", { t: "The sailor mended the nets.", k: "3" }), phone(375));
    await derived(page);
    const last = (await page.locator(".choices tbody tr").last().boundingBox())!;
    expect(last.y + last.height).toBeLessThan(720);
  });

  // 320 pixels are also what is left of 1280 at 400 %.
  test.each([320, 375])("at %i pixels nothing scrolls sideways", async (width) => {
    const page = await open(at("step", { t: GOLD, by: "static" }), phone(width), studio.withoutModel);
    await derived(page);
    for (const view of ["Step", "Compare", "Treebank", "Parse"]) {
      await tab(page, view);
      await page.waitForSelector(`nav [aria-current] >> text=${view}`);
      expect(await page.evaluate("document.documentElement.scrollWidth"), view).toBeLessThanOrEqual(width);
    }
    await page.tap('[data-word="2"]');
    const card = (await page.locator(".word-card.pinned").boundingBox())!;
    expect(card.x).toBeGreaterThanOrEqual(0);
    expect(card.x + card.width).toBeLessThanOrEqual(width);
  });

  test("on paper there is the whole tree and nothing to click", async () => {
    const page = await open(at("parse", { t: WIDE }), {}, studio.withoutModel);
    await ready(page);
    await page.emulateMedia({ media: "print" });
    expect(
      await page
        .locator(".top, #text, .exports, .overview")
        .evaluateAll((all) => all.filter((one) => one.getClientRects().length > 0).length),
    ).toBe(0);
    expect(
      await page.evaluate(
        "document.querySelector('.tree-svg').getBoundingClientRect().right <= document.documentElement.clientWidth",
      ),
    ).toBe(true);
  });
});
