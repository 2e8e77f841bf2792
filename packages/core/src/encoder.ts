/**
 * Encoders at work. `load` brings this along when a model needs it; `readModel` is given it:
 * `{ programs: [encoder] }`.
 *
 * @packageDocumentation
 */
export type { EncoderData, EncoderHeader, WordEncoder, WordPieceHeader } from "./encoder/encoder-data.js";
export { EncoderVectors, encoderOf, useEncoder } from "./encoder/encoder-vectors.js";
export { EndProbe, TagProbe } from "./encoder/probe/encoder-probes.js";
export type { ProbeHeader, StoredProbe } from "./encoder/probe/probe-data.js";
export { encoder } from "./encoder/program.js";
