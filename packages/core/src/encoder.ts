/**
 * Encoders at work. `load` brings this along when a model needs it; `readModel` is given it:
 * `{ programs: [encoder] }`.
 *
 * @packageDocumentation
 */
export { encoder } from "./encoder/program.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { EncoderVectors, encoderOf, useEncoder } from "./encoder/encoder-vectors.js";
/** @internal */
export { TagProbe } from "./encoder/probe/encoder-probes.js";
