import { ABSENT, type Columns, ROOT_VALUE, type Words } from "../../../features/columns.js";
import { Extractor } from "../../../features/extractor.js";
import type { TemplateSet } from "../../../features/templates.js";
import { atomRow } from "../../../scoring/network/shape.js";
import type { Configuration } from "../../../systems/configuration.js";
import type { Move } from "../../../systems/transition.js";
import type { DropoutMasks } from "../dropout-masks.js";
import { matrix } from "../network-kernel.js";
import type { LanePlan, NetworkMemory, PlacedTensor } from "../network-memory.js";

/**
 * The record of a lane's steps: a row for every move that was scored (where moves have no context of their own, for
 * every configuration) with what its hidden layer was made from, the layer and the outputs. The rows that are learned
 * from come first, then those of the step at hand. When there is no room for the next step, the rows are worked off and
 * the record begins anew, so that a derivation may be of any length.
 */
export class LaneSteps {
  private kept = 0;
  /** The moves that were scored in the step at hand; their rows follow the kept ones in this order. */
  private readonly scored: Move[] = [];
  private readonly extractor: Extractor;
  /** Rows that are added up for a hidden layer: nodes, atoms, bias. */
  private readonly parts: number;
  /** First row of the sentence among those of the lane. */
  private base = 0;
  private readonly absent: PlacedTensor;
  private readonly atoms: readonly PlacedTensor[];
  private readonly bias: PlacedTensor;
  private readonly output: PlacedTensor;
  private readonly outputBias: PlacedTensor;

  constructor(
    private readonly memory: NetworkMemory,
    private readonly plan: LanePlan,
    templates: TemplateSet,
    private readonly masks: DropoutMasks,
    /** The probability of each unit of a hidden layer to be left out. */
    private readonly dropout: number,
  ) {
    const { nodes, atoms } = memory.size.view;
    this.extractor = new Extractor(templates);
    this.parts = nodes.length + atoms.length + 1;
    this.absent = memory.tensor("absent");
    this.atoms = atoms.map((_, a) => memory.tensor(`atom ${a}`));
    this.bias = memory.tensor("hidden bias");
    this.output = memory.tensor("output");
    this.outputBias = memory.tensor("output bias");
  }

  /** The view of templates on the words of the sentence. */
  get columns(): Columns {
    return this.extractor.columns;
  }

  /** The memory that addresses of outputs belong to. */
  get floats(): Float32Array {
    return this.memory.floats;
  }

  /** Forget everything, for new sentences. */
  clear(): void {
    this.kept = 0;
    this.scored.length = 0;
    const { floats, size } = this.memory;
    const at = this.plan.hiddenMask / 4;
    if (!this.masks.isOn || this.dropout === 0) floats.fill(1, at, at + size.header.hidden);
  }

  /** Begin with a sentence whose first row is this one of the lane; `words` are what templates see of it. */
  beginSentence(base: number, words: Words): void {
    this.base = base;
    this.extractor.bind(words);
  }

  /**
   * Begin with the next step, in which at most this many moves will be scored. What is left out of the hidden layer is
   * drawn here, once for all moves of the step: they are compared with each other, so all must be seen by the same
   * network, however often they are scored.
   */
  beginStep(moves: number): void {
    this.makeRoom(moves);
    this.drawMask();
  }

  /** Forget what was scored and not kept, and have room for so many moves. */
  makeRoom(moves: number): void {
    if (this.kept + moves > this.memory.size.steps) this.workOff();
    this.scored.length = 0;
  }

  /** Draw what is left out of the hidden layer from now on. */
  drawMask(): void {
    const { memory, plan, masks, dropout } = this;
    masks.draw({ at: plan.hiddenMask, size: memory.size.header.hidden, probability: dropout });
  }

  /** The address of the outputs for a move, which are computed when it is scored for the first time in a step. */
  score(c: Configuration, move: Move): number {
    const known = this.scored.indexOf(move);
    if (known >= 0) return this.outputsAt(known);
    this.extractor.extract(c, move);
    return this.scoreValues(this.extractor.values, move);
  }

