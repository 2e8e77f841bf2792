import { ABSENT, ROOT_VALUE, type Words } from "../../features/columns.js";
import { Extractor } from "../../features/extractor.js";
import type { TemplateSet } from "../../features/templates.js";
import { scramble } from "../../math/hash.js";
import { scoreOf } from "../../scoring/log-scores.js";
import { UNKNOWN_ROW } from "../../scoring/network/inputs.js";
import { atomRow, encodedSize, GATES, inputSize } from "../../scoring/network/shape.js";
import type { ConfigurationScorer } from "../../scoring/scorer.js";
import type { Configuration } from "../../systems/configuration.js";
import type { Move } from "../../systems/transition.js";
import { canHide, type NetworkExamples } from "./network-examples.js";
import type { LanePlan, NetworkMemory, PlacedTensor } from "./network-memory.js";

/** How much is left out at random while learning. */
export interface Dropout {
  /** Words that occur f times are hidden with probability a / (a + f); this is a. */
  readonly words: number;
  /** Numbers of embeddings, of an encoder's layer, of the hidden layer: the probability of each to be 0. */
  readonly inputs: number;
  readonly layers: number;
  readonly hidden: number;
}

/**
 * A lane: some sentences of a batch that go through the network together, forward and backward. Lanes share the parameters and have gradients of their own,
 * so that threads can work on them at the same time, and the sum over the lanes does not depend on who worked on which.
 */
export class NetworkLane implements ConfigurationScorer {
  readonly scores: Int32Array;
  /** Number of steps that are learnt from. */
  steps = 0;
  private readonly plan: LanePlan;
  private readonly extractor: Extractor;
  private readonly parts: number;
  private rows = 0;
  /** Entries of tables that learn; those of frozen ones fill the room from its end, down to the address `frozen`. */
  private entries = 0;
  private frozen = 0;
  /** First row of each sentence. */
  private begins: Int32Array;
  private sentences = 0;
  /** First row of the sentence that is being parsed. */
  private base = 0;
  private training = false;
  private state = 0;
  private readonly inputs: number;
  private readonly encoded: number;
  private readonly absent: PlacedTensor;
  private readonly positions: PlacedTensor;
  private readonly bias: PlacedTensor;
  private readonly output: PlacedTensor;
  private readonly outputBias: PlacedTensor;
  private readonly atoms: readonly PlacedTensor[];
  private readonly tables: readonly PlacedTensor[];
  private readonly firstRow: number[] = [];

  constructor(
    readonly memory: NetworkMemory,
    lane: number,
    templates: TemplateSet,
    private readonly examples: NetworkExamples,
    private readonly counts: readonly Int32Array[],
    private readonly dropout: Dropout,
  ) {
    const { header, view, rows } = memory.size;
    this.plan = memory.lanes[lane]!;
    this.extractor = new Extractor(templates);
    this.scores = new Int32Array(memory.classes);
    this.parts = view.nodes.length + view.atoms.length + 1;
    this.inputs = inputSize(header);
    this.encoded = encodedSize(header);
    this.begins = new Int32Array(rows + 1);
    this.absent = memory.tensor("absent");
    this.positions = memory.tensor("positions");
    this.bias = memory.tensor("hidden bias");
    this.output = memory.tensor("output");
    this.outputBias = memory.tensor("output bias");
    this.atoms = view.atoms.map((_, a) => memory.tensor(`atom ${a}`));
    this.tables = memory.tensors.slice(0, header.inputs.length);
    let first = 0;
    for (const { rows } of header.inputs) {
      this.firstRow.push(first);
      first += rows;
    }
  }

