import { parentPort, workerData } from "node:worker_threads";
import type { ParserOptions } from "@stemma/core";
import { type Batch, BatchParser, type BatchResult } from "./batch.js";
import { attached, type SharedModel } from "./shared-model.js";
import type { Answer } from "./worker-pool.js";

const { thread, search, ...model } = workerData as SharedModel & { thread: number; search: ParserOptions };
const parser = new BatchParser(attached(model, thread), search);

parentPort!.on("message", (batch: Batch) => {
  let answer: Answer<BatchResult>;
  try {
    answer = { result: parser.run(batch) };
  } catch (error) {
    answer = { error: error as Error };
  }
  parentPort!.postMessage(answer);
});
