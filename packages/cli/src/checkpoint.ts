import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { deserialize, serialize } from "node:v8";
import { FileError } from "./io.js";

/** What a killed training run needs to go on as if nothing had happened. */
export interface Checkpoint {
  /** Of the data and the options: a checkpoint of another run is refused. */
  fingerprint: string;
  state: unknown;
  scores: unknown[];
  best?: { score: unknown; bytes: Uint8Array } | undefined;
}

/** Changes whenever the state of a training does. */
const MAGIC = "stemma checkpoint 4";

/** Writes a checkpoint under a temporary name first, so that being killed here loses nothing. */
export async function saveCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  // A fixed name: what a killed run left is overwritten by the next.
  const temporary = `${path}.tmp`;
  try {
    await writeFile(temporary, serialize({ magic: MAGIC, ...checkpoint }));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new FileError(`${path}: cannot write the checkpoint: ${(error as Error).message}`);
  }
}

export async function loadCheckpoint(path: string, fingerprint: string): Promise<Checkpoint & { state: never }> {
  let saved: Checkpoint & { magic?: string };
  try {
    saved = deserialize(await readFile(path)) as Checkpoint & { magic?: string };
  } catch (error) {
    throw new FileError(
      `${path}: cannot read the checkpoint: ${(error as Error).message} (delete it to start from the beginning)`,
    );
  }
  if (saved?.magic !== MAGIC)
    throw new FileError(`${path}: not a checkpoint of this version (delete it to start from the beginning)`);
  if (saved.fingerprint !== fingerprint) {
    throw new FileError(
      `${path}: is of a run with other data or options (expected the same; delete it to start from the beginning)`,
    );
  }
  return saved as Checkpoint & { state: never };
}

export async function removeCheckpoint(path: string): Promise<void> {
  await rm(path, { force: true });
}
