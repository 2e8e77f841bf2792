import { ABSENT, ROOT_VALUE, type Words } from "../../features/columns.js";
import { Extractor } from "../../features/extractor.js";
import type { TemplateSet } from "../../features/templates.js";
import inferenceKernel from "../../kernels/inference.generated.js";
import type { GrowingMemory } from "../../kernels/kernel.js";
import { instantiate } from "../../kernels/kernel.js";
import type { Configuration } from "../../systems/configuration.js";
import type { Move } from "../../systems/transition.js";
import { LOG_UNIT, scoreOf } from "../log-scores.js";
import type { ConfigurationScorer } from "../scorer.js";
import {
  grow,
  inputGroup,
  memoryOf,
  type NetworkPlaces,
  Places,
  padded,
  placeNetwork,
  placeSentence,
  type SentencePlaces,
} from "./inference-memory.js";
import type { ContextualInput, StoredNetwork } from "./network-data.js";
import { type InferenceKernel, plainKernel } from "./plain-network.js";
import { atomRow } from "./shape.js";
import { inputGroups, WordProducts } from "./word-products.js";

/** Nodes for which there is room before a longer sentence comes. */
const NODES = 64;

/**
 * Scores configurations with a network; has a memory of its own with the matrices of the network in the layout of the
 * kernel.
 */
export class NetworkScorer implements ConfigurationScorer {
  readonly scores: Int32Array;
  readonly logUnit = LOG_UNIT;
  readonly extractor: Extractor;
  private readonly memory: GrowingMemory;
  private readonly kernel: InferenceKernel;
  private readonly network: NetworkPlaces;
  private readonly products: WordProducts;
  private readonly contextual: ContextualInput | undefined;
  private readonly list: number;
  private readonly state: number;
  private readonly logits: number;
  private readonly results: number;
  readonly isGlobal: boolean;
  /**
   * Whether scores are the outputs as they are. Otherwise the largest is taken away, but in LR-spines, where every move
   * has a context of its own, what is normalized within one cannot be compared with another.
   */
  private readonly asTheyAre: boolean;
  /** Where what belongs to a sentence begins. */
  private readonly base: number;
  private sentence!: SentencePlaces;
  // Views of the memory, made again when it has grown.
  private addresses!: Int32Array;
  private floats!: Float32Array;
  private fresh!: Int32Array;

  /** `plain` does without WebAssembly; `asTheyAre` is for those who add up several scores. */
  constructor(
    private readonly model: StoredNetwork,
    templates: TemplateSet,
    plain: boolean,
    asTheyAre: boolean,
  ) {
    const { header, view, classes, storage, numbers } = model;
    this.scores = new Int32Array(classes);
    this.extractor = new Extractor(templates);
    const places = new Places();
    const groups = inputGroups(header);
    const contextual = header.inputs.findIndex(({ kind }) => kind === "contextual");
    const all = contextual < 0 ? groups : [...groups, inputGroup(header, [contextual])];
    const { network, fill } = placeNetwork(header, view, storage, all, places);
    this.network = network;
    this.products = new WordProducts(header, model.keys, storage.tensors, numbers, groups, network.first, places);
    this.contextual = model.contextual?.input(model, network.first[groups.length]!);
    this.list = places.take(4 * Math.max(all.length, this.rows));
    this.state = places.take(4 * header.width);
    const hidden = places.take(4 * header.hidden);
    const narrowed = places.take(2 * header.hidden);
    this.logits = places.take(4 * padded(classes, 16) + 16);
    this.isGlobal = header.normalization === "global";
    const { context } = templates;
    this.asTheyAre = this.isGlobal || asTheyAre || (context !== undefined && !context.sharedByMoves);
    this.results = places.take(4 * padded(classes, 16));
    this.base = places.end;
    const sentence = placeSentence(header, view, this.base, NODES);
    this.memory = memoryOf(sentence.end, plain);
    const kernel = plain ? undefined : instantiate<InferenceKernel>(inferenceKernel, this.memory, "inference");
    this.kernel = kernel ?? plainKernel(this.memory);
    fill(this.memory, numbers);
    this.use(sentence);
    const { output, outputBias } = network;
    const matrix = [output.at, output.scales, outputBias, output.columns] as const;
    const activation = header.activation === "cube" ? 1 : 0;
    this.kernel.init(hidden, header.hidden, output.level, narrowed, ...matrix, this.logits, this.results, activation);
  }

