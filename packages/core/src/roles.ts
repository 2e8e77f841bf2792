/**
 * Semantic roles: the two-stack transition system, its static oracle, and the labeller. `load` brings the labeller
 * along when a model needs it; whoever makes a `Pipeline` of what `readModel` gives imports this before.
 *
 * @packageDocumentation
 */
export type { RoleTree } from "./roles/features/role-features.js";
export { FoundPredicates } from "./roles/found-predicates.js";
export { RoleLabeller } from "./roles/provide.js";
export type { RoleProbeHeader } from "./roles/role-probe.js";
export {
  type RoleProbe,
  type RolesHeader,
  RolesModel,
} from "./roles/roles-model.js";
export { SemanticConfiguration } from "./roles/system/semantic-configuration.js";
export { Inventory, type SemanticGraph, SemanticOracle, semanticGraph } from "./roles/system/semantic-oracle.js";
export { SEMANTIC_MOVES, type SemanticMove, SemanticSystem } from "./roles/system/semantic-system.js";
export { type RoleTrace, traceRoles } from "./roles/system/trace-roles.js";
export {
  TwoStackConfiguration,
  type TwoStackMove,
  TwoStackOracle,
  TwoStacks,
} from "./roles/system/two-stacks.js";
