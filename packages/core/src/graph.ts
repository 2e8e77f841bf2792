/**
 * Graph-based parsers (McDonald et al. 2005). `load` takes them as it takes others; `readModel` does
 * if it is given `{ programs: [graph] }`.
 *
 * @packageDocumentation
 */

export { graph } from "./graph/program.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { GRAPH } from "./graph/graph-header.js";
/** @internal */
export { GraphModel } from "./graph/graph-model.js";
/** @internal */
export { DECODERS, type DecoderName } from "./graph/search/graph-decoder.js";
