import { workerData } from "node:worker_threads";
import { attachModel, type SharedModel } from "@stemma/core";
import { serveTasks } from "../workers/worker-pool.js";
import { BatchSearcher, type SearchBatch, type SearchOptions } from "./search-batch.js";

const { options, model, thread } = workerData as { options: SearchOptions; model?: SharedModel; thread: number };
const searcher = new BatchSearcher(options, model && (await attachModel(model, thread)));

serveTasks((task: SearchBatch) => searcher.run(task));
