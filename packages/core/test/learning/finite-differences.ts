import { expect } from "vitest";
import type { LaneLearner } from "../../src/learning/network/lane-learner.js";
import { Random } from "../../src/math/random.js";

/** Compares the gradients of all tensors with central differences of the loss. */
export function compareGradients(learner: LaneLearner, sentences: Int32Array, seed?: number, size = 0.01): void {
  const { memory } = learner;
  const { floats, ints } = memory;
  const lane = memory.lanes[0]!;
  learner.check(sentences, seed);
  const entries = Array.from({ length: ints[lane.counts / 4]! }, (_, e) =>
    ints.slice(lane.entries / 4 + 4 * e, lane.entries / 4 + 4 * e + 4),
  );
  // A row of a table occurs with many words: its gradient is the sum of theirs.
  const ofRow = (address: number) =>
    entries.reduce((sum, [place, row, dim]) => {
      const offset = address - row!;
      if (offset < 0 || offset >= 4 * dim!) return sum;
      return sum + floats[(place! + offset + lane.wordsGradient - lane.words) / 4]!;
    }, 0);
  const random = new Random(5);
  for (const { name, at, rows, columns } of memory.tensors) {
    let largest = 0;
    for (let sample = 0; sample < 10; sample++) {
      const isTable = name.startsWith("input ");
      const rowsSeen = entries.filter(([, row]) => row! >= at && row! < at + 4 * rows * columns);
      const place = isTable
        ? rowsSeen[Math.floor(random.next() * rowsSeen.length)]![1]! + 4 * Math.floor(random.next() * columns)
        : at + 4 * Math.floor(random.next() * rows * columns);
      learner.check(sentences, seed);
      const gradient = isTable ? ofRow(place) : floats[(place - memory.dense.at + lane.gradients) / 4]!;
      const value = floats[place / 4]!;
      floats[place / 4] = value + size;
      const above = learner.check(sentences, seed);
      floats[place / 4] = value - size;
      const below = learner.check(sentences, seed);
      floats[place / 4] = value;
      const difference = (above - below) / (2 * size);
      expect(Math.abs(gradient - difference), `${name}: ${gradient}, ${difference}`).toBeLessThan(
        0.002 + 0.01 * Math.abs(difference),
      );
      largest = Math.max(largest, Math.abs(gradient));
    }
    if (!name.startsWith("atom") && name !== "absent") expect(largest, name).toBeGreaterThan(0);
  }
}
