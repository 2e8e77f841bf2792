import { CONSTANT_VALUE, MOST_TEMPLATES, type TemplateProgram } from "../../features/program.js";
import { type GrowingMemory, instantiate } from "../../kernels/kernel.js";
import scoringKernel from "../../kernels/scoring.generated.js";
import sharedScoringKernel from "../../kernels/scoring-shared.generated.js";
import { type Entries, type ForEachWeight, markOf, quantized, WIDTH } from "./quantized-weights.js";

/**
 * A row for at least one in so many classes is stored dense: eight additions in one instruction make up for the zeros.
 */
const DENSE = 7;
/** Dense rows have room for a multiple of this many classes: one cache line. */
const LINE = 32;
const MOST_CLASSES = 1 << 15;
/** The first bytes of the memory are not used, so that nothing has address 0. */
const BASE = 64;
const PAGE = 65536;

/** Where the parts of a model are in its memory, in bytes. */
export interface LinearLayout {
  readonly buckets: number;
  /** The highest class that has a weight, and 1. */
  readonly classes: number;
  /** Number of features. */
  readonly features: number;
  /** The end of the model; working memory follows, as much for each thread. */
  readonly end: number;
}

/** The map from features to scores of classes; working memory for one thread. */
export interface Scorer {
  /** Set before `score`: the values of the atoms of a program. */
  readonly values: Int32Array;
  /** Set before `scoreFeatures`: the features, 0 for none. */
  readonly features: Int32Array;
  /** The scores of the classes after either. */
  readonly scores: Int32Array;
  score(): void;
  scoreFeatures(count: number): void;
}

interface Kernel {
  init(...addresses: number[]): void;
  score(): void;
  scoreFeatures(features: number, count: number): void;
}

/**
 * A trained linear model, ready to parse: for each feature the classes it speaks for or against. Weights are 16-bit
 * integers and sums are exact, so that the same model gives the same trees everywhere.
 *
 * One memory holds a table of marks (four features a bucket), for each mark the address of its row, and the rows. A
 * sparse row is a count and (class, weight) pairs; a dense one, whose address has its lowest bit set, a weight for
 * every class. Frequent features have long rows: they are few, stay in the cache and take nearly all the additions, and
 * WebAssembly adds eight weights at a time. Where that cannot be had, JavaScript does the same more slowly.
 */
export class LinearModel {
  private readonly marks: Uint16Array;
  private readonly places: Int32Array;
  private readonly words: Int32Array;
  private readonly halves: Int16Array;

  constructor(
    readonly memory: GrowingMemory,
    readonly layout: LinearLayout,
    /** Which of the threads that share the memory this is. */
    private readonly thread = 0,
  ) {
    const { buffer } = memory;
    this.marks = new Uint16Array(buffer, BASE, WIDTH * layout.buckets);
    this.places = new Int32Array(buffer, BASE + 2 * WIDTH * layout.buckets, WIDTH * layout.buckets);
    this.words = new Int32Array(buffer);
    this.halves = new Int16Array(buffer);
  }

  /** Make a model from weights: see `quantized`. */
  static from(forEach: ForEachWeight, threshold = 0, active = 256): LinearModel {
    return LinearModel.build(quantized(forEach, threshold, active))!;
  }

