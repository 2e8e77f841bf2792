// Whether the server stands: `node bench/server-soak.mjs [--seconds 600] [--threads N] [--clients 8] [--bulk 8]
// [--hostile 4] [--quiet 10] [--restarts 20] [--model FILE]`. Starts `stemma serve` on this machine.
//   1. Quiet: honest clients, each of which sends a small request every 50 ms on average, and nothing else; beside a
//      process for each core that does nothing but count, so that the processors are as busy as in 2, and without.
//   2. Soak: the same clients, while others send long texts as fast as they are answered, so that workers are never
//      idle, and others again vanish in the middle of a request or of an answer, read slowly or not at all, send what
//      is wrong, too long or made to be slow, and end workers because a piece takes too long.
//   3. SIGTERM, so many times, under 300 clients that send one small request after the other: what the server has
//      accepted must be answered.
// Every honest answer is compared byte by byte with the trees that core makes. Prints how many were wrong or lost
// (refused with 503 or 429 is neither), median and p99 of small requests, resident memory over the time, workers that
// were replaced, and how busy the machine was. Ends with status 1 if anything was wrong or lost, memory grew by more
// than a quarter between the first third and the end, or p99 is more than five times the quiet one beside processes
// that count.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { availableParallelism, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Pipeline, readModel } from "../packages/core/dist/index.js";
import { endsInParagraphBreak } from "../packages/core/dist/treebank.js";

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

/** @param {string} type @param {string} body @param {string} [more] */
const message = (type, body, more = "") =>
  Buffer.from(
    `POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nAccept: text/x-conllu\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
const requests = texts.map((text) => message("text/plain", text));
// 40 paragraphs of 32 sentences: about 80,000 characters, or twenty pieces.
const book = Array.from({ length: 40 }, (_, i) => texts.slice((4 * i) % 128, ((4 * i) % 128) + 32).join(" "));
const longRequest = message("text/plain", book.join("\n\n"));
const longExpected = treesOf(book.join("\n\n"));

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

const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");

/** @param {Buffer} content @returns {Buffer} */
function joinedChunks(content) {
  const chunks = [];
  for (let at = 0; ; ) {
    const line = content.indexOf("\r\n", at);
    const size = Number.parseInt(content.toString("latin1", at, line), 16);
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(content.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
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
      const chunked = /^transfer-encoding: chunked$/im.test(head);
      if (chunked && !this.buffer.subarray(-7).equals(LAST_CHUNK)) return;
      const length = chunked ? this.buffer.length - end - 4 : Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
      if (this.buffer.length < end + 4 + length) return;
      const content = this.buffer.subarray(end + 4, end + 4 + length);
      const body = chunked ? joinedChunks(content) : content;
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

const totals = { honest: 0, long: 0, refused: 0, wrong: 0, lost: 0 };

/**
 * @param {number} port @param {() => boolean} goesOn @param {{ latencies?: number[], pause?: number, long?: boolean,
 * ends?: boolean }} how `ends`: the server may end meanwhile
 */
async function honest(port, goesOn, { latencies = [], pause = 0, long = false, ends = false }) {
  let client = new Client(port);
  for (let i = Math.floor(Math.random() * requests.length); goesOn(); i = (i + 1) % requests.length) {
    if (pause > 0) await sleep(2 * pause * Math.random());
    if (client.ended) client = new Client(port);
    const begun = performance.now();
    const answer = await client.ask(long ? longRequest : /** @type {Buffer} */ (requests[i]));
    if (!answer) {
      if (ends && client.refused) return;
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
    if (long) totals.long++;
    else totals.honest++;
    if (answer.status !== 200 || answer.body.toString() !== (long ? longExpected : expected[i])) totals.wrong++;
  }
  client.socket.destroy();
}

const json = (/** @type {object} */ value) => message("application/json", JSON.stringify(value));
const LONG = "maps ".repeat(20_000);
const OPENAPI = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
const marks = `data=a${encodeURIComponent("\u0301".repeat(20_000) + "\u0323".repeat(20_000))}`;
/**
 * What hostile clients send, made beforehand so that the others are not held up here; with `false` they do not read
 * what comes back.
 * @type {[data: string | Buffer, reads?: boolean][]}
 */
const ATTACKS = [
  [message("text/plain", texts.join("\n\n")).subarray(0, 3000)],
  [message("text/plain", texts.join("\n\n"))],
  [OPENAPI.repeat(100), false],
  [OPENAPI.repeat(600)],
  [Buffer.concat(requests.slice(0, 20))],
  [message("text/plain", LONG)],
  [json({ sentences: [LONG] })],
  [message("application/json", `{"tokens":[${'["a"],'.repeat(200_000)}["a"]]}`)],
  [message("application/json", "[".repeat(50_000))],
  [message("application/json", `{${'"text":"a",'.repeat(50_000)}"text":"a"}`)],
  [message("text/plain", "maps", `X-Filler: a${" ".repeat(50_000)}b\r\n`)],
  [`GET / HTTP/1.1\r\nHost: localhost\r\nAccept: a${" ".repeat(60_000)}b\r\n\r\n`],
  [
    `POST /process HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${marks.length}\r\n\r\n${marks}`,
  ],
  ["NONSENSE\r\n\r\n"],
  ["POST /v1/parse HTTP/1.1\r\nHost: loc"],
  [
    `POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\na\r\n".repeat(50_000)}`,
  ],
  [json({ tokens: book.map((paragraph) => paragraph.split(" ")), trees: 16 }), false],
  // A beam over the longest sentences that are allowed: with a short --piece-time its worker is replaced.
  [json({ tokens: [Array(1000).fill("that")], beam: 64 })],
];

