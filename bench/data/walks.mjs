// The source files that a parse with the library, `stemma parse` and a request to the server pass through:
//   node bench/data/walks.mjs [--root CHECKOUT] [--files]
// Counts modules of packages/*/dist, as compiled and not bundled: those that are loaded, and those of which a function
// is called, by V8's coverage. --root measures another checkout, which must be built; --files lists the latter.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { table } from "./markdown.mjs";

const { values } = parseArgs({ options: { root: { type: "string" }, files: { type: "boolean" } } });
const ROOT = values.root === undefined ? fileURLToPath(new URL("../..", import.meta.url)) : resolve(values.root);
const MODEL = join(ROOT, "packages/model-en/en.stemma");
const CORE = pathToFileURL(join(ROOT, "packages/core/dist/index.js")).href;
const STEMMA = join(ROOT, "packages/cli/dist/main.js");
const TEXT = "The old mill stands by the river. Nobody uses it.";
const LIBRARY = `const { load } = await import(${JSON.stringify(CORE)});
[...(await load(${JSON.stringify(MODEL)})).parse(${JSON.stringify(TEXT)})].map(String);`;

/**
 * Runs Node with coverage, and returns the modules that were loaded and those of which a function was called.
 * @param {string[]} args @param {(child: import("node:child_process").ChildProcess) => unknown} use
 */
async function walked(args, use) {
  const folder = mkdtempSync(join(tmpdir(), "stemma-walks-"));
  // The core's modules one by one, and not as Node otherwise gets them, in few files.
  const child = spawn(process.execPath, ["--conditions=stemma-modules", ...args], {
    env: { ...process.env, NODE_V8_COVERAGE: folder },
    stdio: ["pipe", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  await use(child);
  const [code] = await ended;
  if (code !== 0) throw new Error(`node ${args.join(" ")} ended with ${code}`);
  const loaded = new Set();
  const called = new Set();
  for (const name of readdirSync(folder)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(folder, name), "utf8")).result) {
      const [, file] = /\/packages\/([\w-]+\/dist\/.*\.js)$/.exec(url) ?? [];
      if (file === undefined) continue;
      loaded.add(file);
      // The first is the module itself.
      if (functions.slice(1).some(({ ranges }) => ranges[0].count > 0)) called.add(file);
    }
  }
  rmSync(folder, { recursive: true });
  return { loaded: loaded.size, called: [...called].sort() };
}

/** Sends a request as soon as the server listens, and ends it. @param {import("node:child_process").ChildProcess} child */
async function request(child) {
  let log = "";
  for await (const chunk of child.stderr) {
    log += chunk;
    const port = /"port":(\d+)/.exec(log)?.[1];
    if (port === undefined) continue;
    const answer = await fetch(`http://127.0.0.1:${port}/v1/parse`, {
      method: "POST",
      body: TEXT,
      headers: { "Content-Type": "text/plain" },
    });
    if (answer.status !== 200) throw new Error(await answer.text());
    break;
  }
  child.kill("SIGTERM");
}

if (!existsSync(STEMMA)) throw new Error(`${STEMMA} is not there (npm run build)`);
const walks = {
  "a parse with the library": await walked(["--input-type=module", "-e", LIBRARY], (child) => child.stdin.end()),
  "stemma parse": await walked([STEMMA, "parse", "--model", MODEL], (child) => child.stdin.end(TEXT)),
  "a request": await walked([STEMMA, "serve", "--port", "0", "--threads", "1", "--model", MODEL], request),
};
const rows = Object.entries(walks).map(([name, { loaded, called }]) => [name, `${called.length}`, `${loaded}`]);
console.log(table(["walk", "files with a function called", "files loaded"], rows, 1));
if (values.files)
  for (const [name, { called }] of Object.entries(walks)) console.log(`\n${name}\n${called.join("\n")}`);
