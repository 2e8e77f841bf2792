import type { Program } from "../storage/part.js";
import { graphCodec } from "./graph-model.js";

/** What graph-based models need. */
export const graph: Program = { name: "graph", codecs: [graphCodec] };
