import type { Parser } from "@stemma/core";
import {
  Configuration,
  canBuild,
  createSystem,
  type DynamicOracle,
  dynamicOracle,
  type GoldTree,
  goldTreeOf,
  haveSameSettings,
  type Move,
  NONE,
  type StaticOracle,
  spine,
  staticOracle,
  type TransitionSystem,
  wrongLabels,
} from "@stemma/core/systems";
import type { Words } from "@stemma/core/training";
import { SYSTEM_TITLES } from "../derivation/names.js";
import type {
  Choice,
  Configured,
  Derivation,
  DeriveRequest,
  Outcome,
  Reached,
  SystemChoice,
  Taken,
  Tree,
  WordColumns,
} from "../protocol.js";
import { type Costs, costsOf } from "./costs.js";
import { chooser } from "./policies.js";
import { sharesIn } from "./shares.js";

/** Swap can go on for O(n²) transitions; a derivation by hand could go on for longer still. */
const MOST_STEPS = 20_000;
/** Longer sentences make more configurations than a page can hold. */
const MOST_WORDS = 400;

/** The words as the features of a model read them. */
export function featureWords({ forms, lemmas, upos, xpos, feats }: WordColumns): Words {
  return {
    length: forms.length - 1,
    form: (i) => forms[i]!,
    lemma: (i) => lemmas[i]!,
    upos: (i) => upos[i]!,
    xpos: (i) => xpos[i]!,
    feats: (i) => feats[i]!,
  };
}

/** Is the model trained for this system? Only then has it scores to show. */
export function scores(parser: Parser | undefined, system: SystemChoice): parser is Parser {
  if (!parser) return false;
  const { header } = parser.model;
  return (
    header.system === system.name &&
    header.root === system.root &&
    system.singleRoot &&
    haveSameSettings(system.name, header, system)
  );
}

export function makeSystem({ name, ...options }: SystemChoice): TransitionSystem {
  return createSystem(name, options);
}

/**
 * Runs a derivation to its end and notes in every configuration what was permitted, what the model thought of it and
 * what the oracle knows, so that the page can go to any step without asking again.
 */
export function derive(request: DeriveRequest, parser: Parser | undefined): Derivation {
  const { words, target, policy, prefix } = request;
  const system = makeSystem(request.system);
  const n = words.forms.length - 1;
  if (n > MOST_WORDS) throw new RangeError(`this sentence has ${n} words (expected at most ${MOST_WORDS})`);
  const scorer = scores(parser, request.system) ? parser : undefined;
  const names = new Names([...(scorer?.model.header.labels ?? []), ...(target?.labels.slice(1) ?? []), "root"]);
  const notes: string[] = [];
  if (scorer?.model.header.projectivized && policy === "model") {
    notes.push(
      "After its last step the parser moves some arcs, as their labels say (pseudo-projective parsing); this is not shown.",
    );
  }
  const planned = policy === "model" && scorer ? plan(system, scorer, words, prefix.length > 0, notes) : [];
  scorer?.decider.bind(featureWords(words));
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
  const since = new Array<number>(n + 1).fill(Number.POSITIVE_INFINITY);
  const replaced: Derivation["replaced"] = [];
  let firstMistake: number | undefined;
  for (let step = 0; step < MOST_STEPS; step++) {
    const taken = prefix[step] ?? planned[step];
    const choices = choicesIn(system, c, { names, scorer, target, judge, aimsAtGold, taken });
    const loss = judge?.loss(c);
    const here: Configured = {
      ...snapshot(system, c),
      choices,
      taken: -1,
      loss: loss === undefined ? undefined : loss + wrongLabels(c, gold!),
    };
    configurations.push(here);
    if (system.isTerminal(c)) break;
    here.taken = taken ? choices.findIndex(({ move }) => move === taken.move) : choose(c, here);
    if (here.taken < 0) {
      if (taken)
        notes.push(`${taken.move} is not permitted in step ${step + 1}: the transitions taken by hand end there.`);
      break;
    }
    const { move, label, dependent, cost } = choices[here.taken]!;
    if (firstMistake === undefined && cost !== undefined && cost > 0) firstMistake = step;
    if (dependent > 0 && c.heads[dependent] !== NONE) {
      const before = names.list[c.labels[dependent]!] ?? "";
      const until = step + 1;
      replaced.push({ head: c.heads[dependent]!, dependent, label: before, since: since[dependent]!, until });
    }
    system.apply(c, system.moveOf(move), label === undefined ? NONE : names.indexOf(label));
    if (dependent > 0) since[dependent] = step + 1;
  }

  const complete = system.isTerminal(c);
  const headless: number[] = [];
  if (complete) {
    for (let d = 1; d <= n; d++) {
      if (c.heads[d] !== NONE) continue;
      headless.push(d);
      since[d] = configurations.length - 1;
    }
    system.finish(c, names.indexOf("root"));
  }
  const tree: Tree = { heads: Array.from(c.heads.subarray(0, n + 1)), labels: [""] };
  for (let d = 1; d <= n; d++) tree.labels.push(c.labels[d]! < 0 ? "" : names.list[c.labels[d]!]!);
  if (complete && target) settleLosses(configurations, wrongArcs(tree, target));
  return { system: request.system, configurations, tree, since, replaced, complete, headless, firstMistake, notes };
}

