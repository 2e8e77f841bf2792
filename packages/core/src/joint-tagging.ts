/**
 * Parsers that choose tags, or whole analyses, together with the tree. `load` brings this along when a model needs it;
 * `readModel` is given it: `{ programs: [jointTagging] }`.
 *
 * @packageDocumentation
 */
export { jointTagging } from "./joint-tagging/program.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export type { JointHeader } from "./joint-tagging/joint-header.js";
/** @internal */
export { JointModel } from "./joint-tagging/joint-model.js";
