import { check, checkRequired, type Expectation, FUNCTION } from "../checks/options.js";
import { SENTENCE } from "../checks/shapes.js";
import { Extractor } from "../features/extractor.js";
import { parseTemplates } from "../features/templates.js";
import { NO_FEATURE } from "../math/hash.js";
import { Configuration } from "../systems/configuration.js";
import { createSystem, givenSettings } from "../systems/index.js";
import { GoldTree } from "../systems/oracles/gold-tree.js";
import type { StaticOracle } from "../systems/oracles/oracle.js";
import { canBuild, staticOracle } from "../systems/oracles/oracles.js";
import type { SettingName, TransitionSystem } from "../systems/system.js";
import { isArc, kindOf, type Move, nameOf } from "../systems/transition.js";
import { projectivize, type Scheme } from "../treebank/pseudo-projective.js";
import type { TreebankSentence } from "./examples.js";
import { NumberedFeatures } from "./linear/numbered-features.js";
import { LINEAR_OPTIONS } from "./option-checks.js";
import type { TrainOptions } from "./training.js";

/** Options of `Instances`. */
export interface InstanceOptions
  extends Pick<TrainOptions, "system" | "root" | SettingName | "templates" | "templatesSource"> {
  /** Make non-projective trees projective first. */
  projectivize?: Scheme | undefined;
}

/** The meaning of a class number: a move, and the label of its arc if it builds one. */
export interface InstanceClass {
  readonly name: string;
  readonly label: string | undefined;
}

/**
 * Takes one configuration: the number of its class, and those of its features in ascending order (valid during the
 * call).
 */
export type InstanceVisitor = (cls: number, features: Int32Array) => void;

const {
  system,
  root,
  degree,
  lazy,
  monotonic,
  treeConstraint,
  longest,
  atOnce,
  templates,
  templatesSource,
  projectivize: scheme,
} = LINEAR_OPTIONS;
const EXPECTED: Readonly<Record<keyof InstanceOptions, Expectation>> = {
  ...{ system, root, degree, lazy, monotonic, treeConstraint, longest, atOnce, templates, templatesSource },
  projectivize: scheme,
};

/**
 * Turns trees into training instances for classifiers: for each configuration of the static oracle's derivation its
 * features and the correct move. Classes and features are numbered from 1 in the order in which they first occur.
 *
 * In LR-spines the features are those of the correct move's context, and LEFT-ARC-k is the same class for all k, as in
 * the models of this library: there k is told by the context and not by the class.
 */
export class Instances {
  readonly classes: InstanceClass[] = [];
  /** Instances so far. */
  count = 0;
  /** Trees so far that the system cannot build. */
  skipped = 0;
  private readonly system: TransitionSystem;
  private readonly oracle: StaticOracle;
  private readonly extractor: Extractor;
  private readonly byKind: boolean;
  private readonly scheme: Scheme | undefined;
  private readonly c = new Configuration();
  private readonly gold = new GoldTree();
  private readonly features = new NumberedFeatures();
  private readonly numbers: Int32Array;
  private readonly labels = new Map<string, number>();
  private readonly classNumbers = new Map<string, number>();

  constructor(options: InstanceOptions) {
    checkRequired("Instances", options, EXPECTED, ["system", "root", "templates"]);
    const { system, root, templates, templatesSource = "templates" } = options;
    this.system = createSystem(system, { root, ...givenSettings(options) });
    const { context } = this.system.description;
    this.byKind = context !== undefined;
    this.oracle = staticOracle(this.system);
    this.extractor = new Extractor(parseTemplates(templates, templatesSource, context));
    this.numbers = new Int32Array(this.extractor.program.size);
    this.scheme = options.projectivize;
  }

  /** Features so far. */
  get featureCount(): number {
    return this.features.size;
  }

  /**
   * Give the instances of a sentence to `visit`, in the order of the derivation. False if the system cannot build the
   * tree.
   */
  add(sentence: TreebankSentence, visit: InstanceVisitor): boolean {
    check("sentence", sentence, SENTENCE);
    check("visitor", visit, FUNCTION);
    const { system, oracle, c, gold, extractor } = this;
    const n = sentence.length;
    let heads = sentence.heads;
    let names: string[] = [""];
    for (let d = 1; d <= n; d++) names.push(sentence.deprel(d));
    gold.bind(heads);
    if (this.scheme && !gold.projective) {
      ({ heads, labels: names } = projectivize(heads, names, this.scheme));
      gold.bind(heads);
    }
    if (!canBuild(system, gold, c, oracle)) {
      this.skipped++;
      return false;
    }
    extractor.bind(sentence);
    oracle.bind(gold);
    system.initialize(c, n);
    while (!system.isTerminal(c)) {
      const move = oracle.next(c);
      const label = isArc(move) ? names[system.dependent(c, move)]! : undefined;
      extractor.extract(c, this.byKind ? move : 0);
      const size = this.number(extractor.hash());
      this.count++;
      visit(this.classOf(move, label), this.numbers.subarray(0, size));
      system.apply(c, move, label === undefined ? -1 : this.labelOf(label));
    }
    return true;
  }

  /** Writes the numbers of the features into `numbers`, ascending, and returns how many there are. */
  private number(features: Int32Array): number {
    const { numbers } = this;
    let count = 0;
    for (let i = 0; i < features.length; i++) {
      if (features[i] !== NO_FEATURE) numbers[count++] = this.features.numberOf(features[i]!);
    }
    numbers.subarray(0, count).sort();
    // Two templates may hash to one feature.
    let size = 0;
    for (let i = 0; i < count; i++) {
      if (size === 0 || numbers[i] !== numbers[size - 1]) numbers[size++] = numbers[i]!;
    }
    return size;
  }

  private labelOf(label: string): number {
    let number = this.labels.get(label);
    if (number === undefined) this.labels.set(label, (number = this.labels.size));
    return number;
  }

  private classOf(move: Move, label: string | undefined): number {
    const name = this.byKind ? nameOf(kindOf(move)) : this.system.nameOf(move);
    const key = label === undefined ? name : `${name} ${label}`;
    let number = this.classNumbers.get(key);
    if (number === undefined) {
      number = this.classes.push({ name, label });
      this.classNumbers.set(key, number);
    }
    return number;
  }
}
