import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { ModelSource } from "../model-file/load.js";
import {
  createWorkerParser,
  type WorkerLike,
  type WorkerParser,
  type WorkerParserOptions,
} from "../workers/worker-parser.js";

/** Options of `openPool`. */
export type PoolOptions = Omit<WorkerParserOptions, "worker">;

/** A parser that works in threads, by default one per core, which share one copy of the model. `close` ends them. */
export function openPool(source: ModelSource, options: PoolOptions = {}): Promise<WorkerParser> {
  return createWorkerParser(source, { workers: availableParallelism(), ...options, worker: startThread });
}

/** A thread with the interface that workers have in pages. */
function startThread(): WorkerLike {
  const worker = new Worker(new URL("./parse-worker.js", import.meta.url));
  let isEnding = false;
  return {
    postMessage: (message) => worker.postMessage(message),
    addEventListener(type: "message" | "error", listener: (event: { data: never; message: string }) => void) {
      if (type === "message") worker.on("message", (data) => listener({ data: data as never, message: "" }));
      else {
        const fail = (message: string) => listener({ data: undefined as never, message });
        worker.on("error", ({ message }) => fail(message));
        worker.on("exit", (code) => isEnding || fail(`it ended with code ${code}`));
      }
    },
    terminate() {
      isEnding = true;
      return worker.terminate();
    },
  } as WorkerLike;
}
