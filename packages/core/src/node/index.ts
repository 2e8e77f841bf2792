/**
 * For Node only: files and threads.
 *
 * @packageDocumentation
 */

export type { ModelSource } from "../model-file/load.js";
export type { TreebankError } from "../treebank/errors.js";
export type { Sentence } from "../treebank/sentence/sentence.js";
export type { WorkerParser } from "../workers/worker-parser.js";
export { openPool, type PoolOptions } from "./pool.js";
export { type ReadFileOptions, readTreebankFile } from "./read-treebank-file.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { WorkerQueue } from "../workers/worker-queue.js";
/** @internal */
export { startThread } from "./thread.js";
