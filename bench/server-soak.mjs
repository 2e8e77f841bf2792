// Whether the server stands: `node bench/server-soak.mjs [--seconds 600] [--threads N] [--clients 24] [--restarts 3]
// [--model FILE]`. Starts `stemma serve` on this machine and measures the latency of honest small requests when there
// is nothing else; then sends as many as it answers, while other clients vanish in the middle of a request or of an
// answer, read slowly or not at all, send what is wrong, too long or made to be slow, and workers are ended because a
// piece takes too long. Every honest answer is compared byte by byte with the tree that core makes. Prints
//   - honest requests, wrong and lost ones (refused with 503 or 429 is neither), median and p99 beside the quiet ones;
//   - resident memory after a third of the time and at the end;
// and then ends the server with SIGTERM so many times under 300 clients: what it has accepted must be answered.
// Ends with status 1 if anything was wrong or lost, memory grew by more than a quarter, or p99 is more than five times
// the quiet one for each client that waits for the same worker.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Pipeline, readModel } from "../packages/core/dist/index.js";

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    threads: { type: "string", default: String(availableParallelism()) },
    clients: { type: "string", default: "24" },
    restarts: { type: "string", default: "3" },
    model: { type: "string", default: path("../packages/model-en/en.stemma") },
  },
});
const seconds = Number(options.seconds);
const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

const NAMES = ["Anna", "Tom", "the teacher", "an old sailor", "our neighbour"];
const THINGS = ["boat", "house", "letter", "garden", "river", "lamp", "picture", "train"];
const PLACES = ["in the village", "near the coast", "behind the school", "at the station"];
const texts = NAMES.flatMap((name) =>
  THINGS.flatMap((thing) => PLACES.map((place) => `Yesterday ${name} saw the small ${thing} ${place} again.`)),
);
const pipeline = new Pipeline(readModel(readFileSync(options.model)));
const expected = texts.map((text) => {
  let number = 0;
  return [...pipeline.parse(text)]
    .map((s) => `${number === 0 ? "# newpar\n" : ""}# sent_id = ${++number}\n${s.toConllu()}`)
    .join("");
});

