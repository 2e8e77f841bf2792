import type { GrowingMemory } from "../../kernels/kernel.js";
import type { QuantizedNumbers, Storage, StoredTensor } from "./quantization.js";
import { encodedSize, GATES, type NetworkHeader, type NetworkView } from "./shape.js";

const PAGE = 65536;
/** Everything begins at a multiple of this: one cache line. */
const LINE = 64;
/** The largest sum of products that is sure to fit. */
const MOST_SUM = 2 ** 31 - 1;
const LARGEST_WEIGHT = 127;
const LARGEST_SHORT = 32767;
/** The bias of classes that are there only to fill a register. */
const NEVER = -1e30;

/** A matrix in memory: see kernels/inference.ts for the order of its weights. */
export interface MatrixPlace {
  readonly at: number;
  readonly scales: number;
  /** Half the padded number of rows. */
  readonly pairs: number;
  /** Padded. */
  readonly columns: number;
  /** Inputs are rounded to integers from -level to level. */
  readonly level: number;
}

export function padded(value: number, unit: number): number {
  return unit * Math.ceil(value / unit);
}

/** Gives out places one after the other, before there is a memory. */
export class Places {
  /** Nothing has address 0. */
  end = LINE;

  take(bytes: number): number {
    const at = this.end;
    this.end = padded(at + bytes, LINE);
    return at;
  }
}

/** A memory of this many bytes; without WebAssembly where it is not wanted or cannot be had. */
export function memoryOf(bytes: number, plain: boolean): GrowingMemory {
  const pages = Math.ceil(bytes / PAGE);
  if (!plain && typeof WebAssembly !== "undefined") return new WebAssembly.Memory({ initial: pages });
  let buffer = new ArrayBuffer(PAGE * pages);
  return {
    get buffer() {
      return buffer;
    },
    grow(more) {
      const wider = new ArrayBuffer(buffer.byteLength + PAGE * more);
      new Uint8Array(wider).set(new Uint8Array(buffer));
      const before = buffer.byteLength / PAGE;
      buffer = wider;
      return before;
    },
  };
}

/** Makes a memory at least this long. */
export function grow(memory: GrowingMemory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
}

/**
 * A group of inputs whose products with the first matrix are added up and kept together, and where in the group's
 * vector each begins.
 */
export interface InputGroup {
  readonly inputs: readonly number[];
  readonly offsets: readonly number[];
  /** Numbers in the group's vector. */
  readonly size: number;
}

/** Where the parts of a network are; what changes from sentence to sentence is not among them. */
export interface NetworkPlaces {
  /** For each group of inputs its part of the first matrix. */
  readonly first: readonly MatrixPlace[];
  /** The matrices of the layers but the first, and that of the positions, unless it is the first. */
  readonly later: readonly MatrixPlace[];
  readonly output: MatrixPlace;
  /** The gates of each layer. */
  readonly gates: readonly number[];
  /** For each position the row of a node that is not there. */
  readonly absent: readonly number[];
  /** For each atom its first row. */
  readonly atoms: readonly number[];
  readonly hiddenBias: number;
  readonly outputBias: number;
}

/** Groups of inputs, each by their places among all inputs: those of one group depend on the same column of a word. */
export function inputGroup({ inputs }: NetworkHeader, members: readonly number[]): InputGroup {
  let size = 0;
  const offsets = members.map((k) => {
    const offset = size;
    size += padded(inputs[k]!.dim, 8);
    return offset;
  });
  return { inputs: members, offsets, size };
}

/** Finds a place for a matrix of which `size` rows are needed. */
export function placeMatrix(stored: StoredTensor, size: number, places: Places): MatrixPlace {
  const columns = padded(stored.columns, 16);
  const pairs = padded(size, 8) / 2;
  const at = places.take(4 * pairs * columns);
  const scales = places.take(4 * columns);
  const level = Math.min(LARGEST_SHORT, Math.floor(MOST_SUM / (LARGEST_WEIGHT * 2 * pairs)));
  return { at, scales, pairs, columns, level };
}

/** Puts a matrix in its place. `rows`: rows of it, each with its place there, if not all in their order. */
export function fillMatrix(
  memory: GrowingMemory,
  { at, scales, pairs, columns }: MatrixPlace,
  stored: StoredTensor,
  { floats, integers }: QuantizedNumbers,
  rows?: readonly (readonly [number, number])[],
): void {
  new Float32Array(memory.buffer, scales).set(floats.subarray(stored.floats, stored.floats + stored.columns));
  const shorts = new Int16Array(memory.buffer, at, 2 * pairs * columns);
  const fillRow = (row: number, k: number) => {
    const from = stored.integers + row * stored.columns;
    const to = 16 * (k >> 1) + (k & 1);
    for (let c = 0; c < stored.columns; c++) shorts[to + (c >> 3) * 16 * pairs + 2 * (c & 7)] = integers[from + c]!;
  };
  if (rows) for (const [row, k] of rows) fillRow(row, k);
  else for (let row = 0; row < stored.rows; row++) fillRow(row, row);
}

