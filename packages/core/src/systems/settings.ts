import type { Expectation } from "../checks/options.js";
import type { RootPosition } from "./configuration.js";

/** Settings of a system by name; its description says which there are. */
export type SystemSettings = Readonly<Record<string, number | boolean | undefined>>;

/** Options of a transition system: those that all have, and its own settings. */
export interface SystemOptions {
  /** Position of node 0 before parsing begins. */
  root?: RootPosition | undefined;
  /** Permit only moves that can still lead to a tree with a single root. */
  singleRoot?: boolean | undefined;
  [setting: string]: RootPosition | number | boolean | undefined;
}

/** A setting of a system, as its description has it. */
export interface SystemSetting {
  /** As in options and model files, `atOnce`; on the command line it is `--at-once`. */
  readonly name: string;
  /** Of a box to tick or a list of numbers: a few words. */
  readonly title: string;
  /** For help, after the name of the system: what the number is, or what another value than the default does. */
  readonly help: string;
  /** The possible values; the first is the default. */
  readonly values: readonly (number | boolean)[];
  /** Whole numbers above the values are good, too, up to this one … */
  readonly upTo?: number;
  /** … and from this one. */
  readonly from?: number;
  /**
   * The difference that another value makes: the trees that can be built, the transitions that build them, or the
   * derivation alone that the static oracle follows.
   */
  readonly changes: "trees" | "transitions" | "oracle";
}

/** The values that a setting may have. */
export function settingExpectation({ values, upTo, from }: SystemSetting): Expectation {
  if (typeof values[0] === "boolean")
    return { expected: "true or false", accepts: (value) => values.includes(value as boolean) };
  const least = from ?? Math.max(...values.map(Number));
  const isWithin = (value: unknown) =>
    upTo !== undefined && Number.isInteger(value) && Number(value) >= least && Number(value) <= upTo;
  return {
    expected: upTo === undefined ? values.join(" or ") : `a whole number from ${from ?? values[0]} to ${upTo}`,
    accepts: (value) => values.includes(value as number) || isWithin(value),
  };
}
