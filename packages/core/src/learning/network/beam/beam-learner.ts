import type { Words } from "../../../features/columns.js";
import type { TemplateSet } from "../../../features/templates.js";
import type { Classes } from "../../../scoring/classes.js";
import { LOG_UNIT } from "../../../scoring/log-scores.js";
import type { ConfigurationScorer } from "../../../scoring/scorer.js";
import { BeamSearch } from "../../../search/beam/beam-search.js";
import { StateMerger } from "../../../search/beam/state-merger.js";
import { Decider } from "../../../search/decider.js";
import { Configuration, NONE } from "../../../systems/configuration.js";
import type { OracleName } from "../../../systems/oracles/oracle.js";
import type { TransitionSystem } from "../../../systems/system.js";
import type { Move } from "../../../systems/transition.js";
import { BeamJudge } from "../../beam-judge.js";
import type { NetworkLane } from "../lane/network-lane.js";
import { type DerivationEnd, DerivationGradients } from "./derivation-gradients.js";

/** Steps whose derivatives are smaller teach nothing. */
const LEAST_GRADIENT = 1e-5;
/** A step this sure to be right teaches nothing: −log of 0.998. */
const LEAST_LOSS = 0.002;

/** In place of the first child: all of them have been learned from. */
const DONE = -2;

/** Scores the configurations of a beam one after the other; none is kept. */
class SearchScorer implements ConfigurationScorer {
  readonly scores: Int32Array;

  constructor(private readonly lane: NetworkLane) {
    this.scores = lane.scores;
  }

  /** The lane has taken in the sentence. */
  bind(): void {}

  score(c: Configuration, move: Move): void {
    this.lane.steps.makeRoom(1);
    this.lane.score(c, move);
  }
}

/**
 * Learns from whole derivations (Andor et al. 2016): the sentence is parsed with a beam, until no correct derivation is
 * left in it or all have ended, and the loss is −log of the probability of the correct ones among all in the beam,
 * where probabilities are in proportion to e^score, and the score of a derivation is the sum of those of its steps as
 * they are. So a step may have a low score whatever else was possible: what comes later in a sentence can count against
 * what was done before, which it cannot where every step shares out 1.
 *
 * When no correct derivation is left, the search begins anew from the best correct one, so that the rest of the
 * sentence is learned from, too.
 */
export class BeamLearner {
  private readonly search: BeamSearch;
  private readonly judge: BeamJudge;
  private readonly gradients = new DerivationGradients();
  private readonly ends: DerivationEnd[] = [];
  private readonly c = new Configuration();
  private readonly path: number[] = [];
  /** For each step the first of those after it that teach something, and for each of these the next one. */
  private firstChild = new Int32Array(0);
  private nextChild = new Int32Array(0);

  constructor(
    private readonly lane: NetworkLane,
    private readonly system: TransitionSystem,
    private readonly classes: Classes,
    templates: TemplateSet,
    oracle: OracleName,
    beam: number,
  ) {
    const decider = new Decider(system, classes, new SearchScorer(lane));
    this.search = new BeamSearch(decider, beam, new StateMerger(system, templates, lane.steps.columns, beam));
    this.judge = new BeamJudge(system, classes, oracle, 0);
    this.search.judge = this.judge;
  }

  /** Learn from the sentence that the lane has begun with; returns the loss. */
  learn(heads: Int32Array, labels: Int32Array, leftOut: Int32Array | undefined): number {
    const { search, judge, lane } = this;
    const length = heads.length - 1;
    // All derivations of a sentence are seen by the same network.
    lane.steps.drawMask();
    judge.bind(heads, labels, leftOut);
    search.begin({ length } as Words);
    let loss = 0;
    for (let root = 0; ; root = search.live[0]!.step) {
      while (search.step() && !search.aside);
      loss += this.update(root, length);
      if (!search.aside) return loss;
      search.followAside();
    }
  }

  private update(root: number, length: number): number {
    const { ends, gradients } = this;
    const { live, size, aside, history } = this.search;
    ends.length = 0;
    for (let h = 0; h < size; h++) ends.push(live[h]!);
    if (aside) ends.push(aside);
    const isCorrect = ({ correct }: DerivationEnd) => correct;
    if (!ends.some(isCorrect) || ends.every(isCorrect)) return 0;
    const loss = gradients.compute(history, root, ends, LOG_UNIT);
    if (loss > LEAST_LOSS) this.learnSteps(root, length);
    return loss;
  }

  /** Give the network the derivatives of all steps that teach something. */
  private learnSteps(root: number, length: number): void {
    const { gradients, path, c, system, classes } = this;
    const { history } = this.search;
    const { parents, moves, classes: steps, size } = history;
    if (this.firstChild.length < size) {
      this.firstChild = new Int32Array(2 * size);
      this.nextChild = new Int32Array(2 * size);
    }
    const { firstChild, nextChild } = this;
    firstChild.fill(NONE, 0, size);
    for (let s = size - 1; s > root; s--) {
      if (Math.abs(gradients.of[s]!) < LEAST_GRADIENT) continue;
      nextChild[s] = firstChild[parents[s]!]!;
      firstChild[parents[s]!] = s;
    }
    // From the last steps on, the way that led there is gone again; what is common to several ways is learned once.
    for (let s = size - 1; s > root; s--) {
      if (Math.abs(gradients.of[s]!) < LEAST_GRADIENT || firstChild[s] !== NONE) continue;
      const count = history.path(s, path);
      system.initialize(c, length);
      for (let i = 0; i < count; i++) {
        const step = path[i]!;
        this.learnStep(parents[step]!, length);
        system.take(c, moves[step]!, classes.labels[steps[step]!]!);
      }
    }
  }

  /** Learn from what follows the configuration `c`, which a step led to, unless that has been done. */
  private learnStep(from: number, length: number): void {
    const { firstChild, nextChild, gradients, classes, c } = this;
    const { steps } = this.lane;
    const { moves, classes: chosen } = this.search.history;
    const first = firstChild[from]!;
    if (first < 0) return;
    firstChild[from] = DONE;
    // Where moves are scored for themselves, there are no more than nodes.
    steps.makeRoom(classes.perMove ? length + 1 : 1);
    for (let s = first; s !== NONE; s = nextChild[s]!) steps.score(c, classes.perMove ? moves[s]! : 0);
    steps.clearOutputs();
    for (let s = first; s !== NONE; s = nextChild[s]!) {
      const outputs = steps.score(c, classes.perMove ? moves[s]! : 0) / 4;
      steps.floats[outputs + chosen[s]!] = gradients.of[s]!;
    }
    steps.keep();
  }
}
