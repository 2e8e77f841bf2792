// Studio in Chromium: how long a change of the step takes, when the first tree is there on a slow line, and how long an
// evaluation takes. Needs a build (npm run build) and Chromium ($CHROMIUM or in the PATH).
//
//   node bench/speed/studio.mjs              everything
//   node bench/speed/studio.mjs steps        one of steps, first-tree, large (the first tree of the large model, which comes
//                                      from this machine: nearly all of it is reading and parsing), evaluation
//
// The evaluation needs ../shared/treebanks/en_ewt-ud-dev.conllu.
import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { createStudioServer } from "../../packages/cli/dist/commands/parsing/studio-server.js";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const DIST = path("../../packages/studio/dist");
const MODEL = path("../../packages/model-en/en.stemma");
const LARGE = path("../../packages/model-en-large/en-large.stemma");
const DEV = path("../../../shared/treebanks/en_ewt-ud-dev.conllu");
/** Steps that are measured. */
const STEPS = 100;
/** Bytes a second of a line of 5 Mbit/s, and its delay in milliseconds. */
const LINE = { downloadThroughput: 5e6 / 8, uploadThroughput: 1e6 / 8, latency: 40, offline: false };

function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
    if (found) return found;
  }
  throw new Error("no Chromium in the PATH and none in $CHROMIUM");
}

const only = process.argv[2];
const wanted = (name) => only === undefined || only === name;
const listen = (server) =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}/`)));
const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
const percentile = (times, share) => times.toSorted((a, b) => a - b)[Math.floor(share * times.length)];

/** Groups of five words that hang on their last, and those on the last of the next group. */
function groups(n) {
  let text = "";
  for (let i = 1; i <= n; i++) {
    const head = i === n ? 0 : i % 5 === 0 ? i + 5 : i - (i % 5) + 5;
    const label = i === n ? "root" : "nmod";
    text += `${i}\tword${i}\tword${i}\t${i % 5 === 0 ? "NOUN" : "ADJ"}\t_\t_\t${head}\t${label}\t_\t_\n`;
  }
  return text;
}

const WORK = ["ScriptDuration", "RecalcStyleDuration", "LayoutDuration"];

/** Seconds of its processor that the page has taken for a change, before it is painted: hardly touched by other load. */
async function processorTime(client) {
  const { metrics } = await client.send("Performance.getMetrics");
  return metrics.reduce((sum, { name, value }) => sum + (WORK.includes(name) ? value : 0), 0);
}

async function steps(address, words) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(`${address}#step?${new URLSearchParams({ t: groups(words), by: "static" })}`);
  await page.waitForSelector(".choices tr.taken", { timeout: 60_000 });
  await page.waitForTimeout(1000);
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await processorTime(client);
  const times = await page.evaluate(`(async () => {
    const next = document.querySelector('[aria-label="One step on"]');
    const times = [];
    for (let i = 1; i <= ${STEPS}; i++) {
      const start = performance.now();
      next.click();
      for (let k = 0; k < 8; k++) await Promise.resolve();
      document.querySelector(".tree-svg").getBoundingClientRect();
      times.push(performance.now() - start);
      if (document.querySelector(".player-count b").textContent !== String(i)) throw new Error("step " + i + " is not shown");
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return times;
  })()`);
  const [median, high] = [percentile(times, 0.5), percentile(times, 0.95)];
  const spent = (await processorTime(client)) - before;
  console.log(
    `step change at ${words} words: median ${median.toFixed(1)} ms, 95 % within ${high.toFixed(1)} ms; ` +
      `${((1000 * spent) / times.length).toFixed(1)} ms of processor time each (scripts, style, layout)`,
  );
  await page.close();
}

/** A host that packs text, as most do, and nothing else. Model and list of models are those of the build. */
async function staticHost() {
  const packing = await createStudioServer(DIST, []);
  return createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://host");
    if (pathname === "/en.stemma" || pathname === "/models.json") {
      const file = join(DIST, pathname);
      response.writeHead(200, { "content-length": statSync(file).size });
      createReadStream(file).pipe(response);
    } else packing.emit("request", request, response);
  });
}

