// Builds the site as `npm run site` does, follows all its links, and uses it in a browser: from the disk, and from a
// folder of a server.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, extname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as core from "@stemma/core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readInterface } from "../../packages/core/api.mjs";
import { findChromium } from "../../packages/core/test/chromium.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CHROMIUM = findChromium();
if (!CHROMIUM) console.log("no Chromium on the PATH and none in $CHROMIUM: the site is not opened in a browser");

let out: string;
let files: string[];
beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), "stemma-site-"));
  const { stderr, status } = spawnSync(process.execPath, [join(ROOT, "site/build.mjs"), out], { encoding: "utf8" });
  // TypeScript's own process, which is ended when the reference is read, sometimes says so.
  expect({ stderr: stderr.replace("context canceled\n", ""), status }).toEqual({ stderr: "", status: 0 });
  files = readdirSync(out, { recursive: true, encoding: "utf8" });
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

const isPage = (file: string) => file.endsWith(".html") && !file.startsWith("studio");
const idsOf = (html: string) => new Set([...html.matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]!));

test("every link leads to a file of the site and to a place that is there", () => {
  const wrong: string[] = [];
  let count = 0;
  for (const file of files.filter(isPage)) {
    const html = readFileSync(join(out, file), "utf8");
    for (const [, address] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      if (/^(?:https?|mailto):/.test(address!)) continue;
      count++;
      const [path, anchor] = address!.replaceAll("&amp;", "&").split("#") as [string, string?];
      const target = path === "" ? join(out, file) : resolve(out, dirname(file), decodeURI(path));
      const isInside = !relative(out, target).startsWith("..") && !path.startsWith("/");
      const isThere = isInside && existsSync(target) && extname(target) !== "";
      if (!isThere || (anchor !== undefined && !idsOf(readFileSync(target, "utf8")).has(decodeURI(anchor))))
        wrong.push(`${file}: ${address}`);
    }
  }
  expect(count).toBeGreaterThan(1000);
  expect(wrong).toEqual([]);
});

test("every page of docs/ is there, in the menu and in the search", () => {
  const index = readFileSync(join(out, "index.html"), "utf8");
  const found = readFileSync(join(out, "assets/search-data.js"), "utf8");
  const pages = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  for (const page of [
    ...pages.map((name) => `docs/${name.replace("README", "index").replace(/md$/, "html")}`),
    "CHANGELOG.html",
  ]) {
    expect(index).toContain(`href="${page}"`);
    expect(found).toContain(`"address":"${page}`);
  }
});

test("the reference has everything that the core exports, and what can be searched can be tried", () => {
  const index = readFileSync(join(out, "api/index.html"), "utf8");
  const { internal } = readInterface();
  const missing = Object.keys(core).filter((name) => !internal.includes(name) && !index.includes(`.html#${name}">`));
  expect(missing).toEqual([]);
  const main = readFileSync(join(out, "api/core.html"), "utf8");
  expect(main).toContain('<h2 id="Pipeline">');
  expect(main.replace(/<[^>]*>/g, "")).toMatch(/class Pipeline \{[\s\S]*parse\(text: string/);
  // Members have their comments, and what is private is left out.
  expect(main).toContain('<span class="comment">/** The argument as a whole. */</span>');
  expect(main).not.toMatch(/private<\/span> /);
  expect(existsSync(join(out, "pattern-tester.html"))).toBe(true);
});

test("code has colours, and addresses are found once", () => {
  const page = readFileSync(join(out, "docs/library.html"), "utf8");
  expect(page).toContain('<span class="keyword">import</span>');
  expect(page).toContain('<span class="string">&quot;@stemma/core&quot;</span>');
  const data = readFileSync(join(out, "assets/search-data.js"), "utf8");
  const addresses = [...data.matchAll(/"address":("[^"]*")/g)].map((match) => match[1]);
  expect(addresses.filter((address, i) => addresses.indexOf(address) !== i)).toEqual([]);
});

describe.skipIf(!CHROMIUM)("in a browser", () => {
  const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
  let server: Server;
  let browser: Browser;
  let served: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const asked = decodeURI(request.url!.replace(/^\/some\/folder/, "").replace(/[?#].*/, ""));
      const path = join(out, asked.endsWith("/") ? `${asked}index.html` : asked);
      if (!request.url!.startsWith("/some/folder/") || !statSync(path, { throwIfNoEntry: false })?.isFile())
        response.writeHead(404).end();
      else response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "image/svg+xml" }).end(readFileSync(path));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    served = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/folder/`;
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    server?.closeAllConnections();
  });

  async function open(address: string): Promise<{ page: Page; problems: string[] }> {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("requestfailed", (request) => problems.push(request.url()));
    page.on("response", (response) => response.status() >= 400 && problems.push(response.url()));
    await page.goto(address);
    return { page, problems };
  }

  test.each(["disk", "server"])("search finds a page and goes there: %s", async (from) => {
    const base = from === "disk" ? `${pathToFileURL(out)}/` : served;
    const { page, problems } = await open(`${base}docs/parsing.html`);
    await page.keyboard.press("/");
    await page.keyboard.type("deprojectivize");
    await page.waitForSelector("#found [aria-selected=true]");
    expect(await page.locator("#found a").first().textContent()).toMatch(/projectiv/i);
    await page.keyboard.press("Enter");
    await page.waitForURL(/pseudo-projective|projectivize/);
    expect(problems).toEqual([]);
    await page.close();
  });

  test.each([
    ["jest", /Jest/],
    ["next.js", /Next\.js/],
    ["named entity", /no named entity recognition/],
  ])("search answers %s", async (query, answer) => {
    const { page, problems } = await open(`${served}index.html`);
    await page.fill("#search", query);
    await page.waitForSelector("#found [aria-selected=true]");
    expect(await page.locator("#found a").first().textContent()).toMatch(answer);
    expect(problems).toEqual([]);
    await page.close();
  });

  test("the menu stays, nothing is wider than the screen, and code is copied without prompts", async () => {
    const { page } = await open(`${served}docs/library.html`);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate("scrollTo(0, 3000)");
    const menu = await page.locator(".menu").boundingBox();
    expect(menu!.y).toBeGreaterThanOrEqual(0);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator("button.copy").first().click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^import \{ load \} from "@stemma\/core";/);
    await page.close();
  });

  test.each(["disk", "server"])("patterns are tried: %s", async (from) => {
    const base = from === "disk" ? `${pathToFileURL(out)}/` : served;
    const { page, problems } = await open(`${base}pattern-tester.html`);
    await page.fill("#pattern", "{lemma:chase} >obj {}=object");
    await page.getByText("1 match in").waitFor();
    expect(await page.locator(".match mark").allInnerTexts()).toEqual(["chased", "mouse=object"]);
    await page.fill("#pattern", "{lemma:chase");
    await page.getByText("invalid pattern").waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test.skipIf(!existsSync(join(ROOT, "packages/model-en/en.stemma")))("text is parsed in the page", async () => {
    const { page, problems } = await open(`${served}pattern-tester.html`);
    await page.fill("#sentences", "The dog ate the bone.");
    await page.fill("#pattern", "{} >nsubj {}=who");
    await page.getByText("1 match in 1 sentence").waitFor();
    expect(await page.locator(".match mark").allInnerTexts()).toEqual(["dog=who", "ate"]);
    await page.goto(`${served}playground.html`);
    await page.frameLocator("iframe").getByText("Prediction").first().waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });
});
