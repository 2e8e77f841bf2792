import type { LinearModel } from "../../scoring/linear/linear-model.js";
import { linearWeights } from "../../scoring/linear/linear-weights.js";
import type { Codec, Part } from "../../storage/part.js";
import { stored } from "../../storage/store.js";
import { PAIRS, type PairSet } from "./characters/character-classes.js";
import { ALL_WHOLE_TOKENS, type WholeToken } from "./characters/whole-tokens.js";
import type { EndGuesser } from "./end-guesser.js";
import { checkMultiWordRules, type MultiWordRules } from "./segment-multiword.js";

/** All of a segmenter but its weights. */
export interface SegmenterHeader {
  /** Pairs of character classes between which a token, or a sentence, may end: a bit each, in hexadecimal. */
  readonly tokenPairs: string;
  readonly sentencePairs: string;
  /** Pairs between which a space may be part of a token; absent if white space parts all tokens. */
  readonly joinPairs?: string;
  /** Kinds of tokens that are known by their characters; all if absent. */
  readonly wholeTokens?: readonly WholeToken[];
  /**
   * The score that a sentence end needs where neither a mark nor a line end tells it, of sentences up to SHORT tokens
   * and of longer ones; UNMARKED_ENDS if absent.
   */
  readonly unmarkedEnds?: readonly [short: number, longer: number];
  readonly multiWord: MultiWordRules;
}

/** A trained segmenter, for storing. @opaque */
export class SegmenterModel implements Part {
  constructor(
    readonly header: SegmenterHeader,
    readonly linear: LinearModel,
    /** The guesser of sentence ends, if the segmenter was trained with its guesses. */
    readonly guesser?: EndGuesser | undefined,
  ) {}

  /** How it is stored in a file. */
  get codec(): Codec {
    return segmenterCodec;
  }
}

/** Sentences of so few tokens without a mark ("Alice sends") are rarely whole. */
export const SHORT = 3;
/**
 * For models whose header does not say: chosen on the development set of en_ewt and on made-up sentences
 * (docs/everyday.md).
 */
export const UNMARKED_ENDS = [170, 80] as const;

/** Every weight speaks for a cut, or against it. */
const CLASSES = 1;

export const segmenterCodec: Codec = {
  part: "segmenter",
  take: ({ header, linear }: SegmenterModel) => ({ header, content: [stored(linearWeights(CLASSES), linear)] }),
  open(value, { endGuesser }) {
    const header = checkSegmenterHeader(value);
    return {
      stores: [linearWeights(CLASSES)],
      make: (linear: LinearModel) => new SegmenterModel(header, linear, endGuesser as EndGuesser | undefined),
    };
  },
};

/** Checks a header that comes from outside; throws a RangeError that names the field. */
export function checkSegmenterHeader(value: unknown): SegmenterHeader {
  if (typeof value !== "object" || value === null) {
    throw new RangeError(`invalid segmenter: ${JSON.stringify(value)} (expected an object)`);
  }
  const header = value as Record<string, unknown>;
  const digits = PAIRS / 4;
  for (const field of ["tokenPairs", "sentencePairs", "joinPairs"]) {
    const pairs = header[field];
    if (field === "joinPairs" && pairs === undefined) continue;
    if (typeof pairs !== "string" || pairs.length !== digits || !/^[0-9a-f]*$/.test(pairs)) {
      throw new RangeError(`invalid ${field} (expected ${digits} hexadecimal digits)`);
    }
  }
  const { wholeTokens = [], unmarkedEnds = UNMARKED_ENDS } = header;
  for (const kind of Array.isArray(wholeTokens) ? wholeTokens : [wholeTokens]) {
    if (!ALL_WHOLE_TOKENS.includes(kind as WholeToken))
      throw new RangeError(`invalid wholeTokens: ${JSON.stringify(kind)} (expected ${ALL_WHOLE_TOKENS.join(", ")})`);
  }
  if (!Array.isArray(unmarkedEnds) || unmarkedEnds.length !== 2 || !unmarkedEnds.every(Number.isSafeInteger))
    throw new RangeError(`invalid unmarkedEnds: ${JSON.stringify(unmarkedEnds)} (expected two whole numbers)`);
  checkMultiWordRules(header.multiWord);
  return value as SegmenterHeader;
}

/** One bit a pair, four pairs a hexadecimal digit. */
export function packPairs(pairs: PairSet): string {
  let packed = "";
  for (let i = 0; i < PAIRS; i += 4) {
    packed += ((pairs[i]! << 3) | (pairs[i + 1]! << 2) | (pairs[i + 2]! << 1) | pairs[i + 3]!).toString(16);
  }
  return packed;
}

export function unpackPairs(packed: string): PairSet {
  return Uint8Array.from({ length: PAIRS }, (_, i) => (Number.parseInt(packed[i >> 2]!, 16) >> (3 - (i & 3))) & 1);
}
