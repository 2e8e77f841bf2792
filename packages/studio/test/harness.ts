// Shared by the tests of the page: the page in a real browser, served as `stemma studio` serves it.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { findChromium, findFirefox } from "../../core/test/chromium.js";
import { ensureBuilt, launchChromium, launchFirefox, MODEL, openPage, serve } from "./browser.js";

export const CHROMIUM = findChromium();
if (!CHROMIUM) console.log("no Chromium on the PATH and none in $CHROMIUM: the tests of the page are skipped");
const FIREFOX = findFirefox();
if (!FIREFOX) console.log("no Firefox on the PATH and none in $FIREFOX: the tests of the page in it are skipped");
export const hasModel = existsSync(MODEL);
if (!hasModel) console.log("there is no packages/model-en/en.stemma: tests that need a model are skipped");

export const row = (id: number, form: string, upos: string, head: number, deprel: string) =>
  `${id}\t${form}\t${form.toLowerCase()}\t${upos}\t_\t_\t${head}\t${deprel}\t_\t_\n`;

export const GOLD =
  "# sent_id = boats\n" +
  row(1, "Small", "ADJ", 2, "amod") +
  "2\tboats\tboat\tNOUN\tNNS\tNumber=Plur\t3\tnsubj\t_\t_\n" +
  row(3, "drift", "VERB", 0, "root") +
  "4-5\tpastthe\t_\t_\t_\t_\t_\t_\t_\t_\n" +
  row(4, "past", "ADP", 6, "case") +
  row(5, "the", "DET", 6, "det") +
  row(6, "harbour", "NOUN", 3, "obl");

/** A sentence of three words for treebanks. */
export const sailing = (id: string, name: string) =>
  `# sent_id = ${id}\n# text = ${name} sails home\n` +
  row(1, name, "PROPN", 2, "nsubj") +
  row(2, "sails", "VERB", 0, "root") +
  `${row(3, "home", "ADV", 2, "advmod")}\n`;

/** The part of an address after the page. */
export const at = (view: string, state: Record<string, string> = {}) => `#${view}?${new URLSearchParams(state)}`;

type Server = Awaited<ReturnType<typeof serve>>;

/** A browser for the tests of a file. What goes wrong in the console of a page makes its test fail. */
export class Studio {
  withModel!: Server;
  withoutModel!: Server;
  /** The one with the model, if there is a model. */
  server!: Server;
  /** For files; removed afterwards. */
  readonly folder = mkdtempSync(join(tmpdir(), "stemma-studio-"));
  private readonly downloads = join(this.folder, "downloads");
  private browser: Browser | undefined;
  private opened: { page: Page; problems: string[] }[] = [];

  constructor(readonly isFirefox = false) {
    beforeAll(async () => {
      await ensureBuilt();
      mkdirSync(this.downloads);
      this.browser = isFirefox ? await launchFirefox(FIREFOX!, this.downloads) : await launchChromium(CHROMIUM!);
      this.withModel = await serve(MODEL);
      this.withoutModel = await serve(join(this.folder, "no-such-model"));
      this.server = hasModel ? this.withModel : this.withoutModel;
    });
    afterAll(async () => {
      await this.browser?.close();
      this.withModel?.close();
      this.withoutModel?.close();
      rmSync(this.folder, { recursive: true });
    });
    afterEach(async () => {
      const problems = this.opened.flatMap((one) => one.problems);
      await Promise.all(this.opened.map(({ page }) => page.context().close()));
      this.opened = [];
      expect(problems, "errors and warnings in the console").toEqual([]);
    });
  }

  async open(hash = "", options: BrowserContextOptions = {}, server = this.withModel): Promise<Page> {
    const one = await openPage(this.browser!, server.address + hash, options);
    this.opened.push(one);
    return one.page;
  }

  /** Opens a treebank where one can be opened. */
  async openTreebank(page: Page, content: string, name = "treebank.conllu"): Promise<void> {
    const file = join(this.folder, name);
    writeFileSync(file, content);
    await page.setInputFiles('[aria-label="Treebank file"]', file);
    await page.locator(".sentence-row").first().waitFor();
  }

  /** The file that an action saves, by a download, also where pages may write files themselves. */
  async saved(page: Page, action: () => Promise<unknown>): Promise<{ name: string; bytes: Buffer }> {
    await page.evaluate("delete window.showSaveFilePicker");
    if (!this.isFirefox) {
      const [file] = await Promise.all([page.waitForEvent("download"), action()]);
      return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
    }
    await action();
    // While it is written, it has another name beside it.
    const files = await poll(
      () => readdirSync(this.downloads),
      (names) => names.length === 1,
    );
    const path = join(this.downloads, files[0]!);
    const bytes = await poll(
      () => readFileSync(path),
      ({ length }) => length > 0,
    );
    rmSync(path);
    return { name: files[0]!, bytes };
  }
}

/** The same tests in Chromium and in Firefox. */
export function inBothBrowsers(name: string, tests: (studio: Studio) => void): void {
  describe.skipIf(!CHROMIUM)(`${name} in Chromium`, () => tests(new Studio()));
  describe.skipIf(!FIREFOX)(`${name} in Firefox`, () => tests(new Studio(true)));
}

/** Asks again until the answer will do. */
async function poll<T>(ask: () => T, willDo: (answer: T) => boolean): Promise<T> {
  let answer = ask();
  await expect.poll(() => willDo((answer = ask()))).toBe(true);
  return answer;
}

export const tab = (page: Page, name: string) => page.locator("nav button", { hasText: name }).click();

/** Not waitForFunction: that evaluates in the page, whose policy forbids it. */
export const until = (page: Page, expression: string) => expect.poll(() => page.evaluate(expression)).toBeTruthy();

/** A tree is there, and it is that of the text in the box. */
export const ready = (page: Page) => page.waitForSelector(".tree-card[aria-busy=false] .tree-svg .word");

/** Drags the label of the arc into a word to another word. */
export async function dragArc(page: Page, dependent: number, head: number): Promise<void> {
  const from = (await page.locator(`.labels [data-dependent="${dependent}"]`).boundingBox())!;
  const to = (await page.locator(`[data-word="${head}"] rect`).boundingBox())!;
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + 5, to.y, { steps: 5 });
  await page.waitForSelector(".root-target");
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
  await page.mouse.up();
}

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Serious or critical findings of axe. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.addScriptTag({ path: AXE });
  // Passes are not described, and styles are not fetched again: no rule that is on needs either.
  return (await page.evaluate(`(async () => {
    const { violations } = await axe.run({ resultTypes: ["violations"], preload: false });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => id + ": " + nodes.map(({ target, failureSummary }) => target + " " + failureSummary).join("; "));
  })()`)) as string[];
}
