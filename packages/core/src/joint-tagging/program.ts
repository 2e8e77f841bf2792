import type { Program } from "../storage/part.js";
import { jointCodec } from "./joint-model.js";

/** The program of models that choose tags, or whole analyses, together with the tree. */
export const jointTagging: Program = { name: "joint-tagging", codecs: [jointCodec] };

// The name by which `load` knows all programs.
export { jointTagging as program };
