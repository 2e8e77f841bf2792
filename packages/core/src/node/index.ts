// For Node only: files and threads.
export { openPool, type PoolOptions } from "./pool.js";
export { type ReadFileOptions, readTreebankFile } from "./read-treebank-file.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { WorkerQueue } from "../workers/worker-queue.js";
/** @internal */
export { startThread } from "./thread.js";
