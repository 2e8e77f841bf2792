import { availableParallelism } from "node:os";
import type { ParserOptions, PipelineModel } from "@stemma/core";
import { type Batch, BatchParser, type BatchResult } from "./batch.js";
import { shared } from "./shared-model.js";
import { WorkerPool } from "./worker-pool.js";

/** Parses batches, several at a time. */
export interface ParserPool {
  /** How many batches are worth having under way at a time. */
  readonly capacity: number;
  /** The bytes of the batch may be taken away. */
  run(batch: Batch): Promise<BatchResult>;
  /** Ends at once: what is under way fails. */
  close(): Promise<void>;
}

/** A pool with so many threads: 1 is the thread of the caller, 0 one for each core. */
export function openPool(model: PipelineModel, threads: number, search: ParserOptions = {}): ParserPool {
  const count = threads === 0 ? availableParallelism() : threads;
  if (count === 1) return new OwnThread(model, search);
  // The workers share one copy of the weights.
  const sharedModel = shared(model, count);
  const script = new URL("./parse-worker.js", import.meta.url);
  return new WorkerPool<Batch, BatchResult>(script, count, (thread) => ({ ...sharedModel, thread, search }));
}

class OwnThread implements ParserPool {
  readonly capacity = 1;
  private readonly parser: BatchParser;

  constructor(model: PipelineModel, search: ParserOptions) {
    this.parser = new BatchParser(model, search);
  }

  async run(batch: Batch): Promise<BatchResult> {
    return this.parser.run(batch);
  }

  async close(): Promise<void> {}
}
