// Gives the pieces of requests to worker threads that share one copy of the weights. Requests take turns, so that a
// large one does not hold up small ones; small pieces that wait together travel in one message. Small requests come
// before others that are new, and these before those that go on, but not always, so that none starve. Heavy pieces
// never have all workers, and one more worker does nothing but small requests: the others may all be at long pieces.
import { Worker } from "node:worker_threads";
import type { SharedModel } from "@stemma/core";
import type { PieceResult } from "../annotation/piece.js";
import { Problem } from "../http/problem.js";
import type { WorkerCounters } from "../metrics/metrics.js";
import { READY, type ServerPiece, sizeOf, weightOf } from "./server-piece.js";
import type { WorkerStart } from "./worker.js";

export interface SchedulerOptions {
  /**
   * Those of shareModel, in memory that one more thread than `threads` can share if there is one for small requests.
   * They are only passed on; the name of their type is not published.
   */
  models: readonly object[];
  /** Number of workers, besides the one for small requests. */
  threads: number;
  /** Whether there is one for small requests. */
  express: boolean;
  /** How many pieces may wait before new requests are refused. */
  queue: number;
  /** Seconds for a piece, after which its worker is replaced. */
  pieceTime: number;
  /** Seconds within which the workers have to be ready. */
  startTime: number;
  /** The counters; they go on when models are loaded again. */
  counters: WorkerCounters;
  /** The script of the workers, if it is not the one beside this. */
  script?: URL | undefined;
  /** Is told of workers that end when they should not. */
  onWorkerEnd?: ((error: Error) => void) | undefined;
}

/**
 * A message to a worker holds at most so many pieces, and no more of them once there are so many UTF-16 units: others
 * wait for it.
 */
const MOST_IN_MESSAGE = 32;
const MESSAGE_SIZE = 2000;
/** A new request is small if its first piece has no more UTF-16 units of usual work: a sentence or two. */
const SMALL = 500;
/** After so many messages in a row of requests that come before others, these have one. */
const MOST_IN_A_ROW = 4;
/**
 * A piece of more work than this, in UTF-16 units of usual work, is heavy: a paragraph that is far longer than a piece,
 * or a wide beam. It takes tens of milliseconds or even seconds, and others wait for it.
 */
const HEAVY = 1 << 14;
/** A piece that was in the messages of so many workers that ended is given up. */
const MOST_LIVES = 3;
/** After so many workers in a row that ended without finishing anything, the next is started after a while (ms). */
const MOST_FAILED_STARTS = 3;
const RESTART_DELAY = 1000;

/** A worker that has been at one piece for so long (ms) holds up others: pieces take milliseconds. */
const STUCK = 2000;
/** A piece that has waited for so long (ms) says that there is too much to do. */
const LONG_WAIT = 5000;
/** Seconds, of Retry-After. */
const LONGEST_RETRY = 60;

interface Job {
  piece: ServerPiece;
  size: number;
  /** UTF-16 units of usual work. */
  work: number;
  heavy: boolean;
  lane: Lane;
  queuedAt: number;
  lives: number;
  done: (error: Error | undefined, result: PieceResult | undefined) => void;
}

interface Thread {
  index: number;
  /** It does small requests only. */
  express: boolean;
  worker: Worker;
  begun: Int32Array;
  /** Its pieces that are not answered, in order; the first of them is the piece number `first`. */
  jobs: Job[];
  first: number;
  /** The piece that it was last seen at, and since when. */
  seen: number;
  since: number;
  /** When it was given what it is at, or last had something done. */
  given: number;
  /** It is at a heavy piece. */
  heavy: boolean;
  /** It was ended because it took too long. */
  late: boolean;
  ready: boolean;
}

/** The pieces of one request. */
export class Lane {
  readonly waiting: Job[] = [];
  readonly running: Job[] = [];
  /** Milliseconds that its first piece waited. */
  waited = 0;
  started = false;
  cancelled: Error | undefined;

  constructor(private readonly scheduler: Scheduler) {}

  /** Resolves when a worker has done the piece; rejects with the reason when the lane is cancelled. */
  run(piece: ServerPiece): Promise<PieceResult> {
    return new Promise((resolve, reject) => {
      if (this.cancelled) return reject(this.cancelled);
      const done: Job["done"] = (error, result) => (error ? reject(error) : resolve(result!));
      const queuedAt = performance.now();
      const size = sizeOf(piece);
      const work = size * weightOf(piece.options);
      this.scheduler.add({ piece, size, work, heavy: work > HEAVY, lane: this, queuedAt, lives: MOST_LIVES, done });
    });
  }

