import { Worker } from "node:worker_threads";

/** What a worker sends back for a task. */
export type Answer<Result> = { result: Result } | { error: Error };

interface Job<Task, Result> {
  task: Task;
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** Workers that take the next task when they are done with one; they start when there is work for them. */
export class WorkerPool<Task extends object, Result> {
  /** How many tasks are worth having under way: one in work and one ready for each worker, so that none waits. */
  readonly capacity: number;
  private readonly workers: Worker[] = [];
  private readonly idle: Worker[] = [];
  private readonly running = new Map<Worker, Job<Task, Result>>();
  private readonly waiting: Job<Task, Result>[] = [];
  private failure: Error | undefined;

  /** `workerData`: what each worker is given, by its number; `bytesOf`: the bytes in a task that may be taken away. */
  constructor(
    private readonly script: URL,
    private readonly count: number,
    private readonly workerData: (thread: number) => object,
    private readonly bytesOf: (task: Task) => Uint8Array | undefined,
  ) {
    this.capacity = 2 * count;
  }

  /** One more worker, which there is work for; undefined if there are enough. */
  private start(): Worker | undefined {
    const thread = this.workers.length;
    if (thread === this.count) return undefined;
    const worker = new Worker(this.script, { workerData: this.workerData(thread) });
    this.workers.push(worker);
    worker.on("message", (answer: Answer<Result>) => {
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

  /** Bytes of the task may be taken away. */
  run(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure);
      this.waiting.push({ task, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    while (this.waiting.length > 0 && !this.failure) {
      const worker = this.idle.pop() ?? this.start();
      if (worker === undefined) return;
      const job = this.waiting.shift()!;
      this.running.set(worker, job);
      const { task } = job;
      const bytes = this.bytesOf(task);
      // Memory that holds nothing else changes hands; Node's small buffers share theirs and are copied.
      const isOwn = bytes !== undefined && bytes.byteLength === bytes.buffer.byteLength;
      worker.postMessage(task, isOwn ? [bytes.buffer as ArrayBuffer] : []);
    }
  }

  // A worker that ends (out of memory, say) takes its task along, and without it the order cannot be kept: everything
  // fails.
  private fail(error: Error): void {
    this.failure ??= error;
    for (const job of [...this.running.values(), ...this.waiting]) job.reject(this.failure);
    this.running.clear();
    this.waiting.length = 0;
  }

  /** Ends at once: what is under way fails. */
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
