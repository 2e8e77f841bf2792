/** Stands for a feature that was left out. Weights never learn it. */
export const NO_FEATURE = 0;

/** A 32-bit number for a string (FNV-1a with a final scramble), the same on every machine. */
export function hashString(text: string, seed = 0): number {
  let h = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return scramble(h);
}

/** Spreads the bits of a number over all 32. */
export function scramble(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return h ^ (h >>> 16);
}

/** Two values as one; the order counts. */
export function mix(a: number, b: number): number {
  return Math.imul(Math.imul(a, 0x85ebca6b) ^ b, 0xc2b2ae35) + a;
}
