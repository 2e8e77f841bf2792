// Whether the server stands: `node bench/reliability/server-soak.mjs [--seconds 600] [--threads N] [--clients 8] [--bulk 8]
// [--hostile 4] [--idle 2000] [--quiet 10] [--restarts 20] [--one-each] [--shipped] [--model FILE] [--log FILE]`. Starts `stemma serve`
// on this machine; with --shipped exactly as deploy/kubernetes/stemma.yaml does, heap and options, but for the port.
//   1. Quiet: honest clients, each of which sends a small request every 50 ms on average, and nothing else; beside a
//      process for each core that does nothing but count, so that the processors are as busy as in 2, and without.
//   2. Soak: the same clients, while others send long texts as fast as they are answered, so that workers are never
//      idle, and others again vanish in the middle of a request or of an answer, read slowly or not at all, send what
//      is wrong, too long or made to be slow, and end workers because a piece takes too long. They have another address,
//      which also holds so many connections open (--idle) on which nothing comes.
//   3. SIGTERM, so many times, under 300 clients that send one small request after the other: what the server has
//      accepted must be answered. With --one-each they open a connection for each request.
// Every honest answer is compared byte by byte with the trees that core makes. Prints how many were wrong or lost, late
// (504: where the machine has far more to do than it can, requests may wait longer than --timeout) or refused (503 or
// 429), median and p99 of small requests, resident memory over the time, workers that were replaced, and how busy the
// machine was. Ends with status 1 if anything was wrong, lost or late, memory grew by more than a quarter between the
// first third and the end, or p99 is more than five times the quiet one beside processes that count.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { availableParallelism, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { load } from "../../packages/core/dist/index.js";
import { endsInParagraphBreak } from "../../packages/core/dist/treebank.js";
import { honest, noTotals, until } from "./server-clients.mjs";
import { ATTACKS, book, longRequest, texts } from "./server-requests.mjs";

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    threads: { type: "string", default: String(availableParallelism()) },
    clients: { type: "string", default: "8" },
    bulk: { type: "string", default: "8" },
    hostile: { type: "string", default: "4" },
    quiet: { type: "string", default: "10" },
    restarts: { type: "string", default: "20" },
    idle: { type: "string", default: "2000" },
    "one-each": { type: "boolean", default: false },
    shipped: { type: "boolean", default: false },
    log: { type: "string" },
    model: { type: "string", default: path("../../packages/model-en/en.stemma") },
  },
});
const seconds = Number(options.seconds);
const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

const pipeline = await load(readFileSync(options.model));
/** The answer to a text. @param {string} text @returns {string} */
function treesOf(text) {
  let [number, newParagraph] = [0, true];
  return [...pipeline.parse(text)]
    .map((sentence) => {
      const start = newParagraph ? "# newpar\n" : "";
      newParagraph = endsInParagraphBreak(sentence.tokens.at(-1)?.spacesAfter ?? "");
      return `${start}# sent_id = ${++number}\n${sentence.toConllu()}`;
    })
    .join("");
}
const expected = texts.map(treesOf);

/** The options and variables of the Deployment. */
const manifest = readFileSync(path("../../deploy/kubernetes/stemma.yaml"), "utf8");
const shipped = {
  args: /** @type {string[]} */ (JSON.parse(/^ *args: (\[.*\])$/m.exec(manifest)?.[1] ?? "[]")),
  env: Object.fromEntries(
    [...manifest.matchAll(/- name: ([A-Z_]+)\n\s+value: (\S+)/g)].map(([, name, value]) => [name, value]),
  ),
};
/** The address of hostile clients. */
const HOSTILE = "127.0.0.2";

/**
 * @param {string[]} more @returns {Promise<{ child: import("node:child_process").ChildProcess, port: number, exit:
 * Promise<number | null> }>}
 */
function start(...more) {
  const own = options.shipped
    ? shipped.args
    : ["serve", "--model", options.model, "--threads", options.threads, ...more];
  const args = [path("../../packages/cli/bin/stemma.js"), ...own, "--port", "0"];
  const env = options.shipped ? { ...process.env, ...shipped.env } : process.env;
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  /** @type {Promise<number | null>} */
  const exit = new Promise((resolve) => child.on("exit", resolve));
  let log = "";
  return new Promise((resolve, reject) => {
    child.stderr?.on("data", (chunk) => {
      if (options.log) appendFileSync(options.log, chunk);
      if (log.length > 10_000) return;
      log += chunk;
      const port = /"event":"listening".*?"port":(\d+)/.exec(log)?.[1];
      if (port) resolve({ child, port: Number(port), exit });
    });
    exit.then((code) => reject(new Error(`the server ended with ${code}: ${log}`)));
  });
}

/** @param {number} port @param {() => boolean} goesOn */
async function hostile(port, goesOn) {
  for (let i = Math.floor(Math.random() * ATTACKS.length); goesOn(); i = (i + 1) % ATTACKS.length) {
    const socket = connect({ port, host: "127.0.0.1", localAddress: HOSTILE });
    socket.on("error", () => {});
    const [data, reads = true] = /** @type {[string | Buffer, boolean?]} */ (ATTACKS[i]);
    if (!reads) socket.pause();
    else socket.resume();
    socket.write(data);
    await sleep(50 + Math.random() * 400);
    if (i % 2) socket.resetAndDestroy();
    else socket.destroy();
    // Hostile clients are few; the honest ones should keep the server busy.
    await sleep(200);
  }
}

