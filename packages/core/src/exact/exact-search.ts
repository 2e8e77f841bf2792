import type { Words } from "../features/columns.js";
import type { DerivationStep } from "../search/beam/beam-history.js";
import type { Decider } from "../search/decider.js";
import { Configuration, NONE } from "../systems/configuration.js";
import { isArc, type Move } from "../systems/transition.js";
import { Chart } from "./chart.js";
import { type Ways, waysOf } from "./two-words.js";

/** The tree that a search in training is about; without one it finds the best derivation of all. */
export interface Aim {
  readonly heads: ArrayLike<number>;
  /** The label of each word as a number, below 0 if any will do. */
  readonly labels: ArrayLike<number>;
  /** How much wrong arcs and labels are favoured by; infinitely little if they must not be. */
  readonly margin: number;
}

/** Finds the best derivation of a sentence: all pairs of words are scored, then a chart is filled. */
export class ExactSearch {
  private readonly ways: Ways;
  private readonly chart: Chart;
  /** Shows a pair of words to features. */
  private readonly c = new Configuration();
  /** The best class of each move for each pair, by group. */
  private readonly classes = new Map<Move, Int32Array>();
  /** … and that of the second way's going if the node below is what `special` of the chart has. */
  private specialClass = new Int32Array(0);
  /** The scores of all classes for each pair. */
  private scores = new Int32Array(0);
  private words!: Words;

  constructor(readonly decider: Decider) {
    this.ways = waysOf(decider.system)!;
    this.chart = new Chart(decider.system.singleRoot);
  }

  bind(words: Words): void {
    this.words = words;
    this.decider.bind(words);
  }

  /** Score all moves for all pairs of words, for `find`. */
  score(): void {
    const { chart, ways, c, decider } = this;
    const { system, scorer, scores } = decider;
    const n = this.words.length;
    chart.begin(n);
    const { width } = chart;
    const size = (n + 1) * width;
    if (this.scores.length < size * scores.length) {
      this.scores = new Int32Array(2 * size * scores.length);
      for (const move of [...ways.come, ...ways.go]) this.classes.set(move, new Int32Array(2 * size));
      this.specialClass = new Int32Array(2 * size);
    }
    system.initialize(c, n);
    for (let top = 0; top <= n; top++) {
      for (let front = top + 1; front <= n + 1; front++) {
        c.version++;
        c.stack[0] = top;
        c.stackSize = top > 0 ? 1 : 0;
        c.front = front - 1;
        scorer.score(c, 0);
        this.scores.set(scores, (top * width + front) * scores.length);
      }
    }
  }

  /** The score of the best derivation, −∞ if there is none for the aim. `steps` gives its moves. */
  find(aim?: Aim): number {
    const { chart } = this;
    const { n } = chart;
    for (let i = 1; i <= n; i++) chart.special[i] = aim && aim.heads[i]! > 0 ? aim.heads[i]! : NONE;
    for (let top = 0; top <= n; top++) for (let front = top + 1; front <= n + 1; front++) this.enter(top, front, aim);
    return chart.find();
  }

  /** Enter the scores of the moves where these words are on top and in front. */
  private enter(top: number, front: number, aim: Aim | undefined): void {
    const { chart, ways } = this;
    const { n } = chart;
    const cell = top * chart.width + front;
    for (let way = 0; way < 2; way++) {
      if (front <= n) chart.come[way]![cell] = this.bestOf(ways.come[way]!, cell, front, top, aim);
      if (top === 0) continue;
      // The head is the front, or what is below: which that is the chart alone knows.
      const move = ways.go[way]!;
      const head = way === 0 ? (front > n ? 0 : front) : NONE;
      chart.go[way]![cell] = this.bestOf(move, cell, top, head, aim);
      if (way === 0) continue;
      const other = this.classes.get(move)![cell]!;
      chart.goSpecial[cell] = this.bestOf(move, cell, top, aim ? aim.heads[top]! : NONE, aim);
      this.specialClass[cell] = this.classes.get(move)![cell]!;
      this.classes.get(move)![cell] = other;
    }
  }

  /** The best score of a move, whose class is kept; `head`: of the arc, if it is one. */
  private bestOf(move: Move, cell: number, dependent: number, head: number, aim: Aim | undefined): number {
    const { classes } = this.decider;
    const first = cell * this.decider.scores.length;
    const group = classes.groupOf(move);
    const wanted = aim && isArc(move) ? aim.heads[dependent]! : NONE;
    const isRight = wanted === NONE || wanted === head;
    const label = isRight && wanted !== NONE && aim ? aim.labels[dependent]! : NONE;
    let best = Number.NEGATIVE_INFINITY;
    let found = classes.from[group]!;
    for (let cls = classes.from[group]!; cls < classes.from[group + 1]!; cls++) {
      const isWrong = !isRight || (label >= 0 && classes.labels[cls] !== label);
      const score = this.scores[first + cls]! + (isWrong ? aim!.margin : 0);
      if (score <= best) continue;
      best = score;
      found = cls;
    }
    this.classes.get(move)![cell] = found;
    return best;
  }

  /** The derivation that `find` has found. */
  steps(): DerivationStep[] {
    const { chart, ways, classes } = this;
    const { width, special } = chart;
    const steps: DerivationStep[] = [];
    chart.visit(
      (k, i, way) => steps.push({ move: ways.come[way]!, cls: classes.get(ways.come[way]!)![k * width + i]! }),
      (i, j, way, k) => {
        const cells = way === 1 && special[i] === k ? this.specialClass : classes.get(ways.go[way]!)!;
        steps.push({ move: ways.go[way]!, cls: cells[i * width + j]! });
      },
    );
    return steps;
  }
}
