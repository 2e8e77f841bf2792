import type { Derivation } from "../protocol.js";

/** An arc that is there from one configuration on. */
export interface BuiltArc {
  head: number;
  dependent: number;
  label: string;
  since: number;
}

/** The arcs of a configuration, newest first: also those that others take the place of later. */
export function arcsAt({ since, tree, replaced }: Derivation, step: number): BuiltArc[] {
  const arcs: BuiltArc[] = replaced.filter((arc) => arc.since <= step && step < arc.until);
  since.forEach((from, dependent) => {
    if (dependent === 0 || from > step) return;
    arcs.push({ head: tree.heads[dependent]!, dependent, label: tree.labels[dependent]!, since: from });
  });
  return arcs.sort((a, b) => b.since - a.since);
}