async function firstTree() {
  const server = await staticHost();
  const address = await listen(server);
  for (let run = 0; run < 3; run++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send("Network.enable");
    await client.send("Network.emulateNetworkConditions", LINE);
    const start = performance.now();
    await page.goto(address, { waitUntil: "commit" });
    await page.waitForSelector(".tree-svg .arc", { timeout: 120_000 });
    const first = (performance.now() - start) / 1000;
    await page.waitForSelector(".model-chip.ready", { timeout: 120_000 });
    const model = (performance.now() - start) / 1000;
    console.log(
      `on a line of 5 Mbit/s the first tree after ${first.toFixed(1)} s, trees of other texts from ${model.toFixed(1)} s on`,
    );
    await context.close();
  }
  const bytes = statSync(join(DIST, "en.stemma")).size;
  console.log(
    `of the latter ${((8 * bytes) / 5e6).toFixed(1)} s are the model, ${(bytes / 1e6).toFixed(2)} MB as it is sent`,
  );
  server.close();
  server.closeAllConnections();
}

async function largeModel() {
  const server = await createStudioServer(DIST, [LARGE]);
  const address = await listen(server);
  for (let run = 0; run < 3; run++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const start = performance.now();
    await page.goto(address, { waitUntil: "commit" });
    await page.waitForSelector(".tree-svg .arc", { timeout: 120_000 });
    console.log(`first tree of the large model after ${((performance.now() - start) / 1000).toFixed(1)} s`);
    await context.close();
  }
  server.close();
  server.closeAllConnections();
}

/**
 * Milliseconds of processor time of each thread of the browser's pages that runs a worker, on Linux: what an evaluation
 * would take if no other process wanted the processors.
 */
function workerTimes() {
  const times = new Map();
  for (const process of existsSync("/proc") ? readdirSync("/proc") : []) {
    try {
      if (!readFileSync(`/proc/${process}/cmdline`, "utf8").includes("--type=renderer")) continue;
      for (const thread of readdirSync(`/proc/${process}/task`)) {
        const [, name, fields] = /\((.*)\) (.*)/.exec(readFileSync(`/proc/${process}/task/${thread}/stat`, "utf8"));
        const [user, system] = fields.split(" ").slice(11, 13).map(Number);
        // A hundredth of a second each.
        if (name.startsWith("DedicatedWorker")) times.set(thread, 10 * (user + system));
      }
    } catch {
      // It has ended, or is none.
    }
  }
  return times;
}

async function evaluation(address) {
  if (!existsSync(DEV)) {
    console.log(`${DEV} is missing: no evaluation`);
    return;
  }
  const page = await browser.newPage();
  await page.goto(`${address}#treebank`);
  await page.waitForSelector(".model-chip.ready", { timeout: 60_000 });
  await page.setInputFiles('[aria-label="Treebank file"]', DEV);
  await page.waitForSelector(".sentence-row .row-facts small", { timeout: 120_000 });
  await page.getByRole("button", { name: "Evaluation" }).click();
  // The further workers read the model while a person looks at the panel.
  await page.waitForTimeout(2000);
  for (let run = 0; run < 3; run++) {
    const before = workerTimes();
    await page.getByRole("button", { name: run === 0 ? /Parse all/ : "Evaluate again" }).click();
    await page.waitForTimeout(50);
    await page.waitForSelector(".evaluation-top:not(:has(progress)) > .faint", { timeout: 120_000 });
    const spent = [...workerTimes()]
      .map(([thread, time]) => time - (before.get(thread) ?? 0))
      .filter((time) => time > 50);
    const [facts, las] = await page.evaluate(
      "[document.querySelector('.evaluation-top > .faint').textContent, document.querySelector('.score-tile b').textContent]",
    );
    const seconds = spent.sort((a, b) => b - a).map((time) => (time / 1000).toFixed(2));
    console.log(
      `evaluation of en_ewt dev: ${facts}, LAS ${las}; processor time of the workers: ${seconds.join(" s, ")} s`,
    );
  }
  await page.close();
}

const server = await createStudioServer(DIST, [MODEL]);
const address = await listen(server);
if (wanted("steps")) for (const words of [60, 300]) await steps(address, words);
if (wanted("first-tree")) await firstTree();
if (wanted("large")) await largeModel();
if (wanted("evaluation")) await evaluation(address);
await browser.close();
server.close();
server.closeAllConnections();
