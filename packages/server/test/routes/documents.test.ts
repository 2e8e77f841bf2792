// Documents in JSON Lines: in their order, with their fields, streamed both ways, and what is wrong with one in its
// place.
import { mkdtempSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, open, post, type Running, startServer } from "../helpers.js";

let running: Running;
beforeAll(async () => {
  running = await startServer();
});
afterAll(() => running.stop());

const TYPE = "application/x-ndjson";
const send = (lines: readonly unknown[], query = "", headers = {}) =>
  post(
    `${running.url}/v1/documents${query}`,
    TYPE,
    lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
    headers,
  );
// biome-ignore lint/suspicious/noExplicitAny: tests look into it
const linesOf = (text: string): any[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const TEXT = "Mina sells maps. Rek doesn't like old ponds!";

describe("POST /v1/documents", () => {
  it("adds sentences to each object, and keeps everything else as it is written", async () => {
    const lines = [
      `{"id": "a", "text": "${TEXT}", "n": 12345678901234567890, "more": {"x": [1.50]}}`,
      { text: "Toru finds lamps." },
      { text: "", id: 7 },
    ];
    const { status, headers, text } = await send(lines);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
    expect(text.split("\n")[0]).toContain('"n": 12345678901234567890, "more": {"x": [1.50]},"sentences":[{');
    const [first, second, third] = linesOf(text);
    expect(first.sentences.map(({ id }: { id: string }) => id)).toEqual(["a-1", "a-2"]);
    expect(second.sentences.map(({ id }: { id: string }) => id)).toEqual(["1"]);
    expect(third).toEqual({ text: "", id: 7, sentences: [] });
    const parsed = (await post(`${running.url}/v1/parse`, "text/plain", TEXT)).json();
    const words = (sentences: { words: unknown }[]) => sentences.map(({ words }) => words);
    expect(words(first.sentences)).toEqual(words(parsed.sentences));
  });

  it("gives a long document the sentences that its text has", async () => {
    const paragraphs = Array.from({ length: 300 }, (_, i) => `${TEXT} Number ${i} is here.`);
    const text = paragraphs.join("\n\n");
    const [document] = linesOf((await send([{ id: "long", text }])).text);
    const parsed = (await post(`${running.url}/v1/parse`, "text/plain", text)).json();
    const offsets = (sentences: { words: { start: number }[] }[]) => sentences.map(({ words }) => words[0]!.start);
    expect(document.sentences.length).toBeGreaterThan(600);
    expect(offsets(document.sentences)).toEqual(offsets(parsed.sentences));
    expect(document.sentences.at(-1).id).toBe(`long-${document.sentences.length}`);
  });

  it("says what is wrong with a document in its place", async () => {
    const long = Array.from({ length: 300 }, () => "maps").join(" ");
    const lines = [
      "no JSON",
      "[1]",
      { id: "x" },
      { text: 5 },
      { id: "long", text: `${long}.` },
      { text: "Toru finds lamps." },
    ];
    const deep = `{"text": "a", "deep": ${"[".repeat(100)}${"]".repeat(100)}}`;
    const answers = linesOf((await send([...lines, deep, { text: "Mina sells maps." }], "?tooLong=error")).text);
    expect(answers.length).toBe(8);
    expect(answers.slice(0, 5).map(({ problem }) => problem.status)).toEqual([400, 400, 400, 400, 422]);
    expect(answers[0]).toMatchObject({ line: "no JSON", problem: { type: "urn:stemma:problem:invalid-document" } });
    expect(answers[2]).toMatchObject({
      id: "x",
      problem: { detail: expect.stringContaining("textField names another") },
    });
    expect(answers[4]).toMatchObject({
      id: "long",
      sentences: [],
      problem: { type: expect.stringContaining("too-long") },
    });
    expect(answers[5].sentences.length).toBe(1);
    expect(answers[6]).toMatchObject({ problem: { detail: expect.stringContaining("nested too deeply") } });
    expect(answers[7].sentences.length).toBe(1);
    // Without the option, long sentences are divided.
    const [divided] = linesOf((await send([{ id: "long", text: `${long}.` }])).text);
    expect(divided.sentences.length).toBeGreaterThan(1);
    expect(divided.problem).toBeUndefined();
  });

  it("a document that costs too much is refused, and the others are parsed", async () => {
    const lines = [{ text: TEXT }, { text: "maps ".repeat(9000) }, { text: TEXT }];
    const answers = linesOf((await send(lines, "?trees=64")).text);
    expect(answers[1].problem).toMatchObject({ status: 422, type: "urn:stemma:problem:too-costly" });
    expect(answers[0].sentences[0].tree.rank).toBe(1);
    expect(answers[2].sentences.length).toBe(answers[0].sentences.length);
  });

  it("finds text and name in other fields", async () => {
    const query = "?textField=body.text&idField=key&scores=true";
    const answers = linesOf((await send([{ key: "k", body: { text: TEXT } }, { body: { text: TEXT } }], query)).text);
    expect(answers[0].sentences[0]).toMatchObject({ id: "k-1", words: [{ score: expect.any(Number) }, {}, {}, {}] });
    expect(answers[1].problem.detail).toContain('field "key"');
  });

  it("answers each document before the next one is sent", async () => {
    const { socket, text, until } = open(running.port);
    socket.write(
      `POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    for (const id of ["one", "two", "three"]) {
      const line = `${JSON.stringify({ id, text: "Mina sells maps." })}\n`;
      socket.write(`${line.length.toString(16)}\r\n${line}\r\n`);
      await until(`"id":"${id}-1"`);
    }
    socket.write("0\r\n\r\n");
    await until("\r\n0\r\n\r\n");
    expect(text()).toMatch(/^HTTP\/1\.1 200/);
    socket.destroy();
  });

  it("reads no faster than the answer is read", async () => {
    const own = await startServer({ maxBody: 1 << 28 });
    const socket = connect(own.port, "127.0.0.1");
    socket.pause();
    socket.on("error", () => {});
    const line = `${JSON.stringify({ text: TEXT.repeat(20) })}\n`;
    // More than the buffers of the system hold.
    const body = line.repeat(60_000);
    socket.write(
      `POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
    let before = -1;
    await eventually(async () => {
      const { bytesWritten, writableLength } = socket;
      const sent = bytesWritten - writableLength;
      await new Promise((resolve) => setTimeout(resolve, 300));
      const stands = sent === before && sent > 0;
      before = sent;
      return stands;
    }, "the sender has to wait");
    expect(before).toBeLessThan(body.length / 2);
    socket.destroy();
    await own.stop();
  });

  it("unpacks what is packed, up to a limit, and refuses what it does not know", async () => {
    const packed = gzipSync(`${JSON.stringify({ id: "z", text: TEXT })}\n`);
    const good = await post(`${running.url}/v1/documents`, TYPE, packed, { "Content-Encoding": "gzip" });
    expect(linesOf(good.text)[0].sentences.length).toBe(2);
    const bomb = gzipSync(Buffer.alloc(1 << 23, 32));
    expect(bomb.length).toBeLessThan(20_000);
    const refused = await post(`${running.url}/v1/documents`, TYPE, bomb, { "Content-Encoding": "gzip" });
    expect(refused.status).toBe(413);
    expect((await post(`${running.url}/v1/documents`, "application/json", "{}")).status).toBe(415);
    expect((await send([], "?keep=true")).json()).toMatchObject({ status: 400, field: "keep" });
    expect((await send([], "?model=bare")).status).toBe(422);
    expect((await send([], "", { Accept: "text/x-conllu" })).status).toBe(406);
    expect(await send([])).toMatchObject({ status: 200, text: "" });
  });

  it("a line that is too long is left out, and the rest is parsed", async () => {
    const answers = linesOf((await send([{ text: "maps ".repeat(1 << 18) }, { text: TEXT }])).text);
    expect(answers[0].problem.detail).toContain("at most 1 MB");
    expect(answers[1].sentences.length).toBe(2);
  });
});

describe("a document that ends its worker", () => {
  it("takes no other with it", async () => {
    const real = new URL("../../dist/pool/worker.js", import.meta.url).href;
    const script = join(mkdtempSync(join(tmpdir(), "stemma-worker-")), "worker.mjs");
    writeFileSync(
      script,
      `import { parentPort } from "node:worker_threads";
      parentPort.on("message", (pieces) => JSON.stringify(pieces).includes("poison") && process.exit(9));
      await import(${JSON.stringify(real)});`,
    );
    const own = await startServer({ worker: pathToFileURL(script), threads: 1 });
    const texts = ["Mina sells maps.", "Toru finds poison.", "Rek paints ponds."];
    const body = texts.map((text, id) => `${JSON.stringify({ id, text })}\n`).join("");
    const { status, text } = await post(`${own.url}/v1/documents`, TYPE, body);
    const answers = linesOf(text);
    expect(status).toBe(200);
    expect(answers.map(({ id, sentences }) => [id, sentences.length])).toEqual([
      [0, 1],
      [1, 0],
      [2, 1],
    ]);
    expect(answers[1].problem).toMatchObject({ status: 500, type: "urn:stemma:problem:worker-ended" });
    await own.stop();
  });
});
