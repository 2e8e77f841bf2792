/**
 * Graph-based parsers (McDonald et al. 2005). `load` takes them as it takes others; `readModel` and `attachModel` do
 * once this module is imported.
 *
 * @packageDocumentation
 */
export type { ArcScores } from "./math/edmonds.js";
export { GRAPH, type GraphHeader } from "./parser/graph/graph-header.js";
export { GraphParser } from "./parser/graph/graph-parser.js";
export { GraphModel } from "./parser/graph/provide.js";
export type { GraphScorer } from "./scoring/graph/graph-scorer.js";
export { DECODERS, type DecoderName } from "./search/graph/graph-decoder.js";
