import type { Words } from "../../features/columns.js";
import { type InputGroup, inputGroup, type MatrixPlace, type Places } from "./inference-memory.js";
import { type InputKind, InputTable, MOST_KEYS } from "./inputs.js";
import type { InferenceKernel } from "./plain-network.js";
import type { QuantizedNumbers, StoredTensor } from "./quantization.js";
import type { NetworkHeader } from "./shape.js";
import { SlotCache } from "./slot-cache.js";

/** The part of a word that a kind of input depends on. */
const COLUMN = {
  word: "form",
  vector: "form",
  affixes: "form",
  lemma: "lemma",
  upos: "upos",
  xpos: "xpos",
  feats: "feats",
} as const satisfies Record<Exclude<InputKind, "contextual">, keyof Words>;
type Column = (typeof COLUMN)[keyof typeof COLUMN];

/** For how many values of a column products are kept, unless that takes more than MOST_BYTES. */
const SLOTS: Record<Column, number> = { form: 4096, lemma: 2048, upos: 64, xpos: 512, feats: 1024 };
const FEWEST_SLOTS = 8;
const MOST_BYTES = 2 ** 24;

/** The inputs in groups, one for each column that they depend on; contextual vectors depend on the sentence. */
export function inputGroups(header: NetworkHeader): InputGroup[] {
  const members = new Map<Column, number[]>();
  header.inputs.forEach(({ kind }, k) => {
    if (kind === "contextual") return;
    members.set(COLUMN[kind], [...(members.get(COLUMN[kind]) ?? []), k]);
  });
  return [...members.values()].map((inputs) => inputGroup(header, inputs));
}

/**
 * The products of the embeddings of words with the first matrix. What a column adds to the product depends on nothing
 * else, so it is computed when the column has a value for the first time, and kept; after that the first layer costs
 * one addition of a row for each column.
 */
export class WordProducts {
  private readonly columns: Column[];
  private readonly caches: SlotCache[];
  private readonly slots: number[];
  private readonly tables: InputTable[];
  private readonly vector: number;
  private readonly narrowed: number;
  private readonly scale: number;
  private readonly rowBytes: number;
  private readonly keys = new Int32Array(MOST_KEYS);

  constructor(
    header: NetworkHeader,
    keys: readonly Uint32Array[],
    private readonly stored: readonly StoredTensor[],
    private readonly numbers: QuantizedNumbers,
    private readonly groups: readonly InputGroup[],
    private readonly matrices: readonly MatrixPlace[],
    places: Places,
  ) {
    this.tables = header.inputs.map(({ kind }, k) => new InputTable(kind, keys[k]!));
    this.columns = groups.map(({ inputs }) => COLUMN[header.inputs[inputs[0]!]!.kind as keyof typeof COLUMN]);
    this.rowBytes = 4 * matrices[0]!.columns;
    const wanted = this.columns.reduce((sum, column) => sum + SLOTS[column], 0);
    const share = Math.min(1, MOST_BYTES / (wanted * this.rowBytes));
    const sizes = this.columns.map((column) => Math.max(FEWEST_SLOTS, Math.floor(share * SLOTS[column])));
    this.caches = sizes.map((size) => new SlotCache(size));
    this.slots = sizes.map((size) => places.take(size * this.rowBytes));
    const longest = Math.max(...groups.map(({ size }) => size));
    this.vector = places.take(4 * longest);
    this.narrowed = places.take(2 * longest);
    this.scale = places.take(4);
  }

  /**
   * Writes for each column of node i the address of its product into `out`; they stay until the next node is asked for.
   */
  write(words: Words, i: number, kernel: InferenceKernel, floats: Float32Array, out: Int32Array): number {
    const { columns, caches, slots, rowBytes } = this;
    for (let g = 0; g < columns.length; g++) {
      const key = i === 0 ? undefined : columnValue(columns[g]!, words, i);
      let slot = caches[g]!.find(key);
      if (slot < 0) {
        slot = caches[g]!.add(key);
        this.multiply(words, i, g, slots[g]! + slot * rowBytes, kernel, floats);
      }
      out[g] = slots[g]! + slot * rowBytes;
    }
    return columns.length;
  }

  private multiply(
    words: Words,
    i: number,
    g: number,
    out: number,
    kernel: InferenceKernel,
    floats: Float32Array,
  ): void {
    const { inputs, offsets, size } = this.groups[g]!;
    const { at, scales, pairs, columns, level } = this.matrices[g]!;
    const from = this.vector >> 2;
    floats.fill(0, from, from + size);
    for (let k = 0; k < inputs.length; k++) this.embed(words, i, inputs[k]!, floats, from + offsets[k]!);
    kernel.quantize(this.vector, 1, size, level, this.narrowed, this.scale);
    kernel.multiplyRow(this.narrowed, this.scale, pairs, at, scales, columns, out);
  }

  /** Adds the rows of a word in a table to a vector. */
  private embed(words: Words, i: number, input: number, vector: Float32Array, to: number): void {
    const { columns, floats: scales, integers: first } = this.stored[input]!;
    const { floats, integers } = this.numbers;
    const count = this.tables[input]!.rowsOf(words, i, this.keys);
    for (let k = 0; k < count; k++) {
      const scale = floats[scales + this.keys[k]!]!;
      const from = first + this.keys[k]! * columns;
      for (let j = 0; j < columns; j++) vector[to + j] = vector[to + j]! + integers[from + j]! * scale;
    }
  }
}

function columnValue(column: Column, words: Words, i: number): string {
  switch (column) {
    case "form":
      return words.form(i);
    case "lemma":
      return words.lemma(i);
    case "upos":
      return words.upos(i);
    case "xpos":
      return words.xpos(i);
    case "feats":
      return words.feats(i);
  }
}
