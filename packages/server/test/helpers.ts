// A server on a real socket with a small pipeline, and clients for it.
import { mkdtempSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeModel } from "@stemma/core";
import { toyModel } from "../../core/test/toy-model.js";
import { toyPipelineFile } from "../../core/test/toy-pipeline-file.js";
import type { ServerOptions, StemmaServer } from "../src/index.js";

/** The package as it was built: workers need the built files, so all of it is taken from there. */
export function library(): Promise<typeof import("../src/index.js")> {
  return import(new URL("../dist/index.js", import.meta.url).href);
}

export interface Running {
  server: StemmaServer;
  port: number;
  url: string;
  /** Lines of the log, as objects. */
  log(): Record<string, string | number>[];
  stop(): Promise<void>;
}

let folder: string | undefined;

/** Paths of a model that reads text, "toy", and of one that only parses, "bare". */
export function modelFiles(): { toy: string; bare: string } {
  if (folder === undefined) {
    folder = mkdtempSync(join(tmpdir(), "stemma-server-"));
    writeFileSync(join(folder, "toy.stemma"), toyPipelineFile());
    writeFileSync(join(folder, "bare.stemma"), writeModel(toyModel()));
  }
  return { toy: join(folder, "toy.stemma"), bare: join(folder, "bare.stemma") };
}

export async function startServer(changes: Partial<ServerOptions> = {}): Promise<Running> {
  const { createServer } = await library();
  const { toy, bare } = modelFiles();
  const lines: string[] = [];
  const server = await createServer({
    models: { toy, bare },
    threads: 2,
    maxBody: 1 << 22,
    maxSentence: 200,
    // Longer than a busy machine takes.
    timeout: 60,
    log: "json",
    version: "0.0.0",
    logTo: { write: (text) => lines.push(...text.trim().split("\n")) },
    ...changes,
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.http.address() as AddressInfo;
  return {
    server,
    port,
    url: `http://127.0.0.1:${port}`,
    log: () => lines.map((line) => JSON.parse(line) as Record<string, string | number>),
    stop: () => server.stop(),
  };
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  json(): any;
}

/** Sends a request with nothing but the given headers. */
export function send(
  url: string,
  {
    method = "POST",
    headers = {},
    body = "",
  }: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = request(url, { method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk) => chunks.push(chunk));
      res.on("error", reject);
      res.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: res.statusCode!, headers: res.headers, text, json: () => JSON.parse(text) });
      });
    });
    req.on("error", reject);
    req.end(body);
  });
}

export const post = (url: string, type: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  send(url, { headers: { "Content-Type": type, ...headers }, body });

export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  post(url, "application/json", JSON.stringify(body), headers);

/** A connection to write bytes to; `text` is what came back, `closed` resolves when the other side has ended. */
export function open(port: number): {
  socket: Socket;
  text(): string;
  closed: Promise<void>;
  until(part: string): Promise<void>;
} {
  const socket = connect(port, "127.0.0.1");
  const chunks: string[] = [];
  socket.setEncoding("utf8");
  socket.on("error", () => {});
  const text = () => chunks.join("");
  let check = () => {};
  socket.on("data", (chunk: string) => {
    chunks.push(chunk);
    check();
  });
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  const until = (part: string) =>
    new Promise<void>((resolve) => {
      check = () => {
        if (!text().includes(part)) return;
        check = () => {};
        resolve();
      };
      check();
    });
  return { socket, text, closed, until };
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Waits until something is so, at most a minute: on a busy machine it may come late. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const begin = performance.now(); performance.now() - begin < 60_000; await sleep(10)) if (await holds()) return;
  throw new Error(`never: ${what}`);
}
