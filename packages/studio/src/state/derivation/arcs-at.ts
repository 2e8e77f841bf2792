import { describeSystem } from "@stemma/core/systems";
import type { Derivation } from "../../protocol/derivation.js";

/** An arc that is there from one configuration on. */
export interface BuiltArc {
  head: number;
  dependent: number;
  label: string;
  since: number;
}

/** The arcs of a configuration, newest first: also those that go again later. */
export function arcsAt({ since, tree, replaced }: Derivation, step: number): BuiltArc[] {
  const arcs: BuiltArc[] = replaced.filter((arc) => arc.since <= step && step < arc.until);
  since.forEach((from, dependent) => {
    if (dependent === 0 || from > step) return;
    arcs.push({ head: tree.heads[dependent]!, dependent, label: tree.labels[dependent]!, since: from });
  });
  return arcs.sort((a, b) => b.since - a.since);
}

/** As what words are removed in a configuration, 0 for those that are there; undefined if the system removes none. */
export function removedAt({ removals, system, since }: Derivation, step: number): number[] | undefined {
  if (!describeSystem(system.name).leftOut) return undefined;
  const kinds = new Array<number>(since.length).fill(0);
  for (const { word, kind, since: from } of removals) if (from <= step) kinds[word] = kind;
  return kinds;
}
