import { type Parser, Sentence, type SentenceJSON } from "@stemma/core";
import { Configuration, dynamicOracle, goldTreeOf, type Move, NONE, type TransitionSystem } from "@stemma/core/systems";
import type { BeamTrace, Hypothesis } from "../../protocol/derivation.js";
import type { Tree } from "../../protocol/sentence.js";
import { sentenceOf, wrongWords } from "../derivation/system.js";
import { scored } from "../parsing/scored.js";

/** Longer sentences would take too long with a wide beam, and make a picture that nobody can read. */
const MOST_WORDS = 80;
/** Candidates that were not kept and are told nevertheless, so that one sees what was close. */
const RIVALS = 3;
/** In the place of the right label of a transition: there is none, or none is wrong. */
const WRONG = -2;
const ANY = -3;

/** Gives scores to all that is permitted in a configuration: a model, or what a lesson has in its place. */
export interface Scores {
  system: TransitionSystem;
  labels: readonly string[];
  /** Scores are in so many parts of a unit. */
  unit: number;
  /** Are they logarithms of probabilities? Then those of a configuration are normalised. */
  logarithmic: boolean;
  of(c: Configuration): { move: Move; label: number; value: number }[];
}

interface State {
  c: Configuration;
  score: number;
  gold: boolean;
}

interface Candidate {
  parent: number;
  move: Move;
  label: number;
  score: number;
  gold: boolean;
}

/** The scores of a model for a sentence. */
function scoresOf(parser: Parser, sentence: Sentence): Scores {
  const { decider, model } = parser;
  const { header } = model;
  const { system, classes, scorer } = decider;
  if ("joint" in header) throw new RangeError("the beam of a model that chooses tags as it parses is not shown");
  decider.constraints = undefined;
  decider.bind(sentence);
  return {
    system,
    labels: header.labels,
    unit: scorer.logUnit ?? 1,
    logarithmic: scorer.logUnit !== undefined && !scorer.isGlobal,
    of: (c) => scored(parser, c).map(({ move, cls, score }) => ({ move, label: classes.labels[cls]!, value: score })),
  };
}

/** Beam search of a model, as the parser does it; the parser also merges hypotheses that no feature can tell apart. */
export function beamTrace(json: SentenceJSON, parser: Parser, target: Tree | undefined, width: number): BeamTrace {
  const sentence = Sentence.from(json, { allowNonTrees: true });
  return searchTrace(sentence.length, () => scoresOf(parser, sentence), target, width);
}

/** Beam search with everything that it weighs. */
export function searchTrace(n: number, scored: () => Scores, target: Tree | undefined, width: number): BeamTrace {
  if (n > MOST_WORDS)
    throw new RangeError(`this sentence has ${n} words (the beam is shown for at most ${MOST_WORDS})`);
  const scores = scored();
  const { system, labels, unit, logarithmic } = scores;
  const oracle = target && boundOracle(scores, target);
  const first = new Configuration(n);
  system.initialize(first, n);
  let live: State[] = [{ c: first, score: 0, gold: oracle !== undefined }];
  const steps: Hypothesis[][] = [];
  let goldLostAt: number | undefined;
  while (live.some(({ c }) => !system.isTerminal(c))) {
    const candidates: Candidate[] = [];
    live.forEach(({ c, score, gold }, parent) => {
      if (system.isTerminal(c)) {
        // It waits for the others.
        candidates.push({ parent, move: NONE, label: NONE, score, gold });
        return;
      }
      const right = new Map<Move, number>();
      const all = scores.of(c).map((one) => {
        if (gold && oracle && !right.has(one.move)) right.set(one.move, oracle.rightLabel(c, one.move));
        const label = right.get(one.move) ?? WRONG;
        return { ...one, gold: label === ANY || label === one.label };
      });
      const base = logarithmic ? score - Math.round(unit * logSum(all.map(({ value }) => value / unit))) : score;
      for (const { value, ...rest } of all) candidates.push({ ...rest, parent, score: base + value });
    });
    // Of equal scores the one that came first is the better, as in the parser; sorting is stable.
    candidates.sort((a, b) => b.score - a.score);
    const parents = live;
    live = candidates.slice(0, width).map((one) => grown(parents, one, system));
    const told = candidates.slice(0, width + RIVALS).map((one, rank) => ({ one, rank }));
    const bestGold = candidates.findIndex(({ gold }) => gold);
    if (oracle && bestGold >= told.length) told.push({ one: candidates[bestGold]!, rank: bestGold });
    steps.push(
      told.map(({ one, rank }): Hypothesis => {
        const { c } = live[rank] ?? grown(parents, one, system);
        const label = labels[one.label];
        return {
          rank,
          parent: one.parent,
          taken: one.move < 0 ? undefined : { move: system.nameOf(one.move), label },
          score: one.score / unit,
          stack: Array.from(c.stack.subarray(0, c.stackSize)),
          buffer: Array.from(c.buffer.subarray(c.front, c.end)),
          gold: one.gold,
          kept: rank < width,
        };
      }),
    );
    if (oracle && goldLostAt === undefined && !live.some(({ gold }) => gold)) goldLostAt = steps.length - 1;
  }
  const best = live[0]!.c;
  const tree = finished(best, scores);
  const removed = system.description.leftOut?.(best);
  const wrong =
    target &&
    wrongWords(tree, target, goldTreeOf(system, sentenceOf(target)), (d) => Math.max(0, removed?.[d] ?? 0)).length;
  return { width, steps, goldLostAt, tree, wrong, logarithmic };
}

function grown(
  parents: readonly State[],
  { parent, move, label, score, gold }: Candidate,
  system: TransitionSystem,
): State {
  const c = new Configuration();
  c.copyFrom(parents[parent]!.c);
  if (move >= 0) system.take(c, move, label);
  return { c, score, gold };
}

function finished(c: Configuration, { system, labels }: Scores): Tree {
  system.finish(c, Math.max(0, labels.indexOf("root")));
  const heads = Array.from(c.heads.subarray(0, c.length + 1));
  return { heads, labels: heads.map((_, d) => (d === 0 ? "" : (labels[c.labels[d]!] ?? labels[0]!))) };
}

/** Which transitions, with which label, leave the gold tree within reach, or the nearest one. */
function boundOracle({ system, labels: names }: Scores, target: Tree) {
  const oracle = dynamicOracle(system);
  if (!oracle) return undefined;
  const labels = target.labels.map((label) => names.indexOf(label));
  oracle.bind(goldTreeOf(system, sentenceOf(target), labels));
  return {
    rightLabel(c: Configuration, move: Move): number {
      if (oracle.cost(c, move) !== 0) return WRONG;
      const dependent = system.dependent(c, move);
      const isGold = dependent > 0 && target.heads[dependent] === system.head(c, move);
      return isGold ? labels[dependent]! : ANY;
    },
  };
}

function logSum(values: readonly number[]): number {
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
}
