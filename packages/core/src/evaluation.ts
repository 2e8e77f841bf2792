/**
 * Scores of parsed treebanks, breakdowns, significance, calibration and their plots.
 *
 * @packageDocumentation
 */
export {
  type Plot,
  type PlotAxis,
  type PlotOptions,
  type PlotPoint,
  type PlotSeries,
  plotSVG,
} from "./drawing/plot.js";
export type { Alignment } from "./evaluation/alignment.js";
export type { Breakdowns, Confusions, Grouping } from "./evaluation/breakdowns.js";
export {
  type Bin,
  type Confusion,
  type ConfusionExample,
  Group,
  type GroupSummary,
  inBins,
  LENGTH_BINS,
  type Rates,
  ROOT_DISTANCE_BINS,
  SENTENCE_LENGTH_BINS,
} from "./evaluation/breakdowns.js";
export { type Binning, Calibration, type CalibrationBin, type CalibrationSummary } from "./evaluation/calibration.js";
export type { ScoreName } from "./evaluation/evaluation.js";
export {
  Evaluation,
  type EvaluationOptions,
  type EvaluationSummary,
  evaluate,
  SCORE_NAMES,
  type TagStatus,
} from "./evaluation/evaluation.js";
export type { JoinedWords } from "./evaluation/joined-words.js";
export type { PairingOptions } from "./evaluation/pairing.js";
export { evaluationPlots, type NamedEvaluation } from "./evaluation/plots.js";
export type { Punctuation } from "./evaluation/punctuation.js";
export type { Scores } from "./evaluation/scores.js";
export { Score, type ScoreSummary } from "./evaluation/scores.js";
export {
  compareSystems,
  type SentenceCounts,
  SIGNIFICANCE_TESTS,
  type Significance,
  type SignificanceOptions,
  type SignificanceTest,
} from "./evaluation/significance.js";
export type { Label } from "./evaluation/universal.js";
export { LABEL_SETS, type LabelSet } from "./evaluation/universal.js";
