import { InvalidArgumentError } from "commander";

/** One of so many equal shares, from 0. */
export interface Shard {
  index: number;
  count: number;
}

const MOST_SHARDS = 1_000_000;

/** For --shard. */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index ?? Number.NaN), count: Number(count ?? Number.NaN) };
  if (!(shard.index < shard.count && shard.count <= MOST_SHARDS)) {
    throw new InvalidArgumentError("expected its number from 0 and the number of all, as 0/8 to 7/8");
  }
  return shard;
}

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1 << 10, m: 1 << 20, g: 1 << 30 };
const SMALLEST = 1 << 10;

/** For --part-size. */
export function parseSize(text: string): number {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)([kmg]?)b?$/i.exec(text) ?? [];
  const size = Math.floor(Number(number ?? Number.NaN) * UNITS[unit.toLowerCase()]!);
  if (!(size >= SMALLEST && Number.isSafeInteger(size))) {
    throw new InvalidArgumentError("expected a number of bytes from 1k, as 500k, 64m or 1g");
  }
  return size;
}
