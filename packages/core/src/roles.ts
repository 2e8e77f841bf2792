/**
 * Semantic roles: the two-stack transition system, its static oracle, and the labeller. `load` brings the labeller
 * along when a model needs it; `readModel` is given it: `{ programs: [roles] }`.
 *
 * @packageDocumentation
 */
export type { RoleTree } from "./roles/features/role-features.js";
export { FoundPredicates } from "./roles/found-predicates.js";
export { JointRolesModel } from "./roles/joint/joint-model.js";
export type { JointParser } from "./roles/joint/joint-parser.js";
export type { RoleProbe, RoleProbeHeader } from "./roles/network/role-probe.js";
export { roles } from "./roles/program.js";
export { RoleLabeller, type TrainedRoles } from "./roles/role-labeller.js";
export type { RolesHeader } from "./roles/roles-header.js";
export { RolesModel } from "./roles/roles-model.js";
export { rolesOf } from "./roles/roles-of.js";
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