  /** True if somebody still waits for the piece. */
  finished(job: Job): boolean {
    const at = this.running.indexOf(job);
    if (at >= 0) this.running.splice(at, 1);
    return at >= 0;
  }

  /** Drops what waits; what is in work is finished and thrown away. */
  cancel(reason: Error): void {
    if (this.cancelled) return;
    this.cancelled = reason;
    this.scheduler.drop(this);
    for (const job of [...this.waiting.splice(0), ...this.running.splice(0)]) job.done(reason, undefined);
  }
}

export class Scheduler {
  /**
   * Requests with pieces that wait, in the order of their turns, each in one list, once: new and small ones, other new
   * ones, and those that go on.
   */
  private readonly lists: readonly [small: Lane[], fresh: Lane[], others: Lane[]] = [[], [], []];
  /** For each list how many messages in a row held pieces of those before it, while it could have had one. */
  private readonly passed = [0, 0, 0];
  private readonly threads: Thread[] = [];
  private readonly idle: Thread[] = [];
  private readonly models: SharedModel[];
  private readonly script: URL;
  private readonly limit: number;
  private readonly onWorkerEnd: (error: Error) => void;
  private handOut: NodeJS.Immediate | undefined;
  private failedStarts = 0;
  /** Undefined once the workers were ready, or cannot be. */
  private starting: { done: () => void; failed: (error: Error) => void; timer: NodeJS.Timeout } | undefined;
  /** When all workers have their models; rejects, and ends them, if they cannot start with them. */
  readonly ready: Promise<void>;
  private closed = false;
  /** Pieces that wait. */
  waiting = 0;
  readonly counters: WorkerCounters;
  private readonly pieceTime: number;
  private readonly watch: NodeJS.Timeout;
  /** Milliseconds that a worker needs for a piece, of late. */
  private pace = 1;

  constructor({
    models,
    threads,
    express,
    queue,
    pieceTime,
    startTime,
    counters,
    script,
    onWorkerEnd = () => {},
  }: SchedulerOptions) {
    this.counters = counters;
    this.pieceTime = 1000 * pieceTime;
    this.models = [...(models as readonly SharedModel[])];
    this.script = script ?? new URL("./worker.js", import.meta.url);
    this.limit = queue;
    this.onWorkerEnd = onWorkerEnd;
    this.ready = new Promise((done, failed) => {
      const timer = setTimeout(() => this.giveUp(`they were not ready within ${startTime} s`), 1000 * startTime);
      this.starting = { done, failed, timer };
    });
    // Whoever waits for it is told.
    this.ready.catch(() => {});
    for (let index = 0; index < threads; index++) this.start(index, false);
    if (express) this.start(threads, true);
    this.watch = setInterval(() => this.endLate(), Math.min(500, this.pieceTime / 4));
    this.watch.unref();
  }

  /** Ends workers that have been at one piece for too long. */
  private endLate(): void {
    const now = performance.now();
    for (const thread of this.threads) {
      if (this.atPieceFor(thread, now) <= this.pieceTime || thread.late) continue;
      thread.late = true;
      this.counters.late++;
      void thread.worker.terminate();
    }
  }

  /** Milliseconds that a worker has been at one piece. */
  private atPieceFor(thread: Thread, now: number): number {
    if (thread.jobs.length === 0) return 0;
    const piece = Atomics.load(thread.begun, 0);
    if (piece !== thread.seen) {
      thread.seen = piece;
      thread.since = now;
    }
    return now - thread.since;
  }

  /** Why it would be better to ask somebody else, undefined if it would not. */
  get trouble(): "starting" | "overloaded" | undefined {
    if (!this.threads.some(({ ready, express }) => ready && !express)) return "starting";
    const now = performance.now();
    const stuck = this.threads.every(
      (thread) => thread.express || !thread.ready || this.atPieceFor(thread, now) > STUCK,
    );
    const waited = this.lists.some((lanes) => lanes.some(({ waiting }) => now - waiting[0]!.queuedAt > LONG_WAIT));
    return this.full || stuck || waited ? "overloaded" : undefined;
  }