  /** The entries in the layout for parsing; undefined if not all features find a place, which no writer writes. */
  static build({ bits, features, from, classes, weights }: Entries): LinearModel | undefined {
    let classCount = 1;
    for (let e = 0; e < classes.length; e++) if (classes[e]! >= classCount) classCount = classes[e]! + 1;
    const stride = 2 * LINE * Math.ceil(classCount / LINE);
    /** Rows with at least so many entries are dense. */
    const long = Math.max(2, Math.ceil(classCount / DENSE));
    const buckets = 2 ** bits / WIDTH;
    let denseAt = BASE + 6 * WIDTH * buckets;
    let sparseAt = denseAt;
    let end = denseAt;
    for (let f = 0; f < features.length; f++) {
      const length = from[f + 1]! - from[f]!;
      if (length >= long) sparseAt += stride;
      end += length >= long ? stride : 4 + 4 * length;
    }
    const layout = { buckets, classes: classCount, features: features.length, end: LINE * Math.ceil(end / LINE) };
    const memory = memoryOf(layout.end + SCRATCH, false);
    const { marks, places, words, halves } = new LinearModel(memory, layout);
    for (let f = 0; f < features.length; f++) {
      const mark = markOf(features[f]!);
      let slot = WIDTH * (features[f]! & (buckets - 1));
      const last = slot + WIDTH;
      while (marks[slot] !== 0) if (marks[slot] === mark || ++slot === last) return undefined;
      marks[slot] = mark;
      if (from[f + 1]! - from[f]! >= long) {
        places[slot] = denseAt | 1;
        for (let e = from[f]!; e < from[f + 1]!; e++) halves[denseAt / 2 + classes[e]!] = weights[e]!;
        denseAt += stride;
      } else {
        places[slot] = sparseAt;
        let at = sparseAt / 4;
        words[at++] = from[f + 1]! - from[f]!;
        for (let e = from[f]!; e < from[f + 1]!; e++) words[at++] = (classes[e]! << 16) | (weights[e]! & 0xffff);
        sparseAt = 4 * at;
      }
    }
    return new LinearModel(memory, layout);
  }

  /** A copy in memory that `threads` threads can share. */
  shared(threads: number): { memory: GrowingMemory; layout: LinearLayout } {
    const { layout } = this;
    const memory = memoryOf(layout.end + threads * SCRATCH, true);
    new Uint8Array(memory.buffer).set(new Uint8Array(this.memory.buffer, 0, layout.end));
    return { memory, layout };
  }

  /** Number of features. */
  get size(): number {
    return this.layout.features;
  }

  /** The weights in the order of the model file. */
  entries(): Entries {
    const slots = new Map<number, number>();
    let count = 0;
    this.forEach((feature) => {
      slots.set(feature >>> 0, (slots.get(feature >>> 0) ?? 0) + 1);
      count++;
    });
    const features = Uint32Array.from(slots.keys()).sort();
    const from = new Uint32Array(features.length + 1);
    const at = new Map<number, number>();
    features.forEach((feature, f) => {
      at.set(feature, from[f]!);
      from[f + 1] = from[f]! + slots.get(feature)!;
    });
    const classes = new Uint16Array(count);
    const weights = new Int16Array(count);
    this.forEach((feature, cls, weight) => {
      const e = at.get(feature >>> 0)!;
      classes[e] = cls;
      weights[e] = weight;
      at.set(feature >>> 0, e + 1);
    });
    return { bits: Math.log2(WIDTH * this.layout.buckets), features, from, classes, weights };
  }

  /** Visit all weights in the order of the table: features by bucket, classes ascending. */
  forEach(visit: (feature: number, cls: number, weight: number) => void): void {
    const { marks, places, words, halves } = this;
    const { buckets, classes } = this.layout;
    for (let slot = 0; slot < marks.length; slot++) {
      if (marks[slot] === 0) continue;
      const bucket = Math.floor(slot / WIDTH);
      // Mark 1 also stands for 0: the bucket tells which, unless it is chosen by 16 bits, and then either will do.
      const high = marks[slot] === 1 && buckets > 0x10000 && (bucket & 0x10000) === 0 ? 0 : marks[slot]!;
      const feature = (high << 16) | (bucket & 0xffff);
      const place = places[slot]!;
      if (place & 1) {
        const row = place >> 1;
        for (let k = 0; k < classes; k++) if (halves[row + k] !== 0) visit(feature, k, halves[row + k]!);
      } else {
        const row = place >> 2;
        for (let e = row + 1; e <= row + words[row]!; e++) visit(feature, words[e]! >> 16, (words[e]! << 16) >> 16);
      }
    }
  }

