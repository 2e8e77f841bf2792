import { LinearModel, type ModelHeader, ParserModel } from "@stemma/core";

/** A model whose weights are in memory that threads share. */
export interface SharedModel extends ReturnType<LinearModel["shared"]> {
  header: ModelHeader;
}

/** Copies the weights of a model, once, to memory that can be given to so many workers. */
export function shared({ header, linear }: ParserModel, threads: number): SharedModel {
  return { header, ...linear.shared(threads) };
}

/** The model in a worker; nothing is copied. */
export function attached({ header, memory, layout }: SharedModel, thread: number): ParserModel {
  return new ParserModel(header, new LinearModel(memory, layout, thread));
}
