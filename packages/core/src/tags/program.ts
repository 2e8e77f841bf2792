import type { Program } from "../storage/part.js";
import { tagsCodec } from "./tags-model.js";

/** The program of models that parse by tags. */
export const tags: Program = { name: "tags", codecs: [tagsCodec] };

// The name by which `load` knows all programs.
export { tags as program };