/** @param {string} type @param {string} body @param {string} [more] */
const message = (type, body, more = "") =>
  Buffer.from(
    `POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nAccept: text/x-conllu\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
const requests = texts.map((text) => message("text/plain", text));

/**
 * @param {string[]} more @returns {Promise<{ child: import("node:child_process").ChildProcess, port: number, exit:
 * Promise<number | null> }>}
 */
function start(...more) {
  const args = [
    path("../packages/cli/bin/stemma.js"),
    "serve",
    "--port",
    "0",
    "--model",
    options.model,
    "--threads",
    options.threads,
    ...more,
  ];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  /** @type {Promise<number | null>} */
  const exit = new Promise((resolve) => child.on("exit", resolve));
  let log = "";
  return new Promise((resolve, reject) => {
    child.stderr?.on("data", (chunk) => {
      if (log.length > 10_000) return;
      log += chunk;
      const port = /"event":"listening".*?"port":(\d+)/.exec(log)?.[1];
      if (port) resolve({ child, port: Number(port), exit });
    });
    exit.then((code) => reject(new Error(`the server ended with ${code}: ${log}`)));
  });
}

/**
 * A connection that sends a request and gives the whole answer; undefined if the connection ended before it was
 * complete.
 */
class Client {
  /** @param {number} port */
  constructor(port) {
    this.buffer = Buffer.alloc(0);
    /** @type {(answer: { status: number, body: Buffer } | undefined) => void} */
    this.done = () => {};
    this.ended = false;
    this.refused = false;
    this.socket = connect(port, "127.0.0.1");
    this.socket.setNoDelay(true);
    this.socket.on("error", (error) => {
      this.refused = /** @type {NodeJS.ErrnoException} */ (error).code === "ECONNREFUSED";
    });
    this.socket.on("close", () => {
      this.ended = true;
      this.done(undefined);
    });
    this.socket.on("data", (chunk) => {
      this.buffer = Buffer.concat([this.buffer, chunk]);
      const end = this.buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = this.buffer.toString("latin1", 0, end);
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
      if (this.buffer.length < end + 4 + length) return;
      const body = this.buffer.subarray(end + 4, end + 4 + length);
      this.buffer = this.buffer.subarray(end + 4 + length);
      if (/^connection: close$/im.test(head)) this.ended = true;
      this.done({ status: Number(head.slice(9, 12)), body });
    });
  }

  /** @param {Buffer} request @returns {Promise<{ status: number, body: Buffer } | undefined>} */
  ask(request) {
    return new Promise((resolve) => {
      this.done = resolve;
      if (this.ended) resolve(undefined);
      else this.socket.write(request);
    });
  }
}

const totals = { honest: 0, refused: 0, wrong: 0, lost: 0 };

/**
 * @param {number} port @param {() => boolean} goesOn @param {number[]} latencies @param {boolean} [ends] the server may
 * end meanwhile
 */
async function honest(port, goesOn, latencies, ends = false) {
  let client = new Client(port);
  for (let i = Math.floor(Math.random() * requests.length); goesOn(); i = (i + 1) % requests.length) {
    if (client.ended) client = new Client(port);
    const begun = performance.now();
    const answer = await client.ask(/** @type {Buffer} */ (requests[i]));
    if (!answer) {
      if (ends && client.refused) return;
      // Between two requests the server may close a connection that it has told to close.
      totals.lost++;
      if (ends) return;
      continue;
    }
    if (answer.status === 503 || answer.status === 429) {
      totals.refused++;
      await sleep(50);
      continue;
    }
    latencies.push(performance.now() - begun);
    totals.honest++;
    if (answer.status !== 200 || answer.body.toString() !== expected[i]) totals.wrong++;
  }
  client.socket.destroy();
}

const LONG = "maps ".repeat(20_000);
/** What hostile clients do: each opens a connection, and closes it after a while. */
const ATTACKS = [
  (/** @type {import("node:net").Socket} */ socket) =>
    socket.write(message("text/plain", texts.join("\n\n")).subarray(0, 3000)),
  (/** @type {import("node:net").Socket} */ socket) => socket.write(message("text/plain", texts.join("\n\n"))),
  (/** @type {import("node:net").Socket} */ socket) => {
    socket.pause();
    socket.write("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100));
  },
  (/** @type {import("node:net").Socket} */ socket) =>
    socket.write("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(600)),
  (/** @type {import("node:net").Socket} */ socket) => socket.write(Buffer.concat([...requests.slice(0, 20)])),
  (/** @type {import("node:net").Socket} */ socket) => socket.write(message("text/plain", LONG)),
  (/** @type {import("node:net").Socket} */ socket) =>
    socket.write(message("application/json", JSON.stringify({ sentences: [LONG] }))),
  (/** @type {import("node:net").Socket} */ socket) =>
    socket.write(message("application/json", `{"tokens":[${'["a"],'.repeat(200_000)}["a"]]}`)),
  (/** @type {import("node:net").Socket} */ socket) => socket.write(message("application/json", "[".repeat(50_000))),
  (/** @type {import("node:net").Socket} */ socket) =>
    socket.write(message("text/plain", "maps", `X-Filler: a${" ".repeat(50_000)}b\r\n`)),
  (/** @type {import("node:net").Socket} */ socket) =>
    socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nAccept: a${" ".repeat(60_000)}b\r\n\r\n`),
  (/** @type {import("node:net").Socket} */ socket) => {
    const data = `data=a${encodeURIComponent("\u0301".repeat(20_000) + "\u0323".repeat(20_000))}`;
    socket.write(
      `POST /process HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${data.length}\r\n\r\n${data}`,
    );
  },
  (/** @type {import("node:net").Socket} */ socket) => socket.write("NONSENSE\r\n\r\n"),
  (/** @type {import("node:net").Socket} */ socket) => socket.write("POST /v1/parse HTTP/1.1\r\nHost: loc"),
  // A beam over the longest sentences that are allowed: with a short --piece-time its worker is replaced.
  (/** @type {import("node:net").Socket} */ socket) =>
    socket.write(message("application/json", JSON.stringify({ tokens: [Array(1000).fill("that")], beam: 64 }))),
];

