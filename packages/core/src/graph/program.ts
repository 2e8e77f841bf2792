import type { Program } from "../storage/part.js";
import { graphCodec } from "./graph-model.js";

/** The program of graph-based models. */
export const graph: Program = { name: "graph", codecs: [graphCodec] };

// The name by which `load` knows all programs.
export { graph as program };
