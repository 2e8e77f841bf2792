// Whether the server's memory stays: `node --expose-gc bench/reliability/server-memory.mjs [--rounds 60] [--model FILE]`. Runs the
// server in this process. A round is every hostile request of server-soak.mjs once, one of them ending a worker that
// takes too long, a long honest request and 50 short ones. Counts in rounds, not in time: it does not matter how busy
// the machine is. Prints the memory, with that of JavaScript after a collection.
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createServer } from "../../packages/server/dist/index.js";
import { ATTACKS, longRequest, requests } from "./server-requests.mjs";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "60" },
    model: { type: "string", default: fileURLToPath(new URL("../../packages/model-en/en.stemma", import.meta.url)) },
  },
});
const server = await createServer({ models: { en: values.model }, threads: 2, pieceTime: 0.5 });
await server.listen({ host: "127.0.0.1", port: 0 });
const { port } = /** @type {import("node:net").AddressInfo} */ (server.http.address());
const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Sends bytes, reads what comes back or does not, and goes away when the server has nothing more to do.
 * @param {string | Buffer} data @param {boolean} [reads]
 */
async function send(data, reads = true) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  if (reads) socket.resume();
  socket.write(data);
  const answered = new Promise((resolve) => socket.on("data", resolve));
  await Promise.race([answered, sleep(1000)]);
  socket.resetAndDestroy();
}

const mb = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(0).padStart(4);
console.log("rounds  resident  JavaScript  buffers  workers replaced (MB)");
for (let round = 0; round <= Number(values.rounds); round++) {
  if (round % 10 === 0) {
    while (server.service.scheduler.busy + server.service.scheduler.waiting > 0) await sleep(20);
    globalThis.gc?.();
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
    const replaced = server.service.scheduler.counters.replaced;
    console.log(
      `${String(round).padStart(6)}      ${mb(rss)}        ${mb(heapUsed)}     ${mb(arrayBuffers)}  ${replaced}`,
    );
  }
  for (const [data, reads] of ATTACKS) await send(data, reads);
  await Promise.all([longRequest, ...requests.slice(0, 50)].map((request) => send(request)));
}
await server.stop();