  /** Rows that are added up for a configuration: nodes, atoms, bias. */
  private get rows(): number {
    return this.model.view.nodes.length + this.model.view.atoms.length + 1;
  }

  private use(sentence: SentencePlaces): void {
    const { buffer } = this.memory;
    this.sentence = sentence;
    this.floats = new Float32Array(buffer);
    this.addresses = new Int32Array(buffer, this.list, Math.max(this.rows, this.model.header.inputs.length + 1));
    this.fresh = new Int32Array(buffer, this.results, this.scores.length);
  }

  bind(words: Words): void {
    const { header, view } = this.model;
    const nodes = words.length + 1;
    if (nodes > this.sentence.capacity) {
      const wider = placeSentence(header, view, this.base, 2 * nodes);
      grow(this.memory, wider.end);
      this.use(wider);
    }
    this.extractor.bind(words);
    const { kernel, network, addresses, floats, list } = this;
    const { u, x, products, stride } = this.sentence;
    const columns = network.first[0]!.columns;
    const to = header.layers > 0 ? u : products;
    this.contextual?.multiply(words, kernel, floats, this.sentence);
    for (let i = 0; i < nodes; i++) {
      let count = this.products.write(words, i, kernel, floats, addresses);
      if (this.contextual) addresses[count++] = this.sentence.contextualProducts + 4 * columns * i;
      kernel.sum(list, count, columns, to + 4 * columns * i);
    }
    for (let layer = 0; layer < header.layers; layer++) {
      kernel.recur(u, nodes, network.gates[layer]!, header.width, this.state, x);
      const isLast = layer + 1 === header.layers;
      const { at, scales, pairs, columns, level } = network.later[layer]!;
      const { narrowed, scales: rowScales } = this.sentence;
      kernel.quantize(x, nodes, 2 * header.width, level, narrowed, rowScales);
      const out = isLast ? products : u;
      kernel.multiply(narrowed, rowScales, nodes, pairs, at, scales, columns, out, isLast ? stride : 4 * columns);
    }
  }

  /** The output of the layers, of which there must be one, for the first words of the last sentence. */
  vectors(count: number): Float32Array {
    const size = 2 * this.model.header.width;
    const from = this.sentence.x / 4 + size;
    return this.floats.slice(from, from + size * count);
  }

  score(c: Configuration, move: Move): void {
    this.extractor.extract(c, move);
    this.scoreValues(this.extractor.values);
  }

  /** The product of a node with the matrix of a position. */
  product(node: number, position: number): Float32Array {
    const { hidden } = this.model.header;
    const from = (this.sentence.products + node * this.sentence.stride) / 4 + position * hidden;
    return this.floats.subarray(from, from + hidden);
  }

  /** The scores for these values of the atoms of the templates. */
  scoreValues(values: Int32Array): void {
    const { addresses, network } = this;
    const { nodes, atoms } = this.model.view;
    const { products, stride } = this.sentence;
    const bytes = 4 * this.model.header.hidden;
    let count = 0;
    for (let p = 0; p < nodes.length; p++) {
      const value = values[nodes[p]!]!;
      const node = value === ROOT_VALUE ? 0 : value;
      addresses[count++] = value === ABSENT ? network.absent[p]! : products + node * stride + p * bytes;
    }
    for (let a = 0; a < atoms.length; a++) {
      const atom = atoms[a]!;
      addresses[count++] = network.atoms[a]! + atomRow(values[atom.place]!, atom) * bytes;
    }
    addresses[count++] = network.hiddenBias;
    this.kernel.score(this.list, count);
    if (!this.asTheyAre) this.scores.set(this.fresh);
    else {
      const { scores, floats } = this;
      const at = this.logits / 4;
      const largest = floats[at + padded(scores.length, 16)]!;
      for (let k = 0; k < scores.length; k++) scores[k] = scoreOf(floats[at + k]! + largest);
    }
  }
}
