// Further workers for what takes long. They run the same script as the worker that starts them, so that there is
// nothing more to download, and each has a copy of the model: pages that any host may serve cannot share memory.

import type { FromWorker, Requests, ToWorker } from "../../protocol/requests.js";

/** More workers than this gain little: the comparison with the gold trees is done in one. */
const MOST_WORKERS = 8;
/** Bytes of models that all helpers together may hold. */
const MOST_MEMORY = 400_000_000;
/** Batches that a helper has at a time, so that it never waits for the next one. */
const AHEAD = 2;

/** A model as it came, to be given to helpers. */
export interface SentModel {
  name: string;
  bytes: ArrayBuffer;
}

/** A worker that parses batches of sentences. */
class Helper {
  private readonly waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  private last = 0;
  private isReady = false;
  private readonly worker: Worker;

  constructor(model: SentModel) {
    this.worker = new Worker(self.location.href, { type: "module", name: "helper" });
    this.worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      const request = this.waiting.get(data.id);
      if (!request || data.kind === "progress") return;
      this.waiting.delete(data.id);
      if (data.kind === "answer") request.resolve(data.answer);
      else request.reject(new Error(data.kind === "error" ? data.message : "superseded"));
    });
    this.worker.addEventListener("error", (event) => {
      // Its work is done by the others.
      event.preventDefault();
      this.close();
    });
    this.ask("loadModel", model).then(
      () => {
        this.isReady = true;
      },
      () => this.close(),
    );
  }

  get isFree(): boolean {
    return this.isReady && this.waiting.size < AHEAD;
  }

  parse(conllu: string, retag: boolean): Promise<string> {
    return this.ask("parseBatch", { conllu, retag });
  }

  private ask<N extends "loadModel" | "parseBatch">(
    name: N,
    question: Requests[N]["ask"],
  ): Promise<Requests[N]["answer"]> {
    return new Promise((resolve, reject) => {
      const id = ++this.last;
      this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      this.worker.postMessage({ id, name, ask: question } as ToWorker);
    });
  }

  close(): void {
    this.isReady = false;
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new Error("the worker has ended"));
    this.waiting.clear();
  }
}

/** The helpers of this worker, all with the same model. They start when they are wanted first. */
export class Helpers {
  private helpers: Helper[] = [];
  private started: SentModel | undefined;

  /** Sees to it that there are helpers with the model; without any the work is done all the same. */
  start(model: SentModel): void {
    if (this.started === model) return;
    this.close();
    this.started = model;
    const cores = navigator.hardwareConcurrency || 2;
    const affordable = Math.floor(MOST_MEMORY / model.bytes.byteLength);
    const count = Math.min(Math.max(2, Math.min(cores, MOST_WORKERS)) - 1, affordable);
    try {
      for (let i = 0; i < count; i++) this.helpers.push(new Helper(model));
    } catch {
      // Some browsers do not let workers start others.
    }
  }

  /** How many helpers there are. */
  get count(): number {
    return this.helpers.length;
  }

  /** Has a helper parse sentences, if one has time for it. */
  parse(conllu: string, retag: boolean): Promise<string> | undefined {
    return this.helpers.find(({ isFree }) => isFree)?.parse(conllu, retag);
  }

  close(): void {
    for (const helper of this.helpers) helper.close();
    this.helpers = [];
    this.started = undefined;
  }
}
