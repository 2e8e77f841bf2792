import type { Program } from "../storage/part.js";
import { enhancedCodec } from "./enhanced-model.js";

/** The program of models that find enhanced dependencies. */
export const enhanced: Program = { name: "enhanced", codecs: [enhancedCodec] };

// The name by which `load` knows all programs.
export { enhanced as program };
