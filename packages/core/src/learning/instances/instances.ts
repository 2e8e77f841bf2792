import { check, checkRequired, type Expectation, FUNCTION, number } from "../../checks/options.js";
import { OBJECT, SENTENCE } from "../../checks/shapes.js";
import { Extractor } from "../../features/extractor.js";
import { parseTemplates } from "../../features/templates.js";
import { NO_FEATURE } from "../../math/hash.js";
import { classesOf, type ModelHeader } from "../../parser/model-header.js";
import { ParserModel } from "../../parser/parser.js";
import { canBuild, staticOracle } from "../../registry/oracles.js";
import { createSystem } from "../../registry/systems.js";
import { LinearModel } from "../../scoring/linear/linear-model.js";
import type { ForEachWeight } from "../../scoring/linear/quantized-weights.js";
import { Configuration, NONE } from "../../systems/configuration.js";
import { GoldTree } from "../../systems/oracles/gold-tree.js";
import type { StaticOracle } from "../../systems/oracles/oracle.js";
import type { TransitionSystem } from "../../systems/system.js";
import { isArc, kindOf, LEFT_ARC, type Move, nameOf } from "../../systems/transition.js";
import { projectivize, type Scheme } from "../../treebank/pseudo-projective.js";
import { changedSettings, type TreebankSentence } from "../examples.js";
import { LINEAR_OPTIONS } from "../option-checks.js";
import type { TrainOptions } from "../training.js";
import { NumberedFeatures } from "./numbered-features.js";

/** Options of `Instances`. */
export interface InstanceOptions
  extends Pick<TrainOptions, "system" | "root" | "systemSettings" | "templates" | "templatesSource"> {
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

const { system, root, systemSettings, templates, templatesSource, projectivize: scheme } = LINEAR_OPTIONS;
const EXPECTED: Readonly<Record<keyof InstanceOptions, Expectation>> = {
  ...{ system, root, systemSettings, templates, templatesSource },
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
  /** The decisions of the oracle so far: transitions, with the labels of their arcs. */
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
  /** For each class its move (or its kind) and the number of its label. */
  private readonly classMoves: { move: Move; label: number }[] = [];
  /** Labels of words that are left for 0 at the end. */
  private readonly leftOver = new Set<string>();
  private severalRoots = 0;

  /** @param options system, root position, templates */
  constructor(private readonly options: InstanceOptions) {
    checkRequired("Instances", options, EXPECTED, ["system", "root", "templates"]);
    const { system, root, templates, templatesSource = "templates" } = options;
    this.system = createSystem(system, { root, ...options.systemSettings });
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
   * @param sentence the sentence
   * @param visit called with the features and the move of every step
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
      system.take(c, move, label === undefined ? -1 : this.labelOf(label));
    }
    for (let d = 1; d <= n; d++) if (c.heads[d] === NONE) this.leftOver.add(names[d]!);
    if (gold.start[1]! - gold.start[0]! > 1) this.severalRoots++;
    return true;
  }

  /**
   * A parser with weights that another learner found for these instances, by the numbers of features and classes. A
   * class that no instance has gets, for every feature, the least weight of all others, so that it is never chosen
   * before them. Weights below `prune` are left out.
   * @param weights all weights, as `LiblinearReader.end` gives them
   * @param origin what the model says of its training
   * @param prune weights that are smaller are left out
   */
  model(weights: ForEachWeight, origin: Record<string, unknown> = {}, prune = 0): ParserModel {
    check("weights", weights, FUNCTION);
    check("origin", origin, OBJECT);
    check("prune", prune, number(0));
    if (this.count === 0) throw new RangeError("no instances to make a parser of (expected sentences that were added)");
    const { options, classMoves } = this;
    for (const label of this.leftOver) this.labelOf(label);
    const labelsOf = (isLeft: boolean) => {
      const used = classMoves.filter(({ move, label }) => label >= 0 && (kindOf(move) === LEFT_ARC) === isLeft);
      return [...new Set(used.map(({ label }) => label))].sort((a, b) => a - b);
    };
    const header: ModelHeader = {
      system: options.system,
      root: options.root,
      ...(this.severalRoots > 0 ? { singleRoot: false } : {}),
      ...changedSettings(options),
      templates: options.templates,
      labels: this.labels.size > 0 ? [...this.labels.keys()] : ["_"],
      leftLabels: labelsOf(true),
      rightLabels: labelsOf(false),
      ...(options.projectivize === undefined ? {} : { projectivized: options.projectivize }),
      origin,
    };
    const classes = classesOf(header);
    const ids = classMoves.map(({ move, label }) => classes.classOf(classes.groupOf(move), label));
    const unseen = Array.from(classes.labels.keys()).filter((id) => !ids.includes(id));
    return new ParserModel(header, LinearModel.from(this.named(weights, ids, unseen), prune, this.numbers.length));
  }

  /** The weights by features and classes of a model. */
  private named(weights: ForEachWeight, ids: readonly number[], unseen: readonly number[]): ForEachWeight {
    const features = this.features.inOrder();
    return (visit) => {
      // The least weight of each feature; classes without one have 0.
      const least = new Float64Array(unseen.length > 0 ? features.length : 0);
      weights((feature, cls, weight) => {
        if (feature < 1 || feature > features.length || ids[cls - 1] === undefined) {
          throw new RangeError(
            `invalid weight of feature ${feature} for class ${cls} ` +
              `(expected one of ${features.length} features and ${ids.length} classes: those of the same instances)`,
          );
        }
        visit(features[feature - 1]!, ids[cls - 1]!, weight);
        if (unseen.length > 0) least[feature - 1] = Math.min(least[feature - 1]!, weight);
      });
      for (const id of unseen) {
        for (let f = 0; f < least.length; f++) if (least[f] !== 0) visit(features[f]!, id, least[f]!);
      }
    };
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
      this.classMoves.push({
        move: this.byKind ? kindOf(move) : move,
        label: label === undefined ? -1 : this.labelOf(label),
      });
      this.classNumbers.set(key, number);
    }
    return number;
  }
}