  /** Add the weights of the features to the scores of the classes. */
  score(features: Int32Array, scores: Int32Array): void {
    const { marks, places, words, halves } = this;
    const { buckets, classes } = this.layout;
    for (let i = 0; i < features.length; i++) {
      const feature = features[i]!;
      if (feature === 0) continue;
      const mark = markOf(feature);
      let slot = (feature & (buckets - 1)) * WIDTH;
      const last = slot + WIDTH;
      while (slot < last && marks[slot] !== mark) slot++;
      if (slot === last) continue;
      const place = places[slot]!;
      if (place & 1) {
        const row = place >> 1;
        for (let k = 0; k < classes; k++) scores[k]! += halves[row + k]!;
      } else {
        const row = place >> 2;
        const end = row + words[row]!;
        for (let e = row + 1; e <= end; e++) scores[words[e]! >> 16]! += (words[e]! << 16) >> 16;
      }
    }
  }

  /**
   * The scorer of features for one user of the model at a time; `program`, if given, makes them from the values of
   * atoms. `plain` does without WebAssembly.
   */
  scorer(program: TemplateProgram = NO_PROGRAM, plain = false): Scorer {
    const { memory, layout, thread, words } = this;
    const base = layout.end + thread * SCRATCH;
    const values = new Int32Array(memory.buffer, base + VALUES, program.valueCount);
    values[program.valueCount - 1] = CONSTANT_VALUE;
    const features = new Int32Array(memory.buffer, base + FEATURES, MOST_TEMPLATES);
    const scores = new Int32Array(memory.buffer, base + SCORES, MOST_CLASSES);
    const text = isShared(memory) ? sharedScoringKernel : scoringKernel;
    const kernel = plain ? undefined : instantiate<Kernel>(text, memory, isShared(memory) ? undefined : "scoring");
    if (!kernel) {
      const scoreFeatures = (count: number) => {
        scores.fill(0, 0, layout.classes);
        this.score(features.subarray(0, count), scores);
      };
      const score = () => {
        program.hash(values, features);
        scoreFeatures(program.size);
      };
      return { values, features, scores, score, scoreFeatures };
    }
    for (let t = 0; t < program.size; t++) {
      const template = (base + PROGRAM) / 4 + 5 * t;
      words[template] = program.seeds[t]!;
      for (let k = 0; k < 4; k++) words[template + 1 + k] = base + VALUES + 4 * program.atoms[k]![t]!;
    }
    const places = BASE + 2 * WIDTH * layout.buckets;
    const scoresEnd = base + SCORES + 4 * layout.classes;
    const lists = [base + DENSE_LIST, base + SPARSE_LIST];
    const { init, score, scoreFeatures } = kernel;
    init(BASE, places, layout.buckets, base + SCORES, scoresEnd, base + PROGRAM, program.size, ...lists);
    return { values, features, scores, score, scoreFeatures: (count) => scoreFeatures(base + FEATURES, count) };
  }
}

// The working memory of a thread: offsets from its beginning.
const VALUES = 0;
const PROGRAM = VALUES + 4 * (4 * MOST_TEMPLATES + 1) + 12;
const FEATURES = PROGRAM + 20 * MOST_TEMPLATES;
const DENSE_LIST = FEATURES + 4 * MOST_TEMPLATES;
const SPARSE_LIST = DENSE_LIST + 4 * MOST_TEMPLATES;
// One place more, which is written when all features were found.
const SCORES = SPARSE_LIST + 4 * MOST_TEMPLATES + 16;
const SCRATCH = SCORES + 4 * MOST_CLASSES;

const NO_PROGRAM: TemplateProgram = { size: 0, valueCount: 1, seeds: new Int32Array(), atoms: [], hash: () => {} };

function memoryOf(bytes: number, shared: boolean): GrowingMemory {
  const pages = Math.ceil(bytes / PAGE);
  if (shared) return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
  // Where a page forbids WebAssembly, plain memory will do.
  if (typeof WebAssembly === "undefined") return { buffer: new ArrayBuffer(PAGE * pages), grow: () => -1 };
  return new WebAssembly.Memory({ initial: pages });
}

function isShared({ buffer }: GrowingMemory): boolean {
  return typeof SharedArrayBuffer !== "undefined" && buffer instanceof SharedArrayBuffer;
}
