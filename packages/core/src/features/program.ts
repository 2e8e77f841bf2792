import { NO_FEATURE, scramble } from "../math/hash.js";
import { ABSENT } from "./columns.js";
import type { TemplateSet } from "./templates.js";

/**
 * Templates of one to four atoms all run through the same mix; what is missing is a constant, the last of the values.
 */
export const CONSTANT_VALUE = 0x1b873593;
/** As many templates as the working memory of a model has room for. */
export const MOST_TEMPLATES = 1024;

/** How the values of atoms make features: for each template a seed and the places of four values. */
export interface TemplateProgram {
  readonly size: number;
  /** Number of atoms, and 1 for the constant. */
  readonly valueCount: number;
  readonly seeds: Int32Array;
  readonly atoms: readonly Int32Array[];
  /** The features of the values; kernels/scoring.ts does the same. */
  hash(values: Int32Array, features: Int32Array): void;
}

/** The program of a set of templates. */
export function templateProgram(set: TemplateSet): TemplateProgram {
  const size = set.templates.length;
  const constant = set.atoms.length;
  const seeds = Int32Array.from({ length: size }, (_, t) => scramble(t + 1));
  const atoms = [0, 1, 2, 3].map((k) => Int32Array.from(set.templates, (template) => template[k] ?? constant));
  const [first, second, third, fourth] = atoms as [Int32Array, Int32Array, Int32Array, Int32Array];
  return {
    size,
    valueCount: constant + 1,
    seeds,
    atoms,
    hash(values, features) {
      for (let t = 0; t < size; t++) {
        const a = values[first[t]!]!;
        const b = values[second[t]!]!;
        const c = values[third[t]!]!;
        const d = values[fourth[t]!]!;
        let h = Math.imul(seeds[t]! ^ a, 0x7feb352d);
        h = Math.imul((h ^ (h >>> 15)) + b, 0x2c1b3c6d);
        h = Math.imul((h ^ (h >>> 13)) + c, 0x297a2d39);
        h = Math.imul((h ^ (h >>> 14)) + d, 0x1b56c4e9);
        // A template that looks at something that is not there says nothing: valencies and label sets tell that it is
        // not.
        const absent = a === ABSENT || b === ABSENT || c === ABSENT || d === ABSENT;
        features[t] = absent ? NO_FEATURE : h ^ (h >>> 16);
      }
    },
  };
}
