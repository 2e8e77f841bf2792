/**
 * Enhanced dependencies: a graph over the words of a parsed sentence. `load` brings the step along when a model needs
 * it; `readModel` is given it: `{ programs: [enhanced] }`.
 *
 * @packageDocumentation
 */
export type { EnhancedArc } from "./enhanced/enhanced-arc.js";
export { type EnhancedHeader, Enhancer } from "./enhanced/enhancer.js";
export { enhanced } from "./enhanced/program.js";
export type { WordAttribute, Words } from "./features/columns.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { EnhancedModel } from "./enhanced/enhanced-model.js";
