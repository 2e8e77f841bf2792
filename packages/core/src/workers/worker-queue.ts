import { check, FUNCTION, wholeNumber } from "../checks/options.js";

/** The part of a Worker that is needed. */
export interface WorkerLike {
  /**
   * Sends it a message.
   * @param message plain data
   */
  postMessage(message: unknown): void;
  /**
   * Has its messages and errors told.
   * @param type the kind of event
   * @param listener called with each
   */
  addEventListener(type: "message", listener: (event: { data: never }) => void): void;
  addEventListener(type: "error", listener: (event: { message?: string | undefined }) => void): void;
  /** Ends it. */
  terminate(): unknown;
}

interface Job<Task, Result> {
  task: Task;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Options of a `WorkerQueue`. */
export interface WorkerQueueOptions<Answer, Result> {
  /** A message for a worker whose task is withdrawn; without one, the worker goes on to its end. */
  abort?: unknown;
  /** Starts a worker, by its number from 0. */
  start: (thread: number) => WorkerLike;
  /** How many workers, at most; they start when there is work for them. */
  workers: number;
  /** The content of an answer; throws its error. */
  read: (answer: Answer) => Result;
  /** The name of the whole in errors: "the parser". */
  name: string;
}

/**
 * Workers that take the next task when they are done with one. A worker that ends (out of memory, say) takes its task
 * along: everything that is under way or waits fails then, as what is asked for afterwards does.
 */
export class WorkerQueue<Task, Answer, Result> {
  private readonly all: WorkerLike[] = [];
  private readonly idle: WorkerLike[] = [];
  private readonly running = new Map<WorkerLike, Job<Task, Result>>();
  private readonly waiting: Job<Task, Result>[] = [];
  private failure: Error | undefined;

  constructor(private readonly options: WorkerQueueOptions<Answer, Result>) {
    check("start of a queue", options?.start, FUNCTION);
    check("read of a queue", options.read, FUNCTION);
    check("workers of a queue", options.workers, wholeNumber(1));
  }

  /** Has a task done. `withdraw` takes it back, or tells the worker that has it, unless it is done. */
  run(task: Task): { result: Promise<Result>; withdraw(): void } {
    let job: Job<Task, Result> | undefined;
    const result = new Promise<Result>((resolve, reject) => {
      if (this.failure) return reject(this.failure);
      job = { task, resolve, reject };
      this.waiting.push(job);
      this.next();
    });
    const withdraw = () => {
      const at = job ? this.waiting.indexOf(job) : -1;
      if (at >= 0) this.waiting.splice(at, 1);
      const { abort } = this.options;
      if (abort === undefined) return;
      for (const [worker, running] of this.running) if (running === job) worker.postMessage(abort);
    };
    return { result, withdraw };
  }

  private next(): void {
    while (this.waiting.length > 0) {
      const worker = this.idle.pop() ?? this.start();
      if (!worker) return;
      const job = this.waiting.shift()!;
      this.running.set(worker, job);
      try {
        worker.postMessage(job.task);
      } catch (error) {
        // Something in it cannot be sent.
        this.running.delete(worker);
        this.idle.push(worker);
        job.reject(error);
      }
    }
  }

  /** One more worker, which there is work for; undefined if there are enough. */
  private start(): WorkerLike | undefined {
    const { start, workers, read, name } = this.options;
    if (this.all.length === workers) return undefined;
    const worker = start(this.all.length);
    this.all.push(worker);
    worker.addEventListener("message", ({ data }: { data: Answer }) => {
      const job = this.running.get(worker);
      this.running.delete(worker);
      this.idle.push(worker);
      this.next();
      try {
        job?.resolve(read(data));
      } catch (error) {
        job?.reject(error);
      }
    });
    worker.addEventListener("error", ({ message }) => {
      this.fail(new Error(`a worker of ${name} failed: ${message ?? "its script cannot be loaded"}`));
    });
    return worker;
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const job of [...this.running.values(), ...this.waiting]) job.reject(this.failure);
    this.running.clear();
    this.waiting.length = 0;
  }

  /** Ends the workers: what is under way, and what is asked for afterwards, fails. */
  async close(): Promise<void> {
    this.fail(new Error(`${this.options.name} is closed`));
    await Promise.all(this.all.map((worker) => worker.terminate()));
  }
}
