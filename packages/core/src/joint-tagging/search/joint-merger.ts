import type { Columns } from "../../features/columns.js";
import type { TemplateSet } from "../../features/templates.js";
import { nodeAt, StateMerger } from "../../search/beam/state-merger.js";
import type { TransitionSystem } from "../../systems/system.js";
import type { JointHypothesis, OpenTags } from "./open-tags.js";

/** Merges hypotheses that have chosen the same tags for all words that can still be looked at. */
export class JointMerger extends StateMerger {
  constructor(
    system: TransitionSystem,
    templates: TemplateSet,
    columns: Columns,
    width: number,
    private readonly tags: OpenTags,
  ) {
    super(system, templates, columns, width);
  }

  protected override differences(one: JointHypothesis, other: JointHypothesis, out: number[]): number {
    return this.tags.differences(one, other, out, super.differences(one, other, out));
  }

  /** Words that look alike are told apart: what is seen of them may be the tag of another hypothesis. */
  protected override looksSame(one: JointHypothesis, other: JointHypothesis, node: number): boolean {
    const { tags, views } = this;
    for (let v = 0; tags.any && v < views.length; v++) {
      const x = nodeAt(one.c, node, views[v]!.path);
      if (x !== nodeAt(other.c, node, views[v]!.path)) return false;
      if (x >= 0 && tags.of(one, x) !== tags.of(other, x)) return false;
    }
    return super.looksSame(one, other, node);
  }
}
