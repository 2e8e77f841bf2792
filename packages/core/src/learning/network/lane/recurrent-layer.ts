import { GATES } from "../../../scoring/network/shape.js";
import type { LanePlan, LayerPlan, NetworkMemory, PlacedTensor } from "../network-memory.js";

/** Rows of a lane that belong to a sentence. */
export interface SentenceRows {
  readonly first: number;
  readonly count: number;
}

/**
 * The rows of a sentence as one direction of a layer reads them: addresses for the row that is read first, and how far
 * it is to the one that is read next, backwards if the direction is from right to left. Names as in kernels/network.ts.
 */
interface Reading {
  /** The columns z, uf, ur, p of the direction, and the derivatives by them. */
  readonly sums: number;
  readonly sumsGradient: number;
  readonly sumsStep: number;
  /** Its half of the output, and the derivative by it. */
  readonly out: number;
  readonly outGradient: number;
  readonly outStep: number;
  /** Its gates vf, vr, bf, br, and the derivatives by them. */
  readonly gates: number;
  readonly gatesGradient: number;
  /** f, r and c of each row, in the order of reading. */
  readonly states: number;
  readonly rows: number;
}

/** States of a row in one direction: f, r, c. */
const STATES = 3;

/**
 * The recurrent part of a layer, in a lane: both directions over the sums that the layer's matrix gave,
 * sentence by sentence.
 */
export class RecurrentLayer {
  /** Bytes of the units of one direction. */
  private readonly unitBytes: number;
  private readonly layer: LayerPlan;
  private readonly gates: PlacedTensor;
  private readonly gatesGradient: number;

  constructor(
    private readonly memory: NetworkMemory,
    private readonly plan: LanePlan,
    layer: number,
  ) {
    this.unitBytes = 4 * memory.size.header.width;
    this.layer = plan.layers[layer]!;
    this.gates = memory.tensor(`gates ${layer}`);
    this.gatesGradient = memory.gradientOf(plan, this.gates);
  }

  /** From the sums to the output. */
  read(sentences: readonly SentenceRows[]): void {
    const { kernel, zeros } = this.memory;
    const { unitBytes } = this;
    this.forEachReading(sentences, ({ sums, sumsStep, gates, out, outStep, states, rows }) => {
      kernel.recur(sums, sumsStep, gates, out, outStep, states, rows, unitBytes, zeros);
    });
  }

  /** From the derivatives by the output to those by the sums; those by the gates are added up. */
  readBack(sentences: readonly SentenceRows[]): void {
    const { kernel, zeros } = this.memory;
    const { unitBytes, plan } = this;
    this.forEachReading(sentences, (reading) => {
      const { sums, sumsGradient, sumsStep, gates, gatesGradient, outGradient, outStep, states, rows } = reading;
      kernel.recurBack(
        sums,
        sumsGradient,
        sumsStep,
        gates,
        gatesGradient,
        outGradient,
        outStep,
        states,
        rows,
        unitBytes,
        zeros,
        plan.carry,
      );
    });
  }

  private forEachReading(sentences: readonly SentenceRows[], visit: (reading: Reading) => void): void {
    for (const sentence of sentences) {
      visit(this.reading(sentence, 0));
      visit(this.reading(sentence, 1));
    }
  }

  /** `direction`: 0 from left to right, 1 from right to left; it is also where its columns are among those of both. */
  private reading({ first, count }: SentenceRows, direction: 0 | 1): Reading {
    const { layer, unitBytes } = this;
    const begin = direction === 0 ? first : first + count - 1;
    const sign = direction === 0 ? 1 : -1;
    const sumsBytes = 2 * GATES * unitBytes;
    const outBytes = 2 * unitBytes;
    const ofSums = begin * sumsBytes + direction * GATES * unitBytes;
    const ofOut = begin * outBytes + direction * unitBytes;
    const ofGates = direction * GATES * unitBytes;
    return {
      sums: layer.sums + ofSums,
      sumsGradient: layer.sumsGradient + ofSums,
      sumsStep: sign * sumsBytes,
      out: layer.out + ofOut,
      outGradient: layer.outGradient + ofOut,
      outStep: sign * outBytes,
      gates: this.gates.at + ofGates,
      gatesGradient: this.gatesGradient + ofGates,
      states: layer.states + (2 * first + direction * count) * STATES * unitBytes,
      rows: count,
    };
  }
}
