import type { Columns } from "../features/columns.js";
import type { TemplateSet } from "../features/templates.js";
import type { TrainedParser } from "../parser/model-header.js";
import type { BeamParser } from "../search/beam/beam-parser.js";
import type { Decider } from "../search/decider.js";

/** Makes the search of a model that merges by tops; throws a RangeError that says why that is not possible. */
export type TopsProgram = (
  model: TrainedParser,
  decider: Decider,
  beam: number,
  templates: TemplateSet,
  columns: Columns,
) => BeamParser;

let provided: TopsProgram | undefined;

/** Gives parsers the search that merges by tops, which others do without: parser/tops/provide.ts. */
export function provideTops(program: TopsProgram): void {
  provided = program;
}

/** The search that merges by tops; throws an Error that says how to get the program if it is not there. */
export function topsProgram(): TopsProgram {
  if (provided) return provided;
  throw new Error('the search that merges by tops is not there: import "@stemma/core/tops" before');
}
