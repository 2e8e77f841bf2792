// The cost of the server: `node bench/speed/server.mjs [--seconds 60] [--threads N] [--connections 32] [--sentences 1]
// [--model FILE]`. Starts `stemma serve`, asks it for the trees of 20-word sentences as fast as it answers (as many
// requests under way as there are connections), compares every answer byte by byte with the tree that core makes, and
// prints
//   - tokens per second, and their share of what `stemma parse` does with the same number of workers, without its
//     start-up. The two take turns, a sixth of the time each, and the best of each counts: other work on the machine
//     only ever makes them slower;
//   - time of processors for a token, which does not depend so much on other work;
//   - latency of a short sentence when there is no other load;
//   - memory of the server after the first sixth of the time and at the end. The load comes from this process, so it
//     takes a share of the same cores. Ends with status 1 if an answer was lost or wrong.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { load } from "../../packages/core/dist/index.js";

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const STEMMA = path("../../packages/cli/bin/stemma.js");
const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    threads: { type: "string", default: String(availableParallelism()) },
    connections: { type: "string", default: "32" },
    sentences: { type: "string", default: "1" },
    model: { type: "string", default: path("../../packages/model-en/en.stemma") },
  },
});
const seconds = Number(options.seconds);
const threads = Number(options.threads);
const perRequest = Number(options.sentences);

// Made-up sentences of 20 tokens, all different.
const NAMES = ["Anna", "Tom", "Maria", "Peter", "the teacher", "an old sailor", "our neighbour", "the committee"];
const VERBS = ["said", "thought", "hoped", "wrote", "knew", "heard"];
const THINGS = ["boat", "house", "letter", "garden", "plan", "river", "market", "lamp", "picture", "train"];
const PLACES = ["in the village", "near the coast", "behind the school", "at the station", "on the hill"];
const FILLERS = ["perhaps", "again", "yesterday", "slowly", "without doubt", "after all", "in the end", "for a while"];
let seed = 1;
const pick = (/** @type {string[]} */ list) => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return list[(seed >> 8) % list.length];
};
function sentence() {
  const words =
    `${pick(NAMES)} ${pick(VERBS)} that ${pick(NAMES)} had seen the small ${pick(THINGS)} ${pick(PLACES)}`.split(" ");
  while (words.length < 19) words.push(...`${pick(FILLERS)}`.split(" "));
  words.length = 19;
  const text = words.join(" ");
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}
const sentences = [...new Set(Array.from({ length: 3000 }, sentence))];

const pipeline = await load(readFileSync(options.model));
const parsed = sentences.map((text) => [...pipeline.parse(text)]);
const bodies = [];
for (let i = 0; i + perRequest <= sentences.length; i += perRequest) {
  const body = sentences.slice(i, i + perRequest).join("\n\n");
  let number = 0;
  let words = 0;
  let expected = "";
  for (const sentence of pipeline.parse(body)) {
    const first = pipelineStartsParagraph(body, sentence.start);
    expected += `${first ? "# newpar\n" : ""}# sent_id = ${++number}\n${sentence.toConllu()}`;
    words += sentence.length;
  }
  bodies.push({ request: message(body), expected: Buffer.from(expected), words });
}
const mean = parsed.flat().reduce((sum, { length }) => sum + length, 0) / parsed.flat().length;

/** @param {string} body @param {number} start */
function pipelineStartsParagraph(body, start) {
  return start === 0 || body.slice(start - 2, start) === "\n\n";
}

