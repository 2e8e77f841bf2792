import type { Server } from "node:http";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { load } from "../../src/model-file/load.js";
import { writeModel } from "../../src/model-file/model-file.js";
import { textOf } from "../../src/treebank/sentence/spaces.js";
import { findChromium } from "../chromium.js";
import { toyPipeline, toyTreebank } from "../toy-pipeline.js";
import { serveLibrary } from "../workers/served.js";

const browserPath = findChromium();
if (!browserPath) console.log("browser.test.ts: skipped: no Chromium (set CHROMIUM, or install Debian's chromium)");

describe.skipIf(!browserPath)("in a real browser", () => {
  let server: Server;
  let address: string;
  let model: Uint8Array;

  beforeAll(async () => {
    model = writeModel(toyPipeline());
    ({ server, address } = await serveLibrary("toy.stemma", model));
  });
  afterAll(() => server?.close());

  test("the same text gives the same trees as in Node, also where WebAssembly is forbidden", async () => {
    const text = `${textOf(toyTreebank(60, 5))}\n\n👩‍🚀 likes “old” boats, doesn't she?\r\n`;
    const pipeline = await load(model);
    const here = [...pipeline.parse(text, { scores: true })].map((sentence) => sentence.toConllu()).join("");
    const browser = await chromium.launch({ executablePath: browserPath!, args: ["--no-sandbox"] });
    try {
      for (const forbidden of [false, true]) {
        const page = await browser.newPage();
        const errors: string[] = [];
        page.on("pageerror", (error) => errors.push(error.message));
        page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
        await page.goto(`${address}/`);
        // As text: what vitest makes of an import does not work in a page.
        const there = await page.evaluate(`(async () => {
          if (${forbidden}) delete globalThis.WebAssembly;
          const { load } = await import("/index.js");
          const pipeline = await load(location.origin + "/toy.stemma");
          let out = "";
          for (const sentence of pipeline.parse(${JSON.stringify(text)}, { scores: true })) out += sentence.toConllu();
          return out;
        })()`);
        expect(there).toBe(here);
        expect(errors.filter((error) => !error.includes("favicon") && !error.includes("404"))).toEqual([]);
        await page.close();
      }
    } finally {
      await browser.close();
    }
  });

  test("a model that cannot be fetched is named", async () => {
    await expect(load(`${address}/none.stemma`)).rejects.toThrow(`${address}/none.stemma: cannot load the model: 404`);
  });
});