  /** Seconds after which what waits now will be done, as it looks. */
  get retryAfter(): number {
    const seconds = Math.ceil((this.waiting * this.pace) / this.threads.length / 1000);
    return Math.min(LONGEST_RETRY, Math.max(1, seconds));
  }

  get workers(): number {
    return this.threads.length;
  }

  get busy(): number {
    return this.threads.length - this.idle.length;
  }

  /** True if a new request has to be refused. */
  get full(): boolean {
    return this.waiting >= this.limit;
  }

  lane(): Lane {
    return new Lane(this);
  }

  add(job: Job): void {
    const { lane } = job;
    const refused = this.refusal(lane);
    if (refused) {
      job.done(refused, undefined);
      return;
    }
    lane.waiting.push(job);
    if (lane.waiting.length === 1) this.lanesOf(lane).push(lane);
    this.waiting++;
    // After all requests that have arrived by now have been read: they can travel together.
    if (this.idle.length > 0) this.handOut ??= setImmediate(this.giveAll);
  }

  /** Where a request waits: by the piece that comes next. */
  private lanesOf(lane: Lane): Lane[] {
    const [small, fresh, others] = this.lists;
    const { heavy, work } = lane.waiting[0]!;
    return lane.started || heavy ? others : work > SMALL ? fresh : small;
  }

  private readonly giveAll = () => {
    this.handOut = undefined;
    for (const thread of this.idle.splice(0)) this.give(thread);
  };

  private refusal(lane: Lane): Error | undefined {
    if (this.closed) return new Error("the workers are closed");
    // A request that has begun may go on: it waits for its own pieces before it brings more.
    return this.full && !lane.started && lane.waiting.length === 0 ? this.queueFull() : undefined;
  }

  queueFull(): Problem {
    const detail = `${this.waiting} pieces are already waiting: try again later`;
    return new Problem(503, "queue-full", detail, undefined, { "Retry-After": String(this.retryAfter) });
  }

  drop(lane: Lane): void {
    if (lane.waiting.length === 0) return;
    this.leave(lane);
    this.waiting -= lane.waiting.length;
    this.counters.dropped += lane.waiting.length;
  }

  private leave(lane: Lane): void {
    const lanes = this.lanesOf(lane);
    lanes.splice(lanes.indexOf(lane), 1);
  }

  private started(): typeof this.starting {
    const { starting } = this;
    clearTimeout(starting?.timer);
    this.starting = undefined;
    return starting;
  }

  /** The workers cannot start: those who follow would not either. */
  private giveUp(reason: string): void {
    this.started()?.failed(new Error(`the workers cannot start with the models: ${reason}`));
    void this.close();
  }

