import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { FileError, guarded } from "../../files/io.js";
import { loadModel, modelFile } from "../../files/model.js";
import { between } from "../../options/numbers.js";
import { createStudioServer } from "./studio-server.js";

interface StudioOptions {
  port?: number;
  open: boolean;
  model?: string[];
}

/** The same every time, so that what the page keeps in the browser is there again, and bookmarks lead to it. */
const DEFAULT_PORT = 8378;
/** So many ports after it are tried when it is taken. */
const MORE_PORTS = 20;

const EXAMPLES = `
Examples:
  $ stemma studio                          opens the page in the browser; Ctrl-C ends it
  $ stemma studio --port 8080 --no-open
  $ stemma studio --model my.stemma        uses your own model
  $ stemma studio --model a.stemma b.stemma    lets you choose between several

The parser runs in the page; nothing you type or open leaves the browser. Only this machine can connect to the server.
Exit status: 0 if ended with Ctrl-C, 2 for wrong usage, a port that is in use, or missing files.`;

/** Adds `stemma studio`. */
export function register(program: Command): void {
  program
    .command("studio")
    .description("open a page that shows a parser at work, step by step")
    .option(
      "--port <number>",
      `port to listen on; 0 for any free port (default: ${DEFAULT_PORT}, or the next free port)`,
      between(0, 65535),
    )
    .option("--no-open", "do not open the browser")
    .option(
      "--model <file...>",
      "models to choose from, beginning with the first: files, or names such as en-large (default: the English model that comes with Stemma, after the small one and before those with roles and with an encoder if they are installed)",
    )
    .addHelpText("after", EXAMPLES)
    .action(guarded(studio));
}

async function studio(options: StudioOptions): Promise<void> {
  const folder = join(dirname(fileURLToPath(import.meta.resolve("@stemma/studio/package.json"))), "dist");
  if (!existsSync(join(folder, "index.html"))) {
    throw new FileError(`${folder}: the page is not built (in a clone of the repository: npm run build)`);
  }
  // Problems of a model are reported here, where it can be read, not in the page.
  for (const model of options.model ?? []) await loadModel(model);
  const models = options.model?.map((model) => modelFile(model)) ?? installed();
  const server = await createStudioServer(folder, models);
  if (options.port === undefined) await listenNear(server, DEFAULT_PORT);
  else await listen(server, options.port);
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  process.stdout.write(`Stemma Studio: ${address}  (Ctrl-C ends it)\n`);
  if (options.open) openBrowser(address);
  await ended(server);
}

/**
 * The models to choose from when none is given: the one that ships, and the others that are installed. The smallest
 * comes first, so that the page shows a tree soon; a larger one is loaded when it is chosen.
 */
function installed(): string[] {
  return ["en-small", "en", "en-roles", "en-large"].flatMap((name) => {
    try {
      return [modelFile(name)].filter((model) => existsSync(model));
    } catch {
      return [];
    }
  });
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    await tryPort(server, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new FileError(`port ${port}: cannot listen: ${code === "EADDRINUSE" ? "it is taken" : message}`);
  }
}

/** Listens on a port, or on the next one that is free; on any if there is none nearby. */
async function listenNear(server: Server, first: number): Promise<void> {
  for (let port = first; port < first + MORE_PORTS; port++) {
    try {
      return await tryPort(server, port);
    } catch {
      // The next one may be free.
    }
  }
  await listen(server, 0);
}

function tryPort(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Waits for Ctrl-C (or another polite signal). */
function ended(server: Server): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    }
  });
}

/** Asks the desktop to show the address; where there is none, the line on standard output has to do. */
function openBrowser(address: string): void {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", address]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", "", address]
        : ["xdg-open", address];
  const child = spawn(command!, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
