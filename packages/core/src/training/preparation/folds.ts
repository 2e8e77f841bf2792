import { Random } from "../../math/random.js";

/**
 * Sentences that follow each other stay together, since they are often of one text: a model that saw their neighbours
 * does too well.
 */
const TOGETHER = 50;

/**
 * For each of n sentences the fold (0 … k − 1) that it belongs to. Folds are about equally large and depend on the
 * seed.
 */
export function foldsOf(n: number, k: number, seed: number): Int32Array {
  if (!(Number.isInteger(k) && k >= 2)) throw new RangeError(`invalid number of folds: ${k} (expected 2 or more)`);
  const size = Math.max(1, Math.min(TOGETHER, Math.floor(n / (4 * k))));
  const blocks = Int32Array.from({ length: Math.ceil(n / size) }, (_, block) => block % k);
  new Random(Math.imul(seed, 0x9e3779b1) ^ k).shuffle(blocks);
  return Int32Array.from({ length: n }, (_, i) => blocks[Math.floor(i / size)]!);
}
