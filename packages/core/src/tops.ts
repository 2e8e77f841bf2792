/**
 * Beam search that merges hypotheses by the tops of their stacks (`merge: "tops"`). `load` brings it along when it is
 * asked for; whoever makes a `Pipeline` or a parser of what `readModel` gives imports this before.
 *
 * @packageDocumentation
 */
export { obstacleToTops } from "./parser/tops/provide.js";
