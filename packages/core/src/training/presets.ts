/**
 * Presets for different needs, chosen by measurement (docs/choosing.md): settings that take the place of the defaults.
 * Settings that are given count all the same.
 */
export const PRESETS = {
  /** A linear model, greedy: small, trained in a minute or two, the fastest to parse. */
  fast: {},
  /** The network of "accurate" with fewer words, and a pipeline with fewer weights: at most 4 MB, whatever the data. */
  small: { network: true, system: "arc-hybrid", vocabulary: 8000, partWeights: 100_000 },
  /** A network that reads the sentence in both directions, greedy. */
  accurate: { network: true, system: "arc-hybrid" },
  /** A larger network, and a beam, which is not used in training. */
  best: { network: true, system: "arc-hybrid", layers: 2, width: 128, hidden: 192, beam: 8, globalEpochs: 0 },
} as const;

/** One of `PRESETS`. */
export type Preset = keyof typeof PRESETS;