  /** The same for these values of the atoms of the templates, which have not been scored in the step. */
  scoreValues(values: Int32Array, move: Move = 0): number {
    const row = this.kept + this.scored.length;
    const { memory, plan, parts, output, outputBias } = this;
    const { steps, header } = memory.size;
    if (row >= steps) throw new RangeError(`no room for row ${row} of a lane's record (expected below ${steps})`);
    this.scored.push(move);
    const list = plan.lists + 4 * row * 2 * parts;
    this.list(list / 4, values);
    const unit = plan.hidden + 4 * row * header.hidden;
    const { kernel } = memory;
    if (header.activation === "cube") kernel.cubeLayer(list, parts, plan.hiddenMask, unit, header.hidden);
    else kernel.hiddenLayer(list, parts, plan.hiddenMask, unit, header.hidden);
    const out = plan.outputs + 4 * row * memory.classes;
    kernel.multiplyVector(unit, output.at, outputBias.at, out, header.hidden, memory.classes);
    return out;
  }

  /**
   * Write the addresses of the rows that add up to the hidden layer, then those of the derivatives by them.
   */
  private list(at: number, values: Int32Array): void {
    const { memory, plan, parts, base } = this;
    const { ints, dense } = memory;
    const { nodes, atoms } = memory.size.view;
    const bytes = 4 * memory.size.header.hidden;
    const toGradients = plan.gradients - dense.at;
    const toProductsGradient = plan.productsGradient - plan.products;
    let k = at;
    for (let p = 0; p < nodes.length; p++, k++) {
      const value = values[nodes[p]!]!;
      if (value === ABSENT) {
        ints[k] = this.absent.at + p * bytes;
        ints[k + parts] = ints[k]! + toGradients;
      } else {
        const node = base + (value === ROOT_VALUE ? 0 : value);
        ints[k] = plan.products + (node * nodes.length + p) * bytes;
        ints[k + parts] = ints[k]! + toProductsGradient;
      }
    }
    for (let a = 0; a < atoms.length; a++, k++) {
      ints[k] = this.atoms[a]!.at + atomRow(values[atoms[a]!.place]!, atoms[a]!) * bytes;
      ints[k + parts] = ints[k]! + toGradients;
    }
    ints[k] = this.bias.at;
    ints[k + parts] = this.bias.at + toGradients;
  }

  private outputsAt(index: number): number {
    return this.plan.outputs + 4 * (this.kept + index) * this.memory.classes;
  }

  /**
   * The outputs for the move with this index among those scored in the step; before `keep` the caller replaces them by
   * the derivatives of the loss by them.
   */
  outputs(index: number): Float32Array {
    const at = this.outputsAt(index) / 4;
    return this.memory.floats.subarray(at, at + this.memory.classes);
  }

  /** Put zeros in the place of the outputs for all moves that were scored in the step. */
  clearOutputs(): void {
    for (let index = 0; index < this.scored.length; index++) this.outputs(index).fill(0);
  }

  /** Learn from all moves that were scored in the step. */
  keep(): void {
    this.kept += this.scored.length;
    this.scored.length = 0;
  }

  /**
   * From the derivatives by the outputs of the kept rows to those by what they were computed from, after which the rows
   * are free again.
   */
  workOff(): void {
    const { memory, plan, parts, kept, output, masks, dropout } = this;
    const { kernel, classes } = memory;
    const { hidden, activation } = memory.size.header;
    const units = matrix(plan.hidden, kept, hidden);
    const deltas = matrix(plan.hiddenGradient, kept, hidden);
    memory.productBack(plan, units, output, matrix(plan.outputs, kept, classes), deltas);
    kernel.sumRows(memory.gradientOf(plan, this.outputBias), plan.outputs, kept, classes);
    const scale = masks.isOn && dropout > 0 ? Math.fround(1 / (1 - dropout)) : 1;
    for (let row = 0; row < kept; row++) {
      const gradients = plan.lists + 4 * (row * 2 + 1) * parts;
      const of = row * units.rowBytes;
      const own = [units.at + of, deltas.at + of, scale, hidden] as const;
      if (activation === "cube") kernel.cubeGradient(gradients - 4 * parts, gradients, parts, ...own);
      else kernel.hiddenGradient(gradients, parts, ...own);
    }
    this.kept = 0;
  }
}
