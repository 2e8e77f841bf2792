// What is for Node only: files and threads.
export { openPool, type PoolOptions } from "./pool.js";
export { type ReadFileOptions, readTreebankFile } from "./read-treebank-file.js";
