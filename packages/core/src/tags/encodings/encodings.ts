import { BracketEncoding } from "./brackets.js";
import type { Encoding } from "./encoding.js";
import { hexatags } from "./hexatags.js";
import { hierarchical } from "./hierarchical.js";

/** How trees become tags. */
export const ENCODINGS = ["brackets", "two-planes", "hierarchical", "hexatags"] as const;
/** One of `ENCODINGS`. */
export type EncodingName = (typeof ENCODINGS)[number];

const BY_NAME: Readonly<Record<EncodingName, Encoding>> = {
  brackets: new BracketEncoding(1),
  "two-planes": new BracketEncoding(2),
  hierarchical,
  hexatags,
};

/** The encoding of this name. */
export function encodingOf(name: EncodingName): Encoding {
  return BY_NAME[name];
}
