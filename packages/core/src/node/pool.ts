import { availableParallelism } from "node:os";
import { shown } from "../checks/options.js";
import type { ModelSource } from "../model-file/load.js";
import { createWorkerParser, type WorkerParser, type WorkerParserOptions } from "../workers/worker-parser.js";
import { startThread } from "./thread.js";

/** Options of `openPool`. */
export type PoolOptions = Omit<WorkerParserOptions, "worker">;

/**
 * A parser that works in threads on one copy of the model, by default as many as there are cores. `close` ends them.
 *
 * @param source the model: bytes, a path, a URL, …
 * @param options how many threads, and those of `load`
 * @example
 * ```ts
 * import { openPool } from "@stemma/core/node";
 * import model from "@stemma/model-en";
 *
 * const pool = await openPool(model, { workers: 2 });
 * for await (const sentence of pool.parse("Ann reads. Bob sleeps.")) console.log(sentence.root.form);
 * await pool.close();
 * ```
 */
export async function openPool(source: ModelSource, options: PoolOptions = {}): Promise<WorkerParser> {
  if (typeof options !== "object" || options === null || "worker" in options) {
    throw new TypeError(
      `invalid options of openPool: ${shown(options)} (expected an object with workers, beam or merge)`,
    );
  }
  return createWorkerParser(source, { workers: availableParallelism(), ...options, worker: startParser });
}

const startParser = () => startThread(new URL("./parse-worker.js", import.meta.url));
