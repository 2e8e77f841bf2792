/**
 * Several models that vote on the tree of a sentence. A combination can be written to one file; `load` takes it as it
 * takes others, and `readModel` does if it is given `{ programs: [combination] }`.
 *
 * @packageDocumentation
 */

export { type CombineOptions, combine } from "./combination/combine.js";
export { combineTrees, type VotedTree, type VotingOptions, type VotingTree } from "./combination/combine-trees.js";
export { combination } from "./combination/program.js";
export type { Pipeline } from "./pipeline/pipeline.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { combineModels } from "./combination/combine.js";
/** @internal */
export { CombinedModel } from "./combination/combined-model.js";
