// Runs the examples as their README says; those for a browser in Chromium, built by Vite into a folder of their own.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../../packages/core/test/chromium.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const EXAMPLES = join(ROOT, "examples");
const hasModel = existsSync(join(ROOT, "packages/model-en/en.stemma"));
if (!hasModel) console.log("there is no packages/model-en/en.stemma: the examples are not run");
const CHROMIUM = findChromium();
if (!CHROMIUM) console.log("no Chromium on the PATH and none in $CHROMIUM: the examples for pages are not opened");
const hasBash = spawnSync("bash", ["-c", "true"]).status === 0;
if (!hasBash) console.log("there is no bash: examples/cli/recipes.sh is not run");

test.skipIf(!hasModel)("node-service answers, and refuses what it cannot take", async () => {
  const service = spawn(process.execPath, [join(EXAMPLES, "node-service/service.mjs")], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const line = await new Promise<string>((resolve, reject) => {
      createInterface(service.stdout).once("line", resolve);
      service.once("exit", (status) => reject(new Error(`the service ended with status ${status}`)));
    });
    const address = /http:\S+/.exec(line)![0];
    const answer = await fetch(address, { method: "POST", body: "The old mill wheel turns slowly. Nobody stops it." });
    const { sentences } = (await answer.json()) as { sentences: { text: string; words: object[] }[] };
    expect(sentences.map(({ text }) => text)).toEqual(["The old mill wheel turns slowly.", "Nobody stops it."]);
    expect(sentences[1]!.words[0]).toEqual({
      form: "Nobody",
      lemma: "nobody",
      upos: "PRON",
      head: "stops",
      deprel: "nsubj",
    });
    expect((await fetch(address)).status).toBe(405);
    expect((await fetch(address, { method: "POST", body: "a ".repeat(60_000) })).status).toBe(413);
  } finally {
    service.kill();
  }
});

test.skipIf(!hasModel || !hasBash)("the recipes for the command line", () => {
  const { stdout, stderr, status } = spawnSync("bash", [join(EXAMPLES, "cli/recipes.sh")], { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  expect(stdout).toMatch(/== who chases whom\n1 {2}cat {2}mouse\n1 {2}dog {2}cat\n/);
  // Each heading is followed by something.
  expect(stdout).not.toMatch(/^== .*\n(?===|$)/m);
});

describe.skipIf(!hasModel)("for pages", () => {
  const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };
  let folder: string;
  let server: Server;
  let browser: Browser | undefined;
  let address: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "stemma-examples-"));
    for (const name of ["vite-app", "worker"]) {
      await build({
        configFile: false,
        root: join(EXAMPLES, name),
        base: "./",
        logLevel: "error",
        worker: { format: "es" },
        build: { outDir: join(folder, name), target: "es2022", emptyOutDir: true, chunkSizeWarningLimit: 1024 },
      });
    }
    // The builds below /built/, the repository below everything else, as a plain file server has it.
    server = createServer((request, response) => {
      const url = decodeURI(request.url!.replace(/[?#].*/, "")).replace(/\/$/, "/index.html");
      const path = url.startsWith("/built/") ? join(folder, url.slice("/built/".length)) : join(ROOT, url);
      if (!existsSync(path) || !statSync(path).isFile()) response.writeHead(404).end();
      else response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/plain" }).end(readFileSync(path));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    if (CHROMIUM) browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    server?.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(path: string): Promise<Page> {
    const page = await browser!.newPage();
    page.on("pageerror", (error) => console.log(`${path}: ${error.message}`));
    await page.goto(address + path);
    return page;
  }

  test("Vite builds them", () => {
    for (const name of ["vite-app", "worker"]) expect(existsSync(join(folder, name, "index.html"))).toBe(true);
  });

  test.skipIf(!CHROMIUM)("the page without a bundler draws a tree, and another one for another text", async () => {
    const page = await open("examples/page/");
    await page.locator("#trees svg").waitFor();
    expect(await page.locator("#trees svg").textContent()).toContain("wheel");
    await page.fill("#text", "Birds sing. Cats sleep.");
    await expect.poll(() => page.locator("#trees svg").count()).toBe(2);
    await page.close();
  });

  test.skipIf(!CHROMIUM)("the Vite app finds subjects, verbs and objects", async () => {
    const page = await open("built/vite-app/");
    await page.locator("#triples tr").first().waitFor();
    const row = page.locator("#triples tr").first().locator("td");
    expect(await row.allTextContents()).toEqual(["cat", "chase", "mouse"]);
    await page.close();
  });

  test.skipIf(!CHROMIUM)("the worker sends trees", async () => {
    const page = await open("built/worker/");
    await page.click("#parse");
    await page.getByText("done").waitFor();
    expect(await page.locator("#trees").textContent()).toMatch(/Nobody[\s\S]*turns/);
    await page.close();
  });
});
