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
export {
  createSystem,
  type SharedSetting,
  SYSTEM_NAMES,
  type SystemName,
  systemNames,
  systemSettings,
} from "./registry/systems.js";
export { FEATURE_SETS, featureTemplates, zhangNivreTemplates } from "./registry/templates/feature-sets.js";
export {
  ZHANG_NIVRE_GROUPS,
  type ZhangNivreFrame,
  type ZhangNivreGroup,
  type ZhangNivreView,
} from "./registry/templates/zhang-nivre.js";
export { type Snapshot, type Trace, type TraceStep, traceDerivation } from "./registry/trace.js";
export type { SystemTraining } from "./registry/training.js";
export { type Count, DERIVATION_LIMIT, type DerivationCount } from "./systems/analysis/derivations.js";
export {
  Configuration,
  GONE,
  IN_BUFFER,
  NONE,
  ON_STACK,
  ROOT_POSITIONS,
  type RootPosition,
} from "./systems/configuration.js";
export type { ExhaustiveOracle } from "./systems/oracles/exhaustive.js";
export { GoldTree } from "./systems/oracles/gold-tree.js";
export type { LabelledOracle } from "./systems/oracles/labelled-oracle.js";
export {
  type DynamicOracle,
  type LossBounds,
  type NonDeterministicOracle,
  ORACLES,
  type OracleMakers,
  type OracleName,
  type StaticOracle,
} from "./systems/oracles/oracle.js";
export type { SystemOptions, SystemSetting, SystemSettings } from "./systems/settings.js";
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
  LAST_KIND,
  LEFT_ARC,
  leftArc,
  type Move,
  moveOfKind,
  REDUCE,
  RIGHT_ARC,
  reachOf,
  rightArc,
  SHIFT,
  SWAP,
} from "./systems/transition.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { canBuild, goldTreeOf, trainingOracle } from "./registry/oracles.js";
/** @internal */
export { describeSystem, haveSameSettings, ownSettings } from "./registry/systems.js";
/** @internal */
export { isFeatureSet, NETWORK_VIEWS, viewTemplates } from "./registry/templates/feature-sets.js";
/** @internal */
export { oraclesOf } from "./registry/trace.js";
/** @internal */
export { defaultTemplates, defaultView } from "./registry/training.js";
/** @internal */
export { SearchedKnownHeads } from "./systems/known-heads/searched-known-heads.js";
/** @internal */
export { spine } from "./systems/losses/spines.js";