/** @param {string} body */
function message(body) {
  return Buffer.from(
    `POST /v1/parse HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nAccept: text/x-conllu\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const folder = mkdtempSync(join(tmpdir(), "stemma-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

// A process that ends writes the microseconds that all its threads were on a processor.
const SAY_CPU = `data:text/javascript,import{writeSync}from"node:fs";import{isMainThread}from"node:worker_threads";if(isMainThread)process.on("exit",()=>{const{user,system}=process.cpuUsage();writeSync(3,String(user+system))})`;

/**
 * Tokens per second of `stemma parse`, and microseconds of processor for a token: two sizes of input, so that its
 * start-up is left out.
 */
async function baseline() {
  const run = async (/** @type {number} */ copies) => {
    const file = join(folder, `${copies}.txt`);
    writeFileSync(file, `${sentences.join("\n\n")}\n\n`.repeat(copies));
    const begun = performance.now();
    const child = spawn(
      process.execPath,
      [
        "--import",
        SAY_CPU,
        STEMMA,
        "parse",
        "--model",
        options.model,
        "--threads",
        String(threads),
        "--from",
        "text",
        "--output",
        "/dev/null",
        file,
      ],
      { stdio: ["ignore", "ignore", "ignore", "pipe"] },
    );
    let cpu = "";
    child.stdio[3]?.on("data", (chunk) => {
      cpu += chunk;
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    if (code !== 0) throw new Error(`stemma parse ended with ${code}`);
    return { ms: performance.now() - begun, cpu: Number(cpu) };
  };
  const words = parsed.flat().reduce((sum, { length }) => sum + length, 0);
  const [few, many] = [1, 5];
  const small = await run(few);
  const large = await run(many);
  const more = (many - few) * words;
  return { rate: (1000 * more) / (large.ms - small.ms), cpu: (large.cpu - small.cpu) / more };
}

/** A connection that has one request under way at a time. */
class Client {
  constructor(/** @type {number} */ port) {
    this.socket = connect(port, "127.0.0.1").setNoDelay(true);
    /** @type {Buffer} */
    this.buffer = Buffer.alloc(0);
    /** @type {(body: Buffer, status: string) => void} */
    this.done = () => {};
    this.fail = (/** @type {Error} */ _error) => {};
    this.socket.on("data", (chunk) => this.read(/** @type {Buffer} */ (chunk)));
    this.socket.on("error", (error) => this.fail(error));
    this.socket.on("close", () => this.fail(new Error("closed")));
  }

  read(/** @type {Buffer} */ chunk) {
    this.buffer = this.buffer.length === 0 ? chunk : Buffer.concat([this.buffer, chunk]);
    const end = this.buffer.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = this.buffer.latin1Slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (this.buffer.length < end + 4 + length) return;
    const body = this.buffer.subarray(end + 4, end + 4 + length);
    this.buffer = Buffer.alloc(0);
    this.done(body, head.slice(9, 12));
  }

  /** @param {Buffer} request @returns {Promise<{ body: Buffer, status: string }>} */
  ask(request) {
    return new Promise((resolve, reject) => {
      this.done = (body, status) => resolve({ body, status });
      this.fail = reject;
      if (this.socket.destroyed) reject(new Error("closed"));
      else this.socket.write(request);
    });
  }
}

const get = (/** @type {string} */ name) => Buffer.from(`GET ${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
const percentile = (/** @type {number[]} */ sorted, /** @type {number} */ p) =>
  sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN;
const thousands = (/** @type {number} */ value) => Math.round(value).toLocaleString("en");
const ms = (/** @type {number} */ value) => `${value.toFixed(2)} ms`;

const child = spawn(
  process.execPath,
  [STEMMA, "serve", "--port", "0", "--model", options.model, "--threads", String(threads)],
  { stdio: ["ignore", "ignore", "pipe"] },
);
let logged = 0;
const port = await new Promise((resolve, reject) => {
  let log = "";
  child.stderr.on("data", (chunk) => {
    for (const byte of chunk) if (byte === 10) logged++;
    if (log.length < 4096) log += chunk;
    const match = /"event":"listening".*"port":(\d+)/.exec(log);
    if (match) resolve(Number(match[1]));
  });
  child.on("exit", () => reject(new Error(log)));
});
const probe = new Client(port);
/** A value of the server's /metrics. */
const metric = async (/** @type {string} */ name) => {
  const client = new Client(port);
  const { body } = await client.ask(get("/metrics"));
  client.fail = () => {};
  client.socket.end();
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(body.toString())?.[1]);
};

// Light load: one short sentence at a time, with a pause after each.
const short = message("The old sailor sold his boat.");
const expectedShort = (await probe.ask(short)).body.toString();
const latencies = [];
const lightEnd = performance.now() + Math.min(10_000, 250 * seconds);
while (performance.now() < lightEnd) {
  const begun = performance.now();
  const { body } = await probe.ask(short);
  latencies.push(performance.now() - begun);
  if (body.toString() !== expectedShort) throw new Error("the answer changed");
  await new Promise((resolve) => setTimeout(resolve, 10));
}
latencies.sort((a, b) => a - b);
probe.fail = () => {};
probe.socket.end();

// Saturation.
let [sent, answered, wrong, refused, next] = [0, 0, 0, 0, 0];
/** @type {number[]} */
const loaded = [];
/** As many requests under way as there are connections, for some seconds. */
async function saturate(/** @type {number} */ duration) {
  let words = 0;
  const begun = performance.now();
  const end = begun + 1000 * duration;
  const client = async () => {
    const client = new Client(port);
    while (performance.now() < end) {
      const { request, expected, words: count } = /** @type {(typeof bodies)[0]} */ (bodies[next++ % bodies.length]);
      sent++;
      const at = performance.now();
      const { body, status } = await client.ask(request);
      answered++;
      if (loaded.length < 1e6) loaded.push(performance.now() - at);
      if (status === "503") refused++;
      else if (status !== "200" || !body.equals(expected)) wrong++;
      else words += count;
    }
    client.fail = () => {};
    client.socket.end();
  };
  await Promise.all(Array.from({ length: Number(options.connections) }, client));
  return { rate: (1000 * words) / (performance.now() - begun), words };
}
const ROUNDS = 6;
/** @type {number[]} */
const served = [];
/** @type {number[]} */
const references = [];
const MEMORY = "process_resident_memory_bytes";
const CPU = "process_cpu_seconds_total";
let memoryBefore = 0;
// Microseconds for a token: the least of all rounds. The first of the server is left out, as it warms up.
const cpus = { serve: Number.POSITIVE_INFINITY, load: 0, parse: Number.POSITIVE_INFINITY };
for (let round = 0; round < ROUNDS; round++) {
  const reference = await baseline();
  references.push(reference.rate);
  cpus.parse = Math.min(cpus.parse, reference.cpu);
  const [before, own] = [await metric(CPU), process.cpuUsage()];
  const { rate, words } = await saturate(seconds / ROUNDS);
  served.push(rate);
  if (round === 0) memoryBefore = await metric(MEMORY);
  else {
    const { user, system } = process.cpuUsage(own);
    const serve = (1e6 * ((await metric(CPU)) - before)) / words;
    const load = (user + system) / words;
    if (serve + load < cpus.serve + cpus.load) Object.assign(cpus, { serve, load });
  }
}
const memoryAfter = await metric(MEMORY);
loaded.sort((a, b) => a - b);

child.kill("SIGTERM");
const code = await new Promise((resolve) => child.on("exit", resolve));

const rate = Math.max(...served);
const reference = Math.max(...references);
const mb = (/** @type {number} */ bytes) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
const all = (/** @type {number[]} */ values) => values.map((value) => `${Math.round(value / 1000)}k`).join(" ");
const average = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
console.log(`model ${options.model.split("/").at(-1)}, ${threads} workers, ${options.connections} connections, ${perRequest} sentences of ${mean.toFixed(1)} words in a request, ${seconds} s
tokens/s of stemma serve    ${thousands(rate)} (${all(served)})
tokens/s of stemma parse    ${thousands(reference)} (${all(references)})
share                       ${((100 * rate) / reference).toFixed(0)} %, of the means ${((100 * average(served)) / average(references)).toFixed(0)} % (wanted: at least 70)
processor for a token       ${cpus.serve.toFixed(1)} µs and ${cpus.load.toFixed(1)} of the load; stemma parse ${cpus.parse.toFixed(1)}: on cores that do nothing else a share of ${((100 * cpus.parse) / (cpus.serve + cpus.load)).toFixed(0)} %
latency, light load         p50 ${ms(percentile(latencies, 0.5))}, p99 ${ms(percentile(latencies, 0.99))} of ${latencies.length} (wanted: p99 at most 10 ms)
latency, full load          p50 ${ms(percentile(loaded, 0.5))}, p99 ${ms(percentile(loaded, 0.99))}
requests                    ${thousands(sent)} sent, ${thousands(answered)} answered, ${refused} refused, ${wrong} wrong
memory of the server        ${mb(memoryBefore)} after a sixth of the time, ${mb(memoryAfter)} at the end
exit status on SIGTERM      ${code}, ${thousands(logged)} lines logged`);
process.exitCode = sent === answered && wrong === 0 && code === 0 ? 0 : 1;
