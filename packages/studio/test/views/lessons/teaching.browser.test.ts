// Lessons, the quiz, branches beside the original, the graph of derivations, the beam, and the page within another one.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { LESSONS } from "../../../src/state/address/lesson-plans.js";
import { accessibilityProblems, at, CHROMIUM, GOLD, hasModel, ready, Studio, tab, until } from "../../harness.js";

describe.skipIf(!CHROMIUM)("Studio teaches", () => {
  const studio = new Studio();
  const open = studio.open.bind(studio);
  const shownStep = async (page: Page) => Number(await page.locator(".player-count b").textContent());
  const derived = (page: Page) => page.waitForSelector("section[aria-label=Derivation][aria-busy=false] .player");

  test("every lesson opens from the list with its text, a derivation and a question that is judged", async () => {
    const page = await open("#learn", {}, studio.withoutModel);
    const places = [0, 0, 0];
    for (const { title } of LESSONS) {
      await page.locator(".lesson-entry", { has: page.locator(`strong:text-is("${title}")`) }).click();
      await derived(page);
      await page.waitForSelector(`.lesson-text h2:text-is("${title}")`);
      const answers = page.locator(".question input");
      for (let i = 0; i < (await answers.count()); i++) {
        await answers.nth(i).check();
        if (await page.locator(".question .note.good").isVisible()) {
          places[i]!++;
          break;
        }
        expect(await page.locator(".question .note.bad").count(), title).toBe(1);
      }
      expect(await page.locator(".question .note.good").count(), title).toBe(1);
      await page.getByRole("button", { name: "All lessons" }).click();
    }
    expect(await page.locator(".lesson-entry .badge.good").count()).toBe(LESSONS.length);
    expect(Math.max(...places), "the place of an answer does not tell that it is right").toBeLessThan(
      LESSONS.length / 2,
    );
    await until(page, "!location.hash.includes('lesson=')");
    await page.reload();
    await page.waitForSelector(".lesson-list");
    expect(await page.locator(".lesson-entry .badge.good").count()).toBe(LESSONS.length);
  });

  test("the text of a lesson moves the derivation, which is apart from that of the page", async () => {
    const page = await open(at("step", { t: GOLD, by: "static", sys: "swap", k: "2" }), {}, studio.withoutModel);
    await derived(page);
    await tab(page, "Lessons");
    await page.getByRole("button", { name: /^Swapping words/ }).click();
    await derived(page);
    await page.getByRole("button", { name: "step 7" }).click();
    expect(await shownStep(page)).toBe(7);
    await page.getByRole("button", { name: "swapped lazily" }).click();
    await until(page, "document.querySelector('.player-count').textContent.endsWith('/ 20')");
    await until(page, "location.hash.includes('lesson=swap') && location.hash.includes('lazy=1')");
    const link = page.url();
    await tab(page, "Step");
    await derived(page);
    expect(await shownStep(page)).toBe(2);
    expect(await page.inputValue("#text")).toContain("harbour");
    const again = await open(link.slice(link.indexOf("#")), {}, studio.withoutModel);
    await until(again, "document.querySelector('.player-count')?.textContent.endsWith('/ 20')");
    await again.getByRole("button", { name: "Take it to Step through" }).click();
    await again.waitForSelector("#text");
    expect(await again.inputValue("#text")).toContain("flooded");
  });

  test("the tree that a quiz aims at does not tell which arcs will be wrong", async () => {
    const text = LESSONS.find(({ id }) => id === "projectivity")!.conllu;
    const link = (quiz: string) => at("step", { t: text, sys: "arc-eager", root: "first", by: "dynamic", ...{ quiz } });
    const page = await open(link("1"), {}, studio.withoutModel);
    await page.waitForSelector(".quiz-choice");
    expect(await page.locator(".step-main .arc").count()).toBe(9);
    expect(await page.locator(".step-main :is(.arc, .label):is(.bad, .warn)").count()).toBe(0);
  });

  test("a comparison within another page has its trees and no settings", async () => {
    const page = await open(`?embed${at("compare", { t: GOLD, sides: "gold~arc-standard" })}`, {}, studio.withoutModel);
    await page.waitForSelector("text=No differences");
    expect(await page.locator(".side-name").allTextContents()).toEqual(["Gold tree", "Arc-standard"]);
    expect(await page.locator(".settings").count()).toBe(0);
  });

  test("the quiz hides scores and costs, asks, reveals and counts", async () => {
    const page = await open(
      at("step", { t: GOLD, sys: "arc-eager", root: "first", by: "static" }),
      {},
      studio.withoutModel,
    );
    await derived(page);
    await page.getByLabel("Quiz").check();
    await page.waitForSelector(".quiz");
    expect(await page.locator(".choices .badge, .choices .score, .loss").count()).toBe(0);
    expect(await page.locator(".strip .left, .strip .right").count()).toBe(0);
    // [ROOT] [Small boats …]: shifting is right, an arc from ROOT costs something.
    await page.locator(".quiz-choice", { hasText: "RIGHT-ARC" }).click();
    await page.waitForSelector("text=No: SHIFT comes next.");
    expect(await page.locator(".quiz-choice.wrong .badge.bad").count()).toBe(1);
    expect(await page.locator(".quiz-count").textContent()).toBe("0 of 1 right");
    await page.keyboard.press("Enter");
    await until(page, "document.querySelector('.player-count b').textContent === '1'");
    await page.waitForSelector(".quiz-choice:enabled");
    const right = page.locator(".quiz-choice", { hasText: "LEFT-ARC" });
    await page.keyboard.press((await right.locator("kbd").textContent())!);
    await page.waitForSelector("text=Right: LEFT-ARC amod.");
    expect(await page.locator(".quiz-count").textContent()).toBe("1 of 2 right");
    // To the end.
    for (let i = 0; i < 20 && !(await page.getByRole("button", { name: "Once more" }).isVisible()); i++) {
      if (await page.locator(".quiz-choice:enabled").count()) await page.locator(".quiz-choice").first().click();
      await page.getByRole("button", { name: "Next" }).click();
    }
    await page.getByRole("button", { name: "End the quiz" }).click();
    await page.waitForSelector(".loss");
  });

  test("taking steps by hand hides the answer, until it is asked for or given", async () => {
    const page = await open(
      at("step", { t: GOLD, sys: "arc-eager", root: "first", by: "hand" }),
      {},
      studio.withoutModel,
    );
    await derived(page);
    const revealed = page.locator(".choices .badge, .choices .score, .loss, .choice-label, tr.optimal");
    expect(await page.locator(".choice").count()).toBe(2);
    expect(await revealed.count()).toBe(0);
    await page.getByRole("button", { name: "Show the answer" }).click();
    expect(await revealed.count()).toBeGreaterThan(2);
    await page.locator(".choice", { hasText: "SHIFT" }).click();
    await until(page, "document.querySelector('.player-count').textContent === '1 / 1'");
    expect(await revealed.count()).toBe(0);
    // A wrong one is told afterwards.
    await page.locator(".choice", { hasText: "RIGHT-ARC" }).click();
    await page.waitForSelector(".taken-now .badge.bad");
  });

  test("branches stand beside the original with their loss and the difference of the trees, also in a link", async () => {
    const page = await open(
      at("step", { t: GOLD, sys: "arc-eager", root: "first", by: "static", k: "1" }),
      {},
      studio.withoutModel,
    );
    await derived(page);
    await page.locator(".choice", { hasText: "SHIFT" }).click();
    await page.waitForSelector(".branch-table");
    await page.getByRole("button", { name: "Finish with oracle" }).click();
    const row = (n: number) => page.locator(".branch-table tbody tr").nth(n);
    await row(1).locator(".badge.bad").waitFor();
    expect(await row(0).locator(".badge").textContent()).toBe("0");
    expect(await row(1).textContent()).toMatch(/step 2: SHIFT/);
    const loss = Number(await row(1).locator(".badge").textContent());
    expect(loss).toBeGreaterThan(0);
    expect(await page.locator(".branches .tree-svg .arc.bad").count()).toBeGreaterThanOrEqual(2);
    // A second branch from the original.
    await page.getByRole("button", { name: /^Original/ }).click();
    await until(page, "document.querySelector('.player-count b').textContent === '1'");
    await page.locator(".choice", { hasText: "RIGHT-ARC" }).click();
    await row(2).waitFor();
    await until(page, "new URLSearchParams(location.hash.split('?')[1]).getAll('hand').length === 2");
    const hash = new URL(page.url()).hash;
    const other = await open(hash, {}, studio.withoutModel);
    await other.locator(".branch-table tbody tr").nth(2).waitFor();
    await other.waitForSelector(".branch-table tbody tr:nth-child(2) .badge.bad");
    expect(await other.locator(".branch-table tr.current").textContent()).toContain("Branch 2");
    // A removed branch comes back.
    await page.getByRole("button", { name: "Remove Branch 1" }).click();
    await until(page, "document.querySelectorAll('.branch-table tbody tr').length === 2");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await until(page, "document.querySelectorAll('.branch-table tbody tr').length === 3");
  });

  test("the graph of derivations counts, shows and leads", async () => {
    const page = await open("#learn?lesson=spurious-ambiguity", {}, studio.withoutModel);
    await page.waitForSelector("text=3 derivations");
    expect(await page.locator(".graph .node").count()).toBe(13);
    expect(await page.locator(".graph .node.now").getAttribute("aria-label")).toMatch(/^\[ROOT .*hunt.*\] \[/);
    // Elsewhere: another derivation, at this configuration.
    await page.locator(".graph .node:not(.way)").first().click();
    await page.waitForSelector(".branch-table");
    await page.waitForSelector("text=the difference is spurious");
    await page.locator(".graph .node.now").focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await until(
      page,
      "document.querySelector('.graph .node.now')?.dataset.node === document.activeElement.dataset.node",
    );
    await page.getByRole("button", { name: "arc-hybrid" }).click();
    await page.waitForSelector("text=One derivation");
  });

  test.skipIf(!hasModel)("the beam shows rivals, and where the gold derivation falls out", async () => {
    const page = await open("#learn?lesson=beam");
    await page.waitForSelector(".beam-picture circle");
    await page.getByLabel("Width").selectOption("1");
    const lost = page.locator(".beam .note", { hasText: "fell out of the beam in step" });
    await lost.waitFor();
    await lost.getByRole("button", { name: "Go there" }).click();
    const row = page.locator(".beam-table tbody tr", { hasText: "gold" });
    expect(await row.textContent()).toContain("given up");
    const stepOf = async () => Number(/step (\d+)/.exec((await lost.textContent())!)![1]);
    const narrow = await stepOf();
    await page.getByLabel("Width").selectOption("8");
    await until(page, "document.querySelectorAll('.beam-table tbody tr').length > 8");
    if (await lost.count()) expect(await stepOf()).toBeGreaterThanOrEqual(narrow);
  });

  test("?embed shows what the link is about and nothing else", async () => {
    const page = await open(
      `?embed${at("step", { t: GOLD, sys: "arc-eager", by: "static", k: "3" })}`,
      {},
      studio.withoutModel,
    );
    await derived(page);
    expect(await shownStep(page)).toBe(3);
    expect(await page.locator("header, #text, .settings").count()).toBe(0);
    await page.keyboard.press("ArrowRight");
    expect(await shownStep(page)).toBe(4);
    await page.locator(".embedded-foot a").focus();
    await until(page, "location.hash.includes('k=4')");
    await page.locator("body").focus();
    await page.locator(".embedded-foot a").blur();
    await page.locator(".embedded-foot a").focus();
    const link = (await page.locator(".embedded-foot a").getAttribute("href"))!;
    expect(link).not.toContain("?embed");
    expect(link).toContain("k=4");
    const parse = await open(`?embed${at("parse", { t: GOLD })}`, {}, studio.withoutModel);
    await ready(parse);
    expect(await parse.locator("header, #text").count()).toBe(0);
  });

  test("a page from elsewhere can frame it", async () => {
    const inner = `${studio.withoutModel.address}?embed${at("step", { t: GOLD, by: "static" })}`;
    const slides = createServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<link rel="icon" href="data:,"><iframe src="${inner.replaceAll("&", "&amp;")}"></iframe>`);
    });
    await new Promise<void>((resolve) => slides.listen(0, "127.0.0.1", resolve));
    const page = await open("", {}, studio.withoutModel);
    // Another port is another origin.
    await page.goto(`http://127.0.0.1:${(slides.address() as AddressInfo).port}/`);
    const frame = page.frameLocator("iframe");
    await frame.locator(".player").waitFor();
    await frame.getByRole("button", { name: "One step on" }).click();
    await expect.poll(() => frame.locator(".player-count b").textContent()).toBe("1");
    slides.close();
    slides.closeAllConnections();
  });

  // Light colours with much room, dark ones with little.
  test.each([
    ["light", 1280],
    ["dark", 320],
  ] as const)(
    "no serious accessibility problems, no sideways scrolling (%s, %d pixels)",
    async (colorScheme, width) => {
      const options = { colorScheme, viewport: { width, height: 800 } };
      const check = async (page: Page, where: string) => {
        expect(await accessibilityProblems(page), where).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth"), where).toBeLessThanOrEqual(width);
      };
      for (const lesson of ["", "?lesson=spurious-ambiguity", "?lesson=error-propagation", "?lesson=beam"]) {
        const page = await open(`#learn${lesson}`, options, studio.server);
        await page.waitForSelector(lesson === "" ? ".lesson-list" : ".player");
        if (lesson.endsWith("propagation")) await page.getByRole("button", { name: "Branch 2", exact: true }).click();
        if (lesson.endsWith("ambiguity")) await page.waitForSelector(".graph");
        if (lesson.endsWith("beam") && hasModel) await page.waitForSelector(".beam-table");
        await check(page, lesson);
      }
      const quizzed = { t: GOLD, by: "static", sys: "arc-eager", root: "first", quiz: "1" };
      const quiz = await open(at("step", quizzed), options, studio.server);
      await quiz.locator(".quiz-choice").first().click();
      await check(quiz, "quiz");
    },
  );
});
