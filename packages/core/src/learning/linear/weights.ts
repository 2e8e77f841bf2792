import { type GrowingMemory, instantiate, needWebAssembly } from "../../kernels/kernel.js";
import learningKernel from "../../kernels/learning.generated.js";

interface Kernel {
  init(base: number, classes: number, minUpdates: number, slots: number, squares: number): void;
  resume(table: number, slots: number, features: number, end: number): void;
  tableAt(): number;
  slotCount(): number;
  featureCount(): number;
  end(): number;
  score(features: number, count: number, scores: number, size: number, rows: number): void;
  update(features: number, count: number, cls: number, change: number, moment: number): number;
  descend(
    features: number,
    count: number,
    classes: number,
    gradients: number,
    classCount: number,
    rate: number,
    square: number,
  ): number;
}

// The memory: features, scores, rows of the features, classes and gradients of a step, then the table and the rows.
// Bytes.
const FEATURES = 64;
const MOST_FEATURES = 4096;
const SCORES = FEATURES + 4 * MOST_FEATURES;
const MOST_CLASSES = 1 << 15;
const ROWS = SCORES + 4 * MOST_CLASSES;
const STEP_CLASSES = ROWS + 4 * MOST_FEATURES + 64;
const MOST_STEP_CLASSES = 1024;
const GRADIENTS = STEP_CLASSES + 4 * MOST_STEP_CLASSES;
const BASE = GRADIENTS + 4 * MOST_STEP_CLASSES;
const PAGE = 65536;
const SLOTS = 1 << 16;
/** Instead of the number of its entries, in a row with a place for every class. */
const DENSE = 0xffff;

/** How weights are averaged over time: later ones count for more, or all the same. */
export const AVERAGING = ["weighted", "plain"] as const;
/** One of `AVERAGING`. */
export type Averaging = (typeof AVERAGING)[number];

/** Everything that was learned, for saving. */
export interface SavedWeights {
  table: number;
  slots: number;
  features: number;
  bytes: Uint8Array;
}

/**
 * The weights of a linear model while it learns: for each feature a row of (class, weight), kept by
 * kernels/learning.ts. Besides its weight w, each has the sum of time² × change, from which the average follows (after
 * Daumé 2006): average = w − sum / time². Squares, so that later weights count for more: in a plain average, which has
 * the times themselves, the first epoch, when nearly everything was wrong, counts as much as the last.
 *
 * Weights are integers, so that sums do not depend on their order; a learner that needs fractions counts in units (see
 * logistic.ts).
 *
 * A feature counts only once it has been in `minUpdates` updates; what it learns before then is kept (Goldberg &
 * Elhadad 2011). Rare features otherwise explain single sentences and take the weight from common ones.
 */
export class Weights {
  private readonly memory: GrowingMemory;
  private readonly kernel: Kernel;
  private words: Int32Array;
  private floats: Float32Array;
  private pages: number;
  private readonly classes: number;

  /**
   * `classes`: how many there are; rows for many of them are then faster. `squares`: keep what `descend` needs.
   * `averaging`: how much a weight counts in its average.
   */
  constructor(
    minUpdates = 0,
    classes = 0,
    private readonly squares = false,
    private readonly averaging: Averaging = "weighted",
  ) {
    needWebAssembly();
    this.memory = new WebAssembly.Memory({ initial: Math.ceil((BASE + 8 * SLOTS) / PAGE) });
    this.kernel = instantiate<Kernel>(learningKernel, this.memory)!;
    this.classes = 4 * Math.ceil(classes / 4);
    this.kernel.init(BASE, this.classes, minUpdates, SLOTS, squares ? 1 : 0);
    this.words = new Int32Array(this.memory.buffer);
    this.floats = new Float32Array(this.memory.buffer, 0, BASE / 4);
    this.pages = this.memory.buffer.byteLength / PAGE;
  }

  /** Number of features. */
  get features(): number {
    return this.kernel.featureCount();
  }

  /** Add the weights of the features to the scores of the classes. */
  score(features: Int32Array, scores: Int32Array): void {
    const { words } = this;
    const size = scores.length;
    words.set(features, FEATURES / 4);
    this.kernel.score(FEATURES, features.length, SCORES, Math.max(this.classes, size), ROWS);
    for (let k = 0, at = SCORES / 4; k < size; k++, at++) scores[k]! += words[at]!;
  }

  /** Add `change` to the weights of a class for all these features, at the given time. */
  update(features: Int32Array, cls: number, change: number, time: number): void {
    this.words.set(features, FEATURES / 4);
    this.grown(this.kernel.update(FEATURES, features.length, cls, change, change * this.share(time)));
  }

  /**
   * A step of AdaGrad against the gradients of the scores of the first `count` classes in the list, for all these
   * features: no weight changes by more than `rate` times the gradient, and the less the more it has changed before.
   */
  descend(
    features: Int32Array,
    classes: Int32Array,
    gradients: Float32Array,
    count: number,
    rate: number,
    time: number,
  ): void {
    this.words.set(features, FEATURES / 4);
    const floats = this.floats;
    for (let i = 0; i < count; i++) {
      this.words[STEP_CLASSES / 4 + i] = classes[i]!;
      floats[GRADIENTS / 4 + i] = gradients[i]!;
    }
    this.grown(this.kernel.descend(FEATURES, features.length, STEP_CLASSES, GRADIENTS, count, rate, this.share(time)));
  }

