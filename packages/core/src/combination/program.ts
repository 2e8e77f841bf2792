import type { Program } from "../storage/part.js";
import { COMBINATION, combinationCodec } from "./combined-model.js";

/** The program of combinations of models. */
export const combination: Program = { name: COMBINATION, codecs: [combinationCodec] };

// The name by which `load` knows all programs.
export { combination as program };
