import type { Program } from "../storage/part.js";
import { pointersCodec } from "./pointers-model.js";

/** The program of models that parse with pointers. */
export const pointers: Program = { name: "pointers", codecs: [pointersCodec] };

// The name by which `load` knows all programs.
export { pointers as program };
