import type { Server } from "node:http";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import type { Parser } from "../../src/parser/parser.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { findChromium } from "../chromium.js";
import { TAGGED } from "../toy-model.js";
import { serveLibrary } from "../workers/served.js";
import { randomNetwork } from "./random-network.js";

const browserPath = findChromium();
if (!browserPath)
  console.log("neural-model.browser.test.ts: skipped: no Chromium (set CHROMIUM, or install Debian's chromium)");

describe.skipIf(!browserPath)("a network in a real browser", () => {
  let server: Server;
  let address: string;
  const model = writeModel(randomNetwork({ layers: 2, width: 24, hidden: 40 }).model);

  beforeAll(async () => {
    ({ server, address } = await serveLibrary("random.stemma", model));
  });
  afterAll(() => server?.close());

  test("gives the same scores and trees as in Node, also where WebAssembly is forbidden", async () => {
    const parser = readModel(model).parser.createParser() as Parser;
    const here = readTreebank(TAGGED).map((sentence) => {
      const { heads, labels } = parser.parse(sentence);
      return { heads: [...heads], labels, scores: [...parser.decider.scores] };
    });
    const browser = await chromium.launch({ executablePath: browserPath!, args: ["--no-sandbox"] });
    try {
      for (const forbidden of [false, true]) {
        const page = await browser.newPage();
        await page.goto(`${address}/`);
        // As text: what vitest makes of an import does not work in a page.
        const there = await page.evaluate(`(async () => {
          if (${forbidden}) delete globalThis.WebAssembly;
          const { readModel, readTreebank } = await import("/index.js");
          const bytes = new Uint8Array(await (await fetch("/random.stemma")).arrayBuffer());
          const parser = readModel(bytes).parser.createParser();
          return readTreebank(${JSON.stringify(TAGGED)}).map((sentence) => {
            const { heads, labels } = parser.parse(sentence);
            return { heads: [...heads], labels, scores: [...parser.decider.scores] };
          });
        })()`);
        expect(there).toEqual(here);
        await page.close();
      }
    } finally {
      await browser.close();
    }
  });
});
