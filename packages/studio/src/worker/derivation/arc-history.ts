import { type Configuration, NONE } from "@stemma/core/systems";
import type { Derivation } from "../../protocol/derivation.js";
import type { LabelNumbers } from "./system.js";

/** Since when arcs are there, and those that went again. */
export class ArcHistory {
  /** By dependent: the configuration from which on the arc is there. */
  readonly since: number[] = [];
  readonly replaced: Derivation["replaced"] = [];
  private readonly heads: number[] = [];
  private readonly labels: number[] = [];

  constructor(private readonly names: LabelNumbers) {}

  /** Compares a configuration with the one before: a transition may also take arcs away. */
  note(c: Configuration, step: number): void {
    const { since, heads, labels } = this;
    for (let d = 0; d <= c.length; d++) {
      const [head, label] = [c.heads[d]!, c.labels[d]!];
      const [oldHead = NONE, oldLabel = NONE] = [heads[d], labels[d]];
      since[d] ??= Number.POSITIVE_INFINITY;
      if (d === 0 || (head === oldHead && (head === NONE || label === oldLabel))) continue;
      if (oldHead !== NONE) {
        const before = this.names.list[oldLabel] ?? "";
        this.replaced.push({ head: oldHead, dependent: d, label: before, since: since[d]!, until: step });
      }
      [heads[d], labels[d]] = [head, label];
      since[d] = head === NONE ? Number.POSITIVE_INFINITY : step;
    }
  }
}
