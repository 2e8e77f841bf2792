import type { ParserOptions } from "../parser/parser.js";
import { Pipeline } from "../pipeline/pipeline.js";
import { readModel } from "./model-file.js";

/**
 * Loads a model: its bytes, or the address to fetch it from. In Node, which fetches no files, give the bytes. `search` says how the parser searches, if not as
 * the model was trained to.
 *
 *   const parser = await load(bytesOrUrl);
 *   for (const sentence of parser.parse("The old mill wheel turns slowly.")) console.log(sentence.root?.form);
 */
export async function load(
  source: Uint8Array | ArrayBuffer | URL | string,
  search: ParserOptions = {},
): Promise<Pipeline> {
  if (source instanceof Uint8Array) return new Pipeline(readModel(source), search);
  if (source instanceof ArrayBuffer) return new Pipeline(readModel(new Uint8Array(source)), search);
  const address = String(source);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: cannot load the model: ${response.status} ${response.statusText}`);
  return new Pipeline(readModel(new Uint8Array(await response.arrayBuffer()), address), search);
}
