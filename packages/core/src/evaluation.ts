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
export {
  type Breakdowns,
  type Confusion,
  type ConfusionExample,
  type Confusions,
  Group,
  type Grouping,
  type GroupSummary,
  type Rates,
} from "./evaluation/breakdowns.js";
export {
  type AdditionalScores,
  Evaluation,
  type EvaluationOptions,
  type EvaluationSummary,
  evaluate,
  SCORE_NAMES,
  type ScoreName,
  type TagStatus,
} from "./evaluation/evaluation.js";
export type { JoinedWords } from "./evaluation/joined-words.js";
export { Agreement, type AgreementSummary, type RelationAgreement } from "./evaluation/measures/agreement.js";
export {
  type Binning,
  Calibration,
  type CalibrationBin,
  type CalibrationSummary,
} from "./evaluation/measures/calibration.js";
export {
  compareSystems,
  type SentenceCounts,
  SIGNIFICANCE_TESTS,
  type Significance,
  type SignificanceOptions,
  type SignificanceTest,
} from "./evaluation/measures/significance.js";
export type { PairingOptions } from "./evaluation/pairing.js";
export { evaluationPlots, type NamedEvaluation } from "./evaluation/plots.js";
export type { Punctuation } from "./evaluation/punctuation.js";
export { Score, type ScoreSummary, type Scores } from "./evaluation/scores.js";
export { LABEL_SETS, type Label, type LabelSet } from "./evaluation/universal.js";
export { type RoleScoreOptions, RoleScores, type RoleSentence, type RoleSummary } from "./roles/role-scores.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { DisfluencyScores } from "./disfluencies/disfluency-scores.js";
/** @internal */
export { type Bin, inBins, LENGTH_BINS, ROOT_DISTANCE_BINS, SENTENCE_LENGTH_BINS } from "./evaluation/breakdowns.js";
/** @internal */
export { ROLE_DISTANCE_BINS } from "./roles/role-scores.js";
