/**
 * Semantic roles: the two-stack transition system, its static oracle, and the labeller. `load` brings the labeller
 * along when a model needs it, but not its beam. Whoever has a model with a beam for roles, or makes a `Pipeline` of
 * what `readModel` gives, imports this before.
 *
 * @packageDocumentation
 */
export type { RoleTree } from "./features/roles/role-features.js";
export { RoleLabeller } from "./parser/roles/provide-beam.js";
export { type Labeller, type RolesHeader, RolesModel } from "./parser/roles/roles-model.js";
export type { RoleProbeHeader } from "./scoring/roles/role-probe.js";
export { SemanticConfiguration } from "./systems/roles/semantic-configuration.js";
export { Inventory, type SemanticGraph, SemanticOracle, semanticGraph } from "./systems/roles/semantic-oracle.js";
export { SEMANTIC_MOVES, type SemanticMove, SemanticSystem } from "./systems/roles/semantic-system.js";
export { type RoleTrace, traceRoles } from "./systems/roles/trace-roles.js";
export {
  TwoStackConfiguration,
  type TwoStackMove,
  TwoStackOracle,
  TwoStacks,
} from "./systems/roles/two-stacks.js";
