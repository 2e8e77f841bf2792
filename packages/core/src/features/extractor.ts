import { NO_FEATURE } from "../math/hash.js";
import { type Configuration, HISTORY, NONE } from "../systems/configuration.js";
import type { MoveContext } from "../systems/system.js";
import type { Move } from "../systems/transition.js";
import {
  ABSENT,
  Columns,
  HIDDEN,
  NONE_VALUE,
  ROOT_VALUE,
  WORD_ATTRIBUTES,
  type WordAttribute,
  type Words,
} from "./columns.js";
import { CONSTANT_VALUE, type TemplateProgram, templateProgram } from "./program.js";
import { STEPS, type TemplateSet } from "./templates.js";

// Operations on positions and kinds of atoms, as small integers for the loops that run at every step.
const HEAD = 0;
const LEFT = 1;
const LEFT2 = 2;
const RIGHT = 3;
const RIGHT2 = 4;
const PREVIOUS = 5;
const TREE_LABEL = 0;
const TREE_LVAL = 1;
const TREE_RVAL = 2;
const TREE_LSET = 3;
const TREE_RSET = 4;

/** Distances are counted one by one up to 4 and in classes beyond. */
function distanceClass(d: number): number {
  return d <= 4 ? d : d <= 6 ? 5 : d <= 10 ? 6 : 7;
}

/**
 * Turns a configuration into the values of atoms, and these into features: one 32-bit number for each template, made
 * from the number of the template and the values of its atoms. Each position and each atom is looked up once a step,
 * however many templates share it.
 */
export class Extractor {
  readonly program: TemplateProgram;
  /** The features of the configuration extracted last, after `hash`. */
  readonly features: Int32Array;
  readonly columns: Columns;
  /** The values of the atoms of the configuration extracted last, and a constant. */
  readonly values: Int32Array;

  private readonly nodes: Int32Array;
  // Positions as programs: parent position (or -1 for a base), and what to do with its node.
  private readonly parent: Int32Array;
  private readonly op: Int32Array;
  private readonly wordAtoms: Int32Array;
  private readonly wordPosition: Int32Array;
  private readonly wordColumn: Int32Array;
  private readonly treeAtoms: Int32Array;
  private readonly treePosition: Int32Array;
  private readonly treeKind: Int32Array;
  private readonly distanceAtoms: Int32Array;
  private readonly distanceFrom: Int32Array;
  private readonly distanceTo: Int32Array;
  private readonly historyAtoms: Int32Array;
  private readonly historyPlace: Int32Array;
  /** The value of atoms that look at something that is not there. */
  private readonly absent: number;
  private readonly sameAtoms: Int32Array;
  private readonly sameFrom: Int32Array;
  private readonly sameTo: Int32Array;
  /** The key by which words are compared; not hidden in training, where only the words themselves are. */
  private readonly compared: Columns | undefined;
  /** Where moves have contexts of their own: that, and its nodes. */
  private readonly context: MoveContext | undefined;
  private readonly contextNodes: Int32Array;
  /**
   * In training: the templates that are left out of this step. While it is set, features of hidden words are left out,
   * too.
   */
  dropped: Uint8Array | undefined;

  /** `values`: where to put the values of the atoms, if a model has a place for them. */
  constructor(set: TemplateSet, values?: Int32Array) {
    // Every prefix of a path becomes a position of its own, so that s0l and s0l2 share s0.
    const names = new Map<string, number>();
    const parent: number[] = [];
    const op: number[] = [];
    const place = (key: string, from: number, what: number): number => {
      const known = names.get(key);
      if (known !== undefined) return known;
      names.set(key, parent.length);
      parent.push(from);
      op.push(what);
      return parent.length - 1;
    };
    const at = set.positions.map(({ base, index, path }) => {
      let key = `${base}${index}`;
      let node = place(key, -1, base === "b" ? 16 + index : index);
      for (const step of path) {
        key += `.${step}`;
        node = place(key, node, STEPS.indexOf(step));
      }
      return node;
    });
    this.parent = Int32Array.from(parent);
    this.op = Int32Array.from(op);
    this.nodes = new Int32Array(parent.length);
    this.context = set.context;
    const named = set.positions.map(({ base, index }) => (base === "context" ? index + 1 : 0));
    this.contextNodes = new Int32Array(Math.max(0, ...named));
    this.absent = set.noneValues ? NONE_VALUE : ABSENT;

    const used = WORD_ATTRIBUTES.filter((name) =>
      set.atoms.some((atom) => atom.kind === "word" && atom.attribute === name),
    );
    this.columns = new Columns(used);
    const word: number[][] = [[], [], []];
    const tree: number[][] = [[], [], []];
    const distance: number[][] = [[], [], []];
    const history: number[][] = [[], []];
    const same: number[][] = [[], [], []];
    set.atoms.forEach((atom, i) => {
      if (atom.kind === "word") {
        word[0]!.push(i);
        word[1]!.push(at[atom.position]!);
        word[2]!.push(used.indexOf(atom.attribute as WordAttribute));
      } else if (atom.kind === "tree") {
        tree[0]!.push(i);
        tree[1]!.push(at[atom.position]!);
        tree[2]!.push(["label", "lval", "rval", "lset", "rset"].indexOf(atom.attribute));
      } else if (atom.kind === "history") {
        history[0]!.push(i);
        history[1]!.push(atom.attribute === "move" ? atom.index : HISTORY + atom.index);
      } else {
        const pairs = atom.kind === "distance" ? distance : same;
        pairs[0]!.push(i);
        pairs[1]!.push(at[atom.from]!);
        pairs[2]!.push(at[atom.to]!);
      }
    });
    [this.wordAtoms, this.wordPosition, this.wordColumn] = word.map((w) => Int32Array.from(w)) as [
      Int32Array,
      Int32Array,
      Int32Array,
    ];
    [this.treeAtoms, this.treePosition, this.treeKind] = tree.map((w) => Int32Array.from(w)) as [
      Int32Array,
      Int32Array,
      Int32Array,
    ];
    [this.distanceAtoms, this.distanceFrom, this.distanceTo] = distance.map((w) => Int32Array.from(w)) as [
      Int32Array,
      Int32Array,
      Int32Array,
    ];
    [this.historyAtoms, this.historyPlace] = history.map((w) => Int32Array.from(w)) as [Int32Array, Int32Array];

    [this.sameAtoms, this.sameFrom, this.sameTo] = same.map((w) => Int32Array.from(w)) as [
      Int32Array,
      Int32Array,
      Int32Array,
    ];
    if (this.sameAtoms.length > 0) this.compared = new Columns(["lower", "prefix2", "upos"]);

    this.program = templateProgram(set);
    this.values = values ?? new Int32Array(this.program.valueCount);
    this.values[this.program.valueCount - 1] = CONSTANT_VALUE;
    this.features = new Int32Array(this.program.size);
  }

