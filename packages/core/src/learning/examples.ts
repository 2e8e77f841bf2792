import type { Words } from "../features/columns.js";
import { canBuild, staticOracle } from "../registry/oracles.js";
import { ownSettings } from "../registry/systems.js";
import { systemTraining } from "../registry/training.js";
import { Configuration, NONE } from "../systems/configuration.js";
import { GoldTree } from "../systems/oracles/gold-tree.js";
import type { OracleName, StaticOracle } from "../systems/oracles/oracle.js";
import type { SystemSettings } from "../systems/settings.js";
import type { TransitionSystem } from "../systems/system.js";
import { isArc, kindOf, LEFT_ARC, type Move } from "../systems/transition.js";
import { projectivize, type Scheme } from "../treebank/pseudo-projective.js";
import { isPartial } from "./correctness.js";

/** A sentence with its tree, as a treebank gives it. */
export interface TreebankSentence extends Words {
  /** The head of each word, 0 for the root; index 0 is unused. */
  readonly heads: ArrayLike<number>;
  /**
   * The relation of a word to its head.
   * @param i the number of the word, from 1
   */
  deprel(i: number): string;
}

/** How many sentences are trained on, and what became of the others. */
export interface TrainingData {
  sentences: number;
  words: number;
  /** Trees that were made projective. */
  projectivized: number;
  /** Trees that the system cannot build, left out because the oracle needs trees that it can. */
  skipped: number;
  /** Trees in which some words have no head, if there are any. */
  partial?: number;
  /** Trees with crossing arcs, if there are any, of which a projective decoder cannot find all arcs together. */
  nonProjective?: number;
  /** Trees in which several words hang on 0, if there are any. */
  severalRoots?: number;
}

/** A training sentence: its words, and its tree with labels as numbers. */
export interface Example {
  readonly words: Words;
  readonly heads: ArrayLike<number>;
  readonly labels: Int32Array;
  /** Where words may be left out of trees: why each is to be, 0 if it is not. */
  readonly leftOut?: Uint8Array | undefined;
}

/** The training data of a parser: trees that its system can build, labels as numbers. */
export interface Examples {
  readonly examples: Example[];
  readonly labels: string[];
  /** Labels of arcs to the left and to the right, ascending. */
  readonly leftLabels: number[];
  readonly rightLabels: number[];
  readonly data: TrainingData;
}

/**
 * The statement on roots in the header of a model: nothing if every tree is to have one, as asked for or as the
 * training data has it.
 */
export function manyRoots(wanted: boolean | undefined, { severalRoots = 0 }: TrainingData): { singleRoot?: false } {
  return (wanted ?? severalRoots === 0) ? {} : { singleRoot: false };
}

/** The settings of its system in the header of a model: nothing if they are the defaults. */
export function changedSettings(options: {
  readonly system: string;
  readonly systemSettings?: SystemSettings | undefined;
}): { systemSettings?: SystemSettings } {
  const systemSettings = ownSettings(options.system, options.systemSettings ?? {});
  return Object.keys(systemSettings).length > 0 ? { systemSettings } : {};
}

/** Options with the settings that suit the training data where the system has such and none are given. */
export function fittedOptions<
  Options extends { readonly system: string; readonly systemSettings?: SystemSettings | undefined },
>(options: Options, sentences: readonly TreebankSentence[]): Options {
  const { settingsFor } = systemTraining(options.system);
  if (!settingsFor) return options;
  const systemSettings = { ...settingsFor(sentences.map(treeOf)), ...options.systemSettings };
  return { ...options, systemSettings };
}

/** A sentence as its heads and labels, from 1. */
function treeOf(sentence: TreebankSentence): { heads: ArrayLike<number>; labels: string[] } {
  const labels = [""];
  for (let i = 1; i <= sentence.length; i++) labels.push(sentence.deprel(i));
  return { heads: sentence.heads, labels };
}

