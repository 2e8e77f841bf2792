// Honest clients of server-soak.mjs. As a thread of its own it runs those with short requests: what others receive
// meanwhile, and compare, is not part of their latency.
import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { longRequest, requests } from "./server-requests.mjs";

const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const until = (/** @type {number} */ ms) => {
  const end = performance.now() + ms;
  return () => performance.now() < end;
};

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

/** @typedef {{ honest: number, long: number, refused: number, late: number, wrong: number, lost: number }} Totals */

/** @returns {Totals} */
export const noTotals = () => ({ honest: 0, long: 0, refused: 0, late: 0, wrong: 0, lost: 0 });

/** Statuses of a server that takes no work, and of a request that waited too long for a worker. */
const REFUSED = [429, 503];
const LATE = 504;

/**
 * A client that sends one request after the other, short texts in turn or the long one.
 *
 * @param {number} port @param {() => boolean} goesOn @param {{ expected: readonly string[], totals: Totals, latencies?:
 * number[], pause?: number, long?: boolean, ends?: boolean, oneEach?: boolean }} how `expected`: answers to the short
 * texts, or to the long one; `ends`: the server may end meanwhile; `oneEach`: a connection for each request
 */
export async function honest(
  port,
  goesOn,
  { expected, totals, latencies = [], pause = 0, long = false, ends = false, oneEach = false },
) {
  let client = new Client(port);
  for (let i = Math.floor(Math.random() * requests.length); goesOn(); i = (i + 1) % requests.length) {
    if (pause > 0) await sleep(2 * pause * Math.random());
    if (client.ended || oneEach) {
      client.socket.destroy();
      client = new Client(port);
    }
    const begun = performance.now();
    const answer = await client.ask(long ? longRequest : /** @type {Buffer} */ (requests[i]));
    if (!answer) {
      if (ends && client.refused) return;
      // An answer that is broken off says why at its end.
      const reason = /"type":"urn:stemma:problem:([\w-]+)/.exec(client.buffer.subarray(-2000).toString())?.[1];
      totals[reason === "timeout" ? "late" : "lost"]++;
      if (!ends) {
        const ms = (performance.now() - begun).toFixed(0);
        console.error(
          `ended after ${ms} ms and ${client.buffer.length} bytes: ${reason} (${long ? "long" : `text ${i}`})`,
        );
      }
      if (ends) return;
      continue;
    }
    if (REFUSED.includes(answer.status) || answer.status === LATE) {
      totals[answer.status === LATE ? "late" : "refused"]++;
      const ms = (performance.now() - begun).toFixed(0);
      console.error(`${answer.status} after ${ms} ms: ${answer.body} (${long ? "long" : `text ${i}`})`);
      await sleep(50);
      continue;
    }
    latencies.push(performance.now() - begun);
    if (long) totals.long++;
    else totals.honest++;
    const body = answer.body.toString();
    if (answer.status === 200 && body === expected[long ? 0 : i]) continue;
    totals.wrong++;
    if (totals.wrong <= 5)
      console.error(`wrong: ${answer.status} ${body.slice(-300)} (${long ? "long" : `text ${i}`})`);
  }
  client.socket.destroy();
}

if (parentPort) {
  const { port, ms, clients, pause, expected } = workerData;
  /** @type {number[]} */
  const latencies = [];
  const totals = noTotals();
  const goesOn = until(ms);
  await Promise.all(
    Array.from({ length: clients }, () => honest(port, goesOn, { expected, totals, latencies, pause })),
  );
  parentPort.postMessage({ latencies, totals });
}