  /** Take in sentences and compute the vectors of their words. With a seed things are left out at random. */
  encode(sentences: Int32Array, seed?: number): void {
    const { memory, plan, dropout, inputs } = this;
    const { kernel } = memory;
    this.training = seed !== undefined;
    this.state = seed ?? 0;
    this.steps = 0;
    this.look(sentences);
    memory.floats.fill(0, plan.words / 4, plan.words / 4 + this.rows * inputs);
    kernel.gather(plan.entries, this.entries);
    kernel.gather(this.frozen, (plan.entries + 16 * memory.size.entries - this.frozen) / 16);
    this.mask(plan.words, plan.wordsMask, this.rows * inputs, dropout.inputs);
    let [x, size] = [plan.words, inputs];
    const { width, hidden } = memory.size.header;
    const bytes = 4 * width;
    plan.layers.forEach((layer, l) => {
      const weights = memory.tensor(`layer ${l}`);
      const gates = memory.tensor(`gates ${l}`).at;
      const columns = 2 * GATES * bytes;
      kernel.multiply(x, 4 * size, 4, weights.at, columns, layer.sums, columns, this.rows, size, columns / 4, 0);
      for (let s = 0; s < this.sentences; s++) {
        const [first, n] = [this.begins[s]!, this.begins[s + 1]! - this.begins[s]!];
        const last = first + n - 1;
        const { sums, out, states } = layer;
        kernel.recur(
          sums + first * columns,
          columns,
          gates,
          out + first * 2 * bytes,
          2 * bytes,
          states + first * 6 * bytes,
          n,
          bytes,
          memory.zeros,
        );
        kernel.recur(
          sums + last * columns + GATES * bytes,
          -columns,
          gates + GATES * bytes,
          out + last * 2 * bytes + bytes,
          -2 * bytes,
          states + first * 6 * bytes + 3 * n * bytes,
          n,
          bytes,
          memory.zeros,
        );
      }
      this.mask(layer.out, layer.outMask, this.rows * 2 * width, dropout.layers);
      [x, size] = [layer.out, 2 * width];
    });
    const { at, columns } = this.positions;
    kernel.multiply(x, 4 * size, 4, at, 4 * columns, plan.products, 4 * columns, this.rows, size, columns, 0);
    if (this.training && dropout.hidden > 0) return;
    memory.floats.fill(1, plan.hiddenMask / 4, plan.hiddenMask / 4 + hidden);
  }

  /** Begin with a sentence of those taken in, which has so many words. */
  begin(sentence: number): number {
    this.base = this.begins[sentence]!;
    const length = this.begins[sentence + 1]! - this.base - 1;
    this.extractor.bind({ length } as Words);
    return length;
  }

  bind(): void {
    throw new Error("a lane has sentences of its own");
  }

  retag(): void {
    throw new Error("a network does not choose tags");
  }

  /** The scores of the classes; the step is learnt from only if `learn` follows. */
  score(c: Configuration, move: Move): void {
    const { memory, plan, extractor, parts, base, scores } = this;
    const { ints, floats, kernel, classes } = memory;
    const { nodes, atoms } = memory.size.view;
    const { hidden } = memory.size.header;
    const row = 4 * hidden;
    const toGradients = plan.gradients - memory.dense.at;
    const toProductsGradient = plan.productsGradient - plan.products;
    extractor.extract(c, move);
    const { values } = extractor;
    const list = plan.lists / 4 + this.steps * 2 * parts;
    let k = list;
    for (let p = 0; p < nodes.length; p++, k++) {
      const value = values[nodes[p]!]!;
      if (value === ABSENT) {
        ints[k] = this.absent.at + p * row;
        ints[k + parts] = ints[k]! + toGradients;
      } else {
        const node = base + (value === ROOT_VALUE ? 0 : value);
        ints[k] = plan.products + (node * nodes.length + p) * row;
        ints[k + parts] = ints[k]! + toProductsGradient;
      }
    }
    for (let a = 0; a < atoms.length; a++, k++) {
      ints[k] = this.atoms[a]!.at + atomRow(values[atoms[a]!.place]!, atoms[a]!.rows) * row;
      ints[k + parts] = ints[k]! + toGradients;
    }
    ints[k] = this.bias.at;
    ints[k + parts] = this.bias.at + toGradients;
    if (this.training && this.dropout.hidden > 0) this.fillMask(plan.hiddenMask, hidden, this.dropout.hidden);
    const unit = plan.hidden + this.steps * row;
    kernel.hiddenLayer(4 * list, parts, plan.hiddenMask, unit, hidden);
    const out = plan.outputs + 4 * this.steps * classes;
    kernel.multiplyVector(unit, this.output.at, this.outputBias.at, out, hidden, classes);
    for (let k = 0, at = out / 4; k < classes; k++, at++) scores[k] = scoreOf(floats[at]!);
  }

