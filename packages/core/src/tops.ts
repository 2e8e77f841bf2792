/**
 * Beam search that merges hypotheses by the tops of their stacks. Whoever gives `load`, `Pipeline` or `createParser`
 * the option `merge: "tops"` imports this before.
 *
 * @packageDocumentation
 */
export { obstacleToTops } from "./stack-graph/provide.js";
