/** An arc of the enhanced graph. */
export interface EnhancedArc {
  /** The number of a word, 0 for the root; with a fraction that of an empty node: 8.1 is the first after word 8. */
  readonly head: number;
  /** The enhanced relation. */
  readonly label: string;
}

/** The arcs into a node, as DEPS has them. */
export function depsOf(arcs: readonly EnhancedArc[]): string {
  const sorted = [...arcs].sort((a, b) => a.head - b.head || (a.label < b.label ? -1 : 1));
  return sorted.map(({ head, label }) => `${head}:${label}`).join("|") || "_";
}
