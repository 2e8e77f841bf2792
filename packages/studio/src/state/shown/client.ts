import type { FromWorker, RequestName, Requests, ToWorker } from "../../protocol/requests.js";

interface Waiting {
  name: RequestName;
  resolve(answer: unknown): void;
  reject(error: Error): void;
  progress: ((done: number) => void) | undefined;
}

const worker = new Worker(new URL("../../worker/worker.ts", import.meta.url), { type: "module" });
const waiting = new Map<number, Waiting>();
let last = 0;
/** The newest request of each name. */
const newest = new Map<RequestName, number>();
/** Set if the worker cannot be started: then nobody answers, and every request has to fail at once. */
let lost: Error | undefined;
let alive = false;

worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
  alive = true;
  const request = waiting.get(data.id);
  if (!request) return;
  if (data.kind === "progress") return request.progress?.(data.done);
  waiting.delete(data.id);
  // An answer to what was asked before the newest request may still be on its way: it is no longer what is wanted.
  const isOld = newest.get(request.name) !== data.id;
  if (data.kind === "error" && !isOld) request.reject(new Error(data.message));
  else request.resolve(data.kind === "answer" && !isOld ? data.answer : undefined);
});

worker.addEventListener("error", (event) => {
  const error = new Error(event.message || "the parser could not be started; reload the page");
  if (!alive) lost = error;
  for (const request of waiting.values()) request.reject(error);
  waiting.clear();
});

/**
 * Asks the worker; what is in `transfer` moves to it. The answer is undefined if a newer request of the same name took
 * this one's place.
 */
export function ask<N extends RequestName>(
  name: N,
  question: Requests[N]["ask"],
  progress?: (done: number) => void,
  transfer: Transferable[] = [],
): Promise<Requests[N]["answer"] | undefined> {
  return new Promise((resolve, reject) => {
    if (lost) return reject(lost);
    const id = ++last;
    newest.set(name, id);
    waiting.set(id, { name, resolve: resolve as (answer: unknown) => void, reject, progress });
    worker.postMessage({ id, name, ask: question } as ToWorker, transfer);
  });
}
