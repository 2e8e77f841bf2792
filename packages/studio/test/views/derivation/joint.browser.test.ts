// Decisions of a derivation or a model besides the tree: semantic roles, and words that leave the sentence.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type PipelineModel, readTreebank, writeModel } from "@stemma/core";
import { type RoleStep, roleSteps, train } from "@stemma/core/training";
import { formatSentence } from "@stemma/core/treebank";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { toyPipeline, toyTreebank } from "../../../../core/test/toy-pipeline.js";
import { accessibilityProblems, at, CHROMIUM, ready, row, Studio, tab, until } from "../../harness.js";

const WANTED = readFileSync(new URL("../../../../../docs/images/roles.conllu", import.meta.url), "utf8");
const BOSTON = readFileSync(new URL("../../../../../docs/examples/boston.conllu", import.meta.url), "utf8");

/** The toy treebank with predicates: who does it, and what it is done to. */
function withRoles(count: number, seed: number) {
  return toyTreebank(count, seed).map((sentence) => {
    const root = sentence.root!;
    const [object] = sentence.find("obj");
    const own = [
      { word: 1, role: "ARG0" },
      { word: object!.index, role: "ARG1" },
    ];
    sentence.setPredicates([{ word: root.index, sense: `${root.lemma}.01`, arguments: own }]);
    return sentence;
  });
}

function rolesModel(): PipelineModel {
  const steps = roleSteps(toyPipeline(), withRoles(100, 2), { epochs: 2 });
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value.model;
    expect((step.value as RoleStep).name).toMatch(/trees|roles/);
  }
}

