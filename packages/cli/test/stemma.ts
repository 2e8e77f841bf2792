// Runs the program as users do.
import { type SpawnSyncOptions, spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const STEMMA = fileURLToPath(new URL("../bin/stemma.js", import.meta.url));
/** A run that hangs fails its test instead of hanging it. */
const PATIENCE = 60_000;

export interface Run {
  status: number | null;
  out: string;
  err: string;
}

/** Runs a command to its end. */
export function stemma(args: readonly string[], options: SpawnSyncOptions = {}): Run {
  return finished(spawnSync(process.execPath, [STEMMA, ...args], { ...COMMON, ...options }));
}

/** Runs a line of shell in which "$stemma" is the program. */
export function shell(line: string, options: SpawnSyncOptions = {}): Run {
  const env = { ...process.env, stemma: STEMMA, node: process.execPath, ...options.env };
  return finished(
    spawnSync("bash", ["-c", line.replaceAll("$stemma", '"$node" "$stemma"')], { ...COMMON, ...options, env }),
  );
}

/** Runs a command to its end, while this process goes on. */
export async function runStemma(
  args: readonly string[],
  { input = "" as string | Uint8Array, cwd = process.cwd() } = {},
) {
  const child = spawn(process.execPath, [STEMMA, ...args], { cwd });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  child.stdin.on("error", () => {}).end(input);
  const status = await new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal)));
  return { stdout, stderr, status };
}

/** Starts a command that the test talks to. */
export function start(...args: string[]) {
  return spawn(process.execPath, [STEMMA, ...args]);
}

/** Runs a command, and kills it as soon as it has said something. */
export function killedAt(said: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const child = start(...args);
    let err = "";
    child.stderr.on("data", (chunk) => {
      err += chunk;
      if (err.includes(said)) child.kill("SIGKILL");
    });
    child.on("close", () => resolve());
  });
}

const COMMON: SpawnSyncOptions = { maxBuffer: 1 << 28, timeout: PATIENCE, killSignal: "SIGKILL" };

function finished({ status, stdout, stderr }: ReturnType<typeof spawnSync>): Run {
  return { status, out: String(stdout), err: String(stderr) };
}
