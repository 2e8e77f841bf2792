import { checkCommonHeader } from "../parser/check-header.js";
import type { CommonHeader } from "../parser/model-header.js";
import { ENCODINGS, type EncodingName, encodingOf } from "./encodings/encodings.js";

/** The stand-in for the name of a transition system. */
export const TAGS = "tags";

/** Everything about a parser by tags but its weights: plain data, written as JSON into the model file. */
export interface TagsHeader extends CommonHeader {
  system: typeof TAGS;
  encoding: EncodingName;
  /** The tags of words, in the order of their classes; labels come after them. */
  tags: string[];
}

/** Whether a header, or what is asked of a training, is that of a parser by tags. */
export function isTags(header: { readonly system?: unknown } | null | undefined): boolean {
  return header?.system === TAGS;
}

/** The header of a parser by tags in a file, checked; throws a RangeError that says what is wrong with it. */
export function checkTagsHeader(value: unknown): TagsHeader {
  const check = checkCommonHeader(value);
  const header = { ...(value as TagsHeader), system: TAGS } as const;
  const { encoding, tags } = header;
  check("encoding", ENCODINGS.includes(encoding), `one of ${ENCODINGS.join(", ")}`);
  const isList = Array.isArray(tags) && tags.every((tag) => typeof tag === "string") && tags.length > 0;
  const own = encodingOf(encoding).tags;
  check("tags", isList && new Set(tags).size === tags.length, "distinct tags");
  check(
    "tags",
    own.every((tag) => tags.includes(tag)),
    `${own.join(", ")} among them`,
  );
  return header;
}
