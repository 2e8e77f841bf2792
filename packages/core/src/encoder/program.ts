import type { Program } from "../storage/part.js";
import { endProbeCodec, tagProbeCodec } from "./encoder-probes.js";
import { vectorsCodec } from "./encoder-vectors.js";

/** What models with an encoder need. */
export const encoder: Program = { name: "encoder", codecs: [vectorsCodec, endProbeCodec, tagProbeCodec] };
