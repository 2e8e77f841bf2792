/** Core leaves points out of its plots that rest on fewer arcs. */
export const FEWEST_ARCS = 10;

/** Which arcs of an evaluation are looked for. Those of the gold trees that were missed, or those that were wrong. */
export type ErrorFilter =
  | { by: "label" | "upos" | "projectivity"; value: string; side: Side }
  /** Both ends belong to it. */
  | { by: "length" | "rootDistance" | "sentenceLength"; low: number; high: number; side: Side }
  | { by: "confusion"; gold: string; system: string }
  | { by: "models"; which: Which };

/** Of two models: words that only the first, or only the second has right, or any that they have otherwise. */
export type Which = (typeof WHICH)[number];
const WHICH = ["first", "second", "any"] as const;

/** Gold arcs that the model did not find, arcs of the model that are wrong, or either. */
export type Side = (typeof SIDES)[number];
const SIDES = ["gold", "system", "either"] as const;

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
  if (filter.by === "models")
    return {
      first: "the first model right, the second wrong",
      second: "the second model right, the first wrong",
      any: "where the models differ",
    }[filter.which];
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

/** The filter in a link: label~obl~gold, length~3~6~either, confusion~obl~nmod, models~first. */
export function writeFilter(filter: ErrorFilter): string {
  const { by } = filter;
  if (by === "confusion") return [by, filter.gold, filter.system].join("~");
  if (by === "models") return [by, filter.which].join("~");
  const values = "value" in filter ? [filter.value] : [filter.low, filter.high];
  return [by, ...values, filter.side].join("~");
}

/** The filter of a link; undefined if it is none. */
export function readFilter(text: string): ErrorFilter | undefined {
  const [by = "", first = "", second = "", third = ""] = text.split("~");
  if (by === "confusion") return first && second ? { by, gold: first, system: second } : undefined;
  if (by === "models") {
    const which = WHICH.find((one) => one === first);
    return which && { by, which };
  }
  const side = SIDES.find((one) => one === (third || second));
  if (!side) return undefined;
  if (by === "label" || by === "upos" || by === "projectivity") return first ? { by, value: first, side } : undefined;
  if (by !== "length" && by !== "rootDistance" && by !== "sentenceLength") return undefined;
  const [low, high] = [Number(first || Number.NaN), Number(second || Number.NaN)];
  return low >= 0 && high >= low ? { by, low, high, side } : undefined;
}
