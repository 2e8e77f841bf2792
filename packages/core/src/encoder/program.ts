import type { Program } from "../storage/part.js";
import { vectorsCodec } from "./encoder-vectors.js";
import { endProbeCodec, tagProbeCodec } from "./probe/encoder-probes.js";

/** The program of models with an encoder. */
export const encoder: Program = { name: "encoder", codecs: [vectorsCodec, endProbeCodec, tagProbeCodec] };

// The name by which `load` knows all programs.
export { encoder as program };