  /** The place for the scores of the step, as `score` left them; they become the derivative of the loss by them before `learn`. */
  get outputs(): Float32Array {
    const at = this.plan.outputs / 4 + this.steps * this.memory.classes;
    return this.memory.floats.subarray(at, at + this.memory.classes);
  }

  /** Learn from the step that was scored last. */
  learn(): void {
    if (this.steps < this.memory.size.steps - 1) this.steps++;
  }

  /** From the derivatives of the steps to those of everything; the lane's gradients begin at 0. */
  propagate(): void {
    const { memory, plan, parts, steps, rows, encoded, dropout } = this;
    const { kernel, floats, classes, dense } = memory;
    const { width, hidden } = memory.size.header;
    const gradient = ({ at }: PlacedTensor) => plan.gradients + at - dense.at;
    const hiddenBytes = 4 * hidden;
    const classBytes = 4 * classes;
    floats.fill(0, plan.gradients / 4, plan.gradients / 4 + dense.size);
    // Scores and hidden layers.
    const { output, positions } = this;
    kernel.multiply(
      plan.hidden,
      4,
      hiddenBytes,
      plan.outputs,
      classBytes,
      gradient(output),
      classBytes,
      hidden,
      steps,
      classes,
      1,
    );
    kernel.sumRows(gradient(this.outputBias), plan.outputs, steps, classes);
    kernel.multiply(
      plan.outputs,
      classBytes,
      4,
      memory.transposed(output),
      hiddenBytes,
      plan.hiddenGradient,
      hiddenBytes,
      steps,
      classes,
      hidden,
      0,
    );
    const products = positions.columns;
    floats.fill(0, plan.productsGradient / 4, plan.productsGradient / 4 + rows * products);
    const scale = dropout.hidden > 0 ? Math.fround(1 / (1 - dropout.hidden)) : 1;
    for (let s = 0; s < steps; s++) {
      const list = plan.lists + 4 * (s * 2 * parts + parts);
      const [unit, delta] = [plan.hidden + s * hiddenBytes, plan.hiddenGradient + s * hiddenBytes];
      kernel.hiddenGradient(list, parts, unit, delta, this.training ? scale : 1, hidden);
    }
    // Positions.
    const last = plan.layers[plan.layers.length - 1];
    let x = last ? last.out : plan.words;
    let dx = last ? last.outGradient : plan.wordsGradient;
    const back = (weights: PlacedTensor, deltas: number) => {
      const { rows: size, columns } = weights;
      kernel.multiply(x, 4, 4 * size, deltas, 4 * columns, gradient(weights), 4 * columns, size, rows, columns, 1);
      kernel.multiply(
        deltas,
        4 * columns,
        4,
        memory.transposed(weights),
        4 * size,
        dx,
        4 * size,
        rows,
        columns,
        size,
        0,
      );
    };
    back(positions, plan.productsGradient);
    // The encoder, from its last layer to its first.
    const bytes = 4 * width;
    for (let l = plan.layers.length - 1; l >= 0; l--) {
      const layer = plan.layers[l]!;
      this.unmask(layer.outGradient, layer.outMask, rows * encoded, dropout.layers);
      const gates = memory.tensor(`gates ${l}`);
      const columns = 2 * GATES * bytes;
      for (let s = 0; s < this.sentences; s++) {
        const [first, n] = [this.begins[s]!, this.begins[s + 1]! - this.begins[s]!];
        const last = first + n - 1;
        const { sums, sumsGradient, outGradient, states } = layer;
        kernel.recurBack(
          sums + first * columns,
          sumsGradient + first * columns,
          columns,
          gates.at,
          gradient(gates),
          outGradient + first * 2 * bytes,
          2 * bytes,
          states + first * 6 * bytes,
          n,
          bytes,
          memory.zeros,
          plan.carry,
        );
        kernel.recurBack(
          sums + last * columns + GATES * bytes,
          sumsGradient + last * columns + GATES * bytes,
          -columns,
          gates.at + GATES * bytes,
          gradient(gates) + GATES * bytes,
          outGradient + last * 2 * bytes + bytes,
          -2 * bytes,
          states + first * 6 * bytes + 3 * n * bytes,
          n,
          bytes,
          memory.zeros,
          plan.carry,
        );
      }
      x = l > 0 ? plan.layers[l - 1]!.out : plan.words;
      dx = l > 0 ? plan.layers[l - 1]!.outGradient : plan.wordsGradient;
      back(memory.tensor(`layer ${l}`), layer.sumsGradient);
    }
    this.unmask(plan.wordsGradient, plan.wordsMask, rows * this.inputs, dropout.inputs);
    memory.ints[plan.counts / 4] = this.entries;
  }

