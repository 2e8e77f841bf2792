// Pictures of a few views, compared with those in the folder screenshots. Fonts and smoothing differ between machines,
// so the text is set in one font (the tests are skipped where it is missing) and squares of pixels are compared, not
// pixels.
//
//   RECORD=1 npx vitest run --project studio screenshots    takes the pictures again

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, type TestContext, test } from "vitest";
import { at, CHROMIUM, GOLD, row, Studio } from "../harness.js";

const FOLDER = fileURLToPath(new URL("screenshots", import.meta.url));
const FONT = "DejaVu Sans";
/** The side of a square, in pixels; how much darker or lighter it may be, of 255; how many of those drawn may be so. */
const SQUARE = 6;
const MOST_SHADE = 24;
const MOST_SQUARES = 0.01;

const ARABIC =
  row(1, "الولد", "NOUN", 2, "nsubj") +
  row(2, "يقرأ", "VERB", 0, "root") +
  row(3, "كتابا", "NOUN", 2, "obj") +
  row(4, "جديدا", "ADJ", 3, "amod");
const HEBREW =
  row(1, "הילדה", "NOUN", 2, "nsubj") + row(2, "אוכלת", "VERB", 0, "root") + row(3, "תפוח", "NOUN", 2, "obj");
const CROSSING =
  row(1, "A", "DET", 2, "det") +
  row(2, "hearing", "NOUN", 4, "nsubj:pass") +
  row(3, "is", "AUX", 4, "aux:pass") +
  row(4, "scheduled", "VERB", 0, "root") +
  row(5, "on", "ADP", 7, "case") +
  row(6, "the", "DET", 7, "det") +
  row(7, "issue", "NOUN", 2, "nmod") +
  row(8, "today", "NOUN", 4, "obl:tmod");
const LONG = Array.from({ length: 24 }, (_, i) => {
  if (i === 23) return row(24, "word24", "NOUN", 0, "root");
  return row(i + 1, `word${i + 1}`, i % 4 === 3 ? "NOUN" : "ADJ", i % 4 === 3 ? i + 5 : i + 4 - (i % 4), "nmod");
}).join("");

/** Everything is set in one font, also where the page measures text. */
const ONE_FONT = `{
  const family = (font) => font.replace(/(\\d+px\\s*(?:\\/\\s*[\\d.]+\\s*)?).*/, '$1"${FONT}"');
  const { get, set } = Object.getOwnPropertyDescriptor(CanvasRenderingContext2D.prototype, "font");
  Object.defineProperty(CanvasRenderingContext2D.prototype, "font", {
    get,
    set(font) { set.call(this, family(font)); },
  });
  addEventListener("DOMContentLoaded", () => {
    const style = document.createElement("style");
    style.textContent = '* { font-family: "${FONT}" !important; transition: none !important; animation: none !important } .top { position: static !important }';
    document.head.append(style);
  });
}`;

interface View {
  name: string;
  hash: string;
  /** The part that a picture is taken of. */
  selector: string;
  options?: BrowserContextOptions;
  prepare?: (page: Page) => Promise<unknown>;
}

const layout = (name: string) => (page: Page) => page.getByLabel("Layout").selectOption(name);
const CARD = ".tree-card";
const DERIVATION = '[aria-label="Derivation"]';
const derived = (page: Page) => page.waitForSelector(".choices tr.taken");

const VIEWS: readonly View[] = [
  { name: "tree", hash: at("parse", { t: GOLD }), selector: CARD },
  { name: "arabic", hash: at("parse", { t: ARABIC }), selector: CARD },
  { name: "hebrew", hash: at("parse", { t: HEBREW }), selector: CARD },
  { name: "crossing", hash: at("parse", { t: CROSSING }), selector: CARD },
  { name: "dark", hash: at("parse", { t: CROSSING }), selector: CARD, options: { colorScheme: "dark" } },
  {
    name: "wrapped",
    hash: at("parse", { t: LONG }),
    selector: CARD,
    options: { viewport: { width: 700, height: 900 } },
    prepare: layout("wrapped"),
  },
  {
    name: "vertical",
    hash: at("parse", { t: LONG }),
    selector: CARD,
    options: { viewport: { width: 700, height: 900 } },
    prepare: layout("vertical"),
  },
  {
    name: "derivation",
    hash: at("step", { t: CROSSING, by: "static", sys: "attardi", root: "first", k: "9" }),
    selector: DERIVATION,
    prepare: derived,
  },
  {
    name: "arabic-derivation",
    hash: at("step", { t: ARABIC, by: "static", sys: "arc-standard", root: "first", k: "4" }),
    selector: DERIVATION,
    prepare: derived,
  },
  {
    name: "print",
    hash: at("parse", { t: LONG }),
    selector: "main",
    prepare: (page) => page.emulateMedia({ media: "print" }),
  },
];

/**
 * The share of squares that differ, of those with something in them in one of two pictures; 1 if the pictures do not
 * have the same size.
 */
