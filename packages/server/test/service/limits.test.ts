// The server when clients or workers misbehave.
import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { eventually, open, post, postJson, type Running, send, sleep, startServer } from "../helpers.js";

const worker = new URL("./dying-worker.mjs", import.meta.url);
const slow = { tokens: [["SLOW"]] };
/** Words that make a request large. */
const FILLER = Array(190).fill("aaaaaaaaa");

let running: Running;
const start = async (changes: Parameters<typeof startServer>[0]) => {
  running = await startServer({ worker, threads: 1, express: false, ...changes });
  return `${running.url}/v1/parse`;
};
afterEach(() => running.stop());

const metric = async (name: string) => {
  const { text } = await send(`${running.url}/metrics`, { method: "GET" });
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)![1]);
};

describe("the server", () => {
  it("refuses requests when too many wait, and takes them again afterwards", async () => {
    const parse = await start({ queue: 3 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => postJson(parse, slow)));
    const refused = answers.filter(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 200).length).toBe(4);
    expect(refused).toHaveLength(4);
    for (const { headers, json } of refused) {
      expect(headers["retry-after"]).toBe("1");
      expect(json().type).toBe("urn:stemma:problem:queue-full");
    }
    expect((await postJson(parse, slow)).status).toBe(200);
  });

  it("drops what waits when the client goes away, and goes on with the others", async () => {
    const parse = await start({});
    // For longer than it takes to find out that a client which has closed its half of the connection is not there any
    // more.
    const busy = postJson(parse, { tokens: Array(24).fill(["SLOW"]) });
    await eventually(() => running.server.service.scheduler.busy === 1, "the worker is busy");
    const gone = Array.from({ length: 5 }, () => {
      const req = request(parse, { method: "POST", headers: { "Content-Type": "application/json" }, agent: false });
      req.on("error", () => {});
      req.end(JSON.stringify({ tokens: Array(40).fill(Array(150).fill("maps")) }));
      return req;
    });
    await eventually(() => running.server.service.scheduler.waiting >= 15, "pieces wait");
    for (const req of gone) req.destroy();
    await eventually(() => running.server.service.scheduler.waiting === 0, "nothing waits");
    expect(await metric("stemma_pieces_dropped_total")).toBeGreaterThanOrEqual(15);
    expect((await busy).status).toBe(200);
    expect((await postJson(parse, { tokens: [["a"]] })).status).toBe(200);
    expect(running.log().filter(({ status }) => status === 499)).toHaveLength(5);
  });

  it("serves small requests before larger ones that came first, and these before what large ones go on with", async () => {
    const parse = await start({});
    // Long enough for all of the following to arrive.
    const busy = postJson(parse, { tokens: Array(15).fill(["SLOW"]) });
    await eventually(() => running.server.service.scheduler.busy === 1, "the worker is busy");
    const order: string[] = [];
    const requests: [string, object][] = [
      ["large", { tokens: Array(4).fill(["SLOW", ...FILLER]) }],
      ["larger", { tokens: [["SLOW", ...FILLER]] }],
      ["small", slow],
    ];
    const answers: Promise<unknown>[] = [busy];
    for (const [name, body] of requests) {
      const { waiting } = running.server.service.scheduler;
      answers.push(postJson(parse, body).then(({ status }) => order.push(`${name} ${status}`)));
      await eventually(() => running.server.service.scheduler.waiting > waiting, `${name} waits`);
    }
    await Promise.all(answers);
    expect(order).toEqual(["small 200", "larger 200", "large 200"]);
  });

  it("serves small requests while all workers are at long ones", async () => {
    const parse = await start({ express: true });
    const long = Array.from({ length: 4 }, () => postJson(parse, { tokens: [[...Array(6).fill("SLOW"), ...FILLER]] }));
    await eventually(() => running.server.service.scheduler.waiting === 3, "the worker is busy");
    expect(running.server.service.scheduler.busy).toBe(1);
    const small = await Promise.all(Array.from({ length: 5 }, () => postJson(parse, { tokens: [["maps"]] })));
    expect(small.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(running.server.service.scheduler.waiting).toBeGreaterThan(0);
    for (const { status } of await Promise.all(long)) expect(status).toBe(200);
  });

  it("answers a request as soon as it is done, though others in the same message are not", async () => {
    const parse = await start({});
    const busy = postJson(parse, { tokens: Array(15).fill(["SLOW"]) });
    await eventually(() => running.server.service.scheduler.busy === 1, "the worker is busy");
    const answers = [postJson(parse, slow), postJson(parse, slow), postJson(parse, slow)];
    await eventually(() => running.server.service.scheduler.waiting === 3, "they wait");
    await busy;
    await Promise.race(answers);
    expect(running.server.service.metrics.inFlight).toBeGreaterThan(0);
    await Promise.all(answers);
  });

  it("replaces a worker that ends; only the request that ended it fails", async () => {
    const parse = await start({ threads: 2 });
    // Keep both workers busy, so that what follows waits and travels together.
    const busy = [postJson(parse, slow), postJson(parse, slow)];
    await eventually(() => running.server.service.scheduler.busy === 2, "the workers are busy");
    const others = Array.from({ length: 12 }, (_, i) => postJson(parse, { tokens: [[i === 5 ? "FATAL" : "maps"]] }));
    const answers = await Promise.all([...busy, ...others]);
    expect(answers.map(({ status }) => status)).toEqual([
      200,
      200,
      ...Array.from({ length: 12 }, (_, i) => (i === 5 ? 500 : 200)),
    ]);
    expect(answers[7]!.json().type).toBe("urn:stemma:problem:worker-ended");
    expect(await metric("stemma_workers_replaced_total")).toBe(1);
    await eventually(() => running.server.service.scheduler.busy === 0, "a new worker is ready");
    expect((await postJson(parse, slow)).status).toBe(200);
    await eventually(() => running.log().some(({ event }) => event === "worker-ended"), "the log says it");
  });

  it("survives one request after another that ends its worker", async () => {
    const parse = await start({ threads: 2 });
    for (let i = 0; i < 3; i++) expect((await postJson(parse, { tokens: [["FATAL"]] })).status).toBe(500);
    expect((await postJson(parse, { tokens: [["maps"]] })).status).toBe(200);
  });

  it("refuses bodies that are too large, whether they say so or not", async () => {
    const parse = await start({ maxBody: 100_000 });
    const large = "Mina sells maps. ".repeat(20_000);
    const said = await post(parse, "text/plain", large);
    expect([said.status, said.json().field]).toEqual([413, "body"]);
    for (const type of ["text/plain", "application/json"]) {
      const unsaid = await post(parse, type, large, { "Transfer-Encoding": "chunked" });
      expect([unsaid.status, unsaid.json().field]).toEqual([413, "body"]);
    }
    // With Expect: 100-continue the body is not even sent.
    const { socket, text, closed } = open(running.port);
    socket.write(
      "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 200000\r\nExpect: 100-continue\r\n\r\n",
    );
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 413 /);
    const asked = open(running.port);
    asked.socket.write(
      "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
    );
    await asked.until("100 Continue");
    asked.socket.write("maps.");
    await asked.closed;
    expect(asked.text()).toContain('"form":"maps"');
  });

  it("does not wait for ever: for a head, for a body, for a slow one, or for the end", async () => {
    const parse = await start({ headTimeout: 0.5, idleTimeout: 0.5, timeout: 1.2 });
    const head = open(running.port);
    head.socket.write("POST /v1/parse HTTP/1.1\r\nHo");
    const body = open(running.port);
    body.socket.write(
      "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 50\r\n\r\nMina",
    );
    const drip = open(running.port);
    drip.socket.write(
      "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n",
    );
    const timer = setInterval(() => drip.socket.write(" "), 100);
    const long = post(parse, "application/json", JSON.stringify({ tokens: Array(15).fill(["SLOW", "a"]) }));
    await Promise.all([head.closed, body.closed, drip.closed]);
    clearInterval(timer);
    for (const { text } of [head, body, drip]) {
      expect(text()).toMatch(/^HTTP\/1\.1 408 /);
      expect(text()).toContain("application/problem+json");
    }
    expect((await long).status).toBe(504);
    expect((await postJson(parse, { tokens: [["a"]] })).status).toBe(200);
  });

  it("breaks an answer off that it cannot complete, and says why in it", async () => {
    await start({ threads: 1 });
    for (const [accept, expected] of [
      ["application/x-ndjson", '\n{"problem":{"type":"urn:stemma:problem:sentence-too-long"'],
      ["application/json", '],"problem":{"type":"urn:stemma:problem:sentence-too-long"'],
      ["text/x-conllu", '\n# problem = {"type":"urn:stemma:problem:sentence-too-long"'],
    ]) {
      const { socket, text, closed, until } = open(running.port);
      socket.write(
        `POST /v1/parse?tooLong=error HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nAccept: ${accept}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const chunk = (part: string) => socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
      chunk("Mina sells boats.\n\nRek");
      await until("boats");
      chunk(`${" maps".repeat(300)}\n\nToru`);
      await closed;
      expect(text()).toMatch(/^HTTP\/1\.1 200 /);
      expect(text()).toContain(expected);
      expect(text()).not.toMatch(/\r\n0\r\n\r\n$/);
    }
  });

  it("divides a sentence of a text that is too long, marks its parts, and refuses it where that is asked for", async () => {
    const parse = await start({});
    const text = `Mina sells boats. Rek${" maps".repeat(300)}. Toru paints.`;
    const { status, json } = await post(parse, "text/plain", text);
    expect(status).toBe(200);
    const parts = json().sentences.filter(({ comments = [] }) => comments.some((line: string) => /part/.test(line)));
    expect(parts.length).toBeGreaterThan(1);
    const words = json().sentences.flatMap((sentence: { words: unknown[] }) => sentence.words);
    expect([words.length > 300, words.length]).toEqual([true, expect.any(Number)]);
    const refused = await post(`${parse}?tooLong=error`, "text/plain", text);
    expect([refused.status, refused.json().type]).toEqual([422, "urn:stemma:problem:sentence-too-long"]);
    const wrong = await postJson(parse, { text, tooLong: "cut" });
    expect([wrong.status, wrong.json().detail]).toEqual([400, 'invalid tooLong: "cut" (expected split or error)']);
  });

  it("counts a client that hangs up in the middle of a body as gone", async () => {
    await start({});
    const { socket } = open(running.port);
    socket.end(
      "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nMina",
    );
    await eventually(() => running.log().some(({ path }) => path === "/v1/parse"), "it is logged");
    expect(running.log().find(({ path }) => path === "/v1/parse")!.status).toBe(499);
  });

  it("answers garbage after a good request at once, and the request before it", async () => {
    await start({});
    const { socket, text, closed } = open(running.port);
    const begun = performance.now();
    const body = JSON.stringify({ tokens: [["maps"]] });
    socket.write(
      `POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}no HTTP\r\n\r\n`,
    );
    await closed;
    expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it("answers 1,000 connections at a time", async () => {
    const parse = await start({ threads: 2, queue: 2000 });
    const sockets = await Promise.all(
      Array.from({ length: 1000 }, async () => {
        const connection = open(running.port);
        await new Promise((resolve) => connection.socket.once("connect", resolve));
        return connection;
      }),
    );
    await eventually(() => running.server.service.metrics.connections === 1000, "1,000 connections");
    sockets.forEach(({ socket }, i) => {
      const body = JSON.stringify({ tokens: [["Mina", "sells", `maps${i}`]] });
      socket.write(
        `POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    });
    await Promise.all(sockets.map(({ closed }) => closed));
    sockets.forEach(({ text }, i) => {
      expect(text()).toMatch(/^HTTP\/1\.1 200 /);
      expect(text()).toContain(`"form":"maps${i}"`);
    });
    expect((await postJson(parse, { tokens: [["a"]] })).status).toBe(200);
  });

  it("answers several requests on one connection, in their order", async () => {
    await start({ threads: 2 });
    const { socket, text, closed } = open(running.port);
    const message = (word: string, more = "") => {
      const body = JSON.stringify({ tokens: [[word]] });
      return `POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
    };
    socket.write(message("SLOW") + message("second") + message("third", "Connection: close\r\n"));
    await closed;
    expect([...text().matchAll(/"text":"(\w+)"/g)].map((match) => match[1])).toEqual(["SLOW", "second", "third"]);
  });

  it("finishes what it has accepted when it is asked to end", async () => {
    const parse = await start({ threads: 1 });
    const kept = open(running.port);
    kept.socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await kept.until("ready");
    const answers = Array.from({ length: 6 }, () => postJson(parse, slow));
    await eventually(() => running.server.service.scheduler.waiting === 5, "all are there");
    const drained = running.server.drain(10);
    kept.socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await kept.until('"draining"');
    expect(kept.text()).toMatch(/HTTP\/1\.1 503 /);
    await eventually(() => !running.server.http.listening, "it listens no more");
    await expect(send(`${running.url}/health`, { method: "GET" })).rejects.toThrow("ECONNREFUSED");
    for (const answer of await Promise.all(answers))
      expect([answer.status, answer.headers.connection]).toEqual([200, "close"]);
    expect(await drained).toBe(true);
  });

  it("answers those who are connected but not accepted yet when it is asked to end", async () => {
    await start({});
    const clients = Array.from({ length: 20 }, () => open(running.port));
    for (const { socket } of clients) socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(await running.server.drain(10)).toBe(true);
    await Promise.all(clients.map(({ closed }) => closed));
    for (const { text } of clients) expect(text()).toContain('"draining"');
  });

  it("accepts whoever comes shortly after the others, and answers when it no longer listens", async () => {
    await start({});
    const drained = running.server.drain(10);
    const listened: boolean[] = [];
    const ask = async () => {
      const { socket, text, closed } = open(running.port);
      socket.once("data", () => listened.push(running.server.http.listening));
      socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await closed;
      return text();
    };
    const answers: Promise<string>[] = [];
    for (let i = 0; i < 4; i++) {
      answers.push(ask());
      await sleep(50);
    }
    const gone = open(running.port);
    gone.socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await sleep(20);
    gone.socket.destroy();
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/"draining"/);
    expect(listened).toEqual([false, false, false, false]);
    expect(await drained).toBe(true);
  });

  it("ends only when clients have read all answers", async () => {
    await start({});
    const { socket, text, closed } = open(running.port);
    await eventually(() => running.server.service.metrics.connections === 1, "it is connected");
    socket.pause();
    // More than the system keeps for a client that does not read.
    const count = 40;
    const body = JSON.stringify({ tokens: Array(10).fill(Array(200).fill("maps")) });
    const head = `POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    socket.write(`${head}\r\n\r\n${body}`.repeat(count));
    const { scheduler, metrics } = running.server.service;
    await eventually(() => scheduler.busy > 0, "the worker is busy");
    await eventually(() => scheduler.busy + scheduler.waiting === 0, "all are done");
    expect(metrics.inFlight).toBeGreaterThan(0);
    const drained = running.server.drain(20);
    await sleep(1500);
    socket.resume();
    await closed;
    expect(text().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(count);
    expect(await drained).toBe(true);
  });

  it("waits for clients that are slow because the whole machine is", async () => {
    await start({});
    const { socket, text, closed } = open(running.port);
    socket.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await eventually(() => text().includes("live"), "it is connected");
    const drained = running.server.drain(10);
    await eventually(() => !running.server.http.listening, "it listens no more");
    // Nothing in this process goes on for a while, as if the processor were busy with others.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1300);
    await sleep(100);
    socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await closed;
    expect(text()).toContain('"draining"');
    expect(await drained).toBe(true);
  });

  it("counts clients that hang up while it ends as gone", async () => {
    const parse = await start({ threads: 1, maxAnswers: 1 << 20 });
    const body = JSON.stringify(slow);
    const head = `POST ${new URL(parse).pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
    const clients = Array.from({ length: 60 }, () => open(running.port));
    for (const { socket } of clients) socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    await eventually(() => running.server.service.connections.accepted === 60, "all are there");
    const drained = running.server.drain(20);
    for (const { socket } of clients) socket.destroy();
    expect(await drained).toBe(true);
    const lines = running.log();
    expect(lines.filter(({ event }) => event === "error")).toEqual([]);
    const statuses = lines.filter(({ path }) => path === "/v1/parse").map(({ status }) => status);
    expect(statuses.length).toBeGreaterThan(30);
    expect(statuses.filter((status) => status !== 499 && status !== 200)).toEqual([]);
  });

  it("ends at the deadline when clients do not", async () => {
    const parse = await start({ threads: 1 });
    const late = postJson(parse, { tokens: Array(30).fill(["SLOW", ...Array(199).fill("a")]) });
    await Promise.all([
      expect(late).rejects.toThrow(),
      sleep(200)
        .then(() => running.server.drain(0.2))
        .then((ok) => expect(ok).toBe(false)),
    ]);
  });
});