describe.skipIf(!CHROMIUM)("semantic roles", () => {
  const studio = new Studio();
  const open = studio.open.bind(studio);
  const withoutModel = (text: string) => open(at("parse", { t: text }), {}, studio.withoutModel);

  /** The text of each row below the words, by the word that it stands below. */
  async function rowsBelow(page: Page): Promise<string[][]> {
    const places = (await page.evaluate(`(() => {
      const middle = (element) => {
        const box = element.getBoundingClientRect();
        return [box.left + box.width / 2, box.top];
      };
      const text = (element) => element.firstChild.data;
      const words = [...document.querySelectorAll(".word .form")].map((one) => [text(one), ...middle(one)]);
      const roles = [...document.querySelectorAll(".roles text")].map((one) => [text(one), ...middle(one)]);
      return roles.map(([role, x, y]) => [
        role,
        words.reduce((a, b) => (Math.abs(b[1] - x) < Math.abs(a[1] - x) ? b : a))[0],
        Math.round(y),
      ]);
    })()`)) as [string, string, number][];
    const tops = [...new Set(places.map(([, , y]) => y))].sort((a, b) => a - b);
    return tops.map((top) => places.filter(([, , y]) => y === top).map(([role, word]) => `${role} ${word}`));
  }

  test("of a treebank are drawn below the words, a row for each predicate", async () => {
    const page = await withoutModel(WANTED);
    await ready(page);
    expect(await rowsBelow(page)).toEqual([
      ["ARG0 Mary", "want.01 wanted", "ARG1 read"],
      ["ARG0 Mary", "read.01 read", "ARG1 letter"],
      ["ARG1 letter", "R-ARG1 that", "come.01 came", "ARGM-TMP today"],
    ]);
    expect(await page.locator('[data-word="4"]').getAttribute("aria-label")).toBe(
      "read VERB, xcomp of wanted, predicate read.01, ARG1 of wanted",
    );
    await page.locator('[data-word="6"]').click();
    await page.waitForSelector(".word-card.pinned >> text=ARG1 of came");
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test("are exported with the tree", async () => {
    const page = await withoutModel(WANTED);
    await ready(page);
    for (const [format, text] of [
      ["SVG", 'class="sense"'],
      ["LaTeX", "want.01"],
      ["CoNLL-U", "Pred=want.01|Args=1:ARG0,4:ARG1"],
    ] as const) {
      const button = page.getByRole("button", { name: format, exact: true });
      expect((await studio.saved(page, () => button.click())).bytes.toString()).toContain(text);
    }
  });

  test("stand below their words in lines and columns, too", async () => {
    const page = await open(at("parse", { t: WANTED }), { viewport: { width: 420, height: 900 } }, studio.withoutModel);
    await ready(page);
    await page.getByLabel("Layout").selectOption("wrapped");
    const near = (await page.evaluate(`(() => {
      const box = (element) => element.getBoundingClientRect();
      const words = [...document.querySelectorAll(".word")];
      return [...document.querySelectorAll(".roles text")].map((role) => {
        const { left, right, top } = box(role);
        const above = words.filter((word) => box(word).bottom <= top + 4 && box(word).left < right && box(word).right > left);
        return above.some((word) => top - box(word).bottom < 60);
      });
    })()`)) as boolean[];
    expect(near.length).toBe(10);
    expect(near.every(Boolean)).toBe(true);
    await page.getByLabel("Layout").selectOption("vertical");
    // Roles of one predicate are in one column, each beside its word.
    const beside = (await page.evaluate(`(() => {
      const middle = (element) => { const { top, bottom } = element.getBoundingClientRect(); return (top + bottom) / 2; };
      const words = [...document.querySelectorAll(".word")].map(middle);
      return [...document.querySelectorAll(".roles text")].every((one) => words.some((y) => Math.abs(y - middle(one)) < 12));
    })()`)) as boolean;
    expect(beside).toBe(true);
  });

  test("of CoNLL-2009, in the box and in a file, which is converted and never overwritten", async () => {
    const [sentence] = readTreebank(WANTED);
    const old = formatSentence(sentence!, "conll09");
    const page = await withoutModel(old);
    await ready(page);
    await page.waitForSelector("text=This is CoNLL-2009");
    expect((await rowsBelow(page))[0]).toEqual(["ARG0 Mary", "want.01 wanted", "ARG1 read"]);
    await tab(page, "Treebank");
    const file = join(studio.folder, "roles.conll09.gz");
    writeFileSync(file, gzipSync(old.repeat(3)));
    await page.setInputFiles('[aria-label="Treebank file"]', file);
    await page.waitForSelector("text=/converted to CoNLL-U.*Nothing was left out/");
    await page.getByRole("button", { name: "Statistics" }).click();
    await page.waitForSelector("text=Semantic arguments");
    await tab(page, "Annotate");
    await page.waitForSelector(".roles .sense");
    const saved = await studio.saved(page, () => page.getByRole("button", { name: "Save file" }).click());
    expect(saved.name).toBe("roles.conllu");
    const expected = readTreebank(old, { format: "conll09" })[0]!.toConllu();
    expect(saved.bytes.toString()).toBe(expected.repeat(3));
    // The browser finds the file again, and what was made of it.
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("text=1 of 3 done");
    // The address follows a moment later.
    await until(page, "/^#annotate.*tb=.*n=2/.test(location.hash)");
    await page.waitForSelector("text=Saved in this browser");
    await page.reload();
    await page.waitForSelector("text=1 of 3 done");
    await page.waitForSelector(".roles .sense");
  });

  test("are derived with a second stack, step by step", async () => {
    const page = await open(at("step", { t: WANTED, sys: "arc-eager", by: "static" }), {}, studio.withoutModel);
    await page.locator("summary", { hasText: "Semantic roles, with a second stack" }).click();
    const rows = page.locator(".role-derivation tbody tr");
    await rows.first().waitFor();
    const text = async (row: number) => (await rows.nth(row).locator("td").allTextContents()).slice(1);
    expect(await text(1)).toEqual(["SHIFT", "[Mary]", "[]", "[wanted to read the …]", ""]);
    expect(await text(4)).toEqual(["LEFT-ARC nsubj", "[]", "[Mary]", "[wanted to read the …]", "wanted → Mary"]);
    expect(await text(6)).toEqual(["PRED want.01", "[wanted]", "[Mary]", "[to read the letter …]", ""]);
    expect(await text(7)).toEqual([
      "SEM-LEFT-ARC ARG0",
      "[wanted]",
      "[Mary]",
      "[to read the letter …]",
      "wanted → Mary",
    ]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.locator(".settings select").first().selectOption("swap");
    await page.waitForSelector(".role-derivation >> text=Swap puts words back");
  });

  test("of a model", async () => {
    const file = join(studio.folder, "with-roles.stemma");
    writeFileSync(file, writeModel(rolesModel()));
    const page = await withoutModel("Mina sells maps.");
    await page.setInputFiles('[aria-label="Model file"]', file);
    await page.waitForSelector(".model-chip.ready");
    expect(await page.locator(".model-chip").getAttribute("title")).toContain("with semantic roles");
    await ready(page);
    await page.waitForSelector(".roles .sense");
    expect(await rowsBelow(page)).toEqual([["ARG0 Mina", "sell.01 sells", "ARG1 maps"]]);
    // In the place of those of a file only below the model's own tree.
    const given =
      "1\tMina\tMina\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2\tsells\tsell\tVERB\t_\t_\t0\troot\t_\tPred=trade.07|Args=3:A9\n3\tmaps\tmap\tNOUN\t_\t_\t2\tobj\t_\t_\n\n";
    await page.fill("#text", given);
    await page.waitForSelector(".roles .sense:has-text('trade.07')");
    await page.getByRole("button", { name: "Prediction" }).click();
    await page.waitForSelector(".roles .sense:has-text('sell.01')");
    const { bytes } = await studio.saved(page, () =>
      page.getByRole("button", { name: "CoNLL-U", exact: true }).click(),
    );
    expect(bytes.toString()).toContain("Pred=sell.01|Args=1:ARG0,3:ARG1");
  });
});

/** The toy treebank with an “uh” before each verb. */
function withFillers(count: number, seed: number) {
  return toyTreebank(count, seed).map((sentence) => {
    const { index } = sentence.root!;
    const shifted = (word: number) => (word >= index ? word + 1 : word);
    let text = "";
    for (let i = 1; i <= sentence.length; i++) {
      if (i === index) text += row(i, "uh", "INTJ", i + 1, "discourse:filler");
      const head = sentence.head(i);
      text += row(shifted(i), sentence.form(i), sentence.upos(i), head === 0 ? 0 : shifted(head), sentence.deprel(i));
    }
    return readTreebank(`${text}\n`)[0]!;
  });
}

describe.skipIf(!CHROMIUM)("removed words", () => {
  const studio = new Studio();
  const open = studio.open.bind(studio);
  const STEP = at("step", { t: BOSTON, sys: "disfluencies", root: "first", by: "static", roots: "many" });

  const goTo = (page: Page, step: number) => page.getByLabel("Step", { exact: true }).fill(String(step));
  const taken = (page: Page) => page.locator(".taken-now").textContent();
  /** The words that stand below the line, and how long they take to fall. */
  const fallen = (page: Page) =>
    page.evaluate(`(() => {
      const words = [...document.querySelectorAll(".step-main .word")];
      const line = Math.min(...words.map((one) => one.getBoundingClientRect().top));
      return words.filter((one) => one.getBoundingClientRect().top > line + 20).map((one) => one.querySelector(".form").textContent);
    })()`) as Promise<string[]>;

  test("fall out of the sentence as the derivation goes, and their arcs go with them", async () => {
    const page = await open(STEP, {}, studio.withoutModel);
    await page.waitForSelector(".choices tr.taken");
    expect(await fallen(page)).toEqual([]);
    await goTo(page, 9);
    await page.waitForSelector(".arc-list >> text=Boston");
    await goTo(page, 10);
    await expect.poll(() => taken(page)).toBe("IJ-1“uh” is removed as an interjection");
    await expect.poll(() => fallen(page)).toEqual(["uh"]);
    expect(await page.locator('.step-main [data-word="7"]').getAttribute("aria-label")).toBe(
      "uh INTJ, removed as an interjection",
    );
    await goTo(page, 11);
    await expect.poll(() => taken(page)).toBe("DM-2“I” and “mean” are removed as a discourse marker");
    await goTo(page, 12);
    await expect.poll(() => taken(page)).toBe("RP-5-6“to” and “Boston” are removed as a reparandum");
    await expect.poll(() => fallen(page)).toEqual(["to", "Boston", "uh", "I", "mean"]);
    expect(await page.locator(".arc-list").textContent()).not.toMatch(/Boston|undefined/);
    expect(await page.locator("[aria-label=Removed] li.fallen").allTextContents()).toEqual(["to5", "Boston6"]);
    await goTo(page, 15);
    await page.waitForSelector("text=/No mistakes: this .*the gold tree without its disfluent words/");
    // Nothing of the gold tree is out of this system's reach.
    await page.waitForSelector(".systems tbody tr:last-child .cell >> text=15");
    expect(await page.locator(".systems tbody tr:last-child .badge").count()).toBe(0);
    // Back before it they are there again.
    await goTo(page, 9);
    await expect.poll(() => fallen(page)).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test.each([
    ["no-preference", "0.5s"],
    ["reduce", "0s"],
  ] as const)("with motion %s they take %s", async (reducedMotion, duration) => {
    const page = await open(STEP, { reducedMotion }, studio.withoutModel);
    await page.waitForSelector(".choices tr.taken");
    const word = `document.querySelector('.step-main [data-word="7"]')`;
    await page.waitForSelector('.step-main [data-word="7"]');
    expect(await page.evaluate(`getComputedStyle(${word}).transitionDuration`)).toBe(duration);
  });

  test("transitions that remove many words are not all listed, and every listed one has its cost", async () => {
    const page = await open(STEP, {}, studio.withoutModel);
    await page.waitForSelector(".choices tr.taken");
    await goTo(page, 12);
    await page.waitForSelector(".choices tr.taken >> text=SHIFT");
    const rows = page.locator(".choices tbody tr");
    const few = await rows.count();
    expect(few).toBeLessThan(14);
    await page.getByRole("button", { name: /^Show \d+ more/ }).click();
    expect(await rows.count()).toBeGreaterThan(few);
    expect(await page.locator(".choices td.cost >> text=?").count()).toBe(0);
  });

  test("derivations as a graph lead to the sentence without them", async () => {
    const text = row(1, "uh", "INTJ", 2, "discourse:filler") + row(2, "stop", "VERB", 0, "root");
    const page = await open(at("step", { t: text, sys: "disfluencies", root: "first" }), {}, studio.withoutModel);
    await page.locator("summary", { hasText: "All derivations" }).click();
    await page.waitForSelector("text=/One derivation/");
  });

  test("are marked in a tree of speech, and nowhere else", async () => {
    const page = await open(at("parse", { t: BOSTON }), {}, studio.withoutModel);
    await ready(page);
    const marked = () => page.locator(".word.removed .form").allTextContents();
    expect(await marked()).toEqual(["to", "Boston", "uh", "I", "mean"]);
    await page.waitForSelector("text=Struck through");
    const written =
      row(1, "Well", "INTJ", 3, "discourse") + row(2, "she", "PRON", 3, "nsubj") + row(3, "sang", "VERB", 0, "root");
    await page.fill("#text", written);
    await page.waitForSelector('.word >> text="sang"');
    expect(await marked()).toEqual([]);
    await page.fill("#text", written.replace("_\n", "Removed=DM\n"));
    await page.waitForSelector(".word.removed");
    expect(await marked()).toEqual(["Well"]);
    expect(await page.locator(".word.removed").getAttribute("aria-label")).toBe(
      "Well INTJ, discourse of sang, removed as a discourse marker",
    );
  });

  test("of a model: marked in its tree, removed by its derivation; what it cannot do is said", async () => {
    const sentences = withFillers(80, 1);
    const { model } = await train({ sentences, joint: "disfluencies", epochs: 3, pipeline: true, folds: 2 });
    const file = join(studio.folder, "spoken.stemma");
    writeFileSync(file, writeModel(model));
    const page = await open(at("parse", { t: "Mina uh sells maps." }), {}, studio.withoutModel);
    await page.setInputFiles('[aria-label="Model file"]', file);
    await page.waitForSelector(".model-chip.ready");
    await page.waitForSelector(".word.removed");
    expect(await page.locator(".word.removed .form").allTextContents()).toEqual(["uh"]);
    await tab(page, "Step");
    await page.waitForSelector(".choices tr.taken .score .number");
    await page.getByRole("button", { name: "Last step" }).click();
    await expect.poll(() => fallen(page)).toEqual(["uh"]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await tab(page, "Treebank");
    const treebank = join(studio.folder, "said.conllu");
    writeFileSync(treebank, sentences.slice(0, 5).join(""));
    await page.setInputFiles('[aria-label="Treebank file"]', treebank);
    await page.getByLabel("Order").selectOption("unsure");
    await page.waitForSelector(".toast.visible >> text=This model cannot score its arcs: it removes words");
  });
});
