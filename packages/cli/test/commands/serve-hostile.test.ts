// `stemma serve` as a process of its own, with the heap of deploy/kubernetes, and clients that mean harm.
import { type ChildProcess, spawn } from "node:child_process";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { modelFiles, post } from "../../../server/test/helpers.js";
import { STEMMA } from "../stemma.js";

let child: ChildProcess | undefined;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  child?.kill("SIGKILL");
});

function start(...args: string[]): Promise<{ url: string; port: number }> {
  const node = [
    "--max-old-space-size=768",
    STEMMA,
    "serve",
    "--port",
    "0",
    "--threads",
    "2",
    "--model",
    modelFiles().toy,
    ...args,
  ];
  const started = spawn(process.execPath, node, { stdio: ["ignore", "ignore", "pipe"] });
  child = started;
  let log = "";
  return new Promise((resolve, reject) => {
    started.stderr.on("data", (chunk) => {
      log += chunk;
      const port = /"event":"listening".*"port":(\d+)/.exec(log)?.[1];
      if (port) resolve({ url: `http://127.0.0.1:${port}`, port: Number(port) });
    });
    started.on("exit", (code) => reject(new Error(`ended with ${code}: ${log}`)));
  });
}

describe("stemma serve with a heap of 768 MB", () => {
  it("survives 30 clients that ask for 64 drawings of each sentence and read nothing; others are answered", async () => {
    const { url, port } = await start();
    const body = `${"Mina sells maps and ".repeat(6)}maps. `.repeat(15).slice(0, 1860);
    const head =
      "POST /v1/parse?trees=64&svg=true HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n" +
      `Content-Length: ${body.length}\r\n\r\n`;
    for (let i = 0; i < 30; i++) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      socket.pause();
      socket.write(head + body);
      sockets.push(socket);
    }
    const statuses: number[] = [];
    let used = 0;
    // A server without this limit ended within this time.
    const end = performance.now() + 20_000;
    while (performance.now() < end) {
      const { status } = await post(`${url}/v1/parse`, "text/plain", "Mina sells maps.");
      statuses.push(status);
      const { text } = await post(`${url}/v1/parse?trees=4&svg=true`, "text/plain", "Mina sells maps.");
      expect(JSON.parse(text).sentences.length).toBeGreaterThan(1);
      const metrics = await (await fetch(`${url}/metrics`)).text();
      used = Math.max(used, Number(/^stemma_answer_memory_characters (\d+)/m.exec(metrics)![1]));
    }
    expect(statuses.length).toBeGreaterThan(3);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(used).toBeGreaterThan(10e6);
    expect(used).toBeLessThan(110e6);
    expect(child!.exitCode).toBe(null);
  });
});
