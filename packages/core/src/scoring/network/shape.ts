import { ABSENT, ROOT_VALUE } from "../../features/columns.js";
import type { TemplateSet } from "../../features/templates.js";
import { NONE } from "../../systems/configuration.js";
import type { InputKind } from "./inputs.js";
import { type Storage, storageFor, type Tensor, type TensorForm } from "./quantization.js";

/** The size of a network: plain data, in the header of a model. */
export interface NetworkHeader {
  /** The tables of embeddings, in the order in which they are put side by side. */
  inputs: { kind: InputKind; dim: number; rows: number }[];
  /** With contextual vectors among the inputs: of how many layers they are mixed. */
  mixed?: number;
  /**
   * Recurrent layers, each of which reads the sentence in both directions; with none, words are seen without their
   * context.
   */
  layers: number;
  /** Units of a layer in each direction. */
  width: number;
  /** Units of the hidden layer between configurations and scores. */
  hidden: number;
  /** The activation of the hidden layer, if not `relu`. */
  activation?: Exclude<Activation, "relu">;
  /**
   * Given if the network learned from whole derivations: a beam adds up its scores as they are. Those of others are
   * first made into logarithms of the probabilities of what is permitted in a step.
   */
  normalization?: "global";
}

/**
 * The view of a network on a configuration: nodes whose vectors go in, and atoms (labels, valencies, distances), each
 * with a table of its own. Comes from templates of one value each: `s0.vector; s0l.label; dist(s1,s0)`.
 */
export interface NetworkView {
  /** For each node that is looked at its place among the atoms of the templates. */
  readonly nodes: readonly number[];
  /** For each other atom its place there, and the rows of its table. */
  readonly atoms: readonly AtomTable[];
  /** Whether the first two nodes are the ends of an arc, which has a score of its own. */
  readonly arcs?: boolean;
}

/** Where a network finds an atom among those of the templates, and the rows of its table. */
export interface AtomTable {
  readonly place: number;
  readonly rows: number;
  /** Values are hashes, of which several may share a row. */
  readonly hashed?: boolean;
}

/**
 * The activation of the hidden layer of a network: the part of its sums above 0, or their cubes (Chen & Manning 2014).
 */
export const ACTIVATIONS = ["relu", "cube"] as const;
/** One of `ACTIVATIONS`. */
export type Activation = (typeof ACTIVATIONS)[number];

/** Rows of an atom's table before those of its values. */
const SPECIAL_ROWS = 3;
/** Valencies and distances (which come in classes) from here on count as this. */
const MOST_COUNT = 7;
/**
 * Rows for analyses, which are found by hashes: enough for the few hundred that are frequent, and tables need neither
 * keys nor a row for each of the thousand that a treebank may have.
 */
const ANALYSIS_ROWS = 1 << 10;

/** The view that templates describe; throws a RangeError at one that a network has no place for. */
export function networkView({ atoms, templates, noneValues }: TemplateSet, labels: number): NetworkView {
  if (noneValues) throw new RangeError("a network always sees what is not there: leave out use NONE");
  const nodes: number[] = [];
  const others: AtomTable[] = [];
  for (const template of templates) {
    const atom = atoms[template[0]!]!;
    if (template.length > 1) throw new RangeError("a network's templates have one value each");
    if (atom.kind === "word" && atom.attribute === "analysis") {
      others.push({ place: template[0]!, rows: SPECIAL_ROWS + ANALYSIS_ROWS, hashed: true });
    } else if (atom.kind === "word") {
      if (atom.attribute !== "vector") throw new RangeError(`a network sees words as .vector, not .${atom.attribute}`);
      nodes.push(template[0]!);
    } else if (atom.kind === "tree" && (atom.attribute === "lset" || atom.attribute === "rset")) {
      throw new RangeError(`a network has no table for .${atom.attribute}`);
    } else if (atom.kind === "history") {
      throw new RangeError(`a network has no table for t${atom.index}.${atom.attribute}`);
    } else if (atom.kind === "same") {
      // Networks learn from numbers alone, without the words that would have to be compared.
      throw new RangeError("a network has no table for same(…)");
    } else {
      const isLabel = atom.kind === "tree" && atom.attribute === "label";
      others.push({ place: template[0]!, rows: SPECIAL_ROWS + (isLabel ? labels : MOST_COUNT + 1) });
    }
  }
  return { nodes, atoms: others };
}

