/**
 * Graph-based parsers (McDonald et al. 2005). `load` takes them as it takes others; `readModel` does
 * if it is given `{ programs: [graph] }`.
 *
 * @packageDocumentation
 */

export { GRAPH, type GraphHeader } from "./graph/graph-header.js";
export { GraphModel } from "./graph/graph-model.js";
export { GraphParser } from "./graph/graph-parser.js";
export { graph } from "./graph/program.js";
export type { GraphScorer } from "./graph/scoring/graph-scorer.js";
export { DECODERS, type DecoderName } from "./graph/search/graph-decoder.js";
export type { ArcScores } from "./math/edmonds.js";
