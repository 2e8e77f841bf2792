import { Worker } from "node:worker_threads";
import { check, checkOptions, FUNCTION } from "../checks/options.js";
import { OBJECT } from "../checks/shapes.js";
import type { WorkerLike } from "../workers/worker-queue.js";

/** Options of `startThread`. */
export interface ThreadOptions {
  /** The data that the thread starts with. */
  workerData?: object | undefined;
  /** The bytes in a message that its sender needs no more. */
  bytesOf?: ((message: never) => Uint8Array | undefined) | undefined;
}

/** Starts a thread of Node, with the interface that workers have in pages. */
export function startThread(script: URL, options: ThreadOptions = {}): WorkerLike {
  check("script", script, { expected: "a URL", accepts: (value) => value instanceof URL });
  checkOptions("startThread", options, { workerData: OBJECT, bytesOf: FUNCTION });
  const { workerData, bytesOf } = options;
  const worker = new Worker(script, { workerData });
  let isEnding = false;
  return {
    postMessage(message: never) {
      const bytes = bytesOf?.(message);
      // Memory that holds nothing else changes hands; Node's small buffers share theirs and are copied.
      const isOwn = bytes !== undefined && bytes.byteLength === bytes.buffer.byteLength;
      worker.postMessage(message, isOwn ? [bytes.buffer as ArrayBuffer] : []);
    },
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
