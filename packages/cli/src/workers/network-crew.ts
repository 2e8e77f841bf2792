import { Worker } from "node:worker_threads";
import type { LaneLearner, NetworkTraining } from "@stemma/core/training";
import { scriptFile } from "../files/package-files.js";

// Places in the memory by which threads agree on what to do.
/** Goes up with every batch; below 0 it ends the workers. */
const TURN = 0;
const EPOCH = 1;
const BATCH = 2;
/** The next lane that nobody has taken, and how many are done. */
const NEXT = 3;
const DONE = 4;
const FAILED = 5;
const PLACES = 6;
/** A worker that was killed would be waited for; look again after this many milliseconds. */
const PATIENCE = 5000;

/** The input of a worker. */
export interface CrewMember {
  task: LaneLearner["task"];
  memory: LaneLearner["memory"]["memory"];
  agreement: Int32Array;
}

/**
 * Threads that run the lanes of a batch on one memory. Whoever is free takes the next lane; a lane's gradients do not
 * depend on who ran it, and they are added up in the order of the lanes, so that training gives the same bytes with any
 * number of threads.
 */
export class NetworkCrew {
  private readonly agreement = new Int32Array(new SharedArrayBuffer(4 * PLACES));
  private readonly workers: Worker[];

  constructor(
    private readonly training: NetworkTraining,
    threads: number,
  ) {
    const { task, learner } = training;
    const workerData: CrewMember = { task, memory: learner.memory.memory, agreement: this.agreement };
    const script = scriptFile("workers/network-worker");
    this.workers = Array.from({ length: threads - 1 }, () => new Worker(script, { workerData }));
    for (const worker of this.workers) worker.unref();
  }

  /** Run the lanes of a batch of the epoch that is under way. */
  readonly run = (batch: number): void => {
    const { agreement, training } = this;
    Atomics.store(agreement, EPOCH, training.epoch);
    Atomics.store(agreement, BATCH, batch);
    Atomics.store(agreement, DONE, 0);
    Atomics.store(agreement, NEXT, 0);
    Atomics.add(agreement, TURN, 1);
    Atomics.notify(agreement, TURN);
    const lanes = training.task.size.lanes;
    runLanes(training.learner, agreement, lanes);
    for (;;) {
      const done = Atomics.load(agreement, DONE);
      if (done === lanes) return;
      if (Atomics.load(agreement, FAILED) > 0) throw new Error("a thread of the training failed");
      Atomics.wait(agreement, DONE, done, PATIENCE);
    }
  };

  async close(): Promise<void> {
    Atomics.store(this.agreement, TURN, -1);
    Atomics.notify(this.agreement, TURN);
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}

/** Take lanes as long as there are any. */
function runLanes(learner: LaneLearner, agreement: Int32Array, lanes: number): void {
  for (;;) {
    const lane = Atomics.add(agreement, NEXT, 1);
    if (lane >= lanes) return;
    // A worker may still be here from the batch before when the next begins.
    const epoch = Atomics.load(agreement, EPOCH);
    if (learner.epoch !== epoch) learner.begin(epoch);
    learner.run(Atomics.load(agreement, BATCH), lane);
    Atomics.add(agreement, DONE, 1);
    Atomics.notify(agreement, DONE);
  }
}

/** The work of a worker until it is told to end. */
export function serveCrew(learner: LaneLearner, agreement: Int32Array): void {
  let turn = 0;
  try {
    for (;;) {
      Atomics.wait(agreement, TURN, turn);
      turn = Atomics.load(agreement, TURN);
      if (turn < 0) return;
      runLanes(learner, agreement, learner.task.size.lanes);
    }
  } catch (error) {
    Atomics.store(agreement, FAILED, 1);
    Atomics.notify(agreement, DONE);
    throw error;
  }
}
