import { type GrowingMemory, instantiate, needWebAssembly } from "../../kernels/kernel.js";
import networkKernel from "../../kernels/network.generated.js";
import sharedNetworkKernel from "../../kernels/network-shared.generated.js";
import type { Tensor } from "../../scoring/network/quantization.js";
import { GATES, inputSize, type NetworkHeader, type NetworkView, tensorsOf } from "../../scoring/network/shape.js";
import { addProduct, type Matrix, matrix, multiply, type NetworkKernel, turned } from "./network-kernel.js";

/** Widths are multiples of this many numbers. */
const LANE_WIDTH = 8;
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
  /** Where arcs have scores of their own: what a sentence takes while they are scored. */
  readonly arcs: ArcsPlan | undefined;
  /**
   * The loss of what ran last, a number of 64 bits: in the memory, so that it does not matter which thread ran the
   * lane.
   */
  readonly loss: number;
}

/** Where the numbers are by which the arcs of a sentence are scored: for each node, rows of the hidden size. */
export interface ArcsPlan {
  /** Nodes that there is room for, a multiple of LANE_WIDTH. */
  readonly nodes: number;
  readonly heads: number;
  readonly dependents: number;
  /** The masks of both, one after the other. */
  readonly masks: number;
  /** The dependents times the matrix. */
  readonly turned: number;
  /** The heads, transposed. */
  readonly columns: number;
  /** The score of each dependent (a row) with each head. */
  readonly scores: number;
  /** The derivatives by the heads, the dependents and their product with the matrix. */
  readonly headsGradient: number;
  readonly dependentsGradient: number;
  readonly turnedGradient: number;
}

/** Where the numbers of one recurrent layer are in memory. */
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
  /** Whether pre-trained vectors are only where training begins; they stay as they are if not given. */
  readonly trainVectors?: boolean | undefined;
  /** Where arcs have scores of their own: nodes of a sentence, at most. */
  readonly arcNodes?: number | undefined;
}

/**
 * The memory of a network that learns: parameters, what Adam keeps for each, averages, and the working memory of every
 * lane.
 */
export class NetworkMemory {
  readonly memory: GrowingMemory;
  readonly kernel: NetworkKernel;
  readonly floats: Float32Array;
  readonly ints: Int32Array;
  private readonly doubles: Float64Array;
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
    memory?: GrowingMemory,
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
    const isFrozen = ({ name }: Tensor) => name === "input vector" && !size.trainVectors;
    const places = new Map<Tensor, number>();
    const place = (tensors: Tensor[]) => {
      const at = end;
      for (const tensor of tensors) places.set(tensor, take(tensor.rows * tensor.columns));
      return { at, size: (end - at) / 4 };
    };
    this.dense = place(all.filter((tensor) => !isTable(tensor)));
    this.tables = place(all.filter((tensor) => isTable(tensor) && !isFrozen(tensor)));
    const learned = end - this.dense.at;
    this.toFirst = learned;
    this.toSecond = 2 * learned;
    this.toAverage = 3 * learned;
    end += 3 * learned;
    this.toGradient = end - this.tables.at;
    end += 4 * this.tables.size;
    place(all.filter(isFrozen));
    this.tensors = all.map((tensor) => ({ ...tensor, at: places.get(tensor)! }));
    this.stamps = take(header.inputs.reduce((sum, input) => sum + input.rows, 0));
    const inputs = inputSize(header);
    const products = view.nodes.length * hidden;
    this.zeros = take(Math.max(inputs, 2 * GATES * width, products, this.classes));
    this.transposes = this.tensors
      .filter(({ name }) => /^layer |^positions$|^output$|^arcs$/.test(name))
      .map((tensor) => ({ tensor, at: take(tensor.rows * tensor.columns) }));
    const parts = view.nodes.length + view.atoms.length + 1;
    const nodes = LANE_WIDTH * Math.ceil((size.arcNodes ?? 0) / LANE_WIDTH);
    const placeArcs = (): ArcsPlan => ({
      nodes,
      heads: take(nodes * hidden),
      dependents: take(nodes * hidden),
      masks: take(2 * nodes * hidden),
      turned: take(nodes * hidden),
      columns: take(hidden * nodes),
      scores: take(nodes * nodes),
      headsGradient: take(nodes * hidden),
      dependentsGradient: take(nodes * hidden),
      turnedGradient: take(nodes * hidden),
    });
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
      arcs: view.arcs ? placeArcs() : undefined,
      loss: take(2),
    }));
    if (end > MOST_BYTES) {
      const gigabytes = (end / 2 ** 30).toFixed(1);
      throw new RangeError(`the network needs ${gigabytes} GB for training, and the limit is 4 GB (make it smaller)`);
    }
    needWebAssembly();
    const pages = Math.ceil(end / PAGE);
    const isShared = threads > 1 || (memory !== undefined && memory.buffer instanceof SharedArrayBuffer);
    this.memory =
      memory ??
      new WebAssembly.Memory(
        isShared ? { initial: pages, maximum: pages, shared: true } : { initial: pages, maximum: pages },
      );
    this.kernel = instantiate<NetworkKernel>(isShared ? sharedNetworkKernel : networkKernel, this.memory)!;
    this.floats = new Float32Array(this.memory.buffer);
    this.ints = new Int32Array(this.memory.buffer);
    this.doubles = new Float64Array(this.memory.buffer);
  }

  setLoss(lane: number, loss: number): void {
    this.doubles[this.lanes[lane]!.loss / 8] = loss;
  }

  /** The sum of the losses of what all lanes ran last. */
  get loss(): number {
    return this.lanes.reduce((sum, { loss }) => sum + this.doubles[loss / 8]!, 0);
  }

  /** Transpose all matrices, which has to be done whenever they have changed. */
  transpose(): void {
    for (const { tensor, at } of this.transposes) this.kernel.transpose(tensor.at, tensor.rows, tensor.columns, at);
  }

  /** The transpose of a matrix, stored row by row. */
  private transposed(tensor: PlacedTensor): Matrix {
    const { at } = this.transposes.find((transpose) => transpose.tensor === tensor)!;
    return matrix(at, tensor.columns, tensor.rows);
  }

  /** The address of a lane's derivative by a dense tensor. */
  gradientOf(lane: LanePlan, { at }: PlacedTensor): number {
    return lane.gradients + at - this.dense.at;
  }

  /** The derivative of out = x W: from that by out to those by W, which is added to the lane's, and by x. */
  productBack(lane: LanePlan, x: Matrix, weights: PlacedTensor, dOut: Matrix, dx: Matrix): void {
    const gradient = matrix(this.gradientOf(lane, weights), weights.rows, weights.columns);
    addProduct(this.kernel, turned(x), dOut, gradient);
    multiply(this.kernel, dOut, this.transposed(weights), dx);
  }

  /** Put zeros in the place of this many numbers. */
  clear(at: number, size: number): void {
    this.floats.fill(0, at / 4, at / 4 + size);
  }

  tensor(name: string): PlacedTensor {
    return this.tensors.find((tensor) => tensor.name === name)!;
  }
}