/** The row of an atom's value in its table. */
export function atomRow(value: number, { rows, hashed }: AtomTable): number {
  if (value === ABSENT) return 0;
  if (value === NONE) return 1;
  if (value === ROOT_VALUE) return 2;
  if (hashed) return SPECIAL_ROWS + ((value >>> 0) % (rows - SPECIAL_ROWS));
  return Math.min(SPECIAL_ROWS + value, rows - 1);
}

/** Numbers in the embedding of a word: all tables side by side. */
export function inputSize({ inputs }: NetworkHeader): number {
  return inputs.reduce((sum, { dim }) => sum + dim, 0);
}

/** Numbers in the vector of a word after the recurrent layers. */
export function encodedSize(header: NetworkHeader): number {
  return header.layers > 0 ? 2 * header.width : inputSize(header);
}

/** Matrices of a layer in each direction: new content, forget gate, highway gate, and what takes the highway. */
export const GATES = 4;

/**
 * All tensors in the order of the model file. Contextual vectors are the sum of those of their layers, each times its
 * number in `mix`.
 *
 * With x the embeddings of the words 0 … n put side by side, a layer (a simple recurrent unit: Lei et al. 2018)
 * computes u = x W for all words at once; its columns are z, uf, ur, p of the direction from left to right, then those
 * from right to left, `width` each. Then, word by word from c = 0,
 *
 *   f = σ(uf + vf c + bf)    r = σ(ur + vr c + br)    c' = f c + (1 − f) z    h = r c' + (1 − r) p
 *
 * where `gates` has vf, vr, bf, br of the one direction, then of the other. Both h side by side are the next layer's x.
 * The hidden layer of a configuration is max(0, Σ x[node] W[position] + Σ atom rows + bias), or the cube of that sum,
 * where a node that is not there adds its position's row of `absent`; columns p × hidden … of `positions` belong to
 * position p. The scores of classes are hidden W + bias: logarithms that softmax over the classes of all permitted
 * moves turns into those of probabilities (scoring/log-scores.ts).
 *
 * With `arcs` in the view there are also scores of arcs, which are biaffine (Dozat & Manning 2017): with the products
 * of a head and of a dependent with the first two positions, h = max(0, product + bias) and d = max(0, product + bias),
 * the score is d · arcs · h + u · h, where `arc biases` has the bias of heads, that of dependents, and u.
 */
export function tensorsOf(header: NetworkHeader, view: NetworkView, classes: number): Tensor[] {
  const { inputs, layers, width, hidden } = header;
  const tensors: Tensor[] = inputs.map(({ kind, dim, rows }) => ({ name: `input ${kind}`, rows, columns: dim }));
  if (header.mixed !== undefined) tensors.push({ name: "mix", rows: 1, columns: header.mixed });
  let size = inputSize(header);
  for (let layer = 0; layer < layers; layer++) {
    tensors.push({ name: `layer ${layer}`, rows: size, columns: 2 * GATES * width });
    tensors.push({ name: `gates ${layer}`, rows: 2, columns: GATES * width });
    size = 2 * width;
  }
  tensors.push({ name: "positions", rows: size, columns: view.nodes.length * hidden });
  tensors.push({ name: "absent", rows: view.nodes.length, columns: hidden });
  view.atoms.forEach(({ rows }, a) => {
    tensors.push({ name: `atom ${a}`, rows, columns: hidden });
  });
  tensors.push({ name: "hidden bias", rows: 1, columns: hidden });
  tensors.push({ name: "output", rows: hidden, columns: classes });
  tensors.push({ name: "output bias", rows: 1, columns: classes });
  if (view.arcs) {
    tensors.push({ name: "arcs", rows: hidden, columns: hidden });
    tensors.push({ name: "arc biases", rows: 3, columns: hidden });
  }
  return tensors;
}

/** How the tensors of a network are stored. */
export function storageOf(header: NetworkHeader, view: NetworkView, classes: number): Storage {
  return storageFor(tensorsOf(header, view, classes).map((tensor) => ({ ...tensor, form: formOf(tensor.name) })));
}

function formOf(name: string): TensorForm {
  if (/^(input|atom) /.test(name)) return "table";
  return /^layer |^positions$|^output$|^arcs$/.test(name) ? "matrix" : "plain";
}
