/**
 * Exact search with few features: `merge: exact` as an option of `load`, `Pipeline` or `createParser`.
 *
 * @packageDocumentation
 */
export { exact } from "./exact/exact.js";
