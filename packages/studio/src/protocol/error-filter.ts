/** Core leaves points out of its plots that rest on fewer arcs. */
export const FEWEST_ARCS = 10;

/** Which arcs of an evaluation are looked for. Those of the gold trees that were missed, or those that were wrong. */
export type ErrorFilter =
  | { by: "label" | "upos" | "projectivity"; value: string; side: Side }
  /** Both ends belong to it. */
  | { by: "length" | "rootDistance" | "sentenceLength"; low: number; high: number; side: Side }
  | { by: "confusion"; gold: string; system: string };

/** Gold arcs that the model did not find, arcs of the model that are wrong, or either. */
export type Side = "gold" | "system" | "either";

const NAMES = {
  label: "label",
  upos: "part of speech",
  projectivity: "arcs that are",
  length: "length of the arc",
  rootDistance: "distance to the root",
  sentenceLength: "length of the sentence",
};

/** The filter in words. */
export function described(filter: ErrorFilter): string {
  if (filter.by === "confusion") return `gold ${filter.gold}, predicted ${filter.system}`;
  const which = { gold: "missed", system: "wrongly predicted", either: "wrong" }[filter.side];
  if ("value" in filter) return `${which}: ${NAMES[filter.by]} ${filter.value}`;
  const { low, high } = filter;
  const range =
    low === high ? String(low) : high === Number.POSITIVE_INFINITY ? `${low} and more` : `${low} to ${high}`;
  return `${which}: ${NAMES[filter.by]} ${range}`;
}

/** The numbers that the name of a group stands for: "3", "3-6", ">10", "root". */
export function rangeOf(name: string): { low: number; high: number } {
  if (name === "root") return { low: 0, high: 0 };
  if (name.startsWith(">")) return { low: Number(name.slice(1)) + 1, high: Number.POSITIVE_INFINITY };
  const [low, high = low] = name.split("-");
  return { low: Number(low), high: Number(high) };
}
