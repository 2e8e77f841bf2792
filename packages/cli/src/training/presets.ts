import type { Command } from "commander";

/**
 * What to train for what, chosen by measurement (docs/choosing.md): options of `stemma train` that take the place of its defaults. Options that are given
 * count all the same.
 */
export const PRESETS: Record<"fast" | "accurate" | "best", Readonly<Record<string, unknown>>> = {
  /** A linear model, greedy: small, trained in a minute or two, the fastest to parse. */
  fast: {},
  /** A network that reads the sentence in both directions, greedy. */
  accurate: { network: true, system: "arc-hybrid" },
  /** A larger network, and a beam. */
  best: { network: true, system: "arc-hybrid", layers: 2, width: 128, hidden: 192, beam: 8 },
};

export type Preset = keyof typeof PRESETS;

/** Gives options that were not given the values of a preset. */
export function applyPreset(preset: Preset, options: object, command: Command): void {
  for (const [name, value] of Object.entries(PRESETS[preset])) {
    if (!["cli", "config"].includes(command.getOptionValueSource(name) ?? ""))
      Object.assign(options, { [name]: value });
  }
}
