import type { Columns } from "../features/columns.js";
import type { TemplateSet } from "../features/templates.js";
import type { BeamParser } from "../search/beam/beam-parser.js";
import type { Decider } from "../search/decider.js";
import type { TrainedParser } from "./model-header.js";

/** A beam search of its own, which merges hypotheses otherwise than by whole states. @opaque */
export interface Merging {
  /** Its name on the command line, and between threads. */
  readonly name: string;
  /** Why a parser cannot be searched like that, with what would do; undefined if it can. */
  obstacle(model: TrainedParser): string | undefined;
  /** The search of a parser. Throws a RangeError if there is an obstacle. */
  createSearch(
    model: TrainedParser,
    decider: Decider,
    beam: number,
    templates: TemplateSet,
    columns: Columns,
  ): BeamParser;
}
