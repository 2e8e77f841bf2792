import { check, wholeNumber } from "../checks/options.js";
import { holding } from "../checks/shapes.js";
import { assemble, type Headers, systemOf } from "../model-file/assemble.js";
import { loadPrograms } from "../model-file/load.js";
import { needsOf, storedHeader } from "../model-file/writing.js";
import type { PipelineModel } from "../pipeline/pipeline-model.js";
import { loadSystem } from "../registry/system-registry.js";
import type { Program } from "../storage/part.js";

/** A model whose weights are in memory that threads share; plain data. */
export interface SharedModel {
  /** The names of the programs that it needs. */
  readonly needs: readonly string[];
  readonly headers: Headers;
  /** The content of the stores of the parts, in their order. */
  readonly values: readonly unknown[];
}

/** Copies the weights of a model, once, to memory that can be given to so many workers. */
export function shareModel(model: PipelineModel, threads: number): SharedModel {
  check("model", model, holding("a PipelineModel", "parser", "origin"));
  check("threads", threads, wholeNumber(1));
  const headers: Record<string, unknown> = {};
  const values: unknown[] = [];
  for (const part of model.parts) {
    const { header, content } = part.codec.take(part as never);
    headers[part.codec.part] = storedHeader(part, header);
    for (const { store, value } of content) values.push(store.share(value as never, threads));
  }
  return { needs: needsOf(model.parts), headers, values };
}

/**
 * The model in a worker; no weights are copied but the matrices of a network, which every thread needs in a layout of
 * its own.
 */
export async function attachModel(model: SharedModel, thread: number): Promise<PipelineModel> {
  const { needs, headers } = model;
  const [programs] = await Promise.all([loadPrograms(needs), loadSystem(systemOf(headers))]);
  return attachedModel(model, programs, thread);
}

/** The same, of programs and a system that are there. */
export function attachedModel(
  { headers, values }: SharedModel,
  programs: readonly Program[],
  thread: number,
): PipelineModel {
  let next = 0;
  return assemble(headers, programs, (_, store) => store.attach(values[next++] as never, thread));
}
