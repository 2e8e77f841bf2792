// `stemma serve` as a process of its own.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { modelFiles } from "./server-helpers.js";

const STEMMA = fileURLToPath(new URL("../bin/stemma.js", import.meta.url));

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

function ask(port: number, agent: Agent, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "text/plain", "Content-Length": Buffer.byteLength(body) };
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
          // Once it has stopped to listen, nobody can connect; what was connected must be answered.
          if ((error as NodeJS.ErrnoException).code === "ECONNREFUSED") refused++;
          else lost.push(String(error));
          ended = true;
        }
      }
    };
    const clients = Array.from({ length: 40 }, (_, i) => client(i));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const before = answered;
    child.kill("SIGTERM");
    await Promise.all(clients);
    expect(await exit).toBe(0);
    expect(before).toBeGreaterThan(40);
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
      stderr: expect.stringContaining("a model named toy already"),
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