async function difference(page: Page, one: Buffer, two: Buffer): Promise<number> {
  return (await page.evaluate(`(async () => {
    const shades = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(image, 0, 0);
      const { data, width, height } = context.getImageData(0, 0, image.width, image.height);
      const [columns, rows] = [Math.floor(width / ${SQUARE}), Math.floor(height / ${SQUARE})];
      const sums = new Float64Array(columns * rows);
      for (let y = 0; y < rows * ${SQUARE}; y++) {
        for (let x = 0; x < columns * ${SQUARE}; x++) {
          const i = 4 * (y * width + x);
          const shade = 0.3 * data[i] + 0.6 * data[i + 1] + 0.1 * data[i + 2];
          sums[Math.floor(y / ${SQUARE}) * columns + Math.floor(x / ${SQUARE})] += shade / ${SQUARE ** 2};
        }
      }
      return { columns, rows, sums };
    };
    const [a, b] = [await shades(${JSON.stringify(one.toString("base64"))}), await shades(${JSON.stringify(two.toString("base64"))})];
    if (a.columns !== b.columns || a.rows !== b.rows) return 1;
    // The background is what most squares are.
    const counts = new Map();
    for (const shade of a.sums) counts.set(Math.round(shade), (counts.get(Math.round(shade)) ?? 0) + 1);
    const [[background]] = [...counts].sort((x, y) => y[1] - x[1]);
    const differ = (x, y) => Math.abs(x - y) > ${MOST_SHADE};
    let [differing, drawn] = [0, 0];
    a.sums.forEach((shade, i) => {
      if (differ(shade, b.sums[i])) differing++;
      if (differ(shade, background) || differ(b.sums[i], background)) drawn++;
    });
    return differing / drawn;
  })()`)) as number;
}

describe.skipIf(!CHROMIUM)("screenshots", () => {
  const studio = new Studio();

  async function show(context: TestContext, { hash, options, prepare }: View): Promise<Page> {
    const page = await studio.open("", { reducedMotion: "reduce", ...options }, studio.withoutModel);
    await page.addInitScript(ONE_FONT);
    // The address differs in its hash only, so the page has to be loaded again.
    await page.goto(studio.withoutModel.address + hash);
    await page.reload();
    await page.waitForSelector(".tree-svg .word");
    const hasFont = await page.evaluate(`(() => {
      const width = (fallback) => {
        const span = document.createElement("span");
        span.style.cssText = 'position: absolute; white-space: pre';
        span.style.setProperty("font-family", '"${FONT}", ' + fallback, "important");
        span.textContent = "Schiffe lllll WWWWW";
        document.body.append(span);
        const { width } = span.getBoundingClientRect();
        span.remove();
        return width;
      };
      return width("monospace") === width("serif");
    })()`);
    if (!hasFont) {
      console.log(`the font ${FONT} is not installed: screenshots are not compared`);
      context.skip();
    }
    await prepare?.(page);
    return page;
  }

  const take = async (page: Page, selector: string) => {
    // The mouse leaves what it would highlight, and what is drawn later is drawn.
    await page.mouse.move(0, 0);
    await page.waitForTimeout(200);
    return page.locator(selector).first().screenshot({ animations: "disabled", caret: "hide" });
  };

  for (const view of VIEWS) {
    test(`${view.name} looks as it did`, async (context) => {
      const page = await show(context, view);
      const picture = await take(page, view.selector);
      const file = join(FOLDER, `${view.name}.png`);
      if (process.env.RECORD) {
        mkdirSync(FOLDER, { recursive: true });
        writeFileSync(file, picture);
        return;
      }
      expect(existsSync(file), `${file} is missing: RECORD=1 takes it`).toBe(true);
      const share = await difference(page, picture, readFileSync(file));
      // To be looked at beside the other.
      const now = join(tmpdir(), `stemma-${view.name}.png`);
      if (share > MOST_SQUARES) writeFileSync(now, picture);
      expect(share, `share of squares that differ from ${file}; it is now as in ${now}`).toBeLessThanOrEqual(
        MOST_SQUARES,
      );
    });
  }

  test("an arc that is missing, or on the wrong side, is a difference", async (context) => {
    const view = VIEWS.find(({ name }) => name === "crossing")!;
    const page = await show(context, view);
    const picture = await take(page, view.selector);
    expect(await difference(page, picture, await take(page, view.selector))).toBe(0);
    const change = (css: string) =>
      page.evaluate(`{
        document.getElementById("change")?.remove();
        const style = document.createElement("style");
        style.id = "change";
        style.textContent = ${JSON.stringify(css)};
        document.head.append(style);
      }`);
    await change('.arcs [data-dependent="7"] { display: none }');
    expect(await difference(page, picture, await take(page, view.selector))).toBeGreaterThan(MOST_SQUARES);
    await change(".tree-svg { transform: scaleX(-1) }");
    expect(await difference(page, picture, await take(page, view.selector))).toBeGreaterThan(MOST_SQUARES);
    await change(".labels { display: none }");
    expect(await difference(page, picture, await take(page, view.selector))).toBeGreaterThan(MOST_SQUARES);
  });
});
