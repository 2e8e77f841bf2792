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

/** Starts a command that the test talks to. */
export function start(...args: string[]) {
  return spawn(process.execPath, [STEMMA, ...args]);
}

const COMMON: SpawnSyncOptions = { maxBuffer: 1 << 28, timeout: PATIENCE, killSignal: "SIGKILL" };

function finished({ status, stdout, stderr }: ReturnType<typeof spawnSync>): Run {
  return { status, out: String(stdout), err: String(stderr) };
}