/** Visits the arcs of the canonical derivation of a tree, which the system must be able to build. */
function followArcs(
  system: TransitionSystem,
  gold: GoldTree,
  c: Configuration,
  oracle: StaticOracle,
  visit: (move: Move, dependent: number) => void,
): void {
  oracle.bind(gold);
  system.initialize(c, gold.length);
  while (!system.isTerminal(c)) {
    const move = oracle.next(c);
    if (move < 0) return;
    if (isArc(move)) visit(move, system.dependent(c, move));
    system.apply(c, move);
  }
}

/** Words that are left out keep only the heads that go with them; otherwise any head will do until they go. */
function amongLeftOut(heads: ArrayLike<number>, leftOut: Uint8Array): Int32Array {
  return Int32Array.from(heads, (h, d) => (leftOut[d]! > 0 && !(h > 0 && leftOut[h] === leftOut[d]) ? NONE : h));
}

/** Reads trees for training: makes them projective if requested, and leaves out those that the oracle cannot use. */
export function readExamples(
  sentences: Iterable<TreebankSentence>,
  system: TransitionSystem,
  oracle: OracleName,
  scheme?: Scheme,
): Examples {
  const data: TrainingData = { sentences: 0, words: 0, projectivized: 0, skipped: 0 };
  const examples: Example[] = [];
  const labels: string[] = [];
  const left = new Set<number>();
  const right = new Set<number>();
  const numbers = new Map<string, number>();
  const number = (label: string): number => {
    let n = numbers.get(label);
    if (n === undefined) {
      n = labels.length;
      numbers.set(label, n);
      labels.push(label);
    }
    return n;
  };
  const canonical = staticOracle(system);
  const { wordsLeftOut } = systemTraining(system.name);
  const c = new Configuration();
  for (const sentence of sentences) {
    const n = sentence.length;
    if (n === 0) continue;
    let heads = sentence.heads;
    let names: string[] = [""];
    for (let d = 1; d <= n; d++) names.push(sentence.deprel(d));
    const leftOut = wordsLeftOut?.(heads, names);
    let gold = new GoldTree(heads, undefined, leftOut);
    const partial = isPartial(heads, oracle);
    if (partial) data.partial = (data.partial ?? 0) + 1;
    if (gold.start[1]! - gold.start[0]! > 1) data.severalRoots = (data.severalRoots ?? 0) + 1;
    if (scheme && !partial && !gold.projective) {
      const made = projectivize(heads, names, scheme);
      heads = made.heads;
      names = made.labels;
      gold = new GoldTree(heads, undefined, leftOut);
      data.projectivized++;
    }
    // A dynamic oracle copes with every tree, the others only with those that the system can build.
    if (oracle !== "dynamic" && !canBuild(system, gold, c, canonical)) {
      data.skipped++;
      continue;
    }
    if (leftOut) heads = amongLeftOut(heads, leftOut);
    const numbered = new Int32Array(n + 1).fill(-1);
    for (let d = 1; d <= n; d++) {
      if (leftOut && leftOut[d]! > 0 && heads[d]! < 0) continue;
      if (partial && (heads[d]! < 0 || names[d] === "_")) continue;
      numbered[d] = number(names[d]!);
      const place = heads[d] === 0 ? (system.root === "last" ? n + 1 : 0) : heads[d]!;
      (d < place ? left : right).add(numbered[d]!);
    }
    // Where words change places, a word on the right of its head may get it by LEFT-ARC; if not only the canonical
    // derivation is correct, any word may.
    if (system.description.reordersWords && oracle !== "static") {
      for (const side of [left, right]) for (let d = 1; d <= n; d++) if (numbered[d]! >= 0) side.add(numbered[d]!);
    } else if (system.description.reordersWords) {
      followArcs(system, gold, c, canonical, (move, d) => (kindOf(move) === LEFT_ARC ? left : right).add(numbered[d]!));
    }
    examples.push({ words: sentence, heads, labels: numbered, leftOut });
    data.sentences++;
    data.words += n;
  }
  if (examples.length === 0) throw new RangeError(`no sentences to train on (${data.skipped} skipped)`);
  if (labels.length === 0) number("_");
  const ascending = (set: Set<number>) => [...set].sort((a, b) => a - b);
  return { examples, labels, leftLabels: ascending(left), rightLabels: ascending(right), data };
}