/** Keeps connections open on which nothing comes. @param {number} port @param {() => boolean} goesOn */
async function idleConnections(port, goesOn) {
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  while (goesOn()) {
    while (sockets.size < count("idle") && goesOn()) {
      const socket = connect({ port, host: "127.0.0.1", localAddress: HOSTILE });
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
      if (sockets.size % 50 === 0) await sleep(50);
    }
    await sleep(100);
  }
  for (const socket of sockets) socket.destroy();
}

/** @param {number[]} values @param {number} share */
const quantile = (values, share) => {
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? Number.NaN;
};
/** @param {number} port @param {string} name */
async function metric(port, name) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
}
/** @param {number} share @param {number[]} values */
const milliseconds = (values, share) => quantile(values, share).toFixed(1);
const count = (/** @type {string} */ name) => Number(options[/** @type {keyof typeof options} */ (name)]);
const totals = noTotals();
const long = { expected: [treesOf(book.join("\n\n"))], totals, long: true };
/**
 * Clients with short requests, for so long, in a thread of their own; their latencies.
 *
 * @param {number} port @param {number} seconds @returns {Promise<number[]>}
 */
async function small(port, seconds) {
  const clients = new Worker(new URL("server-clients.mjs", import.meta.url), {
    workerData: { port, ms: 1000 * seconds, clients: count("clients"), pause: 50, expected },
  });
  const [{ latencies, totals: theirs }] = await once(clients, "message");
  for (const name of /** @type {(keyof typeof totals)[]} */ (Object.keys(totals))) totals[name] += theirs[name];
  return latencies;
}

const { child, port, exit } = await start("--piece-time", "2", "--timeout", "20");
await small(port, 2);
const alone = await small(port, count("quiet"));
const counting = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
);
const quiet = await small(port, count("quiet"));
for (const process of counting) process.kill();
totals.honest = 0;

const goesOn = until(1000 * seconds);
/** @type {number[]} */
const memory = [];
/** @type {number[]} */
const loads = [];
const watch = (async () => {
  for (let i = 1; i <= 6; i++) {
    await sleep((1000 * seconds) / 6 - 100);
    memory.push((await metric(port, "process_resident_memory_bytes")) / 1e6);
    loads.push(/** @type {number} */ (loadavg()[0]));
  }
})();
const [busy] = await Promise.all([
  small(port, seconds),
  ...Array.from({ length: count("bulk") }, () => honest(port, goesOn, long)),
  ...Array.from({ length: count("hostile") }, () => hostile(port, goesOn)),
  idleConnections(port, goesOn),
  watch,
]);
const replaced = await metric(port, "stemma_workers_replaced_total");
// Where the machine is busy the server hears late that clients have gone; after --timeout nothing may be left.
const inFlight = async () => (await metric(port, "stemma_requests_in_flight")) - 1;
let leftOver = await inFlight();
for (let i = 0; i < 70 && leftOver > 0; i++, leftOver = await inFlight()) await sleep(1000);
console.log(`honest small requests    ${totals.honest} (${(totals.honest / seconds).toFixed(0)}/s)`);
console.log(
  `honest long requests     ${totals.long} (${(totals.long / seconds).toFixed(1)}/s, ${longRequest.length} bytes)`,
);
console.log(`refused, late (504)      ${totals.refused}, ${totals.late}`);
console.log(`wrong, lost              ${totals.wrong}, ${totals.lost}`);
for (const [name, values] of /** @type {const} */ ([
  ["quiet", alone],
  ["quiet, busy cores", quiet],
  ["soak", busy],
])) {
  console.log(`median, p99 ${name.padEnd(12)} ${milliseconds(values, 0.5)}, ${milliseconds(values, 0.99)} ms`);
}
console.log(`resident memory          ${memory.map((mb) => mb.toFixed(0)).join(", ")} MB after sixths of the time`);
console.log(`workers replaced         ${replaced}; requests left over ${leftOver}`);
console.log(
  `load average             ${loads.map((load) => load.toFixed(1)).join(", ")} on ${availableParallelism()} cores`,
);
child.kill("SIGTERM");
const status = await exit;

const before = { ...totals };
let endedWell = 0;
for (let i = 0; i < count("restarts"); i++) {
  const server = await start("--log", "json");
  let ended = false;
  const clients = Array.from({ length: 300 }, () =>
    honest(server.port, () => !ended, { expected, totals, ends: true, oneEach: options["one-each"] }),
  );
  await sleep(1500);
  server.child.kill("SIGTERM");
  const code = await server.exit;
  ended = true;
  await Promise.all(clients);
  if (code === 0) endedWell++;
}
const lostAtEnd = totals.lost - before.lost;
console.log(
  `SIGTERM                  ${endedWell} of ${options.restarts} ended with 0, ${totals.honest - before.honest} answered, ${lostAtEnd} lost, ${totals.wrong - before.wrong} wrong`,
);
const memoryGrew = (memory[5] ?? 0) > 1.25 * (memory[1] ?? 0);
const slow = quantile(busy, 0.99) > 5 * quantile(quiet, 0.99);
const failed = totals.wrong + totals.lost + totals.late > 0 || status !== 0 || endedWell < count("restarts");
if (failed || memoryGrew || leftOver > 0 || slow) process.exitCode = 1;
