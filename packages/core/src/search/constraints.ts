import type { Configuration } from "../systems/configuration.js";
import type { Move } from "../systems/transition.js";

/** What a tree must have, as the search asks for it. */
export interface Constraints {
  /** Keep of the first `count` moves, which are permitted, those after which the constraints can still be met; returns how many. */
  filter(c: Configuration, moves: Move[], count: number): number;
  /** The number of the label that a word must have; NONE if any will do, or the model does not know it. */
  labelOf(dependent: number): number;
}
