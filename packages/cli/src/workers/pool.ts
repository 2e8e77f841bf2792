import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { ParserOptions, PipelineModel } from "@stemma/core";
import { Annotator } from "../annotation/annotator.js";
import type { Piece, PieceResult } from "../annotation/piece.js";
import { shared } from "./shared-model.js";

/** Annotates pieces, several at a time. */
export interface ParserPool {
  /** How many pieces are worth having under way at a time. */
  readonly capacity: number;
  /** The bytes of the piece may be taken away. */
  run(piece: Piece): Promise<PieceResult>;
  /** Ends at once: what is under way fails. */
  close(): Promise<void>;
}

/** A pool with so many threads: 1 is the thread of the caller, 0 one for each core. */
export function openPool(model: PipelineModel, threads: number, search: ParserOptions = {}): ParserPool {
  const count = threads === 0 ? availableParallelism() : threads;
  return count === 1 ? new OwnThread(model, search) : new WorkerPool(model, count, search);
}

class OwnThread implements ParserPool {
  readonly capacity = 1;
  private readonly annotator: Annotator;

  constructor(model: PipelineModel, search: ParserOptions) {
    this.annotator = new Annotator(model, search);
  }

  async run(piece: Piece): Promise<PieceResult> {
    return this.annotator.run(piece);
  }

  async close(): Promise<void> {}
}

/** What a worker sends back for a piece. */
export type Answer = { result: PieceResult } | { error: Error };

interface Job {
  piece: Piece;
  resolve(result: PieceResult): void;
  reject(error: Error): void;
}

/** Workers that share one copy of the weights and take the next piece when they are done with one. */
class WorkerPool implements ParserPool {
  readonly capacity: number;
  private readonly workers: Worker[];
  private readonly idle: Worker[];
  private readonly running = new Map<Worker, Job>();
  private readonly waiting: Job[] = [];
  private failure: Error | undefined;

  constructor(model: PipelineModel, count: number, search: ParserOptions) {
    // One in work and one ready for each worker, so that none waits for the thread that reads and writes.
    this.capacity = 2 * count;
    const sharedModel = shared(model, count);
    const script = new URL("./parse-worker.js", import.meta.url);
    this.workers = Array.from(
      { length: count },
      (_, thread) => new Worker(script, { workerData: { ...sharedModel, thread, search } }),
    );
    this.idle = [...this.workers];
    for (const worker of this.workers) {
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
    }
  }

  run(piece: Piece): Promise<PieceResult> {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure);
      this.waiting.push({ piece, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    while (this.idle.length > 0 && this.waiting.length > 0 && !this.failure) {
      const worker = this.idle.pop()!;
      const job = this.waiting.shift()!;
      this.running.set(worker, job);
      const { input, options } = job.piece;
      if (input.kind !== "treebank") {
        worker.postMessage(job.piece);
        continue;
      }
      // Memory that holds nothing else changes hands; Node's small buffers share theirs and are copied.
      const { bytes } = input;
      const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
      worker.postMessage({ input: { ...input, bytes: own }, options }, [own.buffer as ArrayBuffer]);
    }
  }

  // A worker that ends (out of memory, say) takes its piece along, and without it the order cannot be kept: everything
  // fails.
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
