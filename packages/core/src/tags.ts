/**
 * Parsers that give each word a tag, of which the tree follows (Strzyz et al. 2019). `load` takes them as it takes
 * others; `readModel` does if it is given `{ programs: [tags] }`.
 *
 * @packageDocumentation
 */

export { tags } from "./tags/program.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { ENCODINGS, type EncodingName } from "./tags/encodings/encodings.js";
/** @internal */
export { TAGS } from "./tags/tags-header.js";
/** @internal */
export { TagsModel } from "./tags/tags-model.js";