  /** Ends all workers at once. */
  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.watch);
    const error = new Error("the workers are closed");
    this.started()?.failed(error);
    for (const lane of this.lists.flat()) lane.cancel(error);
    await Promise.all(this.threads.map(({ worker }) => worker.terminate()));
  }

  /** Gives a thread that has nothing to do its share of what waits. */
  private give(thread: Thread): void {
    const takesHeavy = this.takesHeavy(thread);
    const lanes = thread.express ? this.lists[0] : this.nextLanes(takesHeavy);
    const share = Math.min(MOST_IN_MESSAGE, Math.ceil(lanes.length / this.threads.length));
    const pieces: ServerPiece[] = [];
    const now = performance.now();
    thread.heavy = false;
    for (let size = 0; pieces.length < share && size < MESSAGE_SIZE; ) {
      const at = lanes.findIndex(({ waiting }) => !waiting[0]!.heavy || (pieces.length === 0 && takesHeavy));
      if (at < 0) break;
      const [lane] = lanes.splice(at, 1) as [Lane];
      const job = lane.waiting.shift()!;
      thread.heavy = job.heavy;
      this.waiting--;
      this.counters.waits.add((now - job.queuedAt) / 1000);
      if (!lane.started) {
        lane.started = true;
        lane.waited = now - job.queuedAt;
      }
      lane.running.push(job);
      thread.jobs.push(job);
      pieces.push(job.piece);
      size += job.heavy ? MESSAGE_SIZE : job.size;
      if (lane.waiting.length > 0) this.lanesOf(lane).push(lane);
    }
    if (pieces.length === 0) {
      this.idle.push(thread);
      return;
    }
    this.counters.pieces += pieces.length;
    this.counters.messages++;
    thread.since = now;
    thread.given = now;
    thread.worker.postMessage(pieces);
  }

  /** From which requests the next message is. */
  private nextLanes(takesHeavy: boolean): Lane[] {
    const { lists, passed } = this;
    const canGive = lists.map((lanes) => lanes.some(({ waiting }) => takesHeavy || !waiting[0]!.heavy));
    const first = canGive.indexOf(true);
    let next = first;
    for (let i = first + 1; i < lists.length; i++) if (canGive[i] && passed[i]! >= MOST_IN_A_ROW) next = i;
    for (let i = 0; i < lists.length; i++) {
      if (!canGive[i] || i === next) passed[i] = 0;
      else if (i > next) passed[i]!++;
    }
    return lists[Math.max(0, next)]!;
  }

  /** Whether a worker may be given a heavy piece: another one that is at work is left for the light ones. */
  private takesHeavy(thread: Thread): boolean {
    const others = this.threads.filter((other) => other !== thread && !other.express);
    return !thread.express && (others.length === 0 || others.some(({ ready, heavy }) => ready && !heavy));
  }

  private tooSlow(): Problem {
    const detail = `a piece of the request took longer than ${this.pieceTime / 1000} s (expected shorter sentences, or a narrower beam)`;
    return new Problem(504, "piece-too-slow", detail);
  }

  private start(index: number, express: boolean): void {
    const begun = new Int32Array(new SharedArrayBuffer(4));
    const workerData: WorkerStart = { models: this.models, thread: index, begun };
    const thread: Thread = {
      index,
      express,
      worker: new Worker(this.script, { workerData }),
      begun,
      jobs: [],
      first: 1,
      seen: 0,
      since: performance.now(),
      given: performance.now(),
      heavy: false,
      late: false,
      ready: false,
    };
    this.threads[index] = thread;
    thread.worker.on("message", (results: PieceResult[] | typeof READY) => {
      if (results === READY) {
        thread.ready = true;
        if (this.threads.every(({ ready }) => ready)) this.started()?.done();
        this.give(thread);
        // Another may have waited for this one, to take a heavy piece.
        return this.giveAll();
      }
      const jobs = thread.jobs.splice(0, results.length);
      thread.first += jobs.length;
      this.failedStarts = 0;
      const now = performance.now();
      const pace = (now - thread.given) / jobs.length;
      this.pace += (1 - 0.95 ** jobs.length) * (pace - this.pace);
      thread.given = now;
      if (thread.jobs.length === 0) this.give(thread);
      jobs.forEach((job, i) => {
        if (job.lane.finished(job)) job.done(undefined, results[i]);
      });
    });
    let reason = new Error("ended");
    thread.worker.on("error", (error) => {
      reason = error;
    });
    thread.worker.on("exit", (code) => {
      if (!this.closed) this.replace(thread, new Error(`a worker ended (${reason.message}, code ${code})`));
    });
  }

  /** The piece that a worker was at when it ended has failed; the others that it had wait again, before all else. */
  private replace(thread: Thread, error: Error): void {
    this.counters.replaced++;
    thread.ready = false;
    if (this.starting && this.failedStarts >= MOST_FAILED_STARTS) {
      this.giveUp(error.message);
      return;
    }
    this.onWorkerEnd(thread.late ? new Error("a worker was ended because a piece took too long") : error);
    const culprit = Atomics.load(thread.begun, 0) - thread.first;
    const again: Job[] = [];
    thread.jobs.forEach((job, i) => {
      if (!job.lane.finished(job)) return;
      // Where it is not known which one it was, a piece is not given to one worker after the other.
      if (i === culprit || (!(culprit >= 0) && --job.lives === 0)) {
        job.done(thread.late ? this.tooSlow() : workerEnded(), undefined);
      } else again.push(job);
    });
    for (const job of again.reverse()) {
      const { lane } = job;
      if (lane.waiting.length > 0) this.leave(lane);
      lane.waiting.unshift(job);
      this.lanesOf(lane).unshift(lane);
    }
    this.waiting += again.length;
    const at = this.idle.indexOf(thread);
    if (at >= 0) this.idle.splice(at, 1);
    if (++this.failedStarts <= MOST_FAILED_STARTS) this.start(thread.index, thread.express);
    else setTimeout(() => !this.closed && this.start(thread.index, thread.express), RESTART_DELAY);
  }
}

function workerEnded(): Problem {
  return new Problem(500, "worker-ended", "the worker died while it was working on this request");
}
