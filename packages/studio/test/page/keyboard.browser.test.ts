// Everything can be reached and done with the keyboard alone, in Chromium and in Firefox.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { at, GOLD, inBothBrowsers, until as untilIn } from "../harness.js";

inBothBrowsers("the keyboard", (studio) => {
  let page: Page;
  const open = async (hash: string) => {
    page = await studio.open(hash, {}, studio.withoutModel);
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const until = (expression: string) => untilIn(page, expression);
  const focusedWord = () => page.evaluate("document.activeElement.dataset.word ?? ''");
  const focusOn = (selector: string) => page.evaluate(`document.querySelector(${JSON.stringify(selector)}).focus()`);
  const WORD = "document.activeElement.dataset.word";

  async function openTree(): Promise<void> {
    await open(at("parse", { t: GOLD }));
    await until("!!document.querySelector('.tree-card[aria-busy=false] .tree-svg .word')");
  }

  test("Tab leads to the words, arrows from one to the next, and Tab comes back to the word it left", async () => {
    await openTree();
    await focusOn(".exports button");
    await press("Shift+Tab");
    expect(await focusedWord()).toBe("1");
    const reached: unknown[] = [];
    for (let i = 0; i < 6; i++) {
      await press("ArrowRight");
      reached.push(await focusedWord());
    }
    expect(reached).toEqual(["2", "3", "4", "5", "6", "6"]);
    await press("ArrowLeft", "ArrowLeft");
    expect(await focusedWord()).toBe("4");
    await press("Tab");
    expect(await page.evaluate("document.activeElement.closest('.exports') !== null")).toBe(true);
    await press("Shift+Tab");
    expect(await focusedWord()).toBe("4");
  });

  test("a card takes the focus, its fields come next, and Escape gives the focus back to the word", async () => {
    await openTree();
    await focusOn('[data-word="6"]');
    await press("Enter");
    await until("document.activeElement.getAttribute('role') === 'dialog'");
    const fields: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      await press("Tab");
      fields.push(await page.evaluate("document.activeElement.tagName"));
    }
    expect(fields).toEqual(["BUTTON", "SELECT", "INPUT"]);
    await press("Escape");
    await until("!document.querySelector('.word-card.pinned')");
    expect(await focusedWord()).toBe("6");
    // A hint for a word that is only pointed at goes away, too, and the word keeps the focus.
    await until("!!document.querySelector('.word-card')");
    await press("Escape");
    await until("!document.querySelector('.word-card')");
    expect(await focusedWord()).toBe("6");
    await press("ArrowUp");
    await until(`${WORD} === '3'`);
  });

  test("a label is changed, undone and done again without a pointer", async () => {
    await openTree();
    const label = (text: string) =>
      until(
        `document.querySelector('[data-word="6"]').getAttribute('aria-label') === 'harbour NOUN, ${text} of drift'`,
      );
    await focusOn('[data-word="6"]');
    await press("Enter");
    await until("document.activeElement.getAttribute('role') === 'dialog'");
    await press("Tab", "Tab", "Tab");
    await press("o", "b", "j", "Enter");
    await label("obj");
    // The list of completions may take the first Escape.
    await expect
      .poll(async () => {
        await press("Escape");
        return page.evaluate("!document.querySelector('.word-card.pinned')");
      })
      .toBe(true);
    await press("Control+z");
    await label("obl");
    await press("Control+Shift+z");
    await label("obj");
  });

  test("Enter on a transition takes it, and the focus stays in the list", async () => {
    await open(at("step", { t: GOLD, by: "hand", sys: "arc-standard", root: "first" }));
    await until("!!document.querySelector('[aria-label=Derivation][aria-busy=false] .choice')");
    // After two words are shifted, LEFT-ARC attaches the first, and is not permitted in what comes then.
    for (const [step, move] of ["SHIFT", "SHIFT", "LEFT-ARC"].entries()) {
      await page.evaluate(
        `[...document.querySelectorAll(".choice")].find((one) => one.textContent.startsWith("${move}")).focus()`,
      );
      await press("Enter");
      await until(
        `document.querySelector('[aria-label=Derivation][aria-busy=false] .player-count b')?.textContent === '${step + 1}'`,
      );
      // The list is drawn anew, and gets the focus back then.
      await until("document.activeElement.className === 'choice'");
    }
    // Arrows still go through the steps from there.
    await press("ArrowLeft");
    await until("document.querySelector('.player-count b').textContent === '2'");
  });

  test("a quiz is answered with the number keys, and Enter leads on", async () => {
    await open(at("step", { t: GOLD, by: "static", sys: "arc-eager", root: "first", quiz: "1" }));
    await until("!!document.querySelector('[aria-label=Derivation][aria-busy=false] .quiz-choice')");
    const count = "document.querySelector('.quiz-count').textContent";
    await press("1");
    await until(`${count}.endsWith('of 1 right')`);
    await press("Enter");
    await until("document.querySelector('.player-count b').textContent === '1'");
    await until("!!document.querySelector('.quiz-choice:enabled')");
    await press("2");
    await until(`${count}.endsWith('of 2 right')`);
  });

  test("the graph of a lesson is walked with the arrow keys", async () => {
    await open("#learn?lesson=spurious-ambiguity&sys=arc-standard&root=first&by=static");
    await until("!!document.querySelector('.graph .node.now')");
    await page.evaluate("document.querySelector('.graph .node.now').focus()");
    await press("ArrowRight", "ArrowRight", "Enter");
    await until("document.querySelector('.player-count b').textContent === '2'");
    await until("document.querySelector('.graph .node.now') === document.activeElement");
  });

  test("a treebank is annotated: cells, words, tokens, sentences, done, undo", async () => {
    const lines = "[...document.querySelectorAll('.word-table tbody tr')]";
    const cells = (row: number) => `${lines}[${row}].textContent`;
    await open(at("annotate", { t: GOLD }));
    await until("!!document.querySelector('.drop-zone button + button')");
    await focusOn(".drop-zone button + button");
    await press("Enter");
    await until("!!document.querySelector('.word-table td[tabindex=\"0\"]')");
    await focusOn('.word-table td[tabindex="0"]');
    // Down to the second word, right to its lemma; typed, and taken with Enter, which leads to the next word.
    await press("ArrowDown", "ArrowRight", "Enter");
    await until("document.activeElement.classList.contains('cell-input')");
    await press("s", "h", "i", "p", "Enter");
    await until(`${cells(1)}.includes('ship')`);
    await until('document.activeElement.matches(\'[data-row="2"][data-column="1"]\')');
    // Tab takes what is typed and stays in the table.
    await press("ArrowUp", "Enter");
    await until("document.activeElement.classList.contains('cell-input')");
    await press("Tab");
    await until('document.activeElement.matches(\'[data-row="1"][data-column="2"]\')');
    // Split and joined again; the focus stays.
    await press("s");
    await until("document.activeElement.closest('.split-form') !== null");
    await press("End", "ArrowLeft", " ", "Enter");
    await until(`${lines}.length === 8`);
    await until("document.activeElement.matches('td[data-row=\"1\"]')");
    await press("j");
    await until(`${lines}.length === 7`);
    await press("Home", "ArrowDown", "S");
    // The second part is the next sentence.
    await until(`/0 of 2 done/.test(document.body.textContent) && ${lines}.length < 7`);
    await press("Control+z");
    await until(`/0 of 1 done/.test(document.body.textContent) && ${lines}.length === 7`);
    await press("d");
    await until("/1 of 1 done/.test(document.body.textContent)");
    await press("Control+z", "Control+z", "Control+z", "Control+z");
    await until(`!${cells(1)}.includes('ship')`);
    expect(await page.evaluate("/0 of 1 done/.test(document.body.textContent)")).toBe(true);
  });
});