/** Finds places for a network, and also returns what fills them once there is a memory. */
export function placeNetwork(
  header: NetworkHeader,
  view: NetworkView,
  storage: Storage,
  groups: readonly InputGroup[],
  places: Places,
): { network: NetworkPlaces; fill: (memory: GrowingMemory, numbers: QuantizedNumbers) => void } {
  const fillers: ((memory: GrowingMemory, numbers: QuantizedNumbers) => void)[] = [];
  const tensor = new Map(storage.tensors.map((stored) => [stored.name, stored]));

  /** `rows`: the rows of the matrix, each with its place among the padded ones. */
  const matrix = (stored: StoredTensor, size: number, rows?: readonly (readonly [number, number])[]): MatrixPlace => {
    const place = placeMatrix(stored, size, places);
    fillers.push((memory, numbers) => fillMatrix(memory, place, stored, numbers, rows));
    return place;
  };
  const whole = (stored: StoredTensor): MatrixPlace => matrix(stored, stored.rows);
  const plain = (stored: StoredTensor, room = stored.rows * stored.columns, rest = 0): number => {
    const at = places.take(4 * room);
    const count = stored.rows * stored.columns;
    fillers.push((memory, { floats }) => {
      new Float32Array(memory.buffer, at, room).fill(rest).set(floats.subarray(stored.floats, stored.floats + count));
    });
    return at;
  };
  /** A table as numbers. */
  const table = ({ rows, columns, floats: scales, integers: first }: StoredTensor): number => {
    const at = places.take(4 * rows * columns);
    fillers.push((memory, { floats, integers }) => {
      const out = new Float32Array(memory.buffer, at, rows * columns);
      for (let k = 0; k < out.length; k++) out[k] = integers[first + k]! * floats[scales + Math.floor(k / columns)]!;
    });
    return at;
  };

  const starts: number[] = [];
  header.inputs.reduce((start, { dim }) => {
    starts.push(start);
    return start + dim;
  }, 0);
  const matrices = Array.from({ length: header.layers }, (_, layer) => tensor.get(`layer ${layer}`)!);
  matrices.push(tensor.get("positions")!);
  const [firstMatrix, ...laterMatrices] = matrices;
  const network: NetworkPlaces = {
    first: groups.map(({ inputs, offsets, size }) =>
      matrix(
        firstMatrix!,
        size,
        inputs.flatMap((k, i) =>
          Array.from({ length: header.inputs[k]!.dim }, (_, j) => [starts[k]! + j, offsets[i]! + j] as const),
        ),
      ),
    ),
    later: laterMatrices.map(whole),
    gates: Array.from({ length: header.layers }, (_, layer) => plain(tensor.get(`gates ${layer}`)!)),
    absent: rowsFrom(plain(tensor.get("absent")!), view.nodes.length, header.hidden),
    atoms: view.atoms.map((_, a) => table(tensor.get(`atom ${a}`)!)),
    hiddenBias: plain(tensor.get("hidden bias")!),
    output: whole(tensor.get("output")!),
    outputBias: plain(tensor.get("output bias")!, padded(tensor.get("output")!.columns, 16), NEVER),
  };
  return {
    network,
    fill: (memory, numbers) => {
      for (const filler of fillers) filler(memory, numbers);
    },
  };
}

function rowsFrom(at: number, rows: number, columns: number): number[] {
  return Array.from({ length: rows }, (_, row) => at + 4 * row * columns);
}

/** Where what is computed for a sentence is, for this many nodes. */
export interface SentencePlaces {
  /** Room for this many nodes. */
  readonly capacity: number;
  /** The products of a layer, then its result as numbers and as integers, with a scale for each node. */
  readonly u: number;
  readonly x: number;
  readonly narrowed: number;
  readonly scales: number;
  /** Contextual vectors, as numbers and as integers, and their products with the first matrix. */
  readonly contextual: number;
  readonly contextualNarrowed: number;
  readonly contextualProducts: number;
  /** The products with the matrices of all positions. */
  readonly products: number;
  /** Bytes of those of one node. */
  readonly stride: number;
  readonly end: number;
}

export function placeSentence(header: NetworkHeader, view: NetworkView, from: number, nodes: number): SentencePlaces {
  const places = new Places();
  places.end = from;
  const size = header.layers > 0 ? encodedSize(header) : 0;
  const u = places.take(header.layers > 0 ? 4 * nodes * 2 * GATES * header.width : 0);
  const x = places.take(4 * nodes * size);
  const narrowed = places.take(2 * nodes * size);
  const scales = places.take(4 * nodes);
  const dim = header.inputs.find(({ kind }) => kind === "contextual")?.dim ?? 0;
  const contextual = places.take(4 * nodes * dim);
  const contextualNarrowed = places.take(2 * nodes * dim);
  const stride = 4 * padded(view.nodes.length * header.hidden, 16);
  const firstColumns = header.layers > 0 ? padded(2 * GATES * header.width, 16) : stride / 4;
  const contextualProducts = places.take(dim > 0 ? 4 * nodes * firstColumns : 0);
  const products = places.take(nodes * stride);
  return {
    capacity: nodes,
    u,
    x,
    narrowed,
    scales,
    contextual,
    contextualNarrowed,
    contextualProducts,
    products,
    stride,
    end: places.end,
  };
}
