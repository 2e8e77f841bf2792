/**
 * Transition systems, their configurations and oracles, traces and counts of derivations, and systems of your own.
 *
 * @packageDocumentation
 */

export { countDerivations } from "./registry/count-derivations.js";
export { defineSystem } from "./registry/define-system.js";
export {
  dynamicOracle,
  exhaustiveOracle,
  labelledOracle,
  nonDeterministicOracle,
  staticOracle,
} from "./registry/oracles.js";
export { createSystem, type SharedSetting, systemNames, systemSettings } from "./registry/systems.js";
export { featureTemplates } from "./registry/templates/feature-sets.js";
export { type Trace, traceDerivation } from "./registry/trace.js";
export type { SystemTraining } from "./registry/training.js";
export type { DerivationCount } from "./systems/analysis/derivations.js";
export { Configuration, NONE, type RootPosition } from "./systems/configuration.js";
export type { ExhaustiveOracle } from "./systems/oracles/exhaustive.js";
export { GoldTree } from "./systems/oracles/gold-tree.js";
export type { LabelledOracle } from "./systems/oracles/labelled-oracle.js";
export type {
  DynamicOracle,
  LossBounds,
  NonDeterministicOracle,
  OracleName,
  StaticOracle,
} from "./systems/oracles/oracle.js";
export type { SystemOptions, SystemSettings } from "./systems/settings.js";
export {
  type ArcsAtRisk,
  FixedMovesSystem,
  type KnownHeads,
  type MoveContext,
  type SystemDescription,
  TransitionSystem,
} from "./systems/system.js";
export {
  FIRST_FREE_KIND,
  isArc,
  kindOf,
  LEFT_ARC,
  leftArc,
  type Move,
  moveOfKind,
  REDUCE,
  RIGHT_ARC,
  rightArc,
  SHIFT,
  SWAP,
} from "./systems/transition.js";

export type { ParsedTree } from "./treebank/sentence/parsed-tree.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { canBuild, goldTreeOf, trainingOracle } from "./registry/oracles.js";
/** @internal */
export { describeSystem, haveSameSettings, ownSettings, SYSTEM_NAMES, type SystemName } from "./registry/systems.js";
/** @internal */
export {
  FEATURE_SETS,
  isFeatureSet,
  NETWORK_VIEWS,
  viewTemplates,
  zhangNivreTemplates,
} from "./registry/templates/feature-sets.js";
/** @internal */
export { ZHANG_NIVRE_GROUPS } from "./registry/templates/zhang-nivre.js";
/** @internal */
export type { Snapshot } from "./registry/trace.js";
/** @internal */
export { oraclesOf } from "./registry/trace.js";
/** @internal */
export { defaultTemplates, defaultView } from "./registry/training.js";
/** @internal */
export { type Count, DERIVATION_LIMIT } from "./systems/analysis/derivations.js";
/** @internal */
export { ROOT_POSITIONS } from "./systems/configuration.js";
/** @internal */
export { SearchedKnownHeads } from "./systems/known-heads/searched-known-heads.js";
/** @internal */
export { spine } from "./systems/losses/spines.js";
/** @internal */
export { ORACLES } from "./systems/oracles/oracle.js";
/** @internal */
export type { SystemSetting } from "./systems/settings.js";
/** @internal */
export { reachOf } from "./systems/transition.js";