/** @param {number} port @param {() => boolean} goesOn */
async function hostile(port, goesOn) {
  for (let i = Math.floor(Math.random() * ATTACKS.length); goesOn(); i = (i + 1) % ATTACKS.length) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    ATTACKS[i]?.(socket);
    await sleep(50 + Math.random() * 400);
    if (i % 2) socket.resetAndDestroy();
    else socket.destroy();
    // Hostile clients are few; the honest ones should keep the server busy.
    await sleep(200);
  }
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
const until = (/** @type {number} */ ms) => {
  const end = performance.now() + ms;
  return () => performance.now() < end;
};

const { child, port, exit } = await start("--piece-time", "0.5", "--timeout", "5");
/** @type {number[]} */
const quiet = [];
await honest(port, until(3000), quiet);
quiet.splice(0, quiet.length / 2);
/** @type {number[]} */
const busy = [];
const goesOn = until(1000 * seconds);
/** @type {number[]} */
const memory = [];
const watch = (async () => {
  for (let i = 1; i <= 3; i++) {
    await sleep((1000 * seconds) / 3 - 200);
    memory.push((await metric(port, "process_resident_memory_bytes")) / 1e6);
  }
})();
await Promise.all([
  ...Array.from({ length: Number(options.clients) }, () => honest(port, goesOn, busy)),
  ...Array.from({ length: 4 }, () => hostile(port, goesOn)),
  watch,
]);
await sleep(1000);
const replaced = await metric(port, "stemma_workers_replaced_total");
const leftOver = await metric(port, "stemma_requests_in_flight");
const kept = [quantile(quiet, 0.5), quantile(quiet, 0.99), quantile(busy, 0.5), quantile(busy, 0.99)].map((ms) =>
  ms.toFixed(1),
);
console.log(
  `honest requests          ${totals.honest} (${(totals.honest / seconds).toFixed(0)}/s), refused ${totals.refused}, wrong ${totals.wrong}, lost ${totals.lost}`,
);
console.log(`latency, median and p99  quiet ${kept[0]} and ${kept[1]} ms, busy ${kept[2]} and ${kept[3]} ms`);
console.log(`resident memory          ${memory.map((mb) => mb.toFixed(0)).join(", ")} MB after thirds of the time`);
console.log(`workers replaced         ${replaced}; requests left over ${leftOver - 1}`);
child.kill("SIGTERM");
const status = await exit;

const before = { ...totals };
let endedWell = 0;
for (let i = 0; i < Number(options.restarts); i++) {
  const server = await start("--log", "json");
  let ended = false;
  const clients = Array.from({ length: 300 }, () => honest(server.port, () => !ended, [], true));
  await sleep(1500);
  server.child.kill("SIGTERM");
  const code = await server.exit;
  ended = true;
  await Promise.all(clients);
  if (code === 0) endedWell++;
}
const lostAtEnd = totals.lost - before.lost;
console.log(
  `SIGTERM                  ${endedWell} of ${options.restarts} ended with 0, ${totals.honest - before.honest} answered, ${lostAtEnd} lost`,
);
const memoryGrew = (memory[2] ?? 0) > 1.25 * (memory[0] ?? 0);
const slow = quantile(busy, 0.99) > (5 * quantile(quiet, 0.99) * Number(options.clients)) / Number(options.threads);
if (
  totals.wrong + totals.lost > 0 ||
  status !== 0 ||
  endedWell < Number(options.restarts) ||
  memoryGrew ||
  leftOver > 1 ||
  slow
)
  process.exitCode = 1;
