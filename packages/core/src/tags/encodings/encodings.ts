import { BracketEncoding } from "./brackets.js";
import type { Encoding } from "./encoding.js";
import { hexatags } from "./hexatags.js";

/** How trees become tags. */
export const ENCODINGS = ["brackets", "two-planes", "hexatags"] as const;
/** One of `ENCODINGS`. */
export type EncodingName = (typeof ENCODINGS)[number];

const BY_NAME: Readonly<Record<EncodingName, Encoding>> = {
  brackets: new BracketEncoding(1),
  "two-planes": new BracketEncoding(2),
  hexatags,
};

/** The encoding of this name. */
export function encodingOf(name: EncodingName): Encoding {
  return BY_NAME[name];
}
