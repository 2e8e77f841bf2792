// createWorkerParser in a page: with memory that its workers share, and where the page may not share any.
import type { Server } from "node:http";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { load, type Pipeline } from "../../dist/index.js";
import { writeModel } from "../../src/model-file/model-file.js";
import { textOf } from "../../src/treebank/sentence/spaces.js";
import { findChromium } from "../chromium.js";
import { toyPipeline, toyTreebank } from "../toy-pipeline.js";
import { serveLibrary } from "./served.js";

const path = findChromium();
if (!path) {
  console.log("worker-parser.browser.test.ts: skipped: no Chromium (set CHROMIUM, or install Debian's chromium)");
}

/** Paragraphs enough for several pieces at once. */
const TEXT = `${textOf(toyTreebank(40, 5))}\n\n`.repeat(30);

/**
 * The beginning of each script: a parser with two workers, and what the workers were sent first. As text, since what
 * vitest makes of an import does not work in a page.
 */
const SETUP = `
  const { createWorkerParser, SentenceTooLong } = await import("/index.js");
  const starts = [];
  const started = [];
  const worker = () => {
    const made = new Worker("/workers/web-worker.js", { type: "module" });
    const post = made.postMessage.bind(made);
    made.postMessage = (message) => {
      if ("model" in message) starts.push(message);
      post(message);
    };
    started.push(made);
    return made;
  };
  const parser = await createWorkerParser(location.origin + "/toy.stemma", { worker, workers: 2, beam: 2 });
  const text = ${JSON.stringify(TEXT)};
`;

describe.skipIf(!path)("in a real browser", () => {
  let server: Server;
  let address: string;
  let browser: Browser;
  let here: Pipeline;

  beforeAll(async () => {
    const model = writeModel(toyPipeline());
    here = await load(model, { beam: 2 });
    ({ server, address } = await serveLibrary("toy.stemma", model));
    browser = await chromium.launch({ executablePath: path!, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /** Runs a script in a page of its own, and gives what it returns. */
  async function inPage(page: "/" | "/isolated", script: string): Promise<unknown> {
    const opened: Page = await browser.newPage();
    try {
      await opened.goto(address + page);
      return await opened.evaluate(`(async () => {${SETUP}${script}})()`);
    } finally {
      await opened.close();
    }
  }

  test.each(["/isolated", "/"] as const)("the workers of %s give what one parser gives", async (page) => {
    const result = (await inPage(
      page,
      `
      let out = "";
      for await (const sentence of parser.parse(text, { scores: true })) out += JSON.stringify(sentence) + "\\n";
      const [tokens, best] = [await parser.parseTokens(["Mina", "likes", "boats"]), await parser.parseTokensBest(["Mina"], 2)];
      await parser.close();
      const memory = starts[0].model.headers ? starts[0].model.values[0].memory.buffer : undefined;
      return {
        out,
        tokens: tokens.toConllu(),
        best: best.map(String),
        isolated: crossOriginIsolated,
        workers: started.length,
        oneCopy: starts[0].model === starts[1].model && crossOriginIsolated && memory instanceof SharedArrayBuffer,
        bytes: ArrayBuffer.isView(starts[0].model),
      };`,
    )) as Record<string, unknown>;
    const expected = [...here.parse(TEXT, { scores: true })].map((sentence) => `${JSON.stringify(sentence)}\n`);
    expect(result.out).toBe(expected.join(""));
    expect(result.tokens).toBe(here.parseTokens(["Mina", "likes", "boats"]).toConllu());
    expect(result.best).toEqual(here.parseTokensBest(["Mina"], 2).map(String));
    const isolated = page === "/isolated";
    expect(result).toMatchObject({ isolated, workers: 2, oneCopy: isolated, bytes: !isolated });
  });

  test("the page stays alive, a signal ends parsing, and the workers go on", async () => {
    const script = `
      const control = new AbortController();
      const reason = new Error("enough");
      let ticks = 0;
      const timer = setInterval(() => ticks++, 5);
      let read = 0;
      const thrown = await (async () => {
        for await (const sentence of parser.parse(text, { signal: control.signal })) {
          if (++read === 10) control.abort(reason);
        }
      })().catch((error) => error);
      const waiting = parser.parseTokens(["Mina"], { signal: AbortSignal.abort(reason) }).catch((error) => error);
      clearInterval(timer);
      const after = await parser.parseTokens(["Mina", "likes", "boats"]);
      await parser.close();
      return { same: thrown === reason, read, waited: (await waiting) === reason, after: after.length, ticked: ticks > 0 };`;
    expect(await inPage("/isolated", script)).toEqual({ same: true, read: 10, waited: true, after: 3, ticked: true });
  });

  test("errors come as they are, and what is closed parses no more", async () => {
    const script = `
      const message = (promise) => promise.then(() => "no error", (error) => error.message);
      const tooLong = await parser.parseTokens(["a", "b"], { maxWords: 1 }).catch((error) => error);
      let wrong;
      try { parser.parse(42); } catch (error) { wrong = error.message; }
      const trees = await message(parser.parseTokensBest(["a"], 3));
      const missing = await createWorkerParser(location.origin + "/toy.stemma", {
        worker: () => new Worker("/workers/no-such-script.js", { type: "module" }),
      });
      const noScript = await message(missing.parseTokens(["a"]));
      const noModel = await message(createWorkerParser(location.origin + "/none.stemma", { worker }));
      const pending = message(parser.parseTokens(["a"]));
      await parser.close();
      return [tooLong instanceof SentenceTooLong, wrong, trees, noScript, noModel, await pending, await message(parser.parseTokens(["a"]))];`;
    const [tooLong, ...messages] = (await inPage("/", script)) as [boolean, ...string[]];
    expect(tooLong).toBe(true);
    expect(messages).toEqual([
      "invalid text: 42 (expected a string)",
      "invalid number of trees: 3 (expected 1 to 2, the width of the beam)",
      "a worker of the parser failed: its script cannot be loaded",
      `${address}/none.stemma: cannot load the model: 404 Not Found`,
      "the parser is closed",
      "the parser is closed",
    ]);
  });
});