/** @param {number} port @param {() => boolean} goesOn */
async function hostile(port, goesOn) {
  for (let i = Math.floor(Math.random() * ATTACKS.length); goesOn(); i = (i + 1) % ATTACKS.length) {
    const socket = connect(port, "127.0.0.1");
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

/** @param {number} share @param {number[]} values */
const milliseconds = (values, share) => quantile(values, share).toFixed(1);
const count = (/** @type {string} */ name) => Number(options[/** @type {keyof typeof options} */ (name)]);
const PAUSE = 50;
/** @param {number} port @param {() => boolean} goesOn @param {number[]} latencies */
const small = (port, goesOn, latencies) =>
  Array.from({ length: count("clients") }, () => honest(port, goesOn, { latencies, pause: PAUSE }));

const { child, port, exit } = await start("--piece-time", "2", "--timeout", "20");
await Promise.all(small(port, until(2000), []));
/** @type {number[]} */
const idle = [];
await Promise.all(small(port, until(1000 * count("quiet")), idle));
const counting = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
);
/** @type {number[]} */
const quiet = [];
await Promise.all(small(port, until(1000 * count("quiet")), quiet));
for (const process of counting) process.kill();
totals.honest = 0;

/** @type {number[]} */
const busy = [];
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
await Promise.all([
  ...small(port, goesOn, busy),
  ...Array.from({ length: count("bulk") }, () => honest(port, goesOn, { long: true })),
  ...Array.from({ length: count("hostile") }, () => hostile(port, goesOn)),
  watch,
]);
await sleep(1000);
const replaced = await metric(port, "stemma_workers_replaced_total");
const leftOver = (await metric(port, "stemma_requests_in_flight")) - 1;
console.log(`honest small requests    ${totals.honest} (${(totals.honest / seconds).toFixed(0)}/s)`);
console.log(
  `honest long requests     ${totals.long} (${(totals.long / seconds).toFixed(1)}/s, ${longRequest.length} bytes)`,
);
console.log(`refused, wrong, lost     ${totals.refused}, ${totals.wrong}, ${totals.lost}`);
for (const [name, values] of /** @type {const} */ ([
  ["quiet", idle],
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
  const clients = Array.from({ length: 300 }, () => honest(server.port, () => !ended, { ends: true }));
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
const failed = totals.wrong + totals.lost > 0 || status !== 0 || endedWell < count("restarts");
if (failed || memoryGrew || leftOver > 0 || slow) process.exitCode = 1;
