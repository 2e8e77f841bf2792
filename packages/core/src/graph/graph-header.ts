import { checkCommonHeader } from "../parser/check-header.js";
import type { CommonHeader } from "../parser/model-header.js";
import { DECODERS, type DecoderName } from "./search/graph-decoder.js";

/** The stand-in for the name of a transition system. */
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

/** The header of a graph-based parser in a file, checked; throws a RangeError that says what is wrong with it. */
export function checkGraphHeader(value: unknown): GraphHeader {
  const check = checkCommonHeader(value);
  const header = { ...(value as GraphHeader), system: GRAPH } as const;
  const { decoder, order, network } = header;
  check("decoder", DECODERS.includes(decoder), `one of ${DECODERS.join(", ")}`);
  check("order", order === 1 || (order === 2 && decoder === "eisner" && !network), "1, or with eisner 2");
  return header;
}
