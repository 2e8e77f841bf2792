/**
 * Encoders at work. `load` brings this along when a model needs it; whoever makes a `Pipeline` of what `readModel`
 * gives imports it before.
 *
 * @packageDocumentation
 */
export type { EncoderData, EncoderHeader, WordEncoder, WordPieceHeader } from "./scoring/encoder/encoder-data.js";
export type {
  EncoderProbe,
  ProbeHeader,
  StoredProbe,
  TagGuesses,
} from "./scoring/encoder/probe-data.js";
export { encoderOf, useEncoder } from "./scoring/encoder/provide.js";
