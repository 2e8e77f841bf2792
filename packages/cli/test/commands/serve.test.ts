// `stemma serve` as a process of its own.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { Agent, request } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, modelFiles } from "../../../server/test/helpers.js";
import { STEMMA } from "../stemma.js";

interface Process {
  child: ChildProcess;
  port: number;
  log(): string;
  exit: Promise<number | null>;
}

function start(...args: string[]): Promise<Process> {
  const child = spawn(process.execPath, [STEMMA, "serve", "--port", "0", "--model", modelFiles().toy, ...args]);
  let log = "";
  const exit = new Promise<number | null>((resolve) => child.on("exit", resolve));
  return new Promise((resolve, reject) => {
    child.stderr!.on("data", (chunk) => {
      log += chunk;
      const port = /"event":"listening".*"port":(\d+)/.exec(log)?.[1];
      if (port) resolve({ child, port: Number(port), log: () => log, exit });
    });
    exit.then(() => reject(new Error(log)));
  });
}

/** A port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

const listening = (port: number) => eventually(() => isListening(port), "the server listens");

function ask(port: number, agent: Agent, body: string, more = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "text/plain", "Content-Length": Buffer.byteLength(body), ...more };
    const req = request({ port, host: "127.0.0.1", path: "/v1/parse", method: "POST", headers, agent }, (res) => {
      let text = "";
      res.setEncoding("utf8");
      res.on("data", (chunk) => {
        text += chunk;
      });
      res.on("error", reject);
      res.on("aborted", () => reject(new Error("cut off")));
      res.on("end", () => resolve({ status: res.statusCode!, text }));
    });
    req.on("error", reject);
    req.end(body);
  });
}

describe("stemma serve", () => {
  it("finishes what it has accepted on SIGTERM under load, and ends with 0", async () => {
    const { child, port, log, exit } = await start("--threads", "2");
    const agent = new Agent({ keepAlive: true, maxSockets: 40 });
    let [answered, refused] = [0, 0];
    const lost: string[] = [];
    let ended = false;
    const client = async (number: number) => {
      for (let i = 0; !ended; i++) {
        try {
          const { status, text } = await ask(port, agent, `Mina sells maps${number}x${i}.\n\nRek likes boats.`);
          expect(status).toBe(200);
          expect(JSON.parse(text).sentences[0].text).toBe(`Mina sells maps${number}x${i}.`);
          answered++;
        } catch (error) {
          // Once it has stopped listening, nobody can connect; what was connected must be answered.
          if ((error as NodeJS.ErrnoException).code === "ECONNREFUSED") refused++;
          else lost.push(String(error));
          ended = true;
        }
      }
    };
    const clients = Array.from({ length: 40 }, (_, i) => client(i));
    await eventually(() => answered > 40, "all are served");
    child.kill("SIGTERM");
    await Promise.all(clients);
    expect(await exit).toBe(0);
    expect(lost).toEqual([]);
    expect(refused).toBeGreaterThan(0);
    const lines = log()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ status }) => status === 200)).toHaveLength(answered);
    expect(lines.at(-1).event).toBe("stopped");
    agent.destroy();
  });

  it("ends at once on a second signal", async () => {
    const { child, port, exit } = await start("--threads", "1", "--grace", "60");
    // A request whose body never ends keeps it waiting.
    const req = request({
      port,
      host: "127.0.0.1",
      path: "/v1/parse",
      method: "POST",
      headers: { "Content-Type": "text/plain" },
    });
    req.on("error", () => {});
    req.write("Mina");
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(child.exitCode).toBeNull();
    child.kill("SIGINT");
    expect(await exit).toBe(1);
  });

  it("goes on when nobody reads its log, or there is no room for it, and ends with 0", async () => {
    const { child, port, exit } = await start("--threads", "1");
    child.stderr!.destroy();
    const agent = new Agent();
    for (let i = 0; i < 150; i++) expect((await ask(port, agent, "Mina sells maps.")).status).toBe(200);
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
    if (!existsSync("/dev/full")) return;
    const free = await freePort();
    const full = openSync("/dev/full", "w");
    const args = [STEMMA, "serve", "--port", String(free), "--model", modelFiles().toy, "--threads", "1"];
    const other = spawn(process.execPath, args, { stdio: ["ignore", "ignore", full] });
    const ended = new Promise<number | null>((resolve) => other.on("exit", resolve));
    await listening(free);
    for (let i = 0; i < 150; i++) expect((await ask(free, agent, "Mina sells maps.")).status).toBe(200);
    other.kill("SIGTERM");
    expect(await ended).toBe(0);
    closeSync(full);
  });

  it("is not stopped by a log that is full because its reader sleeps", async () => {
    const { child, port, exit } = await start("--threads", "1");
    child.stderr!.pause();
    const agent = new Agent({ keepAlive: true });
    // Lines of some hundred bytes: far more than a pipe holds.
    const id = "x".repeat(128);
    for (let i = 0; i < 1500; i++) await ask(port, agent, "maps", { "X-Request-Id": id });
    child.stderr!.resume();
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
    agent.destroy();
  });

  it("loads its models again on SIGHUP, and keeps the old ones if that fails", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "stemma-serve-")), "other.stemma");
    copyFileSync(modelFiles().toy, file);
    const { child, port, log, exit } = await start("--model", file, "--threads", "1");
    const parts = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/models`);
      return ((await answer.json()) as { models: { parts: string[] }[] }).models[1]!.parts;
    };
    const until = (event: string) => eventually(() => log().includes(`"event":"${event}"`), event);
    expect(await parts()).toContain("segmenter");
    writeFileSync(file, "no model");
    child.kill("SIGHUP");
    await until("reload-failed");
    expect(await parts()).toContain("segmenter");
    copyFileSync(modelFiles().bare, file);
    child.kill("SIGHUP");
    await until("reloaded");
    expect(await parts()).toEqual(["parser"]);
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
  });

  // A pipe has its bytes when they are written: until then the server loads its model.
  it.skipIf(process.platform === "win32")("loads its models again if SIGHUP comes while it starts", async () => {
    const pipe = join(mkdtempSync(join(tmpdir(), "stemma-serve-")), "pipe.stemma");
    spawnSync("mkfifo", [pipe]);
    const child = spawn(process.execPath, [STEMMA, "serve", "--port", "0", "--model", pipe, "--threads", "1"]);
    let log = "";
    child.stderr.on("data", (chunk) => {
      log += chunk;
    });
    const exit = new Promise<number | null>((resolve) => child.on("exit", resolve));
    const writer = createWriteStream(pipe);
    await once(writer, "open");
    child.kill("SIGHUP");
    rmSync(pipe);
    copyFileSync(modelFiles().bare, pipe);
    writer.end(readFileSync(modelFiles().toy));
    await eventually(() => log.includes('"event":"reloaded"') || child.signalCode !== null, "reloaded");
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
  });

  it("ends with 2 and the reason if workers cannot start", () => {
    const preloaded = join(mkdtempSync(join(tmpdir(), "stemma-serve-")), "no-workers.cjs");
    writeFileSync(preloaded, 'if (!require("worker_threads").isMainThread) throw new Error("no place for a worker");');
    const args = ["--require", preloaded, STEMMA, "serve", "--model", modelFiles().toy, "--port", "0", "--log", "off"];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 20_000 });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^the workers cannot start with the models: .*no place for a worker/);
  });

  it("ends with the shell of npx, which does not pass SIGTERM on", async () => {
    const port = await freePort();
    const command = `"${process.execPath}" "${STEMMA}" serve --port ${port} --model "${modelFiles().toy}" --threads 1 --log off; true`;
    const shell = spawn("sh", ["-c", command], { env: { ...process.env, npm_command: "exec" }, stdio: "ignore" });
    await listening(port);
    shell.kill("SIGTERM");
    await eventually(async () => !(await isListening(port)), "the server ends");
  });

  it("goes on listening for a while after SIGTERM, and says that it is not ready", async () => {
    const { child, port, exit } = await start("--threads", "1", "--drain-delay", "2");
    child.kill("SIGTERM");
    const health = async () =>
      (await fetch(`http://127.0.0.1:${port}/health`, { headers: { Connection: "close" } })).status;
    await eventually(async () => (await health()) === 503, "it is not ready");
    const agent = new Agent();
    expect((await ask(port, agent, "Mina sells maps.")).status).toBe(200);
    expect(await exit).toBe(0);
  });

  it("listens on a Unix socket, also where one was left behind", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "stemma-socket-")), "s");
    const args = [STEMMA, "serve", "--socket", path, "--model", modelFiles().toy, "--threads", "1"];
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      const child = spawn(process.execPath, args);
      let log = "";
      child.stderr.on("data", (chunk) => {
        log += chunk;
      });
      await eventually(() => log.includes('"event":"listening"'), "it listens");
      const status = await new Promise<number>((resolve, reject) => {
        const headers = { "Content-Type": "text/plain" };
        const req = request({ socketPath: path, path: "/v1/parse", method: "POST", headers }, (res) => {
          res.resume();
          resolve(res.statusCode!);
        });
        req.on("error", reject);
        req.end("Mina sells maps.");
      });
      expect(status).toBe(200);
      child.kill(signal);
      await new Promise((resolve) => child.on("exit", resolve));
    }
    expect(existsSync(path)).toBe(false);
  });

  it("says what is wrong with its options", async () => {
    const run = (...args: string[]) => {
      const { status, stderr } = spawnSync(process.execPath, [STEMMA, "serve", ...args], { encoding: "utf8" });
      return { status, stderr };
    };
    expect(run("--port", "70000")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("a whole number from 0 to 65535"),
    });
    expect(run("--log", "xml")).toMatchObject({ status: 2, stderr: expect.stringContaining("json, text, off") });
    expect(run("--model", "none.stemma")).toMatchObject({
      status: 2,
      stderr: "none.stemma: cannot read: no such file or directory\n",
    });
    const { toy } = modelFiles();
    expect(run("--model", toy, "--model", toy)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("already a model named toy"),
    });
    const folder = mkdtempSync(join(tmpdir(), "stemma-serve-"));
    mkdirSync(join(folder, "folder.stemma"));
    expect(run("--models", folder)).toEqual({
      status: 2,
      stderr: `${folder}: no models (expected files whose names end in .stemma)\n`,
    });
    const { child, port, exit } = await start("--log", "json", "--threads", "1");
    const taken = run("--model", toy, "--port", String(port), "--threads", "1", "--log", "off");
    expect(taken).toEqual({
      status: 2,
      stderr: `cannot listen on 127.0.0.1:${port}: the address is in use (choose another --port)\n`,
    });
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
  });
});
