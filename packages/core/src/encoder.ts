/**
 * Encoders at work. `load` brings this along when a model needs it; whoever makes a `Pipeline` of what `readModel`
 * gives imports it before.
 *
 * @packageDocumentation
 */
export type { EncoderData, EncoderHeader, WordEncoder, WordPieceHeader } from "./encoder/encoder-data.js";
export type {
  EncoderProbe,
  ProbeHeader,
  StoredProbe,
  TagGuesses,
} from "./encoder/probe-data.js";
export { encoderOf, useEncoder } from "./encoder/provide.js";
