/**
 * Scores of parsed treebanks, breakdowns, significance, calibration and their plots.
 *
 * @packageDocumentation
 */

export { type Plot, type PlotOptions, plotSVG } from "./drawing/plot.js";
export { Evaluation, type EvaluationOptions, type EvaluationSummary, evaluate } from "./evaluation/evaluation.js";
export { Agreement, type AgreementSummary } from "./evaluation/measures/agreement.js";
export {
  type Binning,
  Calibration,
  type CalibrationBin,
  type CalibrationSummary,
} from "./evaluation/measures/calibration.js";
export {
  compareSystems,
  type SentenceCounts,
  type Significance,
  type SignificanceOptions,
} from "./evaluation/measures/significance.js";
export { evaluationPlots, type NamedEvaluation } from "./evaluation/plots.js";
export { Score, type ScoreSummary } from "./evaluation/scores.js";
export { type RoleScoreOptions, RoleScores, type RoleSentence, type RoleSummary } from "./roles/role-scores.js";
export type { PredicateData } from "./treebank/sentence/semantics/predicate-data.js";
export type { Sentence } from "./treebank/sentence/sentence.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { DisfluencyScores } from "./disfluencies/disfluency-scores.js";
/** @internal */
export type { PlotSeries } from "./drawing/plot.js";
/** @internal */
export {
  type Bin,
  type Breakdowns,
  type ConfusionExample,
  type Confusions,
  Group,
  type GroupSummary,
  inBins,
  LENGTH_BINS,
  ROOT_DISTANCE_BINS,
  SENTENCE_LENGTH_BINS,
} from "./evaluation/breakdowns.js";
/** @internal */
export type { ScoreName } from "./evaluation/evaluation.js";
/** @internal */
export { SIGNIFICANCE_TESTS, type SignificanceTest } from "./evaluation/measures/significance.js";
/** @internal */
export { isPunctuationForm, type Punctuation } from "./evaluation/punctuation.js";
/** @internal */
export type { Scores } from "./evaluation/scores.js";
/** @internal */
export { LABEL_SETS, type Label, type LabelSet } from "./evaluation/universal.js";
/** @internal */
export { ROLE_DISTANCE_BINS } from "./roles/role-scores.js";