  /** How much of an average all moments up to a time make up. */
  private share(time: number): number {
    return this.averaging === "plain" ? time : time * time;
  }

  private grown(pages: number): void {
    if (pages === this.pages) return;
    this.words = new Int32Array(this.memory.buffer);
    this.floats = new Float32Array(this.memory.buffer, 0, BASE / 4);
    this.pages = pages;
  }

  /** Everything there is, sharing the memory: for saving. */
  save(): SavedWeights {
    const { kernel, memory } = this;
    const bytes = new Uint8Array(memory.buffer, BASE, kernel.end() - BASE);
    return { table: kernel.tableAt(), slots: kernel.slotCount(), features: kernel.featureCount(), bytes };
  }

  /** Take over what `save` gave; a RangeError if it cannot be that. */
  restore(saved: SavedWeights): void {
    checkSaved(saved, this.classes, this.squares ? 4 : 0);
    const { table, slots, features, bytes } = saved;
    this.kernel.resume(table, slots, features, BASE + bytes.length);
    new Uint8Array(this.memory.buffer).set(bytes, BASE);
    this.grown(this.memory.buffer.byteLength / PAGE);
  }

  /** Visit the averaged weights, features in the order of their slots. */
  forEachAverage(time: number, visit: (key: number, cls: number, average: number) => void): void {
    const { words, kernel, classes } = this;
    const sums = new Float64Array(this.memory.buffer);
    const square = this.share(time);
    const first = kernel.tableAt() / 4;
    const last = first + 2 * kernel.slotCount();
    for (let slot = first; slot < last; slot += 2) {
      // The lowest bit of the address says that the feature counts.
      if ((words[slot + 1]! & 1) === 0) continue;
      const row = words[slot + 1]! >>> 2;
      const key = words[slot]!;
      const count = words[row]! & 0xffff;
      if (count === DENSE) {
        for (let k = 0; k < classes; k++) {
          const sum = sums[(row + 2 + classes) / 2 + k]!;
          if (words[row + 2 + k] !== 0 || sum !== 0) visit(key, k, words[row + 2 + k]! - sum / square);
        }
        continue;
      }
      const room = words[row]! >>> 16;
      for (let i = 0; i < count; i++) {
        const e = row + 2 + 2 * i;
        visit(key, words[e]!, words[e + 1]! - sums[(row + 2) / 2 + room + i]! / square);
      }
    }
  }
}

/**
 * Throws a RangeError unless the table and its rows are as kernels/learning.ts leaves them: inside the memory and apart
 * from each other, with classes that there are, and room in the table, so that whatever is looked up is found or
 * missing after finitely many steps.
 */
function checkSaved({ table, slots, features, bytes }: SavedWeights, classes: number, squareBytes: number): void {
  const refuse = (what: string): never => {
    throw new RangeError(`invalid weights: ${what}`);
  };
  if (!(bytes instanceof Uint8Array) || bytes.length % 8 !== 0) refuse("their memory is missing or cut");
  const tableEnd = table + 8 * slots;
  const end = BASE + bytes.length;
  const isTable = [table, slots, features].every(Number.isInteger) && table >= BASE && tableEnd <= end;
  if (!isTable || table % 8 !== 0 || slots < 2 || (slots & (slots - 1)) !== 0)
    refuse("their table is not in the memory");
  const words = new Uint32Array(bytes.slice().buffer);
  const stretches = [{ from: table, to: tableEnd }];
  for (let slot = (table - BASE) / 4; slot < (tableEnd - BASE) / 4; slot += 2) {
    // The lowest bit says that the feature counts.
    const from = words[slot + 1]! & ~1;
    if (words[slot + 1] === 0) continue;
    if (from < BASE || from % 8 !== 0 || from + 8 > end) refuse("a row is not in the memory");
    const at = (from - BASE) / 4;
    const entries = words[at]! & 0xffff;
    const room = words[at]! >>> 16;
    const isDense = entries === DENSE && classes > 0;
    const to = from + 8 + (isDense ? classes * (12 + squareBytes) : room * (16 + squareBytes));
    if (to > end || (!isDense && entries > room)) refuse("a row is longer than the memory");
    for (let e = 0; !isDense && e < entries; e++) {
      if (words[at + 2 + 2 * e]! >= (classes || MOST_CLASSES)) refuse("there is no such class");
    }
    stretches.push({ from, to });
  }
  const count = stretches.length - 1;
  if (count !== features || 2 * count > slots) refuse("the table has another number of features");
  stretches.sort((a, b) => a.from - b.from);
  for (let i = 1; i < stretches.length; i++) {
    if (stretches[i]!.from < stretches[i - 1]!.to) refuse("two rows are in the same place");
  }
}
