// Everything can be reached and done with the keyboard alone, in Chromium and in Firefox.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureBuilt, serve } from "./browser.js";
import { eventually, Firefox, findFirefox } from "./firefox.js";
import { at, CHROMIUM, GOLD, Studio } from "./harness.js";

const FIREFOX = findFirefox();
if (!FIREFOX) console.log("no Firefox on the PATH and none in $FIREFOX: the tests of the keyboard in it are skipped");

/** Both browsers can do this. */
interface Driver {
  goto(hash: string): Promise<void>;
  press(...keys: string[]): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
}

function keyboardTests(driver: () => Driver): void {
  const until = (expression: string) => eventually(() => driver().evaluate(expression), expression, 30_000);
  const focusedWord = () => driver().evaluate("document.activeElement.dataset.word ?? ''");
  const focusOn = (selector: string) =>
    driver().evaluate(`document.querySelector(${JSON.stringify(selector)}).focus()`);
  const WORD = "document.activeElement.dataset.word";

  async function openTree(): Promise<void> {
    await driver().goto(at("parse", { t: GOLD }));
    await until("!!document.querySelector('.tree-card[aria-busy=false] .tree-svg .word')");
  }

  test("Tab leads to the words, arrows from one to the next, and Tab comes back to the word it left", async () => {
    await openTree();
    await focusOn(".exports button");
    await driver().press("Shift+Tab");
    expect(await focusedWord()).toBe("1");
    const reached: unknown[] = [];
    for (let i = 0; i < 6; i++) {
      await driver().press("ArrowRight");
      reached.push(await focusedWord());
    }
    expect(reached).toEqual(["2", "3", "4", "5", "6", "6"]);
    await driver().press("ArrowLeft", "ArrowLeft");
    expect(await focusedWord()).toBe("4");
    await driver().press("Tab");
    expect(await driver().evaluate("document.activeElement.closest('.exports') !== null")).toBe(true);
    await driver().press("Shift+Tab");
    expect(await focusedWord()).toBe("4");
  });

  test("a card takes the focus, its fields come next, and Escape gives the focus back to the word", async () => {
    await openTree();
    await focusOn('[data-word="6"]');
    await driver().press("Enter");
    await until("document.activeElement.getAttribute('role') === 'dialog'");
    const fields: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      await driver().press("Tab");
      fields.push(await driver().evaluate("document.activeElement.tagName"));
    }
    expect(fields).toEqual(["BUTTON", "SELECT", "INPUT"]);
    await driver().press("Escape");
    await until("!document.querySelector('.word-card.pinned')");
    expect(await focusedWord()).toBe("6");
    // A hint for a word that is only pointed at goes away, too, and the word keeps the focus.
    await until("!!document.querySelector('.word-card')");
    await driver().press("Escape");
    await until("!document.querySelector('.word-card')");
    expect(await focusedWord()).toBe("6");
    await driver().press("ArrowUp");
    await until(`${WORD} === '3'`);
  });

  test("a label is changed, undone and done again without a pointer", async () => {
    await openTree();
    const label = (text: string) =>
      until(
        `document.querySelector('[data-word="6"]').getAttribute('aria-label') === 'harbour NOUN, ${text} of drift'`,
      );
    await focusOn('[data-word="6"]');
    await driver().press("Enter");
    await until("document.activeElement.getAttribute('role') === 'dialog'");
    await driver().press("Tab", "Tab", "Tab");
    await driver().press("o", "b", "j", "Enter");
    await label("obj");
    // The list of completions may take the first Escape.
    await eventually(async () => {
      await driver().press("Escape");
      return driver().evaluate("!document.querySelector('.word-card.pinned')");
    });
    await driver().press("Control+z");
    await label("obl");
    await driver().press("Control+Shift+z");
    await label("obj");
  });

  test("Enter on a transition takes it, and the focus stays in the list", async () => {
    await driver().goto(at("step", { t: GOLD, by: "hand", sys: "arc-standard", root: "first" }));
    await until("!!document.querySelector('[aria-label=Derivation][aria-busy=false] .choice')");
    // After two words are shifted, LEFT-ARC attaches the first, and is not permitted in what comes then.
    for (const [step, move] of ["SHIFT", "SHIFT", "LEFT-ARC"].entries()) {
      await driver().evaluate(
        `[...document.querySelectorAll(".choice")].find((one) => one.textContent.startsWith("${move}")).focus()`,
      );
      await driver().press("Enter");
      await until(
        `document.querySelector('[aria-label=Derivation][aria-busy=false] .player-count b')?.textContent === '${step + 1}'`,
      );
      // The list is drawn anew, and gets the focus back then.
      await until("document.activeElement.className === 'choice'");
    }
    // Arrows still go through the steps from there.
    await driver().press("ArrowLeft");
    await until("document.querySelector('.player-count b').textContent === '2'");
  });

  test("a quiz is answered with the number keys, and Enter leads on", async () => {
    await driver().goto(at("step", { t: GOLD, by: "static", sys: "arc-eager", root: "first", quiz: "1" }));
    await until("!!document.querySelector('[aria-label=Derivation][aria-busy=false] .quiz-choice')");
    const count = "document.querySelector('.quiz-count').textContent";
    await driver().press("1");
    await until(`${count}.endsWith('of 1 right')`);
    await driver().press("Enter");
    await until("document.querySelector('.player-count b').textContent === '1'");
    await until("!!document.querySelector('.quiz-choice:enabled')");
    await driver().press("2");
    await until(`${count}.endsWith('of 2 right')`);
  });

  test("the graph of a lesson is walked with the arrow keys", async () => {
    await driver().goto("#learn?lesson=spurious-ambiguity&sys=arc-standard&root=first&by=static");
    await until("!!document.querySelector('.graph .node.now')");
    await driver().evaluate("document.querySelector('.graph .node.now').focus()");
    await driver().press("ArrowRight", "ArrowRight", "Enter");
    await until("document.querySelector('.player-count b').textContent === '2'");
    await until("document.querySelector('.graph .node.now') === document.activeElement");
  });

  test("a treebank is annotated: cells, words, tokens, sentences, done, undo", async () => {
    const lines = "[...document.querySelectorAll('.word-table tbody tr')]";
    const cells = (row: number) => `${lines}[${row}].textContent`;
    await driver().goto(at("annotate", { t: GOLD }));
    await until("!!document.querySelector('.drop-zone button + button')");
    await focusOn(".drop-zone button + button");
    await driver().press("Enter");
    await until("!!document.querySelector('.word-table td[tabindex=\"0\"]')");
    await focusOn('.word-table td[tabindex="0"]');
    // Down to the second word, right to its lemma; typed, and taken with Enter, which leads to the next word.
    await driver().press("ArrowDown", "ArrowRight", "Enter");
    await until("document.activeElement.classList.contains('cell-input')");
    await driver().press("s", "h", "i", "p", "Enter");
    await until(`${cells(1)}.includes('ship')`);
    await until('document.activeElement.matches(\'[data-row="2"][data-column="1"]\')');
    // Tab takes what is typed and stays in the table.
    await driver().press("ArrowUp", "Enter");
    await until("document.activeElement.classList.contains('cell-input')");
    await driver().press("Tab");
    await until('document.activeElement.matches(\'[data-row="1"][data-column="2"]\')');
    // Split and joined again; the focus stays.
    await driver().press("s");
    await until("document.activeElement.closest('.split-form') !== null");
    await driver().press("End", "ArrowLeft", " ", "Enter");
    await until(`${lines}.length === 8`);
    await until("document.activeElement.matches('td[data-row=\"1\"]')");
    await driver().press("j");
    await until(`${lines}.length === 7`);
    await driver().press("Home", "ArrowDown", "S");
    // The second part is the next sentence.
    await until(`/0 of 2 done/.test(document.body.textContent) && ${lines}.length < 7`);
    await driver().press("Control+z");
    await until(`/0 of 1 done/.test(document.body.textContent) && ${lines}.length === 7`);
    await driver().press("d");
    await until("/1 of 1 done/.test(document.body.textContent)");
    await driver().press("Control+z", "Control+z", "Control+z", "Control+z");
    await until(`!${cells(1)}.includes('ship')`);
    expect(await driver().evaluate("/0 of 1 done/.test(document.body.textContent)")).toBe(true);
  });
}

describe.skipIf(!CHROMIUM)("the keyboard in Chromium", () => {
  const studio = new Studio();
  let page: Page;
  keyboardTests(() => ({
    async goto(hash) {
      page = await studio.open(hash, {}, studio.withoutModel);
    },
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    evaluate: (expression) => page.evaluate(expression),
  }));
});

describe.skipIf(!FIREFOX)("the keyboard in Firefox", () => {
  let firefox: Firefox | undefined;
  let server: Awaited<ReturnType<typeof serve>> | undefined;
  beforeAll(async () => {
    await ensureBuilt();
    server = await serve();
    firefox = await Firefox.launch(FIREFOX!);
  }, 120_000);
  afterAll(async () => {
    await firefox?.close();
    server?.close();
  });
  keyboardTests(() => ({
    async goto(hash) {
      await firefox!.goto(server!.address + hash);
      // Pages share a profile: each test starts with nothing kept.
      await firefox!.evaluate("indexedDB.deleteDatabase('stemma-studio') && undefined");
      await firefox!.goto(server!.address + hash);
    },
    press: (...keys) => firefox!.press(...keys),
    evaluate: (expression) => firefox!.evaluate(expression),
  }));
});
