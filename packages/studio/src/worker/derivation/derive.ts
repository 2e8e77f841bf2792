import { type Parser, Sentence } from "@stemma/core";
import {
  Configuration,
  canBuild,
  createSystem,
  type DynamicOracle,
  dynamicOracle,
  FIRST_FREE_KIND,
  type GoldTree,
  goldTreeOf,
  haveSameSettings,
  kindOf,
  type Move,
  NONE,
  ownSettings,
  type StaticOracle,
  spine,
  staticOracle,
  type TransitionSystem,
  wrongLabels,
} from "@stemma/core/systems";
import type {
  Choice,
  Configured,
  Derivation,
  DeriveRequest,
  Outcome,
  Reached,
  SystemChoice,
  Taken,
} from "../../protocol/derivation.js";
import type { Tree } from "../../protocol/sentence.js";
import { type Costs, costsOf } from "./costs.js";
import { chooser } from "./policies.js";
import { sharesIn } from "./probabilities.js";

/** Swap can go on for O(n²) transitions; a derivation by hand could go on for longer still. */
const MOST_STEPS = 20_000;
/** Longer sentences make more configurations than a page can hold. */
const MOST_WORDS = 400;
/** Transitions that remove words from the sentence and are listed: there may be one for every span of it. */
const MOST_REMOVALS = 40;

/** Is the model trained for this system? Only then has it scores to show. */
export function scores(parser: Parser | undefined, system: SystemChoice): parser is Parser {
  if (!parser) return false;
  const { header } = parser.model;
  return (
    header.system === system.name &&
    header.root === system.root &&
    system.singleRoot &&
    haveSameSettings(system.name, header.systemSettings ?? {}, system.settings)
  );
}

export function makeSystem({ name, root, singleRoot, settings }: SystemChoice): TransitionSystem {
  return createSystem(name, { root, singleRoot, ...ownSettings(name, settings) });
}

/**
 * Runs a derivation to its end and notes in every configuration what was permitted, what the model thought of it and
 * what the oracle knows, so that the page can go to any step without asking again.
 */
export function derive(request: DeriveRequest, parser: Parser | undefined): Derivation {
  const { target, policy, prefix } = request;
  const sentence = Sentence.from(request.sentence, { allowNonTrees: true });
  const system = makeSystem(request.system);
  const n = sentence.length;
  if (n > MOST_WORDS) throw new RangeError(`this sentence has ${n} words (expected at most ${MOST_WORDS})`);
  const scorer = scores(parser, request.system) ? parser : undefined;
  const names = new Names([...(scorer?.model.header.labels ?? []), ...(target?.labels.slice(1) ?? []), "root"]);
  const notes: string[] = [];
  if (scorer?.model.header.projectivized && policy === "model") {
    notes.push(
      "After its last step the parser moves some arcs, as their labels say (pseudo-projective parsing); this is not shown.",
    );
  }
  const planned = policy === "model" && scorer ? plan(system, scorer, sentence, prefix.length > 0, notes) : [];
  scorer?.decider.bind(sentence);
  const gold =
    target &&
    goldTreeOf(
      system,
      sentenceOf(target),
      target.labels.map((label) => names.indexOf(label)),
    );
  const judge = gold && costsOf(system, gold, notes);
  const choose = chooser(request, system, gold, scorer, notes);
  const aimsAtGold = policy === "static" || policy === "dynamic";

  const c = new Configuration(n);
  system.initialize(c, n);
  const configurations: Configured[] = [];
  const arcs = new ArcHistory(names);
  const removals: Derivation["removals"] = [];
  const removedAs = (word: number) => Math.max(0, system.description.leftOut?.(c)[word] ?? 0);
  let firstMistake: number | undefined;
  const postponed: Postponed[] = [];
  for (let step = 0; step < MOST_STEPS; step++) {
    const taken = prefix[step] ?? planned[step];
    const choiceOf = choiceMaker(system, c, { names, scorer, target, judge, aimsAtGold, taken });
    const { moves, leftOut } = listedMoves(system, c, scorer);
    const choices = moves.map(choiceOf);
    if (judge && system.description.leftOut) postpone(postponed, c, choices, system);
    /** The index of a transition among the choices, where it is put if there was no room for it. */
    const indexOf = (move: Move) => {
      if (move < 0 || !system.permits(c, move)) return -1;
      const index = choices.findIndex((one) => one.move === system.nameOf(move));
      return index >= 0 ? index : choices.push(choiceOf(move)) - 1;
    };
    const loss = judge?.loss(c);
    const here: Configured = {
      ...snapshot(system, c),
      choices,
      leftOut,
      taken: -1,
      loss: loss === undefined ? undefined : loss + wrongLabels(c, gold!),
    };
    configurations.push(here);
    if (system.isTerminal(c)) break;
    here.taken = taken ? indexOf(system.moveOf(taken.move)) : choose(c, here, indexOf);
    here.leftOut -= choices.length - moves.length;
    if (here.taken < 0) {
      if (taken)
        notes.push(`${taken.move} is not permitted in step ${step + 1}: the transitions taken by hand end there.`);
      break;
    }
    const choice = choices[here.taken]!;
    const { move, label } = choice;
    if (judge && removesWords(system, system.moveOf(move))) choice.cost = judge.cost(c, system.moveOf(move));
    const { cost } = choice;
    if (firstMistake === undefined && cost !== undefined && cost > 0) firstMistake = step;
    system.apply(c, system.moveOf(move), label === undefined ? NONE : names.indexOf(label));
    arcs.note(c, step + 1);
    for (let word = 1; word <= n; word++) {
      if (removedAs(word) > 0 && removals.every((one) => one.word !== word))
        removals.push({ word, kind: removedAs(word), since: step + 1 });
    }
  }

  if (postponed.length > 0) findCosts(postponed, costsOf(system, gold!, notes), system);
  const complete = system.isTerminal(c);
  const headless: number[] = [];
  if (complete) {
    for (let d = 1; d <= n; d++) {
      if (c.heads[d] === NONE && removedAs(d) === 0) headless.push(d);
    }
    system.finish(c, names.indexOf("root"));
    arcs.note(c, configurations.length - 1);
  }
  const { since, replaced } = arcs;
  const tree: Tree = { heads: Array.from(c.heads.subarray(0, n + 1)), labels: [""] };
  for (let d = 1; d <= n; d++) tree.labels.push(c.labels[d]! < 0 ? "" : names.list[c.labels[d]!]!);
  if (complete && gold) settleLosses(configurations, wrongWords(tree, target!, gold, removedAs).length);
  return {
    ...{ system: request.system, configurations, tree, since, replaced, removals },
    ...{ complete, headless, firstMistake, notes },
  };
}

