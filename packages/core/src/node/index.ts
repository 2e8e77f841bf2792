// What is for Node only: files and threads.
export { WorkerQueue, type WorkerQueueOptions } from "../workers/worker-queue.js";
export { openPool, type PoolOptions } from "./pool.js";
export { type ReadFileOptions, readTreebankFile } from "./read-treebank-file.js";
export { startThread, type ThreadOptions } from "./thread.js";
