/**
 * Encoders at work. `load` brings this along when a model needs it; `readModel` is given it:
 * `{ programs: [encoder] }`.
 *
 * @packageDocumentation
 */
export type { EncoderData, EncoderHeader, WordEncoder, WordPieceHeader } from "./encoder/encoder-data.js";
export { EndProbe, TagProbe } from "./encoder/encoder-probes.js";
export { EncoderVectors, encoderOf, useEncoder } from "./encoder/encoder-vectors.js";
export type { ProbeHeader, StoredProbe } from "./encoder/probe-data.js";
export { encoder } from "./encoder/program.js";
