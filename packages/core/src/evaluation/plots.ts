import { check } from "../checks/options.js";
import { arrayOf, having, OBJECT } from "../checks/shapes.js";
import { type Plot, type PlotPoint, plotSVG } from "../drawing/plot.js";
import { type Bin, binsUpTo, Group, type Grouping } from "./breakdowns.js";
import type { Evaluation } from "./evaluation.js";

/** A system with its name in the legend. */
export interface NamedEvaluation {
  /** Its name. */
  readonly name: string;
  /** Its evaluation. */
  readonly evaluation: Evaluation;
}

const NAMED = arrayOf("an array of {name, evaluation}", {
  expected: "",
  accepts: (value) => OBJECT.accepts(value) && having("", "addGold").accepts((value as NamedEvaluation).evaluation),
});

/** Points that rest on fewer arcs are left out: they would only show chance. */
const FEWEST_ARCS = 10;
const SENTENCE_BINS = binsUpTo([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);

/**
 * The labelled precision and recall curves of McDonald & Nivre (2007), and a reliability diagram if a system gives
 * scores, as SVG documents by file name.
 * @param systems evaluations with their names
 */
export function evaluationPlots(systems: readonly NamedEvaluation[]): Map<string, string> {
  check("systems", systems, NAMED);
  const plots = new Map<string, string>();
  const add = (file: string, plot: Omit<Plot, "series" | "y">, rate: "precision" | "recall", points: PointsOf) => {
    const series = systems.map(({ name, evaluation }) => ({ name, points: points(evaluation) }));
    const y = { label: `labelled ${rate} (%)`, ...bounds(series.flatMap((one) => one.points)) };
    plots.set(file, plotSVG({ ...plot, y, series }, { standalone: true }));
  };
  for (const rate of ["precision", "recall"] as const) {
    const side = rate === "precision" ? "predicted" : "gold";
    const Rate = rate === "precision" ? "Precision" : "Recall";
    const length = { title: `${Rate} by dependency length`, x: { label: `${side} length of the arc (words)` } };
    add(`length-${rate}.svg`, length, rate, ({ breakdowns }) =>
      exact(breakdowns.length, rate).filter(({ x }) => x > 0),
    );
    const distance = { title: `${Rate} by distance to the root`, x: { label: `${side} distance to the root (arcs)` } };
    add(`root-distance-${rate}.svg`, distance, rate, ({ breakdowns }) => exact(breakdowns.rootDistance, rate));
  }
  const sentences = { title: "Recall by sentence length", x: { label: "words in the sentence, in groups of ten" } };
  add("sentence-length-recall.svg", sentences, "recall", ({ breakdowns }) => pooled(breakdowns.sentenceLength));
  const scored = systems.filter(({ evaluation }) => evaluation.calibration.words > 0);
  if (scored.length > 0) plots.set("reliability.svg", reliability(scored));
  return plots;
}

/** The share of right heads in ten groups of words by score; on the diagonal scores are probabilities. */
function reliability(systems: readonly NamedEvaluation[]): string {
  const series = systems.map(({ name, evaluation }) => ({
    name,
    points: evaluation.calibration
      .bins(10, "width")
      .filter(({ words }) => words >= FEWEST_ARCS)
      .map(({ meanScore, accuracy }) => ({ x: 100 * meanScore, y: 100 * accuracy })),
  }));
  const diagonal = [0, 100].map((x) => ({ x, y: x }));
  const plot: Plot = {
    title: "Reliability of scores",
    x: { label: "mean score (%)", min: 0, max: 100 },
    y: { label: "right head and label (%)", min: 0, max: 100 },
    series: [...series, { name: "perfectly calibrated scores", points: diagonal }],
  };
  return plotSVG(plot, { standalone: true });
}

type PointsOf = (evaluation: Evaluation) => PlotPoint[];

/** From the ten below the lowest value to 100: small differences stay visible, and 100 is where they could end. */
function bounds(points: readonly PlotPoint[]): { min: number; max: number } {
  const lowest = points.reduce((min, { y }) => Math.min(min, y), 100);
  return { min: Math.min(90, Math.floor(lowest / 10) * 10), max: 100 };
}

function exact(grouping: Grouping<number>, rate: "precision" | "recall"): PlotPoint[] {
  return grouping
    .byKey()
    .filter(([, group]) => (rate === "precision" ? group.system : group.gold) >= FEWEST_ARCS)
    .map(([x, group]) => ({ x, y: 100 * group.labelled[rate] }));
}

/** A point for each bin, at the mean length of its words' sentences. */
function pooled(grouping: Grouping<number>): PlotPoint[] {
  const inside = (bin: Bin) => grouping.byKey().filter(([value]) => value >= bin.low && value <= bin.high);
  return SENTENCE_BINS.flatMap((bin) => {
    const sum = new Group();
    let lengths = 0;
    for (const [length, group] of inside(bin)) {
      sum.add(group);
      lengths += length * group.gold;
    }
    return sum.gold < FEWEST_ARCS ? [] : [{ x: lengths / sum.gold, y: 100 * sum.labelled.recall }];
  });
}
