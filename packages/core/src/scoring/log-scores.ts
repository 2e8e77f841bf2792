/** Logarithms are kept as integers in this part of 1. */
export const LOG_UNIT = 65536;

/** No score is larger than this; nothing that was learned comes near. */
const MOST_LOGARITHM = 8192;

/** A logarithm as a score. */
export function scoreOf(logarithm: number): number {
  return Math.round(LOG_UNIT * Math.max(-MOST_LOGARITHM, Math.min(MOST_LOGARITHM, logarithm)));
}
