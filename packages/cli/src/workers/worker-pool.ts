import { parentPort } from "node:worker_threads";
import { startThread, WorkerQueue } from "@stemma/core/node";

/** The answer of a worker to a task. */
type Answer<Result> = { result: Result } | { error: Error };

/** Answers every task that is sent to this thread. */
export function serveTasks<Task, Result>(run: (task: Task) => Result): void {
  parentPort!.on("message", (task: Task) => {
    let answer: Answer<Result>;
    try {
      answer = { result: run(task) };
    } catch (error) {
      answer = { error: error as Error };
    }
    parentPort!.postMessage(answer);
  });
}

/** Threads that take the next task when they are done with one; they start when there is work for them. */
export class WorkerPool<Task extends object, Result> {
  /** How many tasks are worth having under way: one in work and one ready for each worker, so that none waits. */
  readonly capacity: number;
  private readonly queue: WorkerQueue<Task, Answer<Result>, Result>;

  /** `workerData`: what each worker is given, by its number; `bytesOf`: the bytes in a task that may be taken away. */
  constructor(
    script: URL,
    count: number,
    workerData: (thread: number) => object,
    bytesOf: (task: Task) => Uint8Array | undefined,
  ) {
    this.capacity = 2 * count;
    const start = (thread: number) => startThread(script, { workerData: workerData(thread), bytesOf });
    this.queue = new WorkerQueue({ start, workers: count, read: resultOf, name: "the pool" });
  }

  /** Bytes of the task may be taken away. */
  run(task: Task): Promise<Result> {
    return this.queue.run(task).result;
  }

  /** Ends at once: what is under way fails. */
  close(): Promise<void> {
    return this.queue.close();
  }
}

function resultOf<Result>(answer: Answer<Result>): Result {
  if ("error" in answer) throw answer.error;
  return answer.result;
}
