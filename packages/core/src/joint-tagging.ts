/**
 * Parsers that choose tags, or whole analyses, together with the tree. `load` brings this along when a model needs it;
 * `readModel` is given it: `{ programs: [jointTagging] }`.
 *
 * @packageDocumentation
 */
export type { JointHeader, JointTagging } from "./joint-tagging/joint-header.js";
export { JointModel } from "./joint-tagging/joint-model.js";
export { jointTagging } from "./joint-tagging/program.js";
