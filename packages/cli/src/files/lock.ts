import { readFileSync, unlinkSync } from "node:fs";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { FileError, fileError } from "./io.js";

/** Who has a lock. */
interface Holder {
  pid: number;
  host: string;
  /** When the process began, where that can be known: numbers of processes are used again. */
  started: string | undefined;
}

/** Attempts to take over a lock that nobody holds any more, before others who try the same are believed to have it. */
const ATTEMPTS = 3;

/**
 * Takes a lock that other processes on this machine or others see: a file with the number of the process. The lock of a
 * process that has ended is taken over. The end of this process gives it back, and so does the function that is
 * returned.
 */
export async function takeLock(path: string, what: string): Promise<() => void> {
  const own: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  const text = `${JSON.stringify(own)}\n`;
  const draft = `${path}.${process.pid}.tmp`;
  try {
    // Whole from the moment that it has its name.
    await writeFile(draft, text);
    for (let attempt = 0; ; attempt++) {
      try {
        await link(draft, path);
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const found = await readFile(path, "utf8").catch(() => "");
      const holder = holderOf(found);
      if (found !== "" && (attempt >= ATTEMPTS || !isStale(holder))) throw held(path, what, holder);
      await putAside(path, `${path}.${process.pid}.old`, found);
    }
  } catch (error) {
    throw error instanceof FileError ? error : fileError("lock", path, error);
  } finally {
    await rm(draft, { force: true });
  }
  const release = () => {
    process.off("exit", release);
    try {
      if (readFileSync(path, "utf8") === text) unlinkSync(path);
    } catch {
      // Someone has deleted it.
    }
  };
  process.on("exit", release);
  return release;
}

/** Moves an old lock out of the way; if another process was faster and it is a new one by now, it goes back. */
async function putAside(path: string, aside: string, expected: string): Promise<void> {
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, "utf8").catch(() => expected)) !== expected) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

function holderOf(text: string): Holder | undefined {
  try {
    const { pid, host, started } = JSON.parse(text) as Holder;
    return Number.isInteger(pid) && typeof host === "string" ? { pid, host, started } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the process has ended. Of other machines nothing is known. */
function isStale(holder: Holder | undefined): boolean {
  if (!holder || holder.host !== hostname()) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const started = startOf(holder.pid);
  return started !== undefined && holder.started !== undefined && started !== holder.started;
}

/** When a process began, in ticks since the machine did; only Linux says so. */
function startOf(pid: number): string | undefined {
  try {
    // The name of the program, in parentheses, may have spaces in it.
    return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, "").trim().split(" ")[19];
  } catch {
    return undefined;
  }
}

function held(path: string, what: string, holder: Holder | undefined): FileError {
  const who = holder ? `process ${holder.pid} on ${holder.host}` : "another process";
  return new FileError(`${path}: ${what} ${who} (wait until it ends; if it has ended, delete this file)`);
}
