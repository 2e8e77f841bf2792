import { type Parser, Sentence } from "@stemma/core";
import { Configuration, goldTreeOf, type Move, NONE, spine, type TransitionSystem } from "@stemma/core/systems";
import type { Configured, Derivation, DeriveRequest, Outcome } from "../../protocol/derivation.js";
import type { Tree } from "../../protocol/sentence.js";
import { ArcHistory } from "./arc-history.js";
import { choiceMaker, findCosts, listedMoves, type Postponed, postpone, removesWords } from "./choices.js";
import { costsOf } from "./costs.js";
import { chooser } from "./policies.js";
import { isTrainedFor, LabelNumbers, MOST_STEPS, makeSystem, sentenceOf, wrongWords } from "./system.js";

/** Longer sentences make more configurations than a page can hold. */
const MOST_WORDS = 400;

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
  const scorer = isTrainedFor(parser, request.system) ? parser : undefined;
  const names = new LabelNumbers([...(scorer?.model.header.labels ?? []), ...(target?.labels.slice(1) ?? []), "root"]);
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
  const judge = gold && costsOf(request.system, gold, notes);
  const choose = chooser(request, system, gold, scorer, notes);
  const aimsAtGold = policy !== "model" && policy !== "hand";

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
    const here: Configured = {
      ...snapshot(system, c),
      choices,
      leftOut,
      taken: -1,
      loss: judge?.loss(c),
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
    if (judge && removesWords(system, system.moveOf(move))) choice.cost = judge.cost(c, system.moveOf(move), NONE);
    const { cost } = choice;
    if (firstMistake === undefined && cost !== undefined && cost > 0) firstMistake = step;
    system.apply(c, system.moveOf(move), label === undefined ? NONE : names.indexOf(label));
    arcs.note(c, step + 1);
    for (let word = 1; word <= n; word++) {
      if (removedAs(word) > 0 && removals.every((one) => one.word !== word))
        removals.push({ word, kind: removedAs(word), since: step + 1 });
    }
  }

  if (postponed.length > 0) findCosts(postponed, costsOf(request.system, gold!, notes), system);
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

/** Where a derivation leads, without what was permitted on the way. */
export function outcome({ configurations, tree, since, complete }: Derivation): Outcome {
  const taken = configurations.flatMap(({ choices, taken }) => {
    const choice = choices[taken];
    return choice ? [{ move: choice.move, label: choice.label }] : [];
  });
  return { taken, losses: configurations.map(({ loss }) => loss), tree, since, complete };
}

/**
 * Losses that follow from the end where the oracle gave up: its own loss, and if that is 0 those of all configurations
 * before, because a loss never shrinks; then no transition of the derivation cost anything.
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
