import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { FileError, fileError } from "./io.js";
import { writeBytes } from "./output.js";

/** The state that a killed training run needs to go on as if nothing had happened. */
export interface Checkpoint {
  /** Of the data and the options: a checkpoint of another run is refused. */
  fingerprint: string;
  state: unknown;
  scores: unknown[];
  best?: { score: unknown; bytes: Uint8Array } | undefined;
  /** Epochs that the run was to have. */
  epochs?: number | undefined;
}

/**
 * The first bytes of a checkpoint; changes whenever the state of a training does. Then come a SHA-256 of the rest, and
 * the rest.
 */
const MAGIC = Buffer.from("stemma checkpoint 5\n");
const CHECKSUM = 32;
const ADVICE = "(delete it to start from the beginning)";

/** Writes a checkpoint, under a temporary name first, so that being killed here loses nothing. */
export async function saveCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  await saveChecked(path, checkpoint);
}

/** Reads a checkpoint; one that is damaged, or of a run with another fingerprint, is refused. */
export async function loadCheckpoint(path: string, fingerprint: string): Promise<Checkpoint & { state: never }> {
  const saved = (await loadChecked(path)) as Checkpoint & { state: never };
  if (typeof saved !== "object" || saved === null || !Array.isArray(saved.scores)) throw damaged(path, "no checkpoint");
  if (saved.fingerprint !== fingerprint) {
    throw new FileError(
      `${path}: belongs to a run with other data or options (expected the same; delete it to start from the beginning)`,
    );
  }
  return saved;
}

/** Gives a training the state of a checkpoint; one that does not fit is refused, and the training is as it was. */
export function restoreState(training: { restore(state: never): void }, state: unknown, path: string): void {
  try {
    training.restore(state as never);
  } catch (error) {
    throw damaged(path, (error as Error).message);
  }
}

/** Writes any plain data with a checksum. */
export async function saveChecked(path: string, data: unknown): Promise<void> {
  const bytes = serialize(data);
  // A fixed name: what a killed run left is overwritten by the next.
  await writeBytes(path, Buffer.concat([MAGIC, sha256(bytes), bytes]), `${path}.tmp`);
}

/** Reads what was written with its checksum, which must be right. */
export async function loadChecked(path: string): Promise<unknown> {
  let file: Buffer;
  try {
    file = await readFile(path);
  } catch (error) {
    throw fileError("read the checkpoint", path, error);
  }
  if (!file.subarray(0, MAGIC.length).equals(MAGIC))
    throw new FileError(`${path}: not a checkpoint of this version ${ADVICE}`);
  const bytes = file.subarray(MAGIC.length + CHECKSUM);
  if (!sha256(bytes).equals(file.subarray(MAGIC.length, MAGIC.length + CHECKSUM)))
    throw damaged(path, "its checksum is wrong");
  try {
    return deserialize(bytes);
  } catch (error) {
    throw damaged(path, (error as Error).message);
  }
}

function damaged(path: string, why: string): FileError {
  return new FileError(`${path}: the checkpoint is damaged: ${why} ${ADVICE}`);
}

/** The file beside a checkpoint with what was finished before the state of the training: one for each number. */
export function partOf(checkpoint: string, number: number): string {
  return `${checkpoint}.part-${number}`;
}

/** The files of a checkpoint: its own file, and its parts. */
export async function filesOf(checkpoint: string): Promise<string[]> {
  const names = await readdir(dirname(checkpoint)).catch(() => []);
  const own = basename(checkpoint);
  const belongs = (name: string) => name.startsWith(own) && /^(\.part-\d+)?(\.tmp)?$/.test(name.slice(own.length));
  return names.filter(belongs).map((name) => join(dirname(checkpoint), name));
}

export async function removeCheckpoint(path: string): Promise<void> {
  for (const file of await filesOf(path)) await rm(file, { force: true });
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
