import type { Program } from "../storage/part.js";
import { vectorsCodec } from "./encoder-vectors.js";
import { endProbeCodec, tagProbeCodec } from "./probe/encoder-probes.js";

/** What models with an encoder need. */
export const encoder: Program = { name: "encoder", codecs: [vectorsCodec, endProbeCodec, tagProbeCodec] };
