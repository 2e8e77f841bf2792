/**
 * Beam search with a graph-structured stack: `merge: stackGraph` as an option of `load`, `Pipeline` or `createParser`.
 *
 * @packageDocumentation
 */
export { stackGraph } from "./stack-graph/stack-graph.js";