/** Since when arcs are there, and those that went again. */
class ArcHistory {
  /** By dependent: the configuration from which on the arc is there. */
  readonly since: number[] = [];
  readonly replaced: Derivation["replaced"] = [];
  private readonly heads: number[] = [];
  private readonly labels: number[] = [];

  constructor(private readonly names: Names) {}

  /** Compares a configuration with the one before: a transition may also take arcs away. */
  note(c: Configuration, step: number): void {
    const { since, heads, labels } = this;
    for (let d = 0; d <= c.length; d++) {
      const [head, label] = [c.heads[d]!, c.labels[d]!];
      const [oldHead = NONE, oldLabel = NONE] = [heads[d], labels[d]];
      since[d] ??= Number.POSITIVE_INFINITY;
      if (d === 0 || (head === oldHead && (head === NONE || label === oldLabel))) continue;
      if (oldHead !== NONE) {
        const before = this.names.list[oldLabel] ?? "";
        this.replaced.push({ head: oldHead, dependent: d, label: before, since: since[d]!, until: step });
      }
      [heads[d], labels[d]] = [head, label];
      since[d] = head === NONE ? Number.POSITIVE_INFINITY : step;
    }
  }
}

/** Where a derivation leads, without what was permitted on the way. */
export function outcome({ configurations, tree, since, complete }: Derivation): Outcome {
  const taken = configurations.flatMap(({ choices, taken }) => {
    const choice = choices[taken];
    return choice ? [{ move: choice.move, label: choice.label }] : [];
  });
  return { taken, losses: configurations.map(({ loss }) => loss), tree, since, complete };
}

/** Words whose head or label is another one in the target, or that are removed in another way. */
export function wrongWords(
  { heads, labels }: Tree,
  target: Tree,
  gold: GoldTree,
  removedAs: (word: number) => number,
): number[] {
  return heads.flatMap((head, d) => {
    if (d === 0 || target.heads[d]! < 0) return [];
    if (!gold.agrees(d, head, removedAs(d))) return [d];
    return removedAs(d) > 0 || labels[d] === target.labels[d] ? [] : [d];
  });
}

/**
 * Losses that follow from the end where the oracle gave up: its own loss, and if that is 0 those of all configurations before,
 * because a loss never shrinks; then no transition of the derivation cost anything.
 */
