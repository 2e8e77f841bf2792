import { existsSync, readdirSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
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

export async function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
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
