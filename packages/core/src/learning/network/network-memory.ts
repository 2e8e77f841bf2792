import { instantiate } from "../../kernels/kernel.js";
import networkKernel from "../../kernels/network.generated.js";
import sharedNetworkKernel from "../../kernels/network-shared.generated.js";
import {
  GATES,
  inputSize,
  type NetworkHeader,
  type NetworkView,
  type Tensor,
  tensorsOf,
} from "../../scoring/network/shape.js";

/** The functions of kernels/network.ts. */
export interface NetworkKernel {
  multiply(
    a: number,
    aRow: number,
    aColumn: number,
    b: number,
    bRow: number,
    c: number,
    cRow: number,
    m: number,
    k: number,
    n: number,
    add: number,
  ): void;
  transpose(from: number, rows: number, columns: number, to: number): void;
  multiplyVector(x: number, w: number, bias: number, y: number, k: number, n: number): void;
  addRow(to: number, from: number, n: number): void;
  scaleRow(to: number, by: number, n: number): void;
  sumRows(to: number, from: number, rows: number, n: number): void;
  gather(entries: number, count: number): void;
  scatter(entries: number, count: number, shift: number, gradients: number): void;
  hiddenLayer(list: number, count: number, mask: number, out: number, n: number): void;
  hiddenGradient(list: number, count: number, unit: number, delta: number, scale: number, n: number): void;
  fillMask(to: number, n: number, drop: number, scale: number, state: number): number;
  recur(
    u: number,
    step: number,
    gates: number,
    h: number,
    hStep: number,
    states: number,
    n: number,
    width: number,
    zeros: number,
  ): void;
  recurBack(
    u: number,
    du: number,
    step: number,
    gates: number,
    dGates: number,
    dh: number,
    hStep: number,
    states: number,
    n: number,
    width: number,
    zeros: number,
    carry: number,
  ): void;
  descend(
    w: number,
    gradient: number,
    first: number,
    second: number,
    n: number,
    rate: number,
    beta1: number,
    beta2: number,
    epsilon: number,
  ): void;
  descendRows(
    entries: number,
    count: number,
    stamps: number,
    stamp: number,
    gradients: number,
    firsts: number,
    seconds: number,
    rate: number,
    beta1: number,
    beta2: number,
    epsilon: number,
  ): void;
  follow(average: number, w: number, n: number, part: number): void;
  squares(at: number, n: number): number;
  shrink(at: number, n: number, factor: number): void;
}

/** Widths are multiples of this many numbers. */
export const LANE_WIDTH = 8;
const PAGE = 65536;
const MOST_BYTES = 2 ** 32 - PAGE;

/** A tensor with its address. */
export interface PlacedTensor extends Tensor {
  readonly at: number;
}

/** Where a lane of training has its things; all are addresses. */
export interface LanePlan {
  /** Gradients of the dense tensors. */
  readonly gradients: number;
  /** Entries of 16 bytes for `gather` and `scatter`, of which `counts` says how many there are. */
  readonly entries: number;
  readonly counts: number;
  readonly words: number;
  readonly wordsMask: number;
  readonly wordsGradient: number;
  readonly layers: readonly LayerPlan[];
  readonly products: number;
  readonly productsGradient: number;
  /** For each step the addresses of the rows that make its hidden layer, then those of their gradients. */
  readonly lists: number;
  readonly hidden: number;
  readonly hiddenGradient: number;
  readonly hiddenMask: number;
  readonly outputs: number;
  readonly carry: number;
}

export interface LayerPlan {
  readonly sums: number;
  readonly sumsGradient: number;
  readonly states: number;
  readonly out: number;
  readonly outMask: number;
  readonly outGradient: number;
}

/** How large a training is; the same numbers give the same layout in every thread. */
export interface NetworkSize {
  readonly header: NetworkHeader;
  readonly view: NetworkView;
  readonly classes: number;
  readonly lanes: number;
  /** Words and roots in a lane, steps in a lane and rows of tables that words have, at most. */
  readonly rows: number;
  readonly steps: number;
  readonly entries: number;
}

/** The memory of a network that learns: parameters, what Adam keeps for each, averages, and the working memory of every lane. */
export class NetworkMemory {
  readonly memory: WebAssembly.Memory;
  readonly kernel: NetworkKernel;
  readonly floats: Float32Array;
  readonly ints: Int32Array;
  readonly tensors: readonly PlacedTensor[];
  readonly lanes: readonly LanePlan[];
  /** Classes, filled up to a multiple of LANE_WIDTH. */
  readonly classes: number;
  /** Tensors that every sentence changes are one block, tables of which few rows change at a time the next. */
  readonly dense: { readonly at: number; readonly size: number };
  readonly tables: { readonly at: number; readonly size: number };
  /** From a parameter to its moments and its average, and from a row of a table to its gradient: distances in bytes. */
  readonly toFirst: number;
  readonly toSecond: number;
  readonly toAverage: number;
  readonly toGradient: number;
  /** Where the transposes of matrices are, as `transpose` left them. */
  private readonly transposes: readonly { tensor: PlacedTensor; at: number }[];
  /** When each row of the tables last changed. */
  readonly stamps: number;
  readonly zeros: number;

