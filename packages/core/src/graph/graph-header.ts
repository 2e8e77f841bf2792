import type { CommonHeader } from "../parser/model-header.js";
import type { DecoderName } from "./search/graph-decoder.js";

/** What takes the place of the name of a transition system. */
export const GRAPH = "graph";

/** Everything about a graph-based parser but its weights: plain data, written as JSON into the model file. */
export interface GraphHeader extends CommonHeader {
  system: typeof GRAPH;
  decoder: DecoderName;
  /** 1 for scores of arcs alone, 2 for scores of neighbouring siblings besides. */
  order: 1 | 2;
}

/** Whether a header, or what is asked of a training, is that of a graph-based parser. */
export function isGraph(header: { readonly system?: unknown } | null | undefined): boolean {
  return header?.system === GRAPH;
}
