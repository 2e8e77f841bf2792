/**
 * Semantic roles: the two-stack transition system, its static oracle, and the labeller. `load` brings the labeller
 * along when a model needs it; `readModel` is given it: `{ programs: [roles] }`.
 *
 * @packageDocumentation
 */
export { roles } from "./roles/program.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { FoundPredicates } from "./roles/found-predicates.js";
/** @internal */
export { JointRolesModel } from "./roles/joint/joint-model.js";
/** @internal */
export { RoleLabeller } from "./roles/role-labeller.js";
/** @internal */
export { RolesModel } from "./roles/roles-model.js";
/** @internal */
export { rolesOf } from "./roles/roles-of.js";
/** @internal */
export { SemanticConfiguration } from "./roles/system/semantic-configuration.js";
/** @internal */
export { Inventory, type SemanticGraph, SemanticOracle, semanticGraph } from "./roles/system/semantic-oracle.js";
/** @internal */
export { SEMANTIC_MOVES, SemanticSystem } from "./roles/system/semantic-system.js";
/** @internal */
export { traceRoles } from "./roles/system/trace-roles.js";
/** @internal */
export { TwoStackConfiguration, TwoStackOracle, TwoStacks } from "./roles/system/two-stacks.js";
