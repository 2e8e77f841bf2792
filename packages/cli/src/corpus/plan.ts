// How a corpus is divided: a function of its files and the size of a part, so that all shards agree without talking to
// each other, and whoever checks the result knows what should be there.
import { createHash } from "node:crypto";
import type { Input, InputFormat } from "../documents/inputs.js";
import type { Shard } from "./shard-option.js";

/** A file of the corpus. */
export interface PlannedInput {
  file: string;
  size: number;
  format: InputFormat;
  /** It is compressed, and cannot be read from the middle. */
  packed: boolean;
  /** About how many bytes there are to parse. */
  weight: number;
}

/** Settings that all parts share; two corpora that differ in them are different ones. */
export interface CorpusSettings {
  stemma: string;
  /** SHA-256 of the model. */
  model: string;
  to: string;
  /** How parts end: ".jsonl", ".conllu.gz", …. */
  ending: string;
  /** Options that change what comes out. */
  options: Record<string, unknown>;
}

/** A whole corpus, as it is kept in its directory. */
export interface Plan extends CorpusSettings {
  version: 1;
  partSize: number;
  inputs: PlannedInput[];
}

/** A file or a range of it. The range is moved to the next place where it may be cut, at both ends alike. */
export interface Segment {
  input: PlannedInput;
  start: number;
  end: number;
}

export interface Part {
  number: number;
  segments: Segment[];
  weight: number;
}

const SMALLEST_PART = 1 << 20;
const LARGEST_PART = 1 << 26;
/** Enough parts for shards to be even, few enough to be looked at. */
const USUAL_PARTS = 256;

/** The size of a part that is taken unless somebody says otherwise. */
export function usualPartSize(inputs: readonly PlannedInput[]): number {
  const all = inputs.reduce((sum, { weight }) => sum + weight, 0);
  return Math.min(LARGEST_PART, Math.max(SMALLEST_PART, Math.ceil(all / USUAL_PARTS)));
}

/** The parts of a corpus. Small files are put together, large ones cut, packed ones are what they are. */
export function partsOf({ inputs, partSize }: Pick<Plan, "inputs" | "partSize">): Part[] {
  const parts: Part[] = [];
  let segments: Segment[] = [];
  let weight = 0;
  const close = () => {
    if (segments.length > 0) parts.push({ number: parts.length, segments, weight });
    segments = [];
    weight = 0;
  };
  for (const input of inputs) {
    const pieces = input.packed ? 1 : Math.max(1, Math.ceil(input.size / partSize));
    if (weight + input.weight > partSize) close();
    for (let k = 0; k < pieces; k++) {
      const [start, end] = [place(input, k, pieces), place(input, k + 1, pieces)];
      segments.push({ input, start, end });
      weight += pieces === 1 ? input.weight : end - start;
      if (pieces > 1) close();
    }
  }
  close();
  return parts;
}

function place({ size }: PlannedInput, k: number, pieces: number): number {
  return k === pieces ? size : Math.floor((size / pieces) * k);
}

/** The parts of a shard: the heaviest part goes to whoever has least so far. */
export function shardOf(parts: readonly Part[], { index, count }: Shard): Part[] {
  const byWeight = [...parts].sort((a, b) => b.weight - a.weight || a.number - b.number);
  const loads = new LeastLoaded(count);
  const own = byWeight.filter(({ weight }) => loads.take(weight) === index);
  return own.sort((a, b) => a.number - b.number);
}

/** A heap of shards by their loads. */
class LeastLoaded {
  private readonly heap: { shard: number; load: number }[];

  constructor(count: number) {
    this.heap = Array.from({ length: count }, (_, shard) => ({ shard, load: 0 }));
  }

  /** The shard that has least, which gets some more. */
  take(weight: number): number {
    const { heap } = this;
    const top = heap[0]!;
    const { shard } = top;
    // Empty files count too, or one shard would get them all.
    top.load += weight + 1;
    let at = 0;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && isLess(heap, child, least)) least = child;
      if (least === at) return shard;
      [heap[at], heap[least]] = [heap[least]!, heap[at]!];
      at = least;
    }
  }
}

function isLess(heap: readonly { shard: number; load: number }[], a: number, b: number): boolean {
  const [x, y] = [heap[a]!, heap[b]!];
  return x.load !== y.load ? x.load < y.load : x.shard < y.shard;
}

/** The name of a part. */
export function partName(number: number, count: number): string {
  return `part-${String(number).padStart(Math.max(5, String(count - 1).length), "0")}`;
}

/** The plan as it is written, byte for byte. */
export function planText(plan: Plan): string {
  return `${JSON.stringify(plan, undefined, 1)}\n`;
}

/** By what manifests know the plan. */
export function planHash(plan: Plan): string {
  return createHash("sha256").update(planText(plan)).digest("hex");
}

/** The texts of a segment that are parsed, at the places where it was cut. */
export function inputOf({ input, start, end }: Segment): Input {
  const isWhole = start === 0 && end === input.size;
  return { path: input.file, format: input.format, ...(isWhole ? {} : { range: { start, end } }) };
}
