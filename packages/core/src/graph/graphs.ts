import type { LinearModel } from "../scoring/linear/linear-model.js";
import type { NeuralModel } from "../scoring/network/neural-model.js";
import type { NetworkView } from "../scoring/network/shape.js";
import type { GraphHeader } from "./graph-header.js";
import type { GraphModel } from "./graph-model.js";

/** The program of graph-based parsers, which transition-based ones do without: parser/graph/provide.ts. */
export interface GraphProgram {
  /** The header, if it is one; throws a RangeError that says what is wrong with it. */
  checkHeader(header: unknown): GraphHeader;
  /** What the network of a parser looks at. */
  viewOf(): NetworkView;
  create(header: GraphHeader, weights: LinearModel | NeuralModel): GraphModel;
}

let provided: GraphProgram | undefined;

/** Gives what works with models the program of graph-based parsers. */
export function provideGraphs(program: GraphProgram): void {
  provided = program;
}

/** The program of graph-based parsers; throws an Error that says how to get it if it is not there. */
export function graphProgram(): GraphProgram {
  if (provided) return provided;
  throw new Error('the model is graph-based: use load(), or import "@stemma/core/graph" before');
}
