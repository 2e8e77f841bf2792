/**
 * Enhanced dependencies: a graph over the words of a parsed sentence. `load` brings the step along when a model needs
 * it; `readModel` is given it: `{ programs: [enhanced] }`.
 *
 * @packageDocumentation
 */
/** @internal */
export { EnhancedModel } from "./enhanced/enhanced-model.js";
export { type EnhancedArc, EnhancedGraph, type EnhancedHeader, Enhancer } from "./enhanced/enhancer.js";
export { MARKINGS, type Marking } from "./enhanced/marked-labels.js";
export { enhanced } from "./enhanced/program.js";
export type { TreeStep } from "./parser/tree-parser.js";
