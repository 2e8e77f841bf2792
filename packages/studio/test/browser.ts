import { existsSync, readdirSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, firefox, type Page } from "playwright-core";
import { build } from "vite";
import { createStudioServer, MODEL_NAME } from "../../cli/src/commands/parsing/studio-server.js";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
export const DIST = join(PACKAGE, "dist");
export const MODEL = join(PACKAGE, "../model-en/en.stemma");

function newestIn(path: string): number {
  if (!existsSync(path)) return 0;
  const info = statSync(path);
  if (!info.isDirectory()) return info.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

/** Builds the page if it is missing or older than what it is made of. */
export async function ensureBuilt(): Promise<void> {
  const sources = ["src", "index.html", "public", "vite.config.ts", "../core/src"].map((name) =>
    newestIn(join(PACKAGE, name)),
  );
  const built = join(DIST, "index.html");
  if (existsSync(built) && statSync(built).mtimeMs >= Math.max(...sources)) return;
  await build({ root: PACKAGE, configFile: join(PACKAGE, "vite.config.ts"), logLevel: "error" });
}

/** Serves the page as `stemma studio` does. */
export async function serve(...models: string[]): Promise<{ address: string; close(): void }> {
  const server = await createStudioServer(
    DIST,
    models.filter((model) => existsSync(model)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export async function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/**
 * Debian's Firefox, over WebDriver BiDi. Playwright tells every page its colour scheme, a command that this Firefox
 * does not know and no test needs in it: it is taken out on the way. Downloads are not reported, so they go to a
 * folder.
 */
export async function launchFirefox(executablePath: string, downloadsPath: string): Promise<Browser> {
  const firefoxUserPrefs = { "ui.prefersReducedMotion": 1 };
  const browser = await firefox.launch({ executablePath, channel: "moz-firefox", downloadsPath, firefoxUserPrefs });
  type Session = { send(command: string, parameters: unknown): Promise<unknown> };
  type Inside = { _connection: { toImpl(browser: Browser): { _browserSession: Session } } };
  const session = (browser as unknown as Inside)._connection.toImpl(browser)._browserSession;
  const kind: Session = Object.getPrototypeOf(session);
  const { send } = kind;
  kind.send = function (command, parameters) {
    return command === "emulation.setMediaFeaturesOverride"
      ? Promise.resolve({})
      : send.call(this, command, parameters);
  };
  return browser;
}

/** A page that remembers what went wrong in it. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    acceptDownloads: true,
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const problems: string[] = [];
  page.on("console", (message) => {
    // Browsers report every file that is missing; a model that is, the page itself deals with.
    if (message.text().includes("404") && message.location().url.endsWith(`/${MODEL_NAME}`)) return;
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(address);
  return { page, problems };
}
