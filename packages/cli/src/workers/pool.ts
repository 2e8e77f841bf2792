import { Worker } from "node:worker_threads";
import type { ParserOptions, PipelineModel } from "@stemma/core";
import { type Batch, BatchParser, type BatchResult } from "./batch.js";
import { type SharedModel, shared } from "./shared-model.js";

/** Parses batches, several at a time. */
export interface ParserPool {
  /** How many batches are worth having under way at a time. */
  readonly capacity: number;
  /** The bytes of the batch may be taken away. */
  run(batch: Batch): Promise<BatchResult>;
  /** Ends at once: what is under way fails. */
  close(): Promise<void>;
}

/** A pool with so many threads, which start when there is work for them: 1 is the thread of the caller. */
export function openPool(model: PipelineModel, threads: number, search: ParserOptions = {}): ParserPool {
  return threads === 1 ? new OwnThread(model, search) : new WorkerPool(model, threads, search);
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

/** What a worker sends back for a batch. */
export type Answer = { result: BatchResult } | { error: Error };

interface Job {
  batch: Batch;
  resolve(result: BatchResult): void;
  reject(error: Error): void;
}

/** Workers that share one copy of the weights and take the next batch when they are done with one. */
class WorkerPool implements ParserPool {
  readonly capacity: number;
  private readonly workers: Worker[] = [];
  private readonly idle: Worker[] = [];
  private readonly running = new Map<Worker, Job>();
  private readonly waiting: Job[] = [];
  private failure: Error | undefined;

  private readonly model: SharedModel;

  constructor(
    model: PipelineModel,
    private readonly count: number,
    private readonly search: ParserOptions,
  ) {
    // One in work and one ready for each worker, so that none waits for the thread that reads and writes.
    this.capacity = 2 * count;
    this.model = shared(model, count);
  }

  /** One more worker, which there is work for; undefined if there are enough. */
  private start(): Worker | undefined {
    const thread = this.workers.length;
    if (thread === this.count) return undefined;
    const script = new URL("./parse-worker.js", import.meta.url);
    const worker = new Worker(script, { workerData: { ...this.model, thread, search: this.search } });
    this.workers.push(worker);
    worker.on("message", (answer: Answer) => {
      const job = this.running.get(worker);
      this.running.delete(worker);
      this.idle.push(worker);
      this.next();
      if ("error" in answer) job?.reject(answer.error);
      else job?.resolve(answer.result);
    });
    worker.on("error", (error: Error) => this.fail(error));
    worker.on("exit", (code) => {
      if (code !== 0) this.fail(new Error(`a worker ended with code ${code}`));
    });
    return worker;
  }

  run(batch: Batch): Promise<BatchResult> {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure);
      this.waiting.push({ batch, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    while (this.waiting.length > 0 && !this.failure) {
      const worker = this.idle.pop() ?? this.start();
      if (!worker) return;
      const job = this.waiting.shift()!;
      this.running.set(worker, job);
      const { batch } = job;
      if (batch.kind === "text") {
        worker.postMessage(batch);
        continue;
      }
      // Memory that holds nothing else changes hands; Node's small buffers share theirs and are copied.
      const { bytes } = batch;
      const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
      worker.postMessage({ ...batch, bytes: own }, [own.buffer as ArrayBuffer]);
    }
  }

  // A worker that ends (out of memory, say) takes its batch along, and without it the order cannot be kept: everything fails.
  private fail(error: Error): void {
    this.failure ??= error;
    for (const job of [...this.running.values(), ...this.waiting]) job.reject(this.failure);
    this.running.clear();
    this.waiting.length = 0;
  }

  async close(): Promise<void> {
    this.fail(new Error("the pool is closed"));
    await Promise.all(
      this.workers.map((worker) => {
        worker.removeAllListeners("exit");
        return worker.terminate();
      }),
    );
  }
}
