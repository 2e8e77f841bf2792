/**
 * Parsers that attach words from left to right by pointing at their heads (Fernández-González & Gómez-Rodríguez 2019).
 * `load` takes them as it takes others; `readModel` does if it is given `{ programs: [pointers] }`.
 *
 * @packageDocumentation
 */

export { pointers } from "./pointers/program.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { PointersModel } from "./pointers/pointers-model.js";
