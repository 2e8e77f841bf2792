import type { Program } from "../storage/part.js";
import { enhancedCodec } from "./enhanced-model.js";

/** What models that find enhanced dependencies need. */
export const enhanced: Program = { name: "enhanced", codecs: [enhancedCodec] };
