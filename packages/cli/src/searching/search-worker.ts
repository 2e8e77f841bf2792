import { parentPort, workerData } from "node:worker_threads";
import { attachModel, type SharedModel } from "@stemma/core";
import type { Answer } from "../workers/worker-pool.js";
import { BatchSearcher, type SearchBatch, type SearchOptions, type SearchResult } from "./search-batch.js";

const { options, model, thread } = workerData as { options: SearchOptions; model?: SharedModel; thread: number };
const searcher = new BatchSearcher(options, model && (await attachModel(model, thread)));

parentPort!.on("message", (batch: SearchBatch) => {
  let answer: Answer<SearchResult>;
  try {
    answer = { result: searcher.run(batch) };
  } catch (error) {
    answer = { error: error as Error };
  }
  parentPort!.postMessage(answer);
});
