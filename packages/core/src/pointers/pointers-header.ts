import { checkCommonHeader } from "../parser/check-header.js";
import type { CommonHeader } from "../parser/model-header.js";

/** The stand-in for the name of a transition system. */
export const POINTERS = "pointers";

/** Everything about a parser with pointers but its weights: plain data, written as JSON into the model file. */
export interface PointersHeader extends CommonHeader {
  system: typeof POINTERS;
}

/** Whether a header, or what is asked of a training, is that of a parser with pointers. */
export function isPointers(header: { readonly system?: unknown } | null | undefined): boolean {
  return header?.system === POINTERS;
}

/** The header of a parser with pointers in a file, checked; throws a RangeError that says what is wrong with it. */
export function checkPointersHeader(value: unknown): PointersHeader {
  checkCommonHeader(value);
  return { ...(value as PointersHeader), system: POINTERS };
}
