import { availableParallelism } from "node:os";
import { between } from "./numbers.js";

/** A number of threads, 0 for all cores. */
export const threads = between(0, 256);

/** The value of --threads: a number, and whether it was said twice. */
export interface ThreadCount {
  count: number;
  isInsisted: boolean;
}

/** For options that take a number of threads; `before` is what was said before, if anything. */
export function threadCount(text: string, before?: ThreadCount | undefined): ThreadCount {
  const count = threads(text);
  return { count, isInsisted: before?.count === count };
}

/**
 * So many threads: all cores for 0, and no more than there are cores, since more are only slower, unless it was said
 * twice.
 */
export function threadsOf({ count, isInsisted }: ThreadCount): number {
  const cores = availableParallelism();
  if (count === 0) return cores;
  return isInsisted ? count : Math.min(count, cores);
}