function settleLosses(configurations: readonly Configured[], end: number): void {
  configurations.at(-1)!.loss ??= end;
  if (end > 0) return;
  for (const here of configurations) {
    here.loss ??= 0;
    const choice = here.choices[here.taken];
    if (choice) choice.cost ??= 0;
  }
}

interface Knowledge {
  names: Names;
  scorer: Parser | undefined;
  target: Tree | undefined;
  judge: Costs | undefined;
  /** Arcs of the target get the label that they have there, not the one that the model likes best. */
  aimsAtGold: boolean;
  /** The transition that will be taken whatever the others say, with its label. */
  taken: Taken | undefined;
}

/** The transitions of a parser with a beam, which are not always those that look best in a configuration. */
function plan(
  system: TransitionSystem,
  parser: Parser,
  sentence: Sentence,
  byHand: boolean,
  notes: string[],
): DeriveRequest["prefix"] {
  if (parser.beam === 1) return [];
  if (byHand) {
    notes.push(
      "The parser keeps several derivations at a time; after the transitions taken by hand it continues with the best transition at each step.",
    );
    return [];
  }
  notes.push(`The parser keeps ${parser.beam} derivations at a time; this is the best of them.`);
  const steps = parser.derivation(sentence) ?? [];
  return steps.map(({ move, label }) => ({ move: system.nameOf(move), label }));
}

/**
 * The permitted transitions. Of those that remove words only the shortest are listed, and the ones that the model likes
 * best.
 */
function listedMoves(
  system: TransitionSystem,
  c: Configuration,
  scorer: Parser | undefined,
): { moves: Move[]; leftOut: number } {
  if (system.isTerminal(c)) return { moves: [], leftOut: 0 };
  const permitted: Move[] = [];
  permitted.length = system.permitted(c, permitted);
  const { leftOut: removed } = system.description;
  if (!removed) return { moves: permitted, leftOut: 0 };
  const after = new Configuration(c.length);
  const countRemoved = () =>
    removed(after)
      .subarray(1, c.length + 1)
      .reduce((sum, kind) => sum + (kind > 0 ? 1 : 0), 0);
  const removes = new Map(
    permitted.map((move) => {
      after.copyFrom(c);
      const before = countRemoved();
      system.apply(after, move);
      return [move, countRemoved() - before];
    }),
  );
  permitted.sort((a, b) => removes.get(a)! - removes.get(b)!);
  const removals = permitted.filter((move) => removes.get(move)! > 0);
  const cut = new Set(removals.slice(MOST_REMOVALS));
  if (scorer && cut.size > 0) {
    const { decider } = scorer;
    const scoreOf = (move: Move) => decider.scoreOf(decider.moves.indexOf(move));
    decider.decide(c);
    const best = [...cut].reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a));
    cut.delete(best);
  }
  return { moves: permitted.filter((move) => !cut.has(move)), leftOut: cut.size };
}

/** Is it a transition of a system's own that removes words? There are very many of them, and their costs come last. */
function removesWords(system: TransitionSystem, move: Move): boolean {
  return system.description.leftOut !== undefined && kindOf(move) >= FIRST_FREE_KIND;
}

/** Choices of a configuration whose costs are found when those of all other transitions are known. */
interface Postponed {
  c: Configuration;
  choices: Choice[];
}

function postpone(all: Postponed[], c: Configuration, choices: readonly Choice[], system: TransitionSystem): void {
  const removals = choices.filter(({ move }) => removesWords(system, system.moveOf(move)));
  if (removals.length === 0) return;
  const copy = new Configuration(c.length);
  copy.copyFrom(c);
  all.push({ c: copy, choices: removals });
}

/** The first of every configuration come first, since what takes too long is given up. */
function findCosts(all: readonly Postponed[], judge: Costs, system: TransitionSystem): void {
  const most = Math.max(...all.map(({ choices }) => choices.length));
  for (let i = 0; i < most; i++) {
    for (const { c, choices } of all) {
      const choice = choices[i];
      if (choice) choice.cost ??= judge.cost(c, system.moveOf(choice.move));
    }
  }
}

