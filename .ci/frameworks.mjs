// The recipes of docs/frameworks.md, each in an empty project with the packed packages: its files are written as they
// stand there, its commands run. Part of packages.mjs.
import { spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const ADDRESS = "http://127.0.0.1:8080/";
const SERVED = 60_000;

/** The files and the commands of a recipe. @param {string} page @param {string} title */
function recipe(page, title) {
  const section = page.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? "";
  const files = [...section.matchAll(/`([\w./-]+)`[^`\n]*:\n\n```\w+\n([\s\S]*?)^```/gm)];
  const commands = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, lines = ""]) =>
    lines.trim().split("\n"),
  );
  if (files.length === 0) throw new Error(`docs/frameworks.md has no files under "${title}"`);
  return { files: Object.fromEntries(files.map(([, file = "", code = ""]) => [file, code])), commands };
}

/**
 * Runs a server and gives what `ask` says once it answers; then ends it and all it has started.
 * @param {string} command
 * @param {string} cwd
 * @param {() => Promise<string | undefined>} ask what is wrong, if anything
 */
async function served(command, cwd, ask) {
  const env = { ...process.env, PORT: "8080", HOSTNAME: "127.0.0.1", CI: "1", WRANGLER_SEND_METRICS: "false" };
  const child = spawn("bash", ["-c", `exec ${command}`], { cwd, env, detached: true });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  const ended = new Promise((resolve) => child.on("close", resolve));
  try {
    for (const start = performance.now(); performance.now() - start < SERVED && child.exitCode === null; ) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (!(await fetch(ADDRESS).catch(() => undefined))) continue;
      return (await ask()) ?? (said.includes("WebAssembly may not be compiled") ? said : undefined);
    }
    return `no answer\n${said.slice(-3000)}`;
  } finally {
    if (child.exitCode === null && child.pid) process.kill(-child.pid);
    await ended;
  }
}

/** The text of a page in Chromium once it has some text, asked through the browser's pipe. @param {string} text */
async function shownInPage(text) {
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "about:blank"];
  const child = spawn("chromium", args, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const failed = new Promise((_, reject) => child.on("error", reject));
  const [, , , input, output] = /** @type {any} */ (child.stdio);
  /** @type {Map<number, (result: any) => void>} */
  const waiting = new Map();
  let rest = "";
  output.on("data", (/** @type {Buffer} */ chunk) => {
    const messages = (rest + chunk).split("\0");
    rest = messages.pop() ?? "";
    for (const message of messages.map((message) => JSON.parse(message))) waiting.get(message.id)?.(message.result);
  });
  let last = 0;
  const send = (/** @type {string} */ method, params = {}, /** @type {string | undefined} */ sessionId = undefined) => {
    const id = ++last;
    input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return Promise.race([new Promise((resolve) => waiting.set(id, resolve)), failed]);
  };
  try {
    const { targetId } = await send("Target.createTarget", { url: ADDRESS });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    let page = "";
    for (const start = performance.now(); performance.now() - start < SERVED; ) {
      page =
        (await send("Runtime.evaluate", { expression: "document.body.innerText" }, sessionId))?.result?.value ?? "";
      if (page.includes(text)) return undefined;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return `the page does not say ${JSON.stringify(text)}: ${page}`;
  } finally {
    child.kill();
  }
}

/**
 * @param {{ root: string, folder: string, text: string, rootWord: string, tarball: (start: string) => string,
 *   test: (name: string, check: () => Promise<string | undefined>) => Promise<void>,
 *   skip: (what: string) => void, hasTime: () => boolean,
 *   project: (name: string, files: Record<string, string | object>) => string,
 *   install: (path: string, ...names: string[]) => Promise<boolean>,
 *   works: (command: string, args: string[], cwd: string, text?: string) => Promise<string | undefined> }} tools
 */
export async function testFrameworks(tools) {
  const { test, skip, hasTime, project, install, works, text, rootWord, tarball } = tools;
  const page = readFileSync(join(tools.root, "docs/frameworks.md"), "utf8");
  const own = [tarball("stemma-core"), tarball("stemma-model-en-0")];

  /** Writes the files of a recipe in an empty project. @param {string} title */
  const prepared = (title) => {
    const { files, commands } = recipe(page, title);
    const path = project(title.toLowerCase().replace(/\W+/g, "-"), { ...files, "package.json": { private: true } });
    return { path, commands };
  };
  // Installed once for all: that takes longer than the tests.
  const needs = ["jest@30", "vitest", "express", "fastify", "wrangler", tarball("stemma-model-en-small")];
  const common = project("recipes", {});
  const hasAll = await install(common, ...own, ...needs);
  if (!hasAll && !(await install(common, ...own))) return;
  /** @param {string} title @param {string} [need] undefined if that cannot be had */
  const linked = (title, need = "@stemma/core") => {
    if (!existsSync(join(common, "node_modules", need))) return undefined;
    const ready = prepared(title);
    symlinkSync(join(common, "node_modules"), join(ready.path, "node_modules"), "junction");
    return ready;
  };
  const shell = (/** @type {string} */ command, /** @type {string} */ cwd, said = "") =>
    works("bash", ["-c", command], cwd, said);

  const script = linked("CommonJS");
  if (script) {
    // Node 20.19 and later would take the ES modules.
    for (const option of process.allowedNodeEnvironmentFlags.has("--experimental-require-module")
      ? ["--experimental-require-module", "--no-experimental-require-module"]
      : []) {
      await test(`CommonJS: require, node ${option}`, () =>
        works(process.execPath, [option, "trees.cjs"], script.path, rootWord));
    }
    const entries = Object.entries(
      JSON.parse(readFileSync(join(script.path, "node_modules/@stemma/core/package.json"), "utf8")).exports,
    ).flatMap(([entry, to]) => (to.require && entry !== "./worker" ? [`@stemma/core${entry.slice(1)}`] : []));
    await test("CommonJS: all entries, one class whatever the entry, programs that models need, threads", () => {
      const code = `const entries = ${JSON.stringify(entries)}.map((name) => require(name));
if (entries.some((names) => Object.keys(names).length === 0)) throw new Error("an entry without names");
const { load, Sentence } = require("@stemma/core");
const sentence = Sentence.from({ words: [{ form: "Go", head: 0, deprel: "root" }] });
require("@stemma/core/evaluation").evaluate([sentence], [sentence]);
(async () => {
  await load(${JSON.stringify(join(tools.root, "packages/model-en-roles/en-roles.stemma"))});
  const pool = await require("@stemma/core/node").openPool(require("@stemma/model-en"), { workers: 1 });
  for await (const sentence of pool.parse(${JSON.stringify(text)})) console.log(sentence.root.form);
  await pool.close();
})();`;
      return works(process.execPath, ["--no-experimental-require-module", "-e", code], script.path, rootWord);
    });
  }
  for (const [title, need] of /** @type {const} */ ([
    ["Jest", "jest"],
    ["Jest with ES modules", "jest"],
    ["Vitest", "vitest"],
  ])) {
    const ready = linked(title, need);
    if (ready) await test(`${title}: ${ready.commands[0]}`, () => shell(ready.commands[0] ?? "false", ready.path));
  }
  for (const [title, path, need] of /** @type {const} */ ([
    ["Express", "trees", "express"],
    ["Fastify", "trees", "fastify"],
    ["Cloudflare Workers", "", "wrangler"],
  ])) {
    const ready = linked(title, need);
    if (!ready) continue;
    await test(`${title}: answers with trees`, () =>
      served(ready.commands[0] ?? "node server.mjs", ready.path, async () => {
        const headers = { "Content-Type": "text/plain" };
        const answer = await (await fetch(ADDRESS + path, { method: "POST", headers, body: text })).text();
        return answer.includes(`"form":"${rootWord}"`) ? undefined : `it says ${answer.slice(0, 500)}`;
      }));
  }

  if (!hasTime()) return skip("Next.js: no time left");
  const next = prepared("Next.js");
  if (!(await install(next.path, ...own, "next@16", "react", "react-dom"))) return;
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  const [build = "", copy = "", start = ""] = next.commands;
  const says = `On the server: ${rootWord}`;
  const asked = async () => {
    const answer = await (await fetch(ADDRESS)).text();
    return answer.includes(says) ? undefined : `it says ${answer.slice(0, 1000)}`;
  };
  await test("Next.js with webpack: a component of the server", async () =>
    (await shell(`${build} --webpack && ${copy}`, next.path)) ?? served(start, next.path, asked));
  await test("Next.js with Turbopack: a component of the server and one of the page, in another folder", async () => {
    const wrong = await shell(`rm -rf .next && ${build} && ${copy}`, next.path);
    if (wrong !== undefined) return wrong;
    // Nothing may be read from where it was built.
    const moved = join(tools.folder, "next-moved");
    cpSync(join(next.path, ".next/standalone"), join(moved, ".next/standalone"), { recursive: true });
    renameSync(next.path, `${next.path}-away`);
    return served(start, moved, async () => {
      const wrong = await asked();
      if (wrong !== undefined) return wrong;
      try {
        return await shownInPage(`In the page: ${rootWord}`);
      } catch (error) {
        skip(`Next.js in the page: no Chromium (${error})`);
        return undefined;
      }
    });
  });
}
