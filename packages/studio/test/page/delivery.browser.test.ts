// How the page gets to people: from any folder of any host, packed, installed, without a network, with several models.

import { copyFileSync, createReadStream, existsSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { writeModel } from "@stemma/core";
import { readEncoder, train } from "@stemma/core/training";
import { afterEach, describe, expect, test } from "vitest";
import { tinyEncoder } from "../../../core/test/encoder/tiny-encoder.js";
import { toyPipeline, toyTreebank } from "../../../core/test/toy-pipeline.js";
import { EXAMPLES, exampleIn } from "../../src/state/address/examples.js";
import { DIST, MODEL, serve } from "../browser.js";
import { at, CHROMIUM, GOLD, hasModel, ready, Studio, until } from "../harness.js";

const TYPES: Record<string, string> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
};

/** A host that knows nothing: files of a folder under an address, nothing packed; `held` holds some of them back. */
async function plainHost(
  folder: string,
  under: string,
  held: (path: string) => Promise<void> | undefined = () => undefined,
): Promise<{ address: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url!, "http://host").pathname;
    await held(path);
    const file = join(folder, path.slice(under.length) || "index.html");
    if (!path.startsWith(under) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[file.split(".").pop()!] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${under}`, server };
}

describe.skipIf(!CHROMIUM)("Studio is delivered", () => {
  const studio = new Studio();
  const open = studio.open.bind(studio);
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });
  const close = (server: Server) => {
    server.close();
    server.closeAllConnections();
  };

  test("a static host serves it from any folder, and afterwards it works without the host", async () => {
    const { address, server } = await plainHost(DIST, "/a/b%20c/");
    ends.push(() => close(server));
    const page = await open(
      at("parse", { t: hasModel ? "The sailor mended the nets." : GOLD }),
      {},
      {
        address,
        close: () => close(server),
      },
    );
    await ready(page);
    const words = await page.locator(".tree-svg .word").count();
    await page.evaluate("navigator.serviceWorker.ready");
    await until(page, "caches.keys().then((names) => names.some((name) => name.startsWith('stemma-studio-')))");
    if (hasModel) await until(page, "caches.open('stemma-studio-models').then((cache) => cache.match('en.stemma'))");
    const client = await page.context().newCDPSession(page);
    const { installabilityErrors } = (await client.send("Page.getInstallabilityErrors")) as {
      installabilityErrors: { errorId: string }[];
    };
    // Windows that leave no traces install nothing.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
    close(server);
    await page.reload();
    await ready(page);
    expect(await page.locator(".tree-svg .word").count()).toBe(words);
    if (hasModel) {
      await page.fill("#text", "Another sentence is parsed.");
      await page.waitForSelector('.tree-svg [data-word="5"]');
    }
  });

  test.skipIf(!hasModel)("the first tree does not wait for the model, and is the model's", async () => {
    let send = () => {};
    const asked = new Promise<void>((resolve) => (send = resolve));
    const { address, server } = await plainHost(DIST, "/", (path) => (path === "/en.stemma" ? asked : undefined));
    ends.push(() => close(server));
    const page = await open("", {}, { address, close: () => close(server) });
    await ready(page);
    expect(await page.locator(".model-chip.loading").count()).toBe(1);
    const drawn = await page.locator(".tree-card .tree-svg").first().innerHTML();
    // Of another text no tree is known: what is shown is marked as that of the text before.
    const first = await page.inputValue("#text");
    await page.fill("#text", "Boats drift.");
    await page.waitForSelector(".tree-card.stale[aria-busy=true]");
    await page.fill("#text", first);
    await ready(page);
    send();
    await page.waitForSelector(".model-chip.ready");
    await ready(page);
    expect(await page.locator(".tree-card .tree-svg").first().innerHTML()).toBe(drawn);
    await page.fill("#text", "Boats drift.");
    await page.waitForSelector('.tree-card[aria-busy=false] .tree-svg:not(:has([data-word="4"])) [data-word="3"]');
  });

  test("a cache of another version goes when this one comes", async () => {
    const page = await open("", {}, studio.withoutModel);
    await page.evaluate("caches.open('stemma-studio-of-old').then(() => caches.open('not-ours'))");
    await page.evaluate(
      "navigator.serviceWorker.register('service-worker.js').then(() => navigator.serviceWorker.ready)",
    );
    await until(page, "caches.keys().then((names) => !names.includes('stemma-studio-of-old'))");
    expect(await page.evaluate("caches.keys()")).toContain("not-ours");
  });

  test("a model with an encoder is a choice in the menu, and parses in the page", async () => {
    const { onnx: weights, tokenizer } = tinyEncoder();
    const settings = { pipeline: true, folds: 2, network: true, epochs: 1, layers: 1, width: 8, hidden: 16 } as const;
    const sentences = toyTreebank(60, 1);
    const { model } = await train({ ...settings, sentences, encoder: readEncoder({ weights, tokenizer }) });
    const [small, large] = [join(studio.folder, "en.stemma"), join(studio.folder, "en-large.stemma")];
    writeFileSync(small, writeModel(toyPipeline()));
    writeFileSync(large, writeModel(model));
    const server = await serve(small, large);
    ends.push(() => server.close());
    const page = await open(at("parse", { t: "Mina likes old boats." }), {}, server);
    await ready(page);
    await page.getByLabel("Language and model").selectOption("en-large.stemma");
    await page.waitForSelector('.model-chip.ready[title^="en-large.stemma:"]');
    await page.fill("#text", "Toru paints small green lamps.");
    await page.waitForSelector('.tree-svg [data-word="6"]');
  });

  test.skipIf(!hasModel)(
    "several models are a menu; another one is loaded when it is chosen, also by a link",
    async () => {
      const other = join(studio.folder, "el-large.stemma");
      copyFileSync(MODEL, other);
      const server = await serve(MODEL, other);
      ends.push(() => server.close());
      const page = await open(at("parse", { t: "The sailor mended the nets." }), {}, server);
      await ready(page);
      const menu = page.getByLabel("Language and model");
      const size = `${(statSync(MODEL).size / 1e6).toFixed(1)} MB`;
      expect(await menu.locator("option").allTextContents()).toEqual([`English, ${size}`, `Greek (large), ${size}`]);
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await menu.selectOption("el-large.stemma");
      await page.waitForSelector('.model-chip.ready[title^="el-large.stemma:"]');
      expect(asked.filter((url) => url.endsWith("el-large.stemma"))).toHaveLength(1);
      await until(page, "location.hash.includes('m=el-large.stemma')");
      const linked = await open(new URL(page.url()).hash, {}, server);
      await linked.waitForSelector('.model-chip.ready[title^="el-large.stemma:"]');
      await linked.getByLabel("Language and model").selectOption("en.stemma");
      await linked.waitForSelector('.model-chip.ready[title^="en.stemma:"]');
    },
  );

  test("a model of another language brings its example, and leaves a text of one's own", async () => {
    const [english, german] = [join(studio.folder, "en.stemma"), join(studio.folder, "de.stemma")];
    for (const file of [english, german]) writeFileSync(file, writeModel(toyPipeline()));
    const server = await serve(english, german);
    ends.push(() => server.close());
    const page = await open("", {}, server);
    await ready(page);
    const menu = page.getByLabel("Language and model");
    const choose = async (file: string) => {
      await menu.selectOption(file);
      await page.waitForSelector(`.model-chip.ready[title^="${file}:"]`);
    };
    await choose("de.stemma");
    expect(await page.inputValue("#text")).toBe(exampleIn("de")!.text);
    expect(await page.getByLabel("Examples").locator("option").allTextContents()).toContain("In German");
    await choose("en.stemma");
    expect(await page.inputValue("#text")).toBe(EXAMPLES[0]!.text);
    await page.fill("#text", "My own boat.");
    await choose("de.stemma");
    expect(await page.inputValue("#text")).toBe("My own boat.");
  });
});