/** Where a derivation leads, without what was permitted on the way. */
export function outcome({ configurations, tree, since, complete }: Derivation): Outcome {
  const taken = configurations.flatMap(({ choices, taken }) => {
    const choice = choices[taken];
    return choice ? [{ move: choice.move, label: choice.label }] : [];
  });
  return { taken, losses: configurations.map(({ loss }) => loss), tree, since, complete };
}

/** Words whose head or label is another one in the target. */
function wrongArcs({ heads, labels }: Tree, target: Tree): number {
  return heads.filter((head, d) => {
    if (d === 0 || target.heads[d]! < 0) return false;
    return head !== target.heads[d] || labels[d] !== target.labels[d];
  }).length;
}

/**
 * What the end tells where the oracle gave up: its own loss, and if that is 0 those of all configurations before,
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

/** What a parser with a beam takes: which is not always what looks best in a configuration. */
function plan(
  system: TransitionSystem,
  parser: Parser,
  words: WordColumns,
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
  const steps = parser.derivation(featureWords(words)) ?? [];
  return steps.map(({ move, label }) => ({ move: system.nameOf(move), label }));
}

/** The permitted transitions, each with one label, its score and its cost. */
function choicesIn(system: TransitionSystem, c: Configuration, knowledge: Knowledge): Choice[] {
  const { names, scorer, target, judge, aimsAtGold, taken } = knowledge;
  if (system.isTerminal(c)) return [];
  const moves: Move[] = [];
  const count = system.permitted(c, moves);
  const decider = scorer?.decider;
  decider?.decide(c);
  const shareOf = scorer && sharesIn(scorer, c);
  return moves.slice(0, count).map((move) => {
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
    const cost = judge?.cost(c, move);
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
  });
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
export function reach(words: WordColumns, choice: SystemChoice, target: Tree): Reached {
  const system = makeSystem(choice);
  const n = words.forms.length - 1;
  const gold = goldTreeOf(system, sentenceOf(target));
  const c = new Configuration(n);
  const exact = dynamicOracle(system);
  const builds = canBuild(system, gold, c);
  if (!builds && !exact) {
    return {
      reason: `${SYSTEM_TITLES[choice.name]} cannot build this tree, and no oracle finds the nearest tree that it can build.`,
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
  const heads = Array.from(c.heads.subarray(0, n + 1));
  return { tree: { heads, labels: target.labels.map((label, d) => (heads[d] === 0 ? "root" : label)) }, steps };
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