  /** Take in the words of the next sentence. */
  bind(words: Words): void {
    this.columns.read(words);
    this.compared?.read(words);
  }

  /** The features of the values that `extract` left. */
  hash(): Int32Array {
    this.program.hash(this.values, this.features);
    if (this.dropped) this.leaveOut(this.dropped);
    return this.features;
  }

  /** Extract the values of a configuration; where moves have contexts of their own those of a move in it. */
  extract(c: Configuration, move: Move): void {
    const { nodes, parent, op, values, context, contextNodes, absent } = this;
    context?.fill(c, move, contextNodes);
    for (let p = 0; p < nodes.length; p++) {
      const from = parent[p]!;
      const what = op[p]!;
      if (from < 0) {
        nodes[p] = context ? contextNodes[what]! : what >= 16 ? c.b(what - 16) : c.s(what);
        continue;
      }
      const node = nodes[from]!;
      if (node < 0) {
        nodes[p] = NONE;
        continue;
      }
      switch (what) {
        case HEAD:
          nodes[p] = c.heads[node]!;
          break;
        case LEFT:
          nodes[p] = c.leftmost[node]!;
          break;
        case LEFT2:
          nodes[p] = c.leftmost2[node]!;
          break;
        case RIGHT:
          nodes[p] = c.rightmost[node]!;
          break;
        case RIGHT2:
          nodes[p] = c.rightmost2[node]!;
          break;
        case PREVIOUS:
          nodes[p] = node > 1 ? node - 1 : NONE;
          break;
        default:
          nodes[p] = node > 0 && node < c.length ? node + 1 : NONE;
      }
    }
    const { wordAtoms, wordPosition, wordColumn } = this;
    const columns = this.columns.columns;
    for (let i = 0; i < wordAtoms.length; i++) {
      const node = nodes[wordPosition[i]!]!;
      values[wordAtoms[i]!] = node < 0 ? absent : columns[wordColumn[i]!]![node]!;
    }
    const { treeAtoms, treePosition, treeKind } = this;
    for (let i = 0; i < treeAtoms.length; i++) {
      const node = nodes[treePosition[i]!]!;
      let value = absent;
      if (node >= 0) {
        switch (treeKind[i]) {
          case TREE_LABEL:
            value = c.labels[node]!;
            break;
          case TREE_LVAL:
            value = c.leftValency[node]!;
            break;
          case TREE_RVAL:
            value = c.rightValency[node]!;
            break;
          case TREE_LSET:
            value = c.leftLabels[node]!;
            break;
          case TREE_RSET:
            value = c.rightLabels[node]!;
            break;
        }
      }
      values[treeAtoms[i]!] = value;
    }
    const { distanceAtoms, distanceFrom, distanceTo } = this;
    for (let i = 0; i < distanceAtoms.length; i++) {
      const a = nodes[distanceFrom[i]!]!;
      const b = nodes[distanceTo[i]!]!;
      values[distanceAtoms[i]!] =
        a < 0 || b < 0 ? absent : a === 0 || b === 0 ? ROOT_VALUE : distanceClass(a < b ? b - a : a - b);
    }
    const { historyAtoms, historyPlace } = this;
    for (let i = 0; i < historyAtoms.length; i++) {
      const value = c.history[historyPlace[i]!]!;
      values[historyAtoms[i]!] = value < 0 ? absent : value;
    }
    if (this.compared) this.compare(this.compared.columns);
  }

  /** How much two words are alike: 3 the same word, 2 the same beginning, 1 the same part of speech, 0 neither. */
  private compare(columns: readonly Int32Array[]): void {
    const { nodes, values, sameAtoms, sameFrom, sameTo } = this;
    for (let i = 0; i < sameAtoms.length; i++) {
      const a = nodes[sameFrom[i]!]!;
      const b = nodes[sameTo[i]!]!;
      let value = ABSENT;
      if (a > 0 && b > 0) {
        value = 0;
        for (let k = 0; k < 3 && value === 0; k++) if (columns[k]![a] === columns[k]![b]) value = 3 - k;
      }
      values[sameAtoms[i]!] = value;
    }
  }

  private leaveOut(dropped: Uint8Array): void {
    const { features, values } = this;
    const [first, second, third, fourth] = this.program.atoms as [Int32Array, Int32Array, Int32Array, Int32Array];
    for (let t = 0; t < features.length; t++) {
      if (
        dropped[t] === 1 ||
        values[first[t]!] === HIDDEN ||
        values[second[t]!] === HIDDEN ||
        values[third[t]!] === HIDDEN ||
        values[fourth[t]!] === HIDDEN
      )
        features[t] = NO_FEATURE;
    }
  }
}
