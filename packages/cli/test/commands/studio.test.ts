import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { register } from "../../src/commands/parsing/studio.js";
import { createStudioServer } from "../../src/commands/parsing/studio-server.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-studio-"));
const page = join(folder, "page");
let server: Server;
let port: number;

beforeAll(async () => {
  mkdirSync(join(page, "assets"), { recursive: true });
  writeFileSync(join(page, "index.html"), "<!doctype html>the page");
  writeFileSync(join(page, "assets", "app-1234.js"), "export {};");
  writeFileSync(join(folder, "secret.txt"), "not for you");
  writeFileSync(join(folder, "model.stemma"), "the model");
  writeFileSync(join(folder, "größer 2.stemma"), "another model");
  server = await createStudioServer(page, [join(folder, "model.stemma"), join(folder, "größer 2.stemma")]);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

interface Answer {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

function get(
  path: string,
  { method = "GET", headers = {} as Record<string, string>, at = port } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: at, path, method, headers, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => (body += chunk));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

test("answers under the names of this machine only, so that no page of another site reads the models", async () => {
  for (const host of ["localhost", `127.0.0.1:${port}`, "[::1]:80"]) {
    expect((await get("/en.stemma", { headers: { host } })).body, host).toBe("the model");
  }
  for (const host of ["evil.example", "localhost:99999@evil", "127.0.0.1.evil.example"]) {
    const { status, body } = await get("/en.stemma", { headers: { host } });
    expect([status, body], host).toEqual([421, expect.stringContaining("unknown host")]);
  }
  expect((await get("http://evil.example/en.stemma")).status).toBe(421);
  expect((await get("/en.stemma", { headers: { origin: "http://evil.example" } })).status).toBe(403);
});

test("serves the page, its parts and the model", async () => {
  const index = await get("/");
  expect(index).toMatchObject({ status: 200, body: "<!doctype html>the page" });
  expect(index.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(index.headers["cache-control"]).toBe("no-cache");
  expect((await get("/?x=1#y")).status).toBe(200);
  const script = await get("/assets/app-1234.js");
  expect(script.headers["content-type"]).toContain("text/javascript");
  expect(script.headers["cache-control"]).toContain("immutable");
  const model = await get("/en.stemma");
  expect(model).toMatchObject({ status: 200, body: "the model" });
  expect(model.headers["content-length"]).toBe("9");
});

test("lists the models, and gives each of them", async () => {
  const { body, headers } = await get("/models.json");
  expect(headers["content-type"]).toBe("application/json");
  const list = JSON.parse(body);
  expect(list).toEqual([
    { name: "model.stemma", file: "en.stemma", bytes: 9 },
    { name: "größer 2.stemma", file: `models/1/${encodeURIComponent("größer 2.stemma")}`, bytes: 13 },
  ]);
  expect((await get(`/${list[1].file}`)).body).toBe("another model");
});

test("text is packed for clients that take it, models are not", async () => {
  const raw = (path: string, accept: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { "accept-encoding": accept } });
  for (const [accept, coding] of [
    ["gzip", "gzip"],
    ["br, gzip;q=0.5", "br"],
    ["identity", null],
  ] as const) {
    const answer = await raw("/", accept);
    expect(answer.headers.get("content-encoding")).toBe(coding);
    expect(answer.headers.get("vary")).toBe("accept-encoding");
    expect(await answer.text()).toBe("<!doctype html>the page");
    const model = await raw("/en.stemma", accept);
    expect(model.headers.get("content-encoding")).toBeNull();
    expect(await model.text()).toBe("the model");
  }
  // Each coding has a version of its own.
  const tags = await Promise.all(
    ["gzip", "br", "identity"].map(async (one) => (await raw("/", one)).headers.get("etag")),
  );
  expect(new Set(tags).size).toBe(3);
});

test("answers HEAD, a known version and other methods as HTTP wants it", async () => {
  const head = await get("/", { method: "HEAD" });
  expect(head).toMatchObject({ status: 200, body: "" });
  const again = await get("/", { headers: { "if-none-match": String(head.headers.etag) } });
  expect(again).toMatchObject({ status: 304, body: "" });
  const post = await get("/", { method: "POST" });
  expect(post.status).toBe(405);
  expect(post.headers.allow).toBe("GET, HEAD");
});

test.each([
  "/../secret.txt",
  "/assets/../../secret.txt",
  "/%2e%2e/secret.txt",
  "/..%2fsecret.txt",
  "/..\\secret.txt",
  "//etc/passwd",
  "/assets/",
  "/assets",
  "/constructor",
  "/%00",
])("does not leave its folder: %s", async (path) => {
  const answer = await get(path);
  expect(answer.status).toBe(404);
  expect(answer.body).not.toContain("not for you");
});

test("a request target that is no path is answered with nothing of the disk", async () => {
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write("GET http://127.0.0.1/../secret.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    });
    let text = "";
    socket.on("data", (chunk) => (text += chunk));
    socket.on("close", () => resolve(text));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 421/);
  expect(answer).not.toContain("secret");
});

async function studio(...args: string[]): Promise<void> {
  const program = new Command().exitOverride().configureOutput({ writeErr() {} });
  register(program);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr() {} });
  await program.parseAsync(["studio", ...args], { from: "user" });
}

test("stemma studio serves until Ctrl-C", async () => {
  let said = "";
  let complained = "";
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    said += chunk;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    complained += chunk;
    return true;
  });
  const running = studio("--no-open");
  await vi.waitFor(() => expect(said + complained).toMatch(/127\.0\.0\.1|not built/));
  if (complained.includes("not built")) {
    await running;
    expect(process.exitCode).toBe(2);
    return;
  }
  const at = Number(/:(\d+)\//.exec(said)![1]);
  expect((await get("/", { at })).body).toContain("Stemma Studio");
  process.emit("SIGINT");
  await running;
  await expect(get("/", { at })).rejects.toThrow();
});

test("the port is always the same, or the next one if it is taken", async () => {
  const ports: number[] = [];
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    const found = /127\.0\.0\.1:(\d+)/.exec(String(chunk));
    if (found) ports.push(Number(found[1]));
    return true;
  });
  const running = [studio("--no-open")];
  await vi.waitFor(() => expect(ports.length === 1 || process.exitCode === 2).toBe(true));
  if (process.exitCode === 2) return;
  running.push(studio("--no-open"));
  await vi.waitFor(() => expect(ports).toHaveLength(2));
  // Another program may have the first ones.
  expect(ports[0]).toBeGreaterThanOrEqual(8378);
  expect(ports[1]).toBeGreaterThan(ports[0]!);
  process.emit("SIGINT");
  await Promise.all(running);
});

test("a port that is taken, a model that is missing and a wrong port are errors", async () => {
  let complained = "";
  vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    complained += chunk;
    return true;
  });
  const taken = createSocket();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port: busy } = taken.address() as AddressInfo;
  await studio("--no-open", "--port", String(busy));
  expect(complained).toMatch(/cannot listen: it is taken|not built/);
  expect(process.exitCode).toBe(2);
  taken.close();
  complained = "";
  await studio("--no-open", "--model", join(folder, "nothing.stemma"));
  expect(complained).toMatch(/nothing\.stemma: cannot read|not built/);
  await expect(studio("--port", "70000")).rejects.toThrow(/expected a whole number from 0 to 65535/);
});