/** Gives a permitted transition one label, its score and its cost. */
function choiceMaker(system: TransitionSystem, c: Configuration, knowledge: Knowledge): (move: Move) => Choice {
  const { names, scorer, target, judge, aimsAtGold, taken } = knowledge;
  const decider = system.isTerminal(c) ? undefined : scorer?.decider;
  decider?.decide(c);
  const shareOf = decider && sharesIn(scorer!, c);
  return (move) => {
    const name = system.nameOf(move);
    const dependent = system.dependent(c, move);
    const head = system.head(c, move);
    const wanted = dependent > 0 && target?.heads[dependent] === head ? target.labels[dependent] : undefined;
    const index = decider ? decider.moves.indexOf(move) : -1;
    const best = index < 0 ? NONE : decider!.classes.labels[decider!.bestClass[index]!]!;
    let label: string | undefined;
    if (dependent > 0) {
      label = (best < 0 ? target?.labels[dependent] : names.list[best]) ?? "dep";
      if (aimsAtGold && wanted !== undefined) label = wanted;
      if (taken?.move === name && taken.label !== undefined) label = taken.label;
    }
    let score: number | undefined;
    let probability: number | undefined;
    if (decider && index >= 0) {
      const { classes } = decider;
      const number = label === undefined ? NONE : names.indexOf(label);
      if (number === best) score = decider.scoreOf(index);
      else {
        const cls = classes.classOf(classes.groupOf(move), number) ?? NONE;
        if (cls >= 0) score = (classes.perMove ? decider.rescore(c, index) : decider.scores)[cls];
      }
      if (score !== undefined) {
        probability = shareOf!(score);
        score /= decider.scorer.logUnit ?? 1;
      }
    }
    const cost = removesWords(system, move) ? undefined : judge?.cost(c, move);
    const mislabelled = wanted !== undefined && label !== wanted ? 1 : 0;
    return {
      move: name,
      label,
      head,
      dependent,
      score,
      probability,
      cost: cost === undefined ? undefined : cost + mislabelled,
    };
  };
}

function snapshot(
  system: TransitionSystem,
  c: Configuration,
): Pick<Configured, "stack" | "buffer" | "spines" | "lists"> {
  const stack = Array.from(c.stack.subarray(0, c.stackSize));
  const buffer = Array.from(c.buffer.subarray(c.front, c.end));
  const spines = system.description.attachesToSpines
    ? stack.map((root) => ({ left: spine(root, c.leftmost), right: spine(root, c.rightmost) }))
    : undefined;
  return { stack, buffer, spines, lists: system.description.lists?.(c) ?? {} };
}

/** A tree as a sentence that has it. */
export function sentenceOf({ heads, labels }: Tree) {
  return { length: heads.length - 1, heads, deprel: (i: number) => labels[i]! };
}

/**
 * The tree that a system's oracle reaches and the number of steps to it: the gold tree, or the nearest that the system
 * can build.
 */
export function reach(choice: SystemChoice, target: Tree): Reached {
  const system = makeSystem(choice);
  const n = target.heads.length - 1;
  const gold = goldTreeOf(system, sentenceOf(target));
  const c = new Configuration(n);
  const exact = dynamicOracle(system);
  const builds = canBuild(system, gold, c);
  if (!builds && !exact) {
    return {
      reason: `${system.description.title} cannot build this tree, and no oracle finds the nearest tree that it can build.`,
    };
  }
  const next = builds ? nextOf(staticOracle(system), gold) : optimalOf(exact!, gold);
  system.initialize(c, n);
  let steps = 0;
  for (; !system.isTerminal(c) && steps < MOST_STEPS; steps++) {
    const move = next(c);
    if (move < 0) break;
    system.apply(c, move);
  }
  system.finish(c);
  const removed = system.description.leftOut?.(c).subarray(0, n + 1);
  const removedAs = (word: number) => Math.max(0, removed?.[word] ?? 0);
  const heads = Array.from(c.heads.subarray(0, n + 1));
  return {
    tree: { heads, labels: target.labels.map((label, d) => (heads[d] === 0 ? "root" : heads[d]! < 0 ? "" : label)) },
    steps,
    lost: heads.filter((head, d) => d > 0 && !gold.agrees(d, head, removedAs(d))).length,
    removed: heads.map((_, d) => removedAs(d)),
  };
}

function nextOf(oracle: StaticOracle, gold: GoldTree): (c: Configuration) => Move {
  oracle.bind(gold);
  return (c) => oracle.next(c);
}

function optimalOf(oracle: DynamicOracle, gold: GoldTree): (c: Configuration) => Move {
  oracle.bind(gold);
  return (c) => oracle.optimal(c);
}

/** Labels and their numbers, which are those of the model as far as it has them. */
class Names {
  readonly list: string[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(labels: readonly string[]) {
    for (const label of labels) this.indexOf(label);
  }

  indexOf(label: string): number {
    let number = this.numbers.get(label);
    if (number === undefined) {
      number = this.list.length;
      this.numbers.set(label, number);
      this.list.push(label);
    }
    return number;
  }
}
