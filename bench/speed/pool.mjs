// A pool in a service: how much of a long stream it takes in and holds, how long the first sentence of a long paragraph
// takes, and how long others wait after an abort:
//
//   node bench/speed/pool.mjs [--model FILE] [--workers 2] [--mb 52] [--seconds 60]
//
// The stream has a sentence a line and no blank lines. It is parsed to its end, or for so many seconds.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openPool } from "../../packages/core/dist/esm/node/index.js";

const { values } = parseArgs({
  options: {
    model: { type: "string", default: fileURLToPath(new URL("../../packages/model-en/en.stemma", import.meta.url)) },
    workers: { type: "string", default: "2" },
    mb: { type: "string", default: "52" },
    seconds: { type: "string", default: "60" },
  },
});
const LINE = "The old mill wheel turns slowly in the spring, and nobody who lives nearby has ever tried to stop it.";
const paragraph = (/** @type {number} */ bytes) => `${LINE} `.repeat(Math.ceil(bytes / (LINE.length + 1)));
const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

let taken = 0;
async function* lines() {
  const chunk = `${LINE}\n`.repeat(600);
  for (; taken < 1e6 * Number(values.mb); taken += chunk.length) yield chunk;
}

const pool = await openPool(values.model, { workers: Number(values.workers) });
/**
 * Milliseconds until the first sentence of a text, and of processor time of all threads, which other programs on the
 * machine change less.
 * @param {string} text
 * @param {typeof pool} [from]
 */
async function first(text, from = pool) {
  const start = performance.now();
  const before = process.cpuUsage();
  for await (const _ of from.parse(text)) break;
  const { user, system } = process.cpuUsage(before);
  return `${Math.round(performance.now() - start)} (${Math.round((user + system) / 1000)})`;
}

const cold = await first(paragraph(400e3));
const warm = [];
for (let i = 0; i < 5; i++) {
  warm.push(await first(paragraph(400e3)));
  await first(LINE);
}
console.log("milliseconds (of processor time)");
console.log(`first sentence of a paragraph of 400 kB: ${cold} while threads start, then ${warm.join(", ")}`);

const one = await openPool(values.model, { workers: 1 });
await first(LINE, one);
const waits = [];
for (let i = 0; i < 5; i++) {
  const reading = (async () => {
    for await (const _ of one.parse(paragraph(820e3), { signal: AbortSignal.timeout(200) }));
  })();
  await reading.then(
    () => console.log("it was parsed before it was aborted"),
    () => {},
  );
  waits.push(await first(LINE, one));
}
await one.close();
console.log(`a sentence after 820 kB were aborted in the only thread: ${waits.join(", ")}`);

const start = performance.now();
const last = start + 1000 * Number(values.seconds);
let parsed = 0;
let ahead = 0;
let words = 0;
/** The largest resident memory of each tenth of the time. @type {number[]} */
const memory = [];
for await (const sentence of pool.parseStream(lines())) {
  parsed = sentence.end;
  words += sentence.length;
  ahead = Math.max(ahead, taken - parsed);
  const now = performance.now();
  const tenth = Math.floor((10 * (now - start)) / (1000 * Number(values.seconds)));
  memory[tenth] = Math.max(memory[tenth] ?? 0, process.memoryUsage.rss());
  if (now > last) break;
}
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage();
console.log(`stream of ${values.mb} MB: ${megabytes(parsed)} parsed in ${seconds.toFixed(0)} s, ${words} words`);
console.log(`read ahead: at most ${megabytes(ahead)}; resident memory by tenths of the time:`);
console.log(memory.map(megabytes).join(", "), `(${((user + system) / 1e6).toFixed(0)} s of processor time in all)`);
await pool.close();