  /** `memory`: that of another thread with the same size, if it is shared. */
  constructor(
    readonly size: NetworkSize,
    memory?: WebAssembly.Memory,
    threads = 1,
  ) {
    const { header, view, lanes, rows, steps, entries } = size;
    const { width, hidden } = header;
    this.classes = LANE_WIDTH * Math.ceil(size.classes / LANE_WIDTH);
    let end = 64;
    const take = (numbers: number): number => {
      const at = end;
      end += 4 * LANE_WIDTH * Math.ceil(numbers / LANE_WIDTH);
      return at;
    };
    const all = tensorsOf(header, view, this.classes);
    const isTable = ({ name }: Tensor) => name.startsWith("input ");
    const isFrozen = ({ name }: Tensor) => name === "input vector";
    const places = new Map<Tensor, number>();
    const place = (tensors: Tensor[]) => {
      const at = end;
      for (const tensor of tensors) places.set(tensor, take(tensor.rows * tensor.columns));
      return { at, size: (end - at) / 4 };
    };
    this.dense = place(all.filter((tensor) => !isTable(tensor)));
    this.tables = place(all.filter((tensor) => isTable(tensor) && !isFrozen(tensor)));
    const learnt = end - this.dense.at;
    this.toFirst = learnt;
    this.toSecond = 2 * learnt;
    this.toAverage = 3 * learnt;
    end += 3 * learnt;
    this.toGradient = end - this.tables.at;
    end += 4 * this.tables.size;
    place(all.filter(isFrozen));
    this.tensors = all.map((tensor) => ({ ...tensor, at: places.get(tensor)! }));
    this.stamps = take(header.inputs.reduce((sum, input) => sum + input.rows, 0));
    const inputs = inputSize(header);
    const products = view.nodes.length * hidden;
    this.zeros = take(Math.max(inputs, 2 * GATES * width, products, this.classes));
    this.transposes = this.tensors
      .filter(({ name }) => /^layer |^positions$|^output$/.test(name))
      .map((tensor) => ({ tensor, at: take(tensor.rows * tensor.columns) }));
    const parts = view.nodes.length + view.atoms.length + 1;
    this.lanes = Array.from({ length: lanes }, () => ({
      gradients: take(this.dense.size),
      entries: take(4 * entries),
      counts: take(1),
      words: take(rows * inputs),
      wordsMask: take(rows * inputs),
      wordsGradient: take(rows * inputs),
      layers: Array.from({ length: header.layers }, () => ({
        sums: take(rows * 2 * GATES * width),
        sumsGradient: take(rows * 2 * GATES * width),
        states: take(rows * 6 * width),
        out: take(rows * 2 * width),
        outMask: take(rows * 2 * width),
        outGradient: take(rows * 2 * width),
      })),
      products: take(rows * products),
      productsGradient: take(rows * products),
      lists: take(steps * 2 * parts),
      hidden: take(steps * hidden),
      hiddenGradient: take(steps * hidden),
      hiddenMask: take(hidden),
      outputs: take(steps * this.classes),
      carry: take(width),
    }));
    if (end > MOST_BYTES) {
      const gigabytes = (end / 2 ** 30).toFixed(1);
      throw new RangeError(`the network needs ${gigabytes} GB to learn, 4 are the most (make it smaller)`);
    }
    const pages = Math.ceil(end / PAGE);
    const isShared = threads > 1 || (memory !== undefined && memory.buffer instanceof SharedArrayBuffer);
    this.memory =
      memory ??
      new WebAssembly.Memory(
        isShared ? { initial: pages, maximum: pages, shared: true } : { initial: pages, maximum: pages },
      );
    const kernel = instantiate<NetworkKernel>(isShared ? sharedNetworkKernel : networkKernel, this.memory);
    if (!kernel) throw new Error("training needs WebAssembly with SIMD, which cannot be had here");
    this.kernel = kernel;
    this.floats = new Float32Array(this.memory.buffer);
    this.ints = new Int32Array(this.memory.buffer);
  }

  /** Transpose all matrices, which has to be done whenever they have changed. */
  transpose(): void {
    for (const { tensor, at } of this.transposes) this.kernel.transpose(tensor.at, tensor.rows, tensor.columns, at);
  }

  /** The address of the transpose of a matrix. */
  transposed(tensor: PlacedTensor): number {
    return this.transposes.find((transpose) => transpose.tensor === tensor)!.at;
  }

  tensor(name: string): PlacedTensor {
    return this.tensors.find((tensor) => tensor.name === name)!;
  }
}
