import { ArcDoubts } from "../../search/confidence/arc-doubts.js";
import { NONE } from "../../systems/configuration.js";
import type { Move } from "../../systems/transition.js";
import type { JointDecider } from "./joint-decider.js";

/** The doubts about the arcs of derivations that choose tags. The words must be bound, with no tag chosen yet. */
export class JointDoubts extends ArcDoubts {
  declare protected readonly decider: JointDecider;
  private readonly tags: number[] = [];

  /**
   * `tag`: the candidate chosen for the word that the move takes from the buffer, NONE if there was nothing to choose.
   */
  override add(move: Move, cls: number, tag = NONE): void {
    this.tags[this.steps] = tag;
    super.add(move, cls);
  }

  protected override take(step: number): void {
    if (this.tags[step] !== NONE) this.decider.giveTag(this.c.b(0), this.tags[step]!);
    super.take(step);
  }
}
