import { createReadStream } from "node:fs";
import { fileError } from "./io.js";

const NEWLINE = 10;
let last: { path: string; at: number; lines: number } | undefined;

/** How many lines of a file end before a byte; it is read to be counted, once for the same place. */
export async function linesBefore(path: string, at: number): Promise<number> {
  if (last?.path === path && last.at === at) return last.lines;
  let lines = 0;
  try {
    for await (const chunk of createReadStream(path, { end: at - 1, highWaterMark: 1 << 18 })) {
      for (let i = chunk.indexOf(NEWLINE); i >= 0; i = chunk.indexOf(NEWLINE, i + 1)) lines++;
    }
  } catch (error) {
    throw fileError("read", path, error);
  }
  last = { path, at, lines };
  return lines;
}
