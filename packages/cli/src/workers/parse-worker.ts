import { parentPort, workerData } from "node:worker_threads";
import { type Batch, BatchParser } from "./batch.js";
import type { Answer } from "./pool.js";
import { attached, type SharedModel } from "./shared-model.js";

const { thread, ...model } = workerData as SharedModel & { thread: number };
const parser = new BatchParser(attached(model, thread));

parentPort!.on("message", (batch: Batch) => {
  let answer: Answer;
  try {
    answer = { result: parser.run(batch) };
  } catch (error) {
    answer = { error: error as Error };
  }
  parentPort!.postMessage(answer);
});
