import type { Program } from "../../storage/part.js";
import { attachmentCodec } from "./attachment-model.js";

/** The program of models that remove words and attach them again. */
export const disfluencies: Program = { name: "disfluencies", codecs: [attachmentCodec] };

// The name by which `load` knows all programs.
export { disfluencies as program };