  /** Look up the rows of the sentences' words. */
  private look(sentences: Int32Array): void {
    const { memory, plan, examples, tables, inputs, dropout, firstRow } = this;
    const { ints } = memory;
    const kinds = memory.size.header.inputs;
    const { begins, from, rows } = examples;
    let row = 0;
    let entry = plan.entries / 4;
    let frozen = entry + 4 * memory.size.entries;
    this.sentences = sentences.length;
    for (let s = 0; s < sentences.length; s++) {
      this.begins[s] = row;
      const first = begins[sentences[s]!]!;
      const last = begins[sentences[s]! + 1]!;
      for (let node = first; node < last; node++, row++) {
        const draw = this.training && node > first ? this.random() : 1;
        let place = plan.words + 4 * row * inputs;
        for (let k = 0; k < kinds.length; k++) {
          const { kind, dim } = kinds[k]!;
          const end = from[node * kinds.length + k + 1]!;
          for (let j = from[node * kinds.length + k]!; j < end; j++) {
            let r = rows[j]!;
            if (canHide(kind) && draw * (dropout.words + this.counts[k]![r]!) < dropout.words) r = UNKNOWN_ROW;
            const at = kind === "vector" ? (frozen -= 4) : entry;
            ints[at] = place;
            ints[at + 1] = tables[k]!.at + 4 * r * dim;
            ints[at + 2] = dim;
            ints[at + 3] = firstRow[k]! + r;
            if (at === entry) entry += 4;
          }
          place += 4 * dim;
        }
      }
    }
    this.begins[sentences.length] = row;
    this.rows = row;
    this.entries = (entry - plan.entries / 4) / 4;
    this.frozen = 4 * frozen;
  }

  private random(): number {
    this.state = scramble(this.state + 0x9e3779b9);
    return (this.state >>> 0) / 2 ** 32;
  }

  private fillMask(at: number, size: number, probability: number): void {
    const drop = Math.round(probability * 2 ** 32);
    this.state = this.memory.kernel.fillMask(at, size, drop, 1 / (1 - probability), this.state);
  }

  private mask(at: number, mask: number, size: number, probability: number): void {
    if (!this.training || probability === 0) return;
    this.fillMask(mask, size, probability);
    this.memory.kernel.scaleRow(at, mask, size);
  }

  private unmask(at: number, mask: number, size: number, probability: number): void {
    if (this.training && probability > 0) this.memory.kernel.scaleRow(at, mask, size);
  }
}
